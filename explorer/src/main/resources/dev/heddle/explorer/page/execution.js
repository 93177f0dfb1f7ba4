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
      made.textContent = text.replace(/\^(-?\d+)/g, (all, exponent) => power(exponent));
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
        || form.sparse && heddle.nibblesOf(at[0]) !== form.sparse.example[at[0] % form.sparse.example.length];
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

  /** The terms of a sum, bit under bit: what is kept, and struck out what is cut off. */
  function drawTrace(host, answer) {
    const made = (tag, text, className) => {
      const node = document.createElement(tag);
      node.textContent = text;
      node.className = className || "";
      return node;
    };
    let term = 0;
    host.replaceChildren(...answer.sums.filter(sum => sum.aligned || answer.sums.length === 1).map(sum => {
      const box = made("div", "", "sum");
      const line = ([label, value, sign, first, kept, cut], kind) => {
        const node = made("div", "", kind);
        const bits = made("span", "", "run");
        bits.style.paddingLeft = (sum.high - first) + "ch";
        bits.append(sign ? made("span", sign, "sign") : "", kept || cut ? made("b", kept, "") : made("b", value === "0" ? "0" : value, "zero"));
        if (cut) {
          bits.append(made("s", cut, "lost"));
        }
        node.append(made("span", label, "label"), bits, made("span", value, "value"));
        return node;
      };
      const head = made("div", "", "places");
      const places = made("span", "2" + power(sum.high) + " … 2" + power(sum.low), "run");
      head.append(made("span", "places", "label"), places);
      box.append(head, ...sum.rows.map(row => {
        const node = line(row, "term");
        node.dataset.term = ++term;
        return node;
      }), line(sum.sum, "total"), line(sum.result, "rounded"));
      return box;
    }));
    if (!host.hasChildNodes()) {
      host.append(made("p", "Nothing is aligned here: the table below has each term.", "quiet"));
    }
  }

  const POWERS = {"-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹"};
  const power = exponent => [...String(exponent)].map(c => POWERS[c]).join("");

  function draw(answer) {
    drawTrace(element("trace"), answer);
    element("steps").replaceChildren(row("th", answer.heads), ...answer.steps.map(step => row("td", step)));
    element("stepAt").max = answer.steps.length;
    return answer;
  }

  /** Shows one term: in the sums, in the table, in the picture, and in a sentence. */
  function showStep(at) {
    const count = drawn ? drawn.steps.length : 0;
    const term = Math.min(Math.max(Number(at) || 0, 0), count);
    element("stepAt").value = term;
    element("stepBack").disabled = term === 0;
    element("stepOn").disabled = term >= count;
    for (const node of document.querySelectorAll("#trace .term, #trace2 .term")) {
      node.classList.toggle("now", Number(node.dataset.term) === term);
      node.classList.toggle("later", term > 0 && Number(node.dataset.term) > term);
    }
    [...element("steps").rows].forEach((each, i) => each.classList.toggle("now", i === term && i > 0));
    if (!term) {
      element("stepSaid").textContent = "All " + count + " terms.";
      return;
    }
    const [, name, a, b, exact, , kept, cut, running] = drawn.steps[term - 1];
    element("stepSaid").textContent = "Term " + term + " of " + count + ", " + name + ": " + (a ? a + " × " + b + " = " : "") + exact
        + (cut ? ", of which " + cut + " is cut off and " + kept + " kept" : "") + ". So far " + running + ".";
    const what = drawn.terms[term - 1];
    heddle.lightTerm(shownAt, Array.isArray(what) ? what : []);
  }

  let playing = 0;
  function play(on) {
    clearInterval(playing);
    playing = 0;
    element("stepPlay").setAttribute("aria-pressed", String(on));
    element("stepPlay").textContent = on ? "Pause" : "Play";
    if (on) {
      if (Number(element("stepAt").value) >= drawn.steps.length) {
        showStep(0);
      }
      playing = setInterval(() => {
        const next = Number(element("stepAt").value) + 1;
        step(next);
        if (next >= drawn.steps.length) {
          play(false);
        }
      }, 900);
    }
  }

  function step(at) {
    showStep(at);
    heddle.change({step: Number(element("stepAt").value) || null}, true);
  }

  element("stepPlay").addEventListener("click", () => drawn && play(!playing));
  element("stepBack").addEventListener("click", () => step(Number(element("stepAt").value) - 1));
  element("stepOn").addEventListener("click", () => step(Number(element("stepAt").value) + 1));
  element("stepAt").addEventListener("input", event => step(event.target.value));
  for (const id of ["trace", "trace2"]) {
    element(id).addEventListener("click", event => {
      const term = event.target.closest("[data-term]");
      if (term) {
        step(term.dataset.term);
      }
    });
  }

  const binary = (code, bits) => BigInt(code).toString(2).padStart(bits, "0");

  /** The code of D as one generation and as the other makes it, with the bits that differ marked. */
  function compare(answer, name, other, otherName) {
    const [mine, theirs] = [binary(answer.code, answer.bits), binary(other.code, other.bits)];
    const line = (text, against, generation, result) => {
      const made = document.createElement("p");
      const bits = document.createElement("code");
      for (let i = 0; i < text.length; i++) {
        if (text[i] === against[i]) {
          bits.append(text[i]);
        } else {
          const mark = document.createElement("mark");
          mark.textContent = text[i];
          bits.append(mark);
        }
      }
      made.append(generation + ": ", bits, " = " + result);
      return made;
    };
    element("compare").replaceChildren(line(mine, theirs, name, answer.result), line(theirs, mine, otherName, other.result));
    if (mine === theirs) {
      element("compare").append("The same bits.");
    }
    drawTrace(element("trace2"), other);
  }

  async function besides(at, answer, name, faults) {
    const wanted = heddle.state.gen2;
    const known = form.generations.find(each => each[0] === wanted && !each[2]);
    if (wanted && !known) {
      faults.push("generation " + wanted + ": this form is not on it");
    }
    heddle.fill("generation2", [heddle.option("", "none")].concat(form.generations.map(([each, products, reason]) =>
      heddle.option(each, each + ", " + products, reason))), known ? wanted : "");
    const shown = Boolean(known) && wanted !== name;
    element("compare").hidden = !shown;
    element("trace2").hidden = !shown;
    element("differ").hidden = !shown || heddle.exported;
    if (shown) {
      compare(answer, name, await heddle.ask("execution", Object.assign({example: example(at)}, question(at, wanted))), wanted);
    }
  }

  element("generation2").addEventListener("change", event => heddle.change({gen2: event.target.value}));
  element("differ").addEventListener("click", async () => {
    try {
      const found = await heddle.ask("difference", {opcode: form.opcode, source: form.source,
        generation: element("generation").value, other: heddle.state.gen2});
      if (found.message) {
        heddle.say(found.message);
        return;
      }
      for (const [matrix, text] of [["A", found.a], ["B", found.b], ["C", found.c]]) {
        const texts = text.split(" ");
        heddle.type(matrix, places(matrix, shownAt).map(([r, c], i) => [r, c, texts[i]]), true);
      }
      heddle.change({step: null});
    } catch (e) {
      heddle.say(e.message);
    }
  });

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
        element("trace2").hidden = true;
        element("compare").hidden = true;
        element("steps").replaceChildren();
        drawn = null;
      }
      return heddle.exported || !name ? faults : faults.concat(e.message);
    }
    if (ask === asked) {
      drawn = answer === drawn && element("steps").hasChildNodes() ? drawn : draw(answer);
      lines(element("rule"), ["D[" + at[0] + "][" + at[1] + "] = " + answer.result + " (" + answer.code + ") on "
          + form.generations.find(each => each[0] === name).slice(0, 2).join(", ") + "."].concat(answer.lines, answer.remarks));
      await besides(at, answer, name, faults);
      showStep(heddle.state.step);
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
