"use strict";
// The page: the views of an operand and what ties them together.
(function (heddle) {
  const element = id => document.getElementById(id);
  const matrix = new heddle.Drawing(element("matrix"), h => [h.computation, h.atRow, h.atColumn]);
  const registers = new heddle.Drawing(element("registers"), h => [0, h.lane, h.atRegister]);
  const linked = new heddle.Drawing(element("linked"), h => [h.computation, h.atRow, h.atColumn]);
  const HINT = "Point at an element, or focus a figure and use the arrow keys; Enter keeps it.";
  let catalogue;
  let form;
  let operand;
  let partner;
  let drawn = []; // the answers that the figures show
  let shown = "";

  heddle.say = text => {
    element("message").textContent = text;
    element("message").hidden = !text;
  };

  function range(first, last) {
    return first === last ? String(first) : first + ".." + last;
  }

  function laneName(lane) {
    return form.lanes === 32 ? lane : lane + " (warp " + (lane >> 5) + ", laneid " + (lane & 31) + ")";
  }

  /** The sentence of `heddle where`. */
  function sentence(name, h) {
    const matrixOf = {E: "A", SFA: "A", SFB: "B"}[name] || name;
    const place = matrixOf + "[" + range(h.row, h.rowLast) + "][" + range(h.column, h.columnLast) + "]";
    const bits = "bits " + h.high + ".." + h.low;
    const kind = {E: ": metadata of the chunk ", SFA: ": scale factor of ", SFB: ": scale factor of "}[name];
    return "lane " + laneName(h.lane) + (kind ? " " + bits + kind + place
        : " register " + h.register + " " + bits + ": element " + name.toLowerCase() + h.element + " = " + place
            + (form.computations > 1 ? " of computation " + (h.computation + 1) : ""));
  }

  function paragraphs(host, lines) {
    host.replaceChildren(...lines.map(line => {
      const made = document.createElement("p");
      made.textContent = line;
      return made;
    }));
  }

  /** The view's holdings of a chunk of A: all of them, or the one at a stored index. */
  function inChunk(view, {row, column, index}) {
    return view.list.filter(h => h.row === row && h.column === column
        && (view.operand !== "A" || index === null || index === undefined || h.atColumn % form.sparse.stored === index));
  }

  /** Where holdings of A or E stand in the editor. */
  function places(name, holdings) {
    return !form.sparse || !["A", "E"].includes(name) ? []
        : holdings.map(h => ({row: h.row, column: h.column,
          index: name === "A" ? h.atColumn % form.sparse.stored : null}));
  }

  /** Marks what is pointed at, in every view. */
  function point(name, holdings) {
    const kept = holdings || (operand && keptHoldings()) || [];
    const from = holdings ? name : operand ? operand.operand : name;
    const at = places(from, kept);
    const other = operand && from === operand.operand ? partner : operand;
    const mates = other ? [...new Set(at.flatMap(place => inChunk(other, place)))] : [];
    show(from, kept, mates, at);
  }

  function show(from, kept, mates, at) {
    const own = from === operand.operand ? kept : mates;
    const theirs = from === operand.operand ? mates : kept;
    matrix.mark(own, from !== operand.operand);
    registers.mark(own.filter(h => h.atRegister >= 0), from !== operand.operand);
    linked.mark(partner ? theirs : [], from === operand.operand);
    heddle.light(at);
    heddle.lightMemory(at);
    const other = from === operand.operand ? partner : operand;
    paragraphs(element("where"), kept.length ? lines(from, kept, 8) : [element("where").dataset.said || HINT]);
    paragraphs(element("also"), (mates.length && other ? lines(other.operand, mates, 4) : [])
        .concat(at.length === 1 ? [heddle.explain(at[0])] : []));
  }

  function lines(name, holdings, most) {
    return holdings.slice(0, most).map(h => sentence(name, h))
        .concat(holdings.length > most ? ["and " + (holdings.length - most) + " more"] : []);
  }

  /** Marks a chunk of the editor, or the element of it at a stored index or in a dense column. */
  heddle.pointAtChunk = (slot, index, dense) => {
    if (!slot || !operand) {
      return operand && point(operand.operand, null);
    }
    const place = {row: slot.row, column: slot.column, index, dense};
    const unkept = dense !== undefined && index === null;
    const own = ["A", "E"].includes(operand.operand) && !(unkept && operand.operand === "A") ? inChunk(operand, place) : [];
    const theirs = partner && !(unkept && partner.operand === "A") ? inChunk(partner, place) : [];
    return show(operand.operand, own, theirs, [place]);
  };

  /** What the address asks for: a cell, an element by row and column. */
  function keptHoldings() {
    const {at, el} = heddle.state;
    if (el) {
      const [row, column] = el.split(",").map(Number);
      const found = operand.list.filter(h => row >= h.row && row <= h.rowLast && column >= h.column && column <= h.columnLast);
      return found.length ? found : null;
    }
    return at && matrix.index ? matrix.index.get(at.split(",").map(Number).join()) || null : null;
  }

  /** What is wrong with that. */
  function misplaced() {
    const {at, el, lane} = heddle.state;
    const faults = [];
    if (el && !keptHoldings()) {
      const last = name => Math.max(...operand.list.map(h => h[name]));
      faults.push("element " + el + " of " + operand.operand + " is outside the tile: rows 0.." + last("rowLast")
          + ", columns 0.." + last("columnLast"));
    } else if (at && !el && !keptHoldings()) {
      faults.push("at " + at + ": outside the figure");
    }
    if (lane !== undefined && Number(lane) >= form.lanes) {
      faults.push("lane " + lane + ": expected 0.." + (form.lanes - 1));
    }
    return faults;
  }

  function keep(name, holdings) {
    const h = holdings[0];
    if (name === operand.operand) {
      const changes = {at: [h.computation, h.atRow, h.atColumn].join(), el: null, lane: h.lane};
      if (["C", "D"].includes(name)) {
        changes.d = h.row + "," + h.column;
      }
      heddle.change(changes, true);
      element("lane").value = h.lane;
      element("element").value = "";
      drawLane();
      if (changes.d) {
        heddle.showExecution(form);
      }
    }
    point(name, holdings);
  }

  matrix.onPoint = holdings => operand && point(operand.operand, holdings);
  registers.onPoint = matrix.onPoint;
  linked.onPoint = holdings => partner && point(partner.operand, holdings);
  matrix.onKeep = holdings => keep(operand.operand, holdings);
  registers.onKeep = matrix.onKeep;
  linked.onKeep = holdings => {
    const mates = places(partner.operand, holdings).flatMap(place => inChunk(operand, place));
    if (mates.length) {
      keep(operand.operand, mates);
    }
  };

  function drawLane() {
    const text = heddle.state.lane;
    const lane = Number(text);
    const details = element("fragment");
    const list = text === undefined ? [] : operand.list.filter(h => h.lane === lane);
    details.hidden = text === undefined;
    if (text === undefined) {
      return;
    }
    details.querySelector("summary").textContent = list.length
        ? "All of lane " + lane + ": " + list.length + ({E: " chunks", SFA: " scale factors", SFB: " scale factors"}[operand.operand]
            || " elements")
        : lane < form.lanes ? "Under this selector the word of lane " + lane + " is ignored"
            : "lane " + text + ": expected 0.." + (form.lanes - 1);
    details.querySelector("ul").replaceChildren(...list.slice(0, 256).map(h => {
      const item = document.createElement("li");
      item.textContent = sentence(operand.operand, h);
      return item;
    }));
    if (!heddle.state.at && !heddle.state.el) {
      matrix.mark(list);
      registers.mark(list.filter(h => h.atRegister >= 0));
    }
  }

  element("lane").addEventListener("input", event => {
    heddle.change({lane: event.target.value, at: null, el: null}, true);
    element("element").value = "";
    point(operand.operand, null);
    drawLane();
    heddle.say(heddle.faults.concat(misplaced()).join("\n"));
  });
  element("element").addEventListener("change", event => {
    heddle.change({el: event.target.value.trim().replace(/[\s,]+/, ","), at: null}, true);
    point(operand.operand, null);
    heddle.say(heddle.faults.concat(misplaced()).join("\n"));
  });

  /** What the shown figure is of, as a question. */
  heddle.shownQuestion = () => ({opcode: form.opcode, source: form.source, operand: operand.operand,
    selector: operand.selector || "0", thread: operand.thread || "0"});

  async function drawOperand(name) {
    const usual = {opcode: form.opcode, source: form.source};
    const scaled = ["SFA", "SFB"].includes(name);
    const selection = {selector: heddle.state.f || "0", thread: scaled && heddle.state.t || "0"};
    // f is the byte-id of the scale factors that are shown, else the selector of the metadata
    const selected = each => each === "E" && !scaled || each === name && scaled;
    const ask = each => heddle.ask("operand", Object.assign({operand: each}, usual, selected(each) ? selection : {}));
    const mate = form.sparse ? {E: "A", A: "E"}[name] : null;
    const partnerName = mate && !form.operands.find(each => each[0] === mate)[1] ? mate : null;
    const [own, other, metadata] = await Promise.all([
      ask(name), partnerName ? ask(partnerName) : null, form.sparse && name !== "E" && partnerName !== "E" ? ask("E") : null]);
    const taken = answer => answer && Object.assign({}, answer, {list: answer.holdings.map(heddle.holding)});
    operand = Object.assign(taken(own), selected(name) ? selection : {});
    partner = taken(other);
    if (drawn[0] !== own || drawn[1] !== other) {
      drawn = [own, other];
      drawFigures(own, other);
    }
    const faults = heddle.takeValues(form).concat(
        heddle.showSparse(form, name === "E" ? own : partnerName === "E" ? other : metadata));
    element("lane").max = form.lanes - 1;
    element("lane").value = heddle.state.lane || "";
    element("element").value = heddle.state.el || "";
    point(operand.operand, null);
    drawLane();
    return faults.concat(misplaced());
  }

  function drawFigures(own, other) {
    paragraphs(element("matrixCaption"), own.caption);
    matrix.show(own.svg, operand.list);
    element("registersPane").hidden = !own.registers;
    if (own.registers) {
      registers.show(own.registers, operand.list);
    }
    element("linkedPane").hidden = !partner;
    if (partner) {
      paragraphs(element("linkedCaption"), other.caption.slice(0, 2));
      linked.show(other.svg, partner.list);
    }
    element("arithmetic").textContent = own.arithmetic;
    // room for all that is said of an element, so that the figures stay where they are
    const said = !form.sparse ? 0 : operand.operand === "E" ? form.sparse.stored + 1 : operand.operand === "A" ? 2 : 0;
    element("also").style.minHeight = Math.max(said, 1) * 1.5 + "em";
  }

  /** What is wrong with the instruction of the address; takes its form if it names one. */
  async function takeInstruction() {
    const text = heddle.state.ins;
    element("instruction").value = text || "";
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
    const lines = answer.violations.map(v => v.outcome + ": " + v.message + " [" + v.rule + ", PTX ISA " + v.section + "]");
    if (heddle.exported && /\s/.test(text.trim())) {
      lines.push("this exported site shows the form alone; heddle explore checks whole instructions");
    }
    return lines.concat(answer.nearest.map(each => "nearest: " + each));
  }

  /** The form of the address, or else the one that was shown, or the usual one. */
  async function takeForm(messages) {
    try {
      return await heddle.ask("form", {opcode: heddle.state.op, source: heddle.state.src || "reg"});
    } catch (e) {
      if (!messages.length) {
        messages.push(e.message);
      }
      const [opcode, source] = catalogue.start;
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
      catalogue = catalogue || await heddle.ask("catalogue", {});
      heddle.startWith(catalogue.start);
      await attempt(messages, takeInstruction);
      const next = await takeForm(messages);
      if (drawing !== shown) {
        return;
      }
      form = next;
      element("opcode").textContent = form.name;
      element("about").textContent = "Needs " + form.requirement + ". Section " + form.section + " of the manual. "
          + form.lanes + " lanes" + (form.sparse ? ", A sparse " + form.sparse.granularity : "") + ".";
      element("assembly").textContent = form.assembly;
      messages.push(...heddle.showChoice(catalogue, form));
      const name = takeOperand(messages);
      heddle.showOperands(name);
      messages.push(...heddle.showSelectors(name));
      try {
        messages.push(...await drawOperand(name));
      } catch (e) {
        messages.push(e.message);
        heddle.change({f: null, t: null}, true);
        heddle.showSelectors(name);
        messages.push(...await drawOperand(name));
      }
      await attempt(messages, () => heddle.showShared(form));
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

  element("ask").addEventListener("submit", event => {
    event.preventDefault();
    heddle.change({ins: element("instruction").value.trim()});
  });

  heddle.whenChanged(draw);
  draw();
})(window.heddle);
