"use strict";
// The page: what is shown, what is pointed at, and what the address says of it.
(function (heddle) {
  const element = id => document.getElementById(id);
  const HINT = "Point at an element or a lane, or focus the picture and use the arrow keys; Enter keeps it.";
  const MATRIX_OF = {E: "A", SFA: "A", SFB: "B"};
  let catalogue;
  let form;
  let operand; // name and list of what the address is about
  let shown = "";

  heddle.say = text => {
    element("message").textContent = text;
    element("message").hidden = !text;
  };

  const range = (first, last) => first === last ? String(first) : first + ".." + last;

  heddle.placeOf = (name, h) => (MATRIX_OF[name] || name) + "[" + range(h.row, h.rowLast) + "][" + range(h.column, h.columnLast) + "]";

  function laneName(lane) {
    return form.lanes === 32 ? lane : lane + " (warp " + (lane >> 5) + ", laneid " + (lane & 31) + ")";
  }

  /** The sentence of `heddle where`. */
  heddle.sentence = (name, h) => {
    const bits = "bits " + h.high + ".." + h.low;
    const kind = {E: ": metadata of the chunk ", SFA: ": scale factor of ", SFB: ": scale factor of "}[name];
    return "lane " + laneName(h.lane) + (kind ? " " + bits + kind + heddle.placeOf(name, h)
        : " register " + h.register + " " + bits + ": element " + name.toLowerCase() + h.element + " = " + heddle.placeOf(name, h)
            + (form.computations > 1 ? " of computation " + (h.computation + 1) : ""));
  };

  function paragraphs(host, lines) {
    host.replaceChildren(...lines.map(line => {
      const made = document.createElement("p");
      made.textContent = line;
      return made;
    }));
  }

  function lines(name, holdings, most) {
    return holdings.slice(0, most).map(h => heddle.sentence(name, h))
        .concat(holdings.length > most ? ["and " + (holdings.length - most) + " more"] : []);
  }

  /** Where holdings of A or E stand in the editor. */
  function places(name, holdings) {
    return !form.sparse || !["A", "E"].includes(name) ? []
        : holdings.map(h => ({row: h.row, column: h.column, index: name === "A" ? h.atColumn % form.sparse.stored : null}));
  }

  /** The lane that is chosen, if there is one. */
  function chosenLane() {
    const {lane} = heddle.state;
    return lane !== undefined && Number(lane) < form.lanes && element("beLane").checked ? Number(lane) : undefined;
  }

  /** Marks holdings of an operand in every view, and says what they are. */
  function show(name, holdings, at = places(name, holdings)) {
    heddle.lightPicture(name, holdings, chosenLane());
    heddle.lightRegisters(name === operand.name ? holdings : [], chosenLane());
    heddle.light(at);
    heddle.lightMemory(at);
    paragraphs(element("where"), holdings.length ? lines(name, holdings, 8) : [HINT]);
    const mate = form.sparse && {A: "E", E: "A"}[name];
    const others = mate ? heddle.listOf(mate).filter(each => at.some(({row, column, index}) => each.row === row && each.column === column
        && (mate === "E" || index === null || each.atColumn % form.sparse.stored === index))) : [];
    paragraphs(element("also"), (holdings.length === 1 ? [heddle.meeting(name, holdings[0])] : [])
        .concat(lines(mate, [...new Set(others)], 4), at.length === 1 ? [heddle.explain(at[0])] : []));
  }

  /** The pointer or the keys are at something of an operand, or at nothing. */
  heddle.pointed = (name, holdings, place) => {
    if (!operand) {
      return;
    }
    if (holdings) {
      show(name, holdings);
    } else if (place && ["A", "B"].includes(name) && !form.tables[name]) {
      heddle.lightPlace(place);
      paragraphs(element("where"), [name + "[" + place.row + "][" + place.column + "] stands in shared memory; see below where."]);
      paragraphs(element("also"), []);
    } else {
      show(operand.name, keptHoldings() || []);
    }
  };

  /** The pointer or the keys are at a lane of the legend. */
  heddle.pointedLane = lane => {
    heddle.lightLane(lane, chosenLane());
    const held = Object.keys(form.tables).map(name => [name, heddle.listOf(name).filter(h => h.lane === lane).length])
        .filter(([, count]) => count > 0).map(([name, count]) => count + " of " + name);
    paragraphs(element("where"), ["Lane " + laneName(lane) + " holds elements: " + held.join(", ") + "."]);
    paragraphs(element("also"), ["Press it to be this lane, and once more to let go."]);
  };

  /** A press on a lane of the legend: it is chosen, or no longer. */
  heddle.chooseLane = lane => {
    element("lane").value = heddle.state.lane === String(lane) ? "" : lane;
    element("lane").dispatchEvent(new Event("input", {bubbles: true}));
  };

  /** Enter or a press: what is pointed at stays, and stands in the address. */
  heddle.kept = (name, holdings, place) => {
    if (!holdings) {
      heddle.pointed(name, null, place);
      return;
    }
    const h = holdings[0];
    const changes = {v: name, at: [h.computation, h.atRow, h.atColumn].join(), el: null, lane: h.lane};
    if (["C", "D"].includes(name)) {
      changes.d = h.row + "," + h.column;
    }
    heddle.change(changes, "push");
    takeOperandNamed(name);
    element("lane").value = h.lane;
    element("element").value = "";
    show(name, holdings);
    heddle.showLane(form, heddle.state.lane, name);
    if (changes.d) {
      heddle.showExecution(form);
    }
  };

  heddle.unkeep = () => {
    heddle.change({at: null, el: null, lane: null}, "push");
    element("lane").value = "";
    element("element").value = "";
    show(operand.name, []);
    heddle.showLane(form, undefined, operand.name);
  };

  /** Marks a chunk of the editor, or the element of it at a stored index or in a dense column. */
  heddle.pointAtChunk = (slot, index, dense) => {
    if (!slot || !operand) {
      return operand && show(operand.name, keptHoldings() || []);
    }
    const place = {row: slot.row, column: slot.column, index, dense};
    const whole = index === null || index === undefined;
    const list = heddle.listOf("A").filter(h => h.row === slot.row && h.column === slot.column
        && !(dense !== undefined && whole) && (whole || h.atColumn % form.sparse.stored === index));
    const nibble = heddle.listOf("E").filter(h => h.row === slot.row && h.column === slot.column);
    return list.length && operand.name === "A" ? show("A", list, [place]) : show("E", nibble, [place]);
  };

  /** What the address asks for: a cell, an element by row and column. */
  function keptHoldings() {
    const {at, el} = heddle.state;
    const wanted = el ? el.split(",").map(Number) : null;
    const found = el ? operand.list.filter(h => wanted[0] >= h.row && wanted[0] <= h.rowLast && wanted[1] >= h.column && wanted[1] <= h.columnLast)
        : at ? operand.list.filter(h => [h.computation, h.atRow, h.atColumn].join() === at.split(",").map(Number).join()) : [];
    return found.length ? found : null;
  }

  /** What is wrong with that. */
  function misplaced() {
    const {at, el, lane} = heddle.state;
    const faults = [];
    if (el && !keptHoldings()) {
      const last = name => Math.max(...operand.list.map(h => h[name]));
      faults.push("element " + el + " of " + operand.name + " is outside the tile: rows 0.." + last("rowLast")
          + ", columns 0.." + last("columnLast"));
    } else if (at && !el && !keptHoldings()) {
      faults.push("at " + at + ": outside the figure");
    }
    if (lane !== undefined && Number(lane) >= form.lanes) {
      faults.push("lane " + lane + ": expected 0.." + (form.lanes - 1));
    }
    return faults;
  }

  function selections(faults) {
    const {f = "0", t = "0", v} = heddle.state;
    const scaled = ["SFA", "SFB"].includes(v);
    const taken = {};
    for (const name of Object.keys(form.tables)) {
      const selection = name === "E" && !scaled ? {selector: f} : name === v && scaled ? {selector: f, thread: t} : {};
      try {
        heddle.holdings(form, name, selection);
        taken[name] = selection;
      } catch (e) {
        faults.push(e.message);
        taken[name] = {};
      }
    }
    return taken;
  }

  function showReading() {
    const {what, layout, reading, source, link} = form.reading[operand.name];
    element("what").textContent = what;
    element("layout").replaceChildren(...layout.split(/(?<=; )/).map(line => {
      const made = document.createElement("span");
      made.textContent = line;
      return made;
    }));
    paragraphs(element("reading"), reading);
    const anchor = element("source");
    anchor.textContent = source;
    if (link) {
      anchor.href = link;
    } else {
      anchor.removeAttribute("href");
    }
    heddle.showCode(form, operand.name);
  }

  function takeOperandNamed(name) {
    const changed = !operand || operand.name !== name || operand.form !== form;
    operand = {name, list: heddle.allHoldings(name), form};
    heddle.showOperands(name);
    if (changed) {
      heddle.showRegisters(form, operand);
      showReading();
    }
  }

  let chosen = {};
  heddle.allHoldings = name => heddle.holdings(form, name, chosen[name]);

  heddle.redrawOperand = () => drawOperand(operand.name);

  function drawOperand(name) {
    const faults = [];
    chosen = selections(faults);
    heddle.showPicture(form, chosen, name);
    takeOperandNamed(name);
    faults.push(...heddle.takeValues(form), ...heddle.showSparse(form, heddle.listOf("E")));
    element("lane").max = form.lanes - 1;
    element("lane").value = heddle.state.lane || "";
    element("element").value = heddle.state.el || "";
    show(name, keptHoldings() || []);
    heddle.showLane(form, heddle.state.lane, name);
    return faults.concat(misplaced());
  }

  element("lane").addEventListener("input", event => {
    heddle.change({lane: event.target.value, at: null, el: null}, true);
    element("element").value = "";
    show(operand.name, []);
    heddle.showLane(form, heddle.state.lane, operand.name);
    heddle.say(heddle.faults.concat(misplaced()).join("\n"));
  });
  element("beLane").addEventListener("change", () => show(operand.name, keptHoldings() || []));

  /** `A[9][10]`, `[9][10]`, `(9, 10)` and `9 10` all name an element. */
  function elementNamed(text) {
    const found = /^\s*([A-Za-z]*)\s*[[(]?\s*(\d{1,3})\s*(?:\]\s*\[|[\s,;]+)\s*(\d{1,3})\s*[\])]?\s*$/.exec(text);
    const names = form.operands.filter(each => !each[1]).map(each => each[0]);
    return found && (!found[1] || names.includes(found[1].toUpperCase()))
        ? {name: (found[1] || operand.name).toUpperCase(), el: Number(found[2]) + "," + Number(found[3])} : null;
  }

  element("element").addEventListener("change", event => {
    const text = event.target.value.trim();
    const named = elementNamed(text);
    if (named && named.name !== operand.name) {
      heddle.change({v: named.name, el: named.el, at: null});
      return;
    }
    heddle.change({el: named ? named.el : text, at: null}, named ? "push" : true);
    show(operand.name, keptHoldings() || []);
    if (keptHoldings()) {
      heddle.revealPlace(operand.name, keptHoldings()[0]);
    }
    heddle.say(heddle.faults.concat(misplaced()).join("\n"));
  });

  /** What the shown figure is of, as a question. */
  heddle.shownQuestion = () => ({opcode: form.opcode, source: form.source, operand: operand.name,
    selector: (chosen[operand.name] || {}).selector || "0", thread: (chosen[operand.name] || {}).thread || "0"});

  /** What is wrong with the instruction of the address; takes its form if it names one. */
  async function takeInstruction() {
    const text = heddle.state.ins;
    heddle.showInstruction(text || "");
    if (!text) {
      return [];
    }
    const values = {text};
    if (heddle.state.target) {
      values.target = heddle.state.target;
    }
    const answer = await heddle.ask("instruction", values);
    if (answer.forms.length && !answer.forms.some(each => each[0] === heddle.state.op && each[1] === heddle.state.src)) {
      const faults = heddle.faults;
      heddle.change({op: answer.forms[0][0], src: answer.forms[0][1]}, true);
      heddle.faults = faults;
    }
    heddle.showInstruction(text, answer);
    const lines = answer.violations.map(v => v.outcome + ": " + v.message + " [" + v.rule + ", PTX ISA " + v.section + "]");
    if (heddle.exported && /\s/.test(text.trim())) {
      lines.push("this exported site shows the form alone; heddle explore checks whole instructions");
    }
    return lines;
  }

  const start = () => [document.documentElement.dataset.start, document.documentElement.dataset.source];

  /** The form of the address, or else the one that was shown, or the usual one. */
  async function takeForm(messages) {
    try {
      return await heddle.ask("form", {opcode: heddle.state.op, source: heddle.state.src || "reg"});
    } catch (e) {
      if (!heddle.state.ins || !messages.length) {
        messages.push(e.message);
      }
      const [opcode, source] = start();
      return form || heddle.ask("form", {opcode, source});
    }
  }

  /** The operand of the address, or the first that the form has. */
  function takeOperand(messages) {
    const wanted = heddle.state.v;
    const found = form.operands.find(each => each[0] === wanted);
    const first = form.operands.find(each => !each[1])[0];
    if (found && !found[1]) {
      return wanted;
    }
    if (found && !(["A", "B"].includes(wanted) && heddle.state.op === form.opcode)) {
      messages.push(wanted + ": " + found[1] + "; shown is " + first);
    }
    return first;
  }

  async function attempt(messages, work) {
    try {
      messages.push(...await work());
    } catch (e) {
      messages.push(e.message);
    }
  }

  /** Draws what the address says; whatever it says, there is a page and, if need be, a message. */
  async function draw() {
    const drawing = shown = JSON.stringify(heddle.state) + Math.random();
    const messages = heddle.faults.slice();
    try {
      heddle.startWith(start());
      await attempt(messages, takeInstruction);
      const next = await takeForm(messages);
      if (drawing !== shown) {
        return;
      }
      form = next;
      heddle.showHead(form);
      heddle.takeOperands(form);
      const name = takeOperand(messages);
      messages.push(...heddle.showSelectors(name), ...drawOperand(name));
      catalogue = catalogue || await heddle.ask("catalogue", {});
      if (drawing !== shown) {
        return;
      }
      messages.push(...heddle.showChoice(catalogue, form));
      await attempt(messages, () => heddle.showShared(form));
      await attempt(messages, () => heddle.showLoading(form));
      await attempt(messages, () => heddle.showExecution(form));
    } catch (e) {
      messages.push(e.message);
    }
    if (drawing === shown) {
      heddle.say([...new Set(messages)].join("\n"));
      document.documentElement.dataset.ready = String(Number(document.documentElement.dataset.ready || 0) + 1);
    }
  }

  let changes = 0;

  heddle.valuesChanged = async () => {
    const change = ++changes;
    const faults = heddle.faults.concat(await heddle.showExecution(form));
    if (change === changes) {
      heddle.say(faults.join("\n"));
    }
  };

  heddle.whenChanged(draw);
  draw();
})(window.heddle);
