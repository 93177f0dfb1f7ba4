"use strict";
// Shared memory of wgmma: the descriptor's fields, and the matrix by address and bank.
(function (heddle) {
  const element = id => document.getElementById(id);
  const memory = new heddle.Drawing(element("memory"), h => [0, h.line, h.bank]);
  let drawn = null; // the answer that the drawing shows
  let shown = null; // role and sparse granularity of what is drawn

  function row(texts) {
    const made = document.createElement("tr");
    made.append(...texts.map(text => {
      const cell = document.createElement("td");
      cell.textContent = text;
      return cell;
    }));
    return made;
  }

  /** Shows the matrices that a form reads from shared memory; returns what is wrong with the address. */
  heddle.showShared = async form => {
    const state = heddle.state;
    element("shared").hidden = form.shared.length === 0;
    if (form.shared.length === 0) {
      return ["role", "mode", "major", "desc"].filter(name => state[name])
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
      element("fields").replaceChildren(...answer.fields.map(row));
      element("sharedCaption").replaceChildren(...answer.caption.map(line => {
        const made = document.createElement("p");
        made.textContent = line;
        return made;
      }));
      shown = {role: role.role, sparse: form.sparse, base: answer.line};
      if (drawn !== answer) {
        drawn = answer;
        memory.show(answer.svg, answer.words.map(([line, bank, row, rowLast, column, columnLast]) =>
          ({line, bank, row, rowLast, column, columnLast})));
      }
      element("address").textContent = "";
    } catch (e) {
      element("sharedCaption").replaceChildren(e.message);
      element("memory").replaceChildren();
      drawn = null;
      shown = null;
      element("fields").replaceChildren();
      if (!heddle.exported) {
        faults.push(e.message);
      }
    }
    return faults;
  };

  const range = (first, last) => first === last ? first : first + ".." + last;

  /** What a word of memory holds, in words; and in a sparse A the chunks that it belongs to. */
  memory.onPoint = words => {
    memory.mark(words || []);
    const word = words && words[0];
    element("address").textContent = word ? "address 0x" + ((word.line + shown.base) * 128 + word.bank * 4).toString(16)
        + ", bank " + word.bank + ": " + (shown.role === "A" ? "row " + range(word.row, word.rowLast) + ", "
            + (shown.sparse ? "stored " : "") + "column " + range(word.column, word.columnLast) + " of A"
            : "row " + range(word.column, word.columnLast) + ", column " + range(word.row, word.rowLast) + " of B") : "";
    if (shown && shown.sparse && shown.role === "A") {
      heddle.light(words ? words.flatMap(places) : []);
    }
  };
  memory.onKeep = memory.onPoint;

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
      memory.mark([...memory.index.values()].flat().filter(word => at.some(place =>
        !(place.index === null && place.dense !== undefined) && has(word, place))), true);
    }
  };

  element("role").addEventListener("change", e => heddle.change({role: e.target.value, desc: null}));
  element("mode").addEventListener("change", e => heddle.change({mode: e.target.value, desc: null}));
  element("major").addEventListener("change", e => heddle.change({major: e.target.value}));
  element("descriptor").addEventListener("change", e => heddle.change({desc: e.target.value.trim()}));
})(window.heddle);
