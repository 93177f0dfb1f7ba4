"use strict";
// Shared memory of wgmma: the descriptor's fields, and the matrix by address and bank and by row and column.
(function (heddle) {
  const element = id => document.getElementById(id);
  const letters = word => shown.role === "A" ? ["m", "k"] : ["n", "k"];
  const range = (first, last) => first === last ? String(first) : first + ".." + last;
  const hex = (line, bank) => "0x" + ((line + shown.base) * 128 + bank * 4).toString(16);
  const memory = new heddle.Sheet(element("memory"), {label: ({first: w}) => [letters(w)[0] + range(w.row, w.rowLast),
    letters(w)[1] + range(w.column, w.columnLast), "", ""], height: () => 640, highest: 30, least: 14});
  const matrix = new heddle.Sheet(element("memoryMatrix"), {label: ({first: w}) => [hex(w.line, w.bank), "bank " + w.bank, "", ""],
    height: () => 560, highest: 30, least: 14});
  Object.assign(heddle.sheets, {memory, memoryMatrix: matrix});
  let drawn = null; // the answer that the drawing shows
  let all = []; // its words
  let asked = {}; // what the matrix is, as a question
  let shown = null; // role and sparse granularity of what is drawn

  /** The fields of the descriptor, each to be changed where it stands. */
  function fields(all) {
    const host = element("fields");
    const known = [...host.querySelectorAll("input")];
    if (known.length === 0) {
      host.append(...all.map(([name, words, bits]) => {
        const label = document.createElement("label");
        const input = document.createElement("input");
        input.type = "number";
        input.min = 0;
        input.step = name === "base" ? 1 : 16;
        input.name = name;
        input.title = "bits " + bits;
        label.append(words + " ", input);
        return label;
      }));
    }
    host.querySelectorAll("input").forEach((input, i) => {
      input.value = all[i][3];
    });
  }

  element("fields").addEventListener("change", async () => {
    const values = {opcode: asked.opcode, source: asked.source, role: asked.role, major: asked.major, mode: element("mode").value};
    element("fields").querySelectorAll("input").forEach(input => {
      values[input.name] = input.value;
    });
    try {
      heddle.change({desc: (await heddle.ask("shared", values)).descriptor});
    } catch (e) {
      heddle.say(e.message);
    }
  });

  function drawNothing(why) {
    element("sharedCaption").replaceChildren(why);
    element("memory").parentElement.hidden = true;
    element("memoryMatrix").parentElement.hidden = true;
    element("address").textContent = "";
    all = [];
    drawn = null;
    shown = null;
  }

  /** Shows the matrices that a form reads from shared memory; returns what is wrong with the address. */
  heddle.showShared = async form => {
    const state = heddle.state;
    element("shared").hidden = form.shared.length === 0;
    if (form.shared.length === 0) {
      return ["role", "mode", "major", "desc", "w"].filter(name => state[name])
          .map(name => name + " " + state[name] + ": this form reads nothing from shared memory");
    }
    const faults = [];
    const role = form.shared.find(each => each.role === state.role) || form.shared[0];
    if (state.role && state.role !== role.role) {
      faults.push(state.role + " is not in shared memory here: shown is " + role.role);
    }
    heddle.fill("role", ["A", "B"].map(each => heddle.option(each, each,
        form.shared.some(there => there.role === each) ? "" : "in registers")), role.role);
    const major = role.majors.includes(state.major) ? state.major : "K";
    if (state.major && state.major !== major) {
      faults.push(state.major + "-major: only .f16 and .bf16 may be transposed (PTX ISA 9.7.15.5.2)");
    }
    heddle.fill("major", ["K", "MN"].map(each => heddle.option(each, each,
        role.majors.includes(each) ? "" : "only .f16 and .bf16 may be transposed")), major);
    element("mode").value = state.mode || 1;
    try {
      asked = {opcode: form.opcode, source: form.source, role: role.role, major};
      const answer = await heddle.ask("shared", Object.assign(
          {opcode: form.opcode, source: form.source, role: role.role, major},
          state.desc ? {descriptor: state.desc} : {mode: state.mode || 1}));
      element("descriptor").value = "0x" + answer.descriptor;
      element("mode").value = answer.mode;
      fields(answer.fields);
      element("expression").textContent = answer.expression;
      element("advice").replaceChildren(...(answer.advice || []).map(text => {
        const made = document.createElement("li");
        made.textContent = text;
        return made;
      }));
      if (answer.undrawable) {
        faults.push(answer.undrawable);
        drawNothing(answer.undrawable);
        return faults;
      }
      element("sharedCaption").replaceChildren(...answer.caption.map(line => {
        const made = document.createElement("p");
        made.textContent = line;
        return made;
      }));
      shown = {role: role.role, sparse: form.sparse, base: answer.line};
      if (drawn !== answer) {
        drawn = answer;
        all = words(answer.table, answer.line, role.role);
        show();
      }
      point(null);
      if (state.w && !kept().length) {
        faults.push("w " + state.w + ": outside the drawing by row and column");
      }
    } catch (e) {
      drawNothing(e.message);
      element("descriptor").value = state.desc || "";
      element("fields").replaceChildren();
      element("expression").textContent = "";
      element("advice").replaceChildren();
      if (!heddle.exported) {
        faults.push(e.message);
      }
    }
    return faults;
  };

  /** The words of 32 bits that hold the matrix: where the offsets of row and column lead, swizzled. */
  function words({rows, columns, start, pattern, swizzled, alongK, bits}, line, role) {
    const step = Math.max(32 / bits, 1);
    const unit = Math.max(128 / bits, 1);
    const [down, along] = alongK ? [1, step] : [step, 1];
    const found = [];
    for (let row = 0; row < rows.length; row += down) {
      for (let column = 0; column < columns.length; column += along) {
        const plain = start + Math.floor((rows[row] + columns[column]) / 8) - pattern;
        const address = (plain ^ (plain >> 7 & swizzled) << 4) + pattern;
        const place = [Math.floor(row / down), Math.floor(column / along)];
        const [hue, shade] = alongK ? [row, column] : [column, row];
        found.push({line: Math.floor(address / 128) - line, bank: Math.floor(address / 4) % 32, row, rowLast: row + down - 1,
          column, columnLast: column + along - 1, atRow: place[role === "A" ? 0 : 1], atColumn: place[role === "A" ? 1 : 0],
          colour: (hue & 7) << 2 | Math.floor(shade / unit) & 3, lane: Math.floor(address / 4)});
      }
    }
    return found;
  }

  const most = name => Math.max(...all.map(word => word[name])) + 1;

  function show() {
    element("memory").parentElement.hidden = false;
    element("memoryMatrix").parentElement.hidden = false;
    memory.show([{name: "memory", title: "bank|of 32 bits each", rows: most("line"), columns: 32, cx: 0, cy: 0, gx: 0, gy: 0,
      holdings: all, alone: true, placeOf: word => [word.line, word.bank], rowLabel: line => ((line + shown.base) * 128).toString(16)}]);
    const first = all[0];
    const [rows, columns] = shown.role === "A" ? [first.rowLast - first.row + 1, first.columnLast - first.column + 1]
        : [first.columnLast - first.column + 1, first.rowLast - first.row + 1];
    matrix.show([{name: "memoryMatrix", title: shown.role + "|" + (shown.role === "A" ? "M down, K along" : "K down, N along"),
      rows: most("atRow"), columns: most("atColumn"), cx: 0, cy: 0, gx: 0, gy: 0, holdings: all, alone: true,
      rowLabel: row => String(row * rows), columnLabel: column => String(column * columns)}]);
  }

  function sentence(word) {
    return "address " + hex(word.line, word.bank) + ", bank " + word.bank + ": "
        + (shown.role === "A" ? "row " + range(word.row, word.rowLast) + ", " + (shown.sparse ? "stored " : "")
            + "column " + range(word.column, word.columnLast) + " of A"
            : "row " + range(word.column, word.columnLast) + ", column " + range(word.row, word.rowLast) + " of B");
  }

  function mark(words) {
    const lights = (name, place) => ({marks: words.slice(0, 256).map(word => Object.assign({tile: name}, place(word)))});
    memory.light(lights("memory", word => ({row: word.line, column: word.bank})));
    matrix.light(lights("memoryMatrix", word => ({row: word.atRow, column: word.atColumn})));
    if (words.length && !element("memory").matches(":hover, :focus")) {
      memory.reveal({tile: "memory", row: words[0].line, column: words[0].bank});
    }
    if (words.length && !element("memoryMatrix").matches(":hover, :focus")) {
      matrix.reveal({tile: "memoryMatrix", row: words[0].atRow, column: words[0].atColumn});
    }
  }

  /** The word that the address keeps, by its place in the drawing by row and column. */
  function kept() {
    return all.filter(word => word.atRow + "," + word.atColumn === heddle.state.w);
  }

  /** What stands where the pointer is, in both drawings and in words; of a sparse A in the editor, too. */
  function point(pointed) {
    const words = pointed || kept();
    mark(words);
    element("address").textContent = words.slice(0, 4).map(sentence).join("; ");
    if (shown && shown.sparse && shown.role === "A") {
      heddle.light(words.flatMap(places));
    }
  }

  function keep(words) {
    heddle.change({w: words[0].atRow + "," + words[0].atColumn}, "push");
    point(words);
  }

  for (const drawing of [memory, matrix]) {
    drawing.onPoint = (place, words) => point(words);
    drawing.onKeep = (place, words) => words && keep(words);
  }

  /** The places of the editor that a word of a sparse A holds. */
  function places(word) {
    const found = [];
    for (let row = word.row; row <= word.rowLast; row++) {
      for (let column = word.column; column <= word.columnLast; column++) {
        const chunk = Math.floor(column / shown.sparse.stored);
        found.push({row, column: chunk * shown.sparse.width, index: column % shown.sparse.stored});
      }
    }
    return found;
  }

  /** Marks what places of the editor are in memory. */
  heddle.lightMemory = at => {
    if (shown && shown.sparse && shown.role === "A" && all.length) {
      const has = (word, place) => places(word).some(each => each.row === place.row && each.column === place.column
          && (place.index === null || place.index === undefined || each.index === place.index));
      const lit = all.filter(word => at.some(place =>
        !(place.index === null && place.dense !== undefined) && has(word, place)));
      mark(lit.length ? lit : kept());
    }
  };

  element("role").addEventListener("change", e => heddle.change({role: e.target.value, desc: null, w: null}));
  element("mode").addEventListener("change", e => heddle.change({mode: e.target.value, desc: null}));
  element("major").addEventListener("change", e => heddle.change({major: e.target.value, w: null}));
  element("descriptor").addEventListener("change", e => heddle.change({desc: e.target.value.trim()}));
})(window.heddle);
