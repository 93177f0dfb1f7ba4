"use strict";
// The page: choosers, views and what ties them together.
(function (heddle) {
  const element = id => document.getElementById(id);
  const matrix = new heddle.Drawing(element("matrix"), h => [h.computation, h.atRow, h.atColumn]);
  const registers = new heddle.Drawing(element("registers"), h => [0, h.lane, h.atRegister]);
  const linked = new heddle.Drawing(element("linked"), h => [h.computation, h.atRow, h.atColumn]);
  let catalogue;
  let form;
  let operand;
  let partner;
  let shown = "";

  heddle.say = text => {
    element("message").textContent = text;
    element("message").hidden = !text;
  };

  function option(value, text, reason) {
    const made = document.createElement("option");
    made.value = value;
    made.textContent = reason ? text + " (" + reason + ")" : text;
    made.disabled = Boolean(reason);
    return made;
  }

  function fill(id, options, value) {
    element(id).replaceChildren(...options);
    element(id).value = value;
  }

  const unique = list => [...new Set(list)];

  /** What the opcode is in the catalogue: its family, shape and the rest. */
  function placed() {
    for (const family of catalogue.families) {
      for (const entry of family.forms) {
        if (form.source === entry[2] && family.name + ".sync.aligned." + entry[0] + entry[1] === form.opcode) {
          return {family, entry};
        }
      }
    }
    throw new Error(form.opcode + " is not in the catalogue");
  }

  function lacking(entry) {
    const target = heddle.state.target;
    const requirement = catalogue.requirements[entry[3]];
    return !target || requirement.targets.includes(target) ? "" : "needs " + requirement.text;
  }

  function drawChooser() {
    const {family, entry} = placed();
    fill("family", catalogue.families.map(f => option(f.name, f.name,
        f.forms.every(lacking) ? "not on " + heddle.state.target : "")), family.name);
    const shapes = unique(family.forms.map(e => e[0]));
    fill("shape", shapes.map(shape => {
      const all = family.forms.filter(e => e[0] === shape);
      return option(shape, shape, all.every(lacking) ? lacking(all[0]) : "");
    }), entry[0]);
    fill("types", unique(family.forms.map(e => e[1])).map(rest => {
      const here = family.forms.filter(e => e[1] === rest);
      const fit = here.filter(e => e[0] === entry[0]);
      const reason = fit.length === 0 ? "only with " + unique(here.map(e => e[0])).slice(0, 4).join(", ")
          : fit.every(lacking) ? lacking(fit[0]) : "";
      return option(rest, rest.replace(/^\./, ""), reason);
    }), entry[1]);
    fill("source", [["reg", "registers"], ["smem", "shared memory"]].map(([word, text]) =>
      option(word, text, family.forms.some(e => e[0] === entry[0] && e[1] === entry[1] && e[2] === word)
          ? "" : "not with this form")), entry[2]);
    fill("target", [option("", "any")].concat(catalogue.targets.map(t => option(t, t))), heddle.state.target || "");
  }

  /** The form nearest to the wish: of that family, and as much of the rest as there is. */
  function choose(wish) {
    const {family, entry} = placed();
    const wanted = Object.assign({family: family.name, shape: entry[0], rest: entry[1], source: entry[2]}, wish);
    const forms = catalogue.families.find(f => f.name === wanted.family).forms;
    const weight = e => (e[0] === wanted.shape ? (wish.shape ? 8 : 2) : 0) + (e[1] === wanted.rest ? (wish.rest ? 8 : 2) : 0)
        + (e[2] === wanted.source ? (wish.source ? 8 : 1) : 0) - (lacking(e) ? 4 : 0);
    const best = forms.reduce((a, b) => weight(b) > weight(a) ? b : a);
    heddle.change({op: wanted.family + ".sync.aligned." + best[0] + best[1], src: best[2], at: null, lane: null,
      meta: null, val: null, f: null, t: null, desc: null, ins: null});
  }

  element("family").addEventListener("change", e => choose({family: e.target.value}));
  element("shape").addEventListener("change", e => choose({shape: e.target.value}));
  element("types").addEventListener("change", e => choose({rest: e.target.value}));
  element("source").addEventListener("change", e => choose({source: e.target.value}));
  element("target").addEventListener("change", e => heddle.change({target: e.target.value}));
  element("selector").addEventListener("change", e => heddle.change({f: e.target.value}));
  element("thread").addEventListener("change", e => heddle.change({t: e.target.value}));

  function drawOperands(name) {
    element("operands").replaceChildren(...form.drawable.map(each => {
      const tab = document.createElement("button");
      tab.type = "button";
      tab.textContent = each;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-selected", String(each === name));
      tab.tabIndex = each === name ? 0 : -1;
      tab.addEventListener("click", () => heddle.change({v: each, at: null}));
      tab.addEventListener("keydown", event => {
        const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
        if (step) {
          const next = (form.drawable.indexOf(each) + step + form.drawable.length) % form.drawable.length;
          heddle.change({v: form.drawable[next], at: null});
          element("operands").children[next].focus();
        }
      });
      return tab;
    }));
  }

  function drawSelectors(name) {
    const scale = name === "SFA" ? form.scaleA : name === "SFB" ? form.scaleB : null;
    const selectors = scale ? scale.byteIds : form.sparse ? form.sparse.selectors : null;
    element("selectorLabel").hidden = !selectors;
    element("threadLabel").hidden = !scale;
    element("selectorLabel").firstElementChild.textContent = scale ? "byte-id" : "selector";
    if (selectors) {
      fill("selector", selectors.map(f => option(f, f)), heddle.state.f || 0);
    }
    if (scale) {
      fill("thread", scale.threadIds.map(f => option(f, f)), heddle.state.t || 0);
    }
  }

  function range(first, last) {
    return first === last ? String(first) : first + ".." + last;
  }

  function sentence(name, h) {
    const matrixOf = {E: "A", SFA: "A", SFB: "B"}[name] || name;
    const place = matrixOf + "[" + range(h.row, h.rowLast) + "][" + range(h.column, h.columnLast) + "]";
    const bits = "bits " + h.high + ".." + h.low;
    return "lane " + h.lane + " " + (name.length === 1 && name !== "E"
        ? "register " + h.register + " " + bits + ": element " + name.toLowerCase() + h.element + " = " + place
        : bits + (name === "E" ? ": metadata of the chunk " : ": scale factor of ") + place);
  }

  /** Marks what is pointed at, in every view. */
  function point(name, holdings) {
    const kept = !holdings && heddle.state.at ? keptHoldings() : holdings;
    if (!kept) {
      matrix.mark([]);
      registers.mark([]);
      linked.mark([]);
      return;
    }
    const others = partner ? chunkMates(name, kept) : [];
    const own = name === operand.operand ? kept : others;
    matrix.mark(own, name !== operand.operand);
    registers.mark(own.filter(h => h.atRegister >= 0), name !== operand.operand);
    if (partner) {
      linked.mark(name === operand.operand ? others : kept, name === operand.operand);
    }
    element("where").textContent = kept.slice(0, 4).map(h => sentence(name, h)).join("; ")
        + (others.length && others.length <= 4
            ? " | " + others.map(h => sentence(name === operand.operand ? partner.operand : operand.operand, h)).join("; ") : "");
  }

  /** Elements of A and metadata nibbles of the same chunk belong together. */
  function chunkMates(name, holdings) {
    const from = new Set(holdings.map(h => h.row + "," + h.column));
    const list = name === operand.operand ? partner.list : operand.list;
    return list.filter(h => from.has(h.row + "," + h.column));
  }

  heddle.pointAtChunk = slot => {
    if (partner) {
      const name = operand.operand === "E" ? operand : partner;
      point(name.operand, name.list.filter(h => h.row === slot.row && h.column === slot.column));
    }
  };

  function keptHoldings() {
    const at = (heddle.state.at || "").split(",").map(Number);
    return operand && matrix.index ? matrix.index.get(at.join()) || null : null;
  }

  function keep(name, holdings) {
    const h = holdings[0];
    const place = name === operand.operand ? [h.computation, h.atRow, h.atColumn] : null;
    if (place) {
      heddle.change({at: place.join(), lane: h.lane}, true);
      element("lane").value = h.lane;
      drawLane();
    }
    point(name, holdings);
  }

  matrix.onPoint = holdings => point(operand ? operand.operand : "", holdings);
  registers.onPoint = matrix.onPoint;
  linked.onPoint = holdings => partner && point(partner.operand, holdings);
  matrix.onKeep = holdings => keep(operand.operand, holdings);
  registers.onKeep = matrix.onKeep;
  linked.onKeep = holdings => point(partner.operand, holdings);

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
        ? "All of lane " + lane + ": " + list.length + (operand.operand === "E" ? " chunks" : " elements")
        : /^\d+$/.test(text) && lane < form.lanes
            ? "Under this selector the word of lane " + lane + " is ignored"
            : "lane " + text + ": expected 0.." + (form.lanes - 1);
    details.querySelector("ul").replaceChildren(...list.slice(0, 256).map(h => {
      const item = document.createElement("li");
      item.textContent = sentence(operand.operand, h);
      return item;
    }));
    if (!heddle.state.at) {
      matrix.mark(list);
      registers.mark(list.filter(h => h.atRegister >= 0));
    }
  }

  element("lane").addEventListener("input", event => {
    heddle.change({lane: event.target.value, at: null}, true);
    drawLane();
  });

  function paragraphs(host, lines) {
    host.replaceChildren(...lines.map(line => {
      const made = document.createElement("p");
      made.textContent = line;
      return made;
    }));
  }

  async function drawOperand(name) {
    const selection = {opcode: form.opcode, source: form.source, selector: heddle.state.f || 0, thread: heddle.state.t || 0};
    const usual = {opcode: form.opcode, source: form.source};
    const forOperand = each => Object.assign({operand: each}, ["E", "SFA", "SFB"].includes(each) ? selection : usual);
    const mate = form.sparse ? (name === "E" ? "A" : name === "A" ? "E" : null) : null;
    const partnerName = mate && form.drawable.includes(mate) ? mate : null;
    const [own, other, metadata] = await Promise.all([
      heddle.ask("operand", forOperand(name)),
      partnerName ? heddle.ask("operand", forOperand(partnerName)) : null,
      form.sparse ? heddle.ask("operand", forOperand("E")) : null]);
    operand = Object.assign({}, own, {list: own.holdings.map(heddle.holding)});
    partner = other && Object.assign({}, other, {list: other.holdings.map(heddle.holding)});
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
    heddle.showSparse(form, metadata);
    element("lane").max = form.lanes - 1;
    element("lane").value = heddle.state.lane || "";
    drawLane();
    point(operand.operand, null);
  }

  async function drawShared() {
    element("shared").hidden = form.shared.length === 0;
    if (form.shared.length === 0) {
      return;
    }
    const state = heddle.state;
    const role = form.shared.find(each => each.role === state.role) || form.shared[0];
    fill("role", form.shared.map(each => option(each.role, each.role)), role.role);
    const major = role.majors.includes(state.major) ? state.major : "K";
    fill("major", ["K", "MN"].map(each => option(each, each,
        role.majors.includes(each) ? "" : "only .f16 and .bf16 may be transposed")), major);
    element("mode").value = state.mode || 1;
    try {
      const answer = await heddle.ask("shared", Object.assign(
          {opcode: form.opcode, source: form.source, role: role.role, major},
          state.desc ? {descriptor: state.desc} : {mode: state.mode || 1}));
      element("descriptor").value = "0x" + answer.descriptor;
      element("fields").replaceChildren(...answer.fields.map(cells => {
        const row = document.createElement("tr");
        row.append(...cells.map(text => {
          const cell = document.createElement("td");
          cell.textContent = text;
          return cell;
        }));
        return row;
      }));
      paragraphs(element("sharedCaption"), answer.caption);
      heddle.insert(element("memory"), answer.svg);
    } catch (e) {
      paragraphs(element("sharedCaption"), [e.message]);
      element("memory").replaceChildren();
    }
  }

  element("role").addEventListener("change", e => heddle.change({role: e.target.value, desc: null}));
  element("mode").addEventListener("change", e => heddle.change({mode: e.target.value, desc: null}));
  element("major").addEventListener("change", e => heddle.change({major: e.target.value}));
  element("descriptor").addEventListener("change", e => heddle.change({desc: e.target.value.trim()}));

  element("ask").addEventListener("submit", event => {
    event.preventDefault();
    heddle.change({ins: element("instruction").value.trim()});
  });

  /** What is wrong with the instruction of the address; takes its form if it names one. */
  async function takeInstruction() {
    const text = heddle.state.ins;
    element("instruction").value = text || "";
    if (!text) {
      return "";
    }
    const values = {text};
    if (heddle.state.target) {
      values.target = heddle.state.target;
    }
    const answer = await heddle.ask("instruction", values);
    if (answer.forms.length) {
      heddle.change({op: answer.forms[0][0], src: answer.forms[0][1]}, true);
    }
    const lines = answer.violations.map(v => v.outcome + ": " + v.message + " [" + v.rule + ", PTX ISA " + v.section + "]");
    return lines.concat(answer.nearest.map(each => "nearest: " + each)).join("\n");
  }

  /** Draws what the address says; whatever it says, there is a page and, if need be, a message. */
  async function draw() {
    const drawing = shown = JSON.stringify(heddle.state) + Math.random();
    const messages = [];
    try {
      catalogue = catalogue || await heddle.ask("catalogue", {});
      try {
        const message = await takeInstruction();
        if (message) {
          messages.push(message);
        }
      } catch (e) {
        messages.push(e.message);
      }
      let next;
      try {
        next = await heddle.ask("form", {opcode: heddle.state.op, source: heddle.state.src || "reg"});
      } catch (e) {
        if (!messages.length) {
          messages.push(e.message);
        }
        next = form || await heddle.ask("form", {opcode: "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", source: "reg"});
      }
      if (drawing !== shown) {
        return;
      }
      form = next;
      element("opcode").textContent = form.name;
      element("about").textContent = form.requirement + ". PTX ISA " + form.section + ", "
          + form.lanes + " lanes" + (form.sparse ? ", A sparse " + form.sparse.granularity : "") + ".";
      element("assembly").textContent = form.assembly;
      drawChooser();
      const name = form.drawable.includes(heddle.state.v) ? heddle.state.v : form.drawable[0];
      if (heddle.state.v && heddle.state.v !== name && !["A", "B"].includes(heddle.state.v)) {
        messages.push("this form has no operand " + heddle.state.v + " in registers: shown is " + name);
      }
      drawOperands(name);
      drawSelectors(name);
      try {
        await drawOperand(name);
      } catch (e) {
        messages.push(e.message);
        heddle.change({f: null, t: null}, true);
        drawSelectors(name);
        await drawOperand(name);
      }
      await drawShared();
      await heddle.showExecution(form);
    } catch (e) {
      messages.push(e.message);
    }
    if (drawing === shown) {
      heddle.say(messages.join("\n"));
      document.documentElement.dataset.ready = String(Number(document.documentElement.dataset.ready || 0) + 1);
    }
  }

  async function copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      element("copied").textContent = what + " copied";
    } catch (e) {
      element("copied").textContent = "the browser forbids copying here";
    }
  }

  function save(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  element("copyLink").addEventListener("click", () => copy(location.href, "link"));
  element("copyArithmetic").addEventListener("click", () => copy(element("arithmetic").textContent, "index arithmetic"));
  element("copyAssembly").addEventListener("click", () => copy(element("assembly").textContent, "inline assembly"));
  element("saveSvg").addEventListener("click", async () =>
    save(new Blob([await heddle.standalone(matrix)], {type: "image/svg+xml"}), operand.operand + ".svg"));
  element("savePng").addEventListener("click", async () => {
    const url = URL.createObjectURL(new Blob([await heddle.standalone(matrix)], {type: "image/svg+xml"}));
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    const scale = Math.min(2, 16000 / image.width, 16000 / image.height);
    canvas.width = image.width * scale;
    canvas.height = image.height * scale;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(url);
    canvas.toBlob(blob => save(blob, operand.operand + ".png"), "image/png");
  });

  heddle.whenChanged(draw);
  draw();
})(window.heddle);
