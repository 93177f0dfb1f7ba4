"use strict";
// Dense A, stored A and metadata words side by side. What a nibble means, where it stands and which
// columns it keeps comes from the model; here are only the look-ups.
(function (heddle) {
  const element = id => document.getElementById(id);
  const key = (row, column) => row + "," + column;
  let sparse;
  let slots; // the metadata's holdings: one for each chunk
  let nibbles; // chunk -> nibble
  let chosen = null;

  const hex = word => (word >>> 0).toString(16).padStart(8, "0");
  const binary = nibble => nibble.toString(2).padStart(4, "0");

  function words() {
    const words = new Map();
    for (const slot of slots) {
      const nibble = nibbles.get(key(slot.row, slot.column));
      words.set(slot.lane, (words.get(slot.lane) || 0) | nibble << slot.low);
    }
    return words;
  }

  /** The nibble that the example begins with. */
  function example(slot) {
    return parseInt(sparse.example[slot.row % sparse.example.length][slot.column / sparse.width], 16);
  }

  function usual() {
    const word = new Map();
    for (const slot of slots) {
      word.set(slot.lane, (word.get(slot.lane) || 0) | example(slot) << slot.low);
    }
    return word;
  }

  function take(lane, word) {
    const mine = slots.filter(slot => slot.lane === lane);
    mine.forEach(slot => nibbles.set(key(slot.row, slot.column), word >>> slot.low & 15));
    return mine.length > 0;
  }

  function keep() {
    const plain = usual();
    const changed = [...words()].filter(([lane, word]) => (word >>> 0) !== (plain.get(lane) >>> 0));
    heddle.change({chunk: chosen, meta: changed.map(([lane, word]) => lane + ":" + hex(word)).join(" ")}, true);
    heddle.valuesChanged();
  }

  function restore() {
    const faults = [];
    for (const part of (heddle.state.meta || "").split(" ").filter(Boolean)) {
      const [, lane, word] = /^(\d+):([0-9a-f]+)$/.exec(part);
      if (!take(Number(lane), parseInt(word, 16))) {
        faults.push("metadata word " + part + ": under this selector lane " + lane + " supplies none");
      }
    }
    return faults;
  }

  function span(tag, text, className) {
    const made = document.createElement(tag);
    made.textContent = text;
    if (className) {
      made.className = className;
    }
    return made;
  }

  function columnsOf(slot) {
    return sparse.nibbles[nibbles.get(key(slot.row, slot.column))].columns;
  }

  const reasonOf = slot => sparse.nibbles[nibbles.get(key(slot.row, slot.column))].reason;

  function chunkButton(slot) {
    const kept = columnsOf(slot);
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.chunk = key(slot.row, slot.column);
    button.append(span("span", "row " + slot.row + ", columns " + slot.column + " to " + slot.columnLast + ", "
        + (kept ? "kept " + kept.map(c => slot.column + c).join(" ") : "invalid metadata") + ": ", "hidden"));
    for (let column = slot.column; column <= slot.columnLast; column++) {
      const cell = span(kept && kept.includes(column - slot.column) ? "b" : "i", heddle.value("A", slot.row, column));
      cell.dataset.column = column;
      button.append(cell);
    }
    button.classList.toggle("bad", !kept);
    button.classList.toggle("chosen", chosen === button.dataset.chunk);
    return button;
  }

  function storedChunk(slot) {
    const kept = columnsOf(slot);
    const box = span("span", "");
    box.dataset.chunk = key(slot.row, slot.column);
    for (let index = 0; index < sparse.stored; index++) {
      const cell = span("b", kept ? heddle.value("A", slot.row, slot.column + kept[index]) : "?");
      cell.dataset.index = index;
      box.append(cell);
    }
    return box;
  }

  const controls = host => [...host.querySelectorAll("button, input")];

  function stopAt(host, control) {
    controls(host).forEach(each => {
      each.tabIndex = each === control ? 0 : -1;
    });
  }

  /** Puts new children into a host; the focus stays, and the Tab key stops where it did. */
  function renew(host, children) {
    const before = controls(host);
    const stop = Math.max(before.findIndex(each => each.tabIndex === 0), 0);
    const focused = before.includes(document.activeElement);
    host.replaceChildren(...children);
    const control = controls(host)[stop] || controls(host)[0];
    stopAt(host, control);
    if (focused) {
      control.focus();
    }
  }

  function draw() {
    const dense = element("dense");
    const stored = element("stored");
    const ordered = slots.slice().sort((a, b) => a.row - b.row || a.column - b.column);
    const perRow = "max-content repeat(" + sparse.chunks + ", max-content)";
    dense.style.gridTemplateColumns = perRow;
    stored.style.gridTemplateColumns = perRow;
    const denseCells = [];
    const storedCells = [];
    const invalid = [];
    let row = -1;
    for (const slot of ordered) {
      if (slot.row !== row) {
        row = slot.row;
        denseCells.push(span("span", row));
        storedCells.push(span("span", row));
      }
      denseCells.push(chunkButton(slot));
      storedCells.push(storedChunk(slot));
      if (!columnsOf(slot)) {
        invalid.push("lane " + slot.lane + ", bits " + slot.high + ".." + slot.low + ": 0x"
            + nibbles.get(key(slot.row, slot.column)).toString(16) + " for row " + row + ", columns "
            + slot.column + ".." + slot.columnLast + ": " + reasonOf(slot));
      }
    }
    renew(dense, denseCells);
    stored.replaceChildren(...storedCells);
    element("invalid").replaceChildren(...invalid.slice(0, 32).map(text => span("li", text)),
        ...(invalid.length > 32 ? [span("li", "and " + (invalid.length - 32) + " more")] : []));
    drawWords();
    drawChosen();
  }

  function drawWords() {
    renew(element("words"), [...words()].map(([lane, word]) => {
      const label = span("label", "T" + lane + " 0x");
      const input = document.createElement("input");
      input.value = hex(word);
      input.maxLength = 10;
      input.spellcheck = false;
      input.dataset.lane = lane;
      const mine = slots.filter(slot => slot.lane === lane).sort((a, b) => b.low - a.low);
      input.setAttribute("aria-invalid", String(mine.some(slot => !columnsOf(slot))));
      label.append(input);
      const bits = span("span", "", "bits");
      bits.append(...mine.map(slot => {
        const field = span("span", binary(nibbles.get(key(slot.row, slot.column))), columnsOf(slot) ? "" : "bad");
        field.dataset.chunk = key(slot.row, slot.column);
        field.title = "bits " + slot.high + ".." + slot.low + ": row " + slot.row + ", columns " + slot.column
            + ".." + slot.columnLast;
        return field;
      }));
      const box = span("div", "");
      box.append(label, bits);
      return box;
    }));
  }

  /** The chosen chunk's values, and every nibble that it may have. */
  function drawChosen() {
    const slot = slots.find(each => key(each.row, each.column) === chosen);
    element("chosenChunk").hidden = !slot;
    if (!slot) {
      return;
    }
    const texts = [];
    for (let column = slot.column; column <= slot.columnLast; column++) {
      texts.push(heddle.value("A", slot.row, column));
    }
    element("values").value = texts.join(" ");
    element("chunkName").textContent = "Row " + slot.row + ", columns " + slot.column + ".." + slot.columnLast + ":";
    const shown = (nibble, {columns}) => "0x" + nibble.toString(16) + " 0b" + binary(nibble)
        + (columns ? " keeps " + columns.map(c => slot.column + c).join(" ") : " invalid");
    heddle.fill("pattern", sparse.nibbles.map((each, nibble) => heddle.option(nibble, shown(nibble, each))),
        nibbles.get(chosen));
  }

  function paste(input) {
    const found = /^(?:0x)?([0-9a-f]{1,8})$/i.exec(input.value.trim());
    if (!found) {
      heddle.say("metadata word \"" + input.value + "\": expected up to 8 hexadecimal digits");
      input.setAttribute("aria-invalid", "true");
      return;
    }
    take(Number(input.dataset.lane), parseInt(found[1], 16));
    keep();
    draw();
  }

  const slotOf = chunk => slots.find(slot => key(slot.row, slot.column) === chunk);

  function turn(slot) {
    const at = key(slot.row, slot.column);
    const index = sparse.patterns.indexOf(nibbles.get(at));
    nibbles.set(at, sparse.patterns[(index + 1) % sparse.patterns.length]);
    chosen = at;
    keep();
    draw();
    heddle.pointAtChunk(slot, null);
  }

  /** The stored place of a dense column of a chunk, or null if it is not kept. */
  function indexOf(slot, column) {
    const kept = columnsOf(slot);
    const index = kept ? kept.indexOf(column - slot.column) : -1;
    return index < 0 ? null : index;
  }

  /** What the pointer or the focus is at: a chunk, and in it an element where there is one. */
  function at(event) {
    const chunk = event.target.closest("[data-chunk]");
    const slot = chunk && slotOf(chunk.dataset.chunk);
    if (!slot) {
      return heddle.pointAtChunk(null, null);
    }
    const {column, index} = event.target.dataset;
    if (column !== undefined) {
      const index = indexOf(slot, Number(column));
      return heddle.pointAtChunk(slot, index, Number(column));
    }
    return heddle.pointAtChunk(slot, index === undefined ? null : Number(index));
  }

  for (const id of ["dense", "stored", "words"]) {
    element(id).addEventListener("pointerover", event => heddle.moved(event) && at(event));
    element(id).addEventListener("pointerleave", event => heddle.moved(event) && heddle.pointAtChunk(null, null));
  }
  /** The arrow keys go from one control of a host to the next; the Tab key stops at one of them. */
  function roam(id, steps) {
    const host = element(id);
    host.addEventListener("focusin", event => stopAt(host, event.target));
    host.addEventListener("keydown", event => {
      const all = controls(host);
      const next = all[all.indexOf(event.target) + steps()[event.key]];
      if (next) {
        event.preventDefault();
        next.focus();
      }
    });
  }
  roam("dense", () => ({ArrowUp: -sparse.chunks, ArrowDown: sparse.chunks, ArrowLeft: -1, ArrowRight: 1}));
  roam("words", () => ({ArrowUp: -1, ArrowDown: 1}));
  element("dense").addEventListener("focusin", at);
  element("dense").addEventListener("click", event => {
    const chunk = event.target.closest("button");
    if (chunk) {
      turn(slotOf(chunk.dataset.chunk));
    }
  });
  element("words").addEventListener("change", event => paste(event.target));
  element("pattern").addEventListener("change", event => {
    nibbles.set(chosen, Number(event.target.value));
    keep();
    draw();
  });
  element("values").addEventListener("change", () => {
    const slot = slotOf(chosen);
    if (slot) {
      const texts = element("values").value.trim().split(/\s+/);
      const width = slot.columnLast - slot.column + 1;
      heddle.type("A", texts.slice(0, width).map((text, i) => [slot.row, slot.column + i, text]), true,
          texts.length > width ? [texts.length + " values: expected " + width + ", one for each column of the chunk"] : []);
      heddle.valuesChanged();
      draw();
    }
  });

  /** Which columns of a chunk are kept, counted in the chunk; null if that is not known. */
  heddle.keptColumns = (row, column) => {
    const slot = slots && slots.find(each => each.row === row && each.column === column);
    return slot && nibbles.has(key(row, column)) ? columnsOf(slot) || null : null;
  };

  /** The nibbles of a row in the order of its chunks, as hexadecimal digits. */
  heddle.nibblesOf = row => slots.filter(slot => slot.row === row).sort((a, b) => a.column - b.column)
      .map(slot => nibbles.get(key(row, slot.column)).toString(16)).join("");

  /** Lights up places of the editor: chunks, and in each a stored index or a dense column if known. */
  heddle.light = places => {
    for (const lit of element("sparse").querySelectorAll(".lit")) {
      lit.classList.remove("lit");
    }
    const revealed = new Set();
    const light = made => {
      if (made) {
        made.classList.add("lit");
        const host = made.closest("#dense, #stored, #words");
        if (!revealed.has(host) && !host.matches(":hover, :focus-within")) {
          const [box, around] = [made.getBoundingClientRect(), host.getBoundingClientRect()];
          heddle.reveal(host, box.left - around.left + host.scrollLeft, box.top - around.top + host.scrollTop, box.width, box.height);
        }
        revealed.add(host);
      }
    };
    for (const {row, column, index, dense} of places.slice(0, 256)) {
      const slot = slotOf(key(row, column));
      if (!slot) {
        continue;
      }
      const chunk = "[data-chunk=\"" + key(row, column) + "\"]";
      const kept = columnsOf(slot);
      light(element("words").querySelector(chunk));
      if (index === null || index === undefined) {
        if (dense === undefined) {
          light(element("stored").querySelector(chunk));
        }
        light(element("dense").querySelector(chunk + (dense === undefined ? "" : " [data-column=\"" + dense + "\"]")));
      } else {
        light(element("stored").querySelector(chunk + " [data-index=\"" + index + "\"]"));
        light(kept && element("dense").querySelector(chunk + " [data-column=\"" + (column + kept[index]) + "\"]"));
      }
    }
  };

  /** What the metadata says of a stored element or of a chunk, in words. */
  heddle.explain = ({row, column, index, dense}) => {
    const slot = slotOf(key(row, column));
    if (!slot) {
      return "";
    }
    const nibble = "0b" + binary(nibbles.get(key(row, column)));
    const kept = columnsOf(slot);
    if (!kept) {
      return "its metadata " + nibble + " is invalid: " + reasonOf(slot);
    }
    if (dense !== undefined && index === null) {
      return "A[" + row + "][" + dense + "] is not kept: metadata " + nibble;
    }
    return index === null || index === undefined
        ? "metadata " + nibble + " keeps columns " + kept.map(c => column + c).join(", ")
        : "metadata " + nibble + " says it is A[" + row + "][" + (column + kept[index]) + "]";
  };

  /** Shows a sparse form, or hides the section of a dense one. Returns what is wrong with the address. */
  heddle.showSparse = (form, metadata) => {
    element("sparse").hidden = !form.sparse;
    if (!form.sparse) {
      slots = [];
      return heddle.state.meta || heddle.state.chunk ? ["metadata words and chunks: this form has no metadata"] : [];
    }
    sparse = form.sparse;
    slots = metadata;
    nibbles = new Map(slots.map(slot => [key(slot.row, slot.column), example(slot)]));
    chosen = heddle.state.chunk && slotOf(heddle.state.chunk) ? heddle.state.chunk : null;
    element("sparseHelp").textContent = sparse.granularity + ": press a chunk to choose it and to keep other elements"
        + " of it; or choose what it keeps; or paste a metadata word. Values are an example until you type others.";
    const faults = restore();
    if (heddle.state.chunk && !chosen) {
      faults.push("chunk " + heddle.state.chunk + ": expected the row and the first column of a chunk of A");
    }
    draw();
    return faults;
  };
})(window.heddle);
