"use strict";
// Shared memory of wgmma: the descriptor's fields, and the matrix by address and bank and by row and column.
(function (heddle) {
  const element = id => document.getElementById(id);
  const memory = new heddle.Drawing(element("memory"), word => [0, word.line, word.bank]);
  const matrix = new heddle.Drawing(element("memoryMatrix"), word => [0, word.atRow, word.atColumn]);
  let drawn = null; // the answer that the drawing shows
  let all = []; // its words
  let shown = null; // role and sparse granularity of what is drawn

  function row(texts, tag = "td") {
    const made = document.createElement("tr");
    made.append(...texts.map(text => {
      const cell = document.createElement(tag);
      cell.textContent = text;
      return cell;
    }));
    return made;
  }

  function drawNothing(why) {
    element("sharedCaption").replaceChildren(why);
    element("memory").replaceChildren();
    element("memoryMatrix").replaceChildren();
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
      const answer = await heddle.ask("shared", Object.assign(
          {opcode: form.opcode, source: form.source, role: role.role, major},
          state.desc ? {descriptor: state.desc} : {mode: state.mode || 1}));
      element("descriptor").value = "0x" + answer.descriptor;
      element("mode").value = answer.mode;
      element("fields").replaceChildren(row(["field", "bits", "value"], "th"), ...answer.fields.map(each => row(each)));
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
        all = answer.words.map(([line, bank, row, rowLast, column, columnLast, atRow, atColumn]) =>
          ({line, bank, row, rowLast, column, columnLast, atRow, atColumn}));
        memory.show(answer.svg, all);
        matrix.show(answer.matrix, all);
      }
      point(null);
      if (state.w && !kept().length) {
        faults.push("w " + state.w + ": outside the drawing by row and column");
      }
    } catch (e) {
      drawNothing(e.message);
      element("descriptor").value = state.desc || "";
      element("fields").replaceChildren();
      if (!heddle.exported) {
        faults.push(e.message);
      }
    }
    return faults;
  };

  const range = (first, last) => first === last ? first : first + ".." + last;

  function sentence(word) {
    return "address 0x" + ((word.line + shown.base) * 128 + word.bank * 4).toString(16) + ", bank " + word.bank + ": "
        + (shown.role === "A" ? "row " + range(word.row, word.rowLast) + ", " + (shown.sparse ? "stored " : "")
            + "column " + range(word.column, word.columnLast) + " of A"
            : "row " + range(word.column, word.columnLast) + ", column " + range(word.row, word.rowLast) + " of B");
  }

  function mark(words, linked) {
    memory.mark(words, linked);
    matrix.mark(words, linked);
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
    heddle.change({w: words[0].atRow + "," + words[0].atColumn}, true);
    point(words);
  }

  for (const drawing of [memory, matrix]) {
    drawing.onPoint = point;
    drawing.onKeep = keep;
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
    if (shown && shown.sparse && shown.role === "A" && memory.index) {
      const has = (word, place) => places(word).some(each => each.row === place.row && each.column === place.column
          && (place.index === null || place.index === undefined || each.index === place.index));
      const lit = all.filter(word => at.some(place =>
        !(place.index === null && place.dense !== undefined) && has(word, place)));
      mark(lit.length ? lit : kept(), lit.length > 0);
    }
  };

  element("role").addEventListener("change", e => heddle.change({role: e.target.value, desc: null, w: null}));
  element("mode").addEventListener("change", e => heddle.change({mode: e.target.value, desc: null}));
  element("major").addEventListener("change", e => heddle.change({major: e.target.value, w: null}));
  element("descriptor").addEventListener("change", e => heddle.change({desc: e.target.value.trim()}));
})(window.heddle);
