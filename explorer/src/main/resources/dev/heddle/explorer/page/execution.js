"use strict";
// One element of D: the products that make it, as the generation computes them. The numbers and the
// drawing come from the model; here are only the operands, taken from the editors.
(function (heddle) {
  const element = id => document.getElementById(id);
  const INPUTS = {A: "rowA", B: "columnB", C: "valueC", SFA: "scaleA", SFB: "scaleB"};
  let form;
  let asked = 0;
  let drawn = null; // the answer that the drawing and the table show
  let shownAt = [0, 0];

  function lines(host, texts) {
    host.replaceChildren(...texts.map(text => {
      const made = document.createElement("p");
      made.textContent = text;
      return made;
    }));
  }

  function row(tag, texts) {
    const made = document.createElement("tr");
    made.append(...texts.map(text => {
      const cell = document.createElement(tag);
      cell.textContent = text;
      return cell;
    }));
    return made;
  }

  /** The places of a matrix that an element of D is made of, in order. */
  function places(matrix, [atRow, atColumn]) {
    const [rows, columns] = form.example[matrix].extent;
    const range = (count, place) => Array.from({length: count}, (_, i) => place(i));
    return {
      A: () => range(columns, k => [atRow, k]),
      B: () => range(rows, k => [k, atColumn]),
      C: () => [[atRow, atColumn]],
      SFA: () => range(columns, v => [atRow, v]),
      SFB: () => range(rows, v => [v, atColumn])
    }[matrix]();
  }

  const matrices = () => Object.keys(INPUTS).filter(matrix => form.example[matrix]);

  const chosen = () => (heddle.state.d || "0,0").split(",").map(Number);

  /** The generation of the address if it has the form, else the first of the usual ones that has. */
  function generation(faults) {
    const known = form.generations.find(each => each[0] === heddle.state.gen);
    if (heddle.state.gen && (!known || known[2])) {
      faults.push("generation " + heddle.state.gen + ": " + (known ? "this form " + known[2]
          : "expected one of " + form.generations.map(each => each[0]).join(" ")));
    }
    const usable = form.generations.filter(each => !each[2]);
    const found = known && !known[2] ? known : usable.find(each => each[0] === "sm_90") || usable[0];
    return found && found[0];
  }

  /** The question, in the words of the model. */
  function question(at, name) {
    const texts = matrix => places(matrix, at).map(([r, c]) => heddle.value(matrix, r, c)).join(" ");
    const values = {opcode: form.opcode, source: form.source, generation: name, a: texts("A"), b: texts("B"), c: texts("C")};
    if (form.example.SFA) {
      Object.assign(values, {sfa: texts("SFA"), sfb: texts("SFB")});
    }
    if (form.sparse) {
      values.e = heddle.nibblesOf(at[0]);
    }
    return values;
  }

  /** Which of the example's rows this is, if nothing was typed that it is made of. */
  function example(at) {
    const touched = matrices().some(matrix => places(matrix, at).some(([r, c]) => heddle.typed(matrix, r, c)))
        || form.sparse && !new RegExp("^" + form.sparse.patterns[0].toString(16) + "+$").test(heddle.nibblesOf(at[0]));
    return touched ? null : at[0] % form.example.A.rows.length;
  }

  function fill(at, name) {
    element("place").value = at.join();
    heddle.fill("generation", form.generations.map(([each, products, reason]) =>
        heddle.option(each, each + ", " + products, reason)), name);
    for (const [matrix, id] of Object.entries(INPUTS)) {
      const there = Boolean(form.example[matrix]);
      element(id + "Label").hidden = !there;
      if (there) {
        element(id).value = places(matrix, at).map(([r, c]) => heddle.value(matrix, r, c)).join(" ");
      }
    }
    element("rowALabel").firstElementChild.textContent = "Row " + at[0] + " of A, dense";
    element("columnBLabel").firstElementChild.textContent = "Column " + at[1] + " of B";
    element("valueCLabel").firstElementChild.textContent = "C[" + at[0] + "][" + at[1] + "]";
  }

  function draw(answer) {
    element("trace").replaceChildren(document.importNode(
        new DOMParser().parseFromString(answer.svg, "image/svg+xml").documentElement, true));
    element("steps").replaceChildren(row("th", answer.heads), ...answer.steps.map(step => row("td", step)));
    return answer;
  }

  /** Shows how the chosen element of D is made; returns what is wrong with the address. */
  heddle.showExecution = async now => {
    form = now;
    const faults = [];
    const ask = ++asked;
    let at = chosen();
    const [rows, columns] = form.example.C.extent;
    if (at[0] >= rows || at[1] >= columns) {
      faults.push("d " + at.join() + ": D has rows 0.." + (rows - 1) + ", columns 0.." + (columns - 1));
      at = [0, 0];
    }
    shownAt = at;
    const name = generation(faults);
    fill(at, name);
    let answer;
    try {
      if (!name) {
        throw new Error("no generation in the table of numerics has this form: it needs " + form.requirement);
      }
      answer = await heddle.ask("execution", Object.assign({example: example(at)}, question(at, name)));
    } catch (e) {
      if (ask === asked) {
        lines(element("rule"), [e.message]);
        element("trace").replaceChildren();
        element("steps").replaceChildren();
      }
      return heddle.exported || !name ? faults : faults.concat(e.message);
    }
    if (ask === asked) {
      drawn = answer === drawn && element("steps").hasChildNodes() ? drawn : draw(answer);
      lines(element("rule"), ["D[" + at[0] + "][" + at[1] + "] = " + answer.result + " (" + answer.code + ") on "
          + form.generations.find(each => each[0] === name).slice(0, 2).join(", ") + "."].concat(answer.lines));
    }
    return faults;
  };

  element("generation").addEventListener("change", event => heddle.change({gen: event.target.value}));
  element("place").addEventListener("change", event =>
    heddle.change({d: event.target.value.trim().replace(/[\s,]+/, ",")}));
  element("execution").addEventListener("submit", event => event.preventDefault());
  for (const [matrix, id] of Object.entries(INPUTS)) {
    element(id).addEventListener("change", event => {
      const texts = event.target.value.trim().split(/[\s,]+/);
      const where = places(matrix, shownAt);
      heddle.type(matrix, where.map(([r, c], i) => [r, c, texts[i] || "0"]), false,
          texts.length > where.length ? [texts.length + " values of " + matrix + ": expected " + where.length] : []);
    });
  }
})(window.heddle);
