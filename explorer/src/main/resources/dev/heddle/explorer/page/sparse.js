"use strict";
// Dense A, stored A and metadata words side by side. What a nibble means, where it stands and which
// columns it keeps comes from the model; here are only the look-ups.
(function (heddle) {
  const element = id => document.getElementById(id);
  const key = (row, column) => row + "," + column;
  let sparse;
  let slots; // the metadata's holdings: one for each chunk
  let nibbles; // chunk -> nibble
  let values; // row,column -> text
  let chosen = null;

  function hex(word) {
    return (word >>> 0).toString(16).padStart(8, "0");
  }

  function words() {
    const words = new Map();
    for (const slot of slots) {
      const nibble = nibbles.get(key(slot.row, slot.column));
      words.set(slot.lane, (words.get(slot.lane) || 0) | nibble << slot.low);
    }
    return words;
  }

  function usual() {
    let word = new Map();
    for (const slot of slots) {
      word.set(slot.lane, (word.get(slot.lane) || 0) | sparse.patterns[0] << slot.low);
    }
    return word;
  }

  function take(lane, word) {
    slots.filter(slot => slot.lane === lane)
        .forEach(slot => nibbles.set(key(slot.row, slot.column), word >>> slot.low & 15));
  }

  function keep() {
    const plain = usual();
    const changed = [...words()].filter(([lane, word]) => (word >>> 0) !== (plain.get(lane) >>> 0));
    heddle.change({
      meta: changed.map(([lane, word]) => lane + ":" + hex(word)).join(" "),
      val: [...values].map(([place, text]) => place.replace(",", ".") + ":" + text).join(" ")
    }, true);
  }

  function restore() {
    for (const part of (heddle.state.meta || "").split(" ")) {
      const found = /^(\d{1,3}):([0-9a-f]{1,8})$/.exec(part);
      if (found) {
        take(Number(found[1]), parseInt(found[2], 16));
      }
    }
    for (const part of (heddle.state.val || "").split(" ")) {
      const found = /^(\d{1,3})\.(\d{1,3}):(\S{1,12})$/.exec(part);
      if (found) {
        values.set(key(found[1], found[2]), found[3]);
      }
    }
  }

  function value(row, column) {
    const text = values.get(key(row, column));
    return text === undefined ? String(column) : text;
  }

  function span(tag, text) {
    const made = document.createElement(tag);
    made.textContent = text;
    return made;
  }

  function columnsOf(slot) {
    return sparse.nibbles[nibbles.get(key(slot.row, slot.column))].columns;
  }

  function draw() {
    const dense = element("dense");
    const stored = element("stored");
    const focused = document.activeElement && document.activeElement.dataset.chunk;
    const ordered = slots.slice().sort((a, b) => a.row - b.row || a.column - b.column);
    const perRow = "max-content repeat(" + sparse.chunks + ", max-content)";
    dense.style.gridTemplateColumns = perRow;
    stored.style.gridTemplateColumns = perRow;
    dense.replaceChildren();
    stored.replaceChildren();
    const invalid = [];
    let row = -1;
    for (const slot of ordered) {
      if (slot.row !== row) {
        row = slot.row;
        dense.append(span("span", row));
        stored.append(span("span", row));
      }
      const kept = columnsOf(slot);
      const nibble = nibbles.get(key(slot.row, slot.column));
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.chunk = key(slot.row, slot.column);
      button.setAttribute("aria-label", "row " + row + ", columns " + slot.column + " to "
          + slot.columnLast + ", " + (kept ? "kept " + kept.map(c => slot.column + c).join(" ")
          : "invalid metadata"));
      for (let column = slot.column; column <= slot.columnLast; column++) {
        button.append(span(kept && kept.includes(column - slot.column) ? "b" : "i", value(row, column)));
      }
      button.classList.toggle("bad", !kept);
      button.classList.toggle("chosen", chosen === button.dataset.chunk);
      button.addEventListener("click", () => turn(slot));
      dense.append(button);
      const box = span("span", kept ? kept.map(c => value(row, slot.column + c)).join(" ") : "?");
      stored.append(box);
      if (!kept) {
        invalid.push("lane " + slot.lane + ", bits " + slot.high + ".." + slot.low + ": 0x"
            + nibble.toString(16) + " for row " + row + ", columns " + slot.column + ".."
            + slot.columnLast + ": " + sparse.nibbles[nibble].reason);
      }
    }
    element("invalid").replaceChildren(...invalid.slice(0, 32).map(text => span("li", text)),
        ...(invalid.length > 32 ? [span("li", "and " + (invalid.length - 32) + " more")] : []));
    drawWords();
    if (focused) {
      const again = [...dense.children].find(child => child.dataset.chunk === focused);
      if (again) {
        again.focus();
      }
    }
  }

  function drawWords() {
    element("words").replaceChildren(...[...words()].map(([lane, word]) => {
      const label = span("label", "T" + lane + " 0x");
      const input = document.createElement("input");
      input.value = hex(word);
      input.maxLength = 10;
      input.spellcheck = false;
      input.dataset.lane = lane;
      input.setAttribute("aria-invalid", String(slots.some(slot => slot.lane === lane && !columnsOf(slot))));
      input.addEventListener("change", () => paste(lane, input));
      label.append(input);
      return label;
    }));
  }

  function paste(lane, input) {
    const found = /^(?:0x)?([0-9a-f]{1,8})$/i.exec(input.value.trim());
    if (!found) {
      heddle.say("metadata word \"" + input.value + "\": expected up to 8 hexadecimal digits");
      input.setAttribute("aria-invalid", "true");
      return;
    }
    heddle.say("");
    take(lane, parseInt(found[1], 16));
    keep();
    draw();
  }

  function turn(slot) {
    const at = key(slot.row, slot.column);
    const index = sparse.patterns.indexOf(nibbles.get(at));
    if (chosen === at) {
      nibbles.set(at, sparse.patterns[(index + 1) % sparse.patterns.length]);
    }
    chosen = at;
    const texts = [];
    for (let column = slot.column; column <= slot.columnLast; column++) {
      texts.push(value(slot.row, column));
    }
    element("values").value = texts.join(" ");
    heddle.pointAtChunk(slot);
    keep();
    draw();
  }

  element("values").addEventListener("change", () => {
    const slot = slots && slots.find(each => key(each.row, each.column) === chosen);
    if (slot) {
      element("values").value.trim().split(/\s+/).forEach((text, i) => {
        if (text && slot.column + i <= slot.columnLast) {
          values.set(key(slot.row, slot.column + i), text.slice(0, 12));
        }
      });
      keep();
      draw();
    }
  });

  /** Shows a sparse form, or hides the section of a dense one. */
  heddle.showSparse = (form, metadata) => {
    element("sparse").hidden = !form.sparse;
    if (!form.sparse) {
      return;
    }
    sparse = form.sparse;
    slots = metadata.holdings.map(heddle.holding);
    nibbles = new Map(slots.map(slot => [key(slot.row, slot.column), sparse.patterns[0]]));
    values = new Map();
    chosen = null;
    element("sparseHelp").textContent = sparse.granularity + ": press a chunk to choose it, press it"
        + " again to keep other elements of it; or paste a metadata word. Numbers are values; an"
        + " element's value is its column until you type another.";
    restore();
    draw();
  };
})(window.heddle);
