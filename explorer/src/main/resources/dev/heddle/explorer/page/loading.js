"use strict";
// How a warp loads a fragment of A or B: which address each lane gives, and which banks meet.
(function (heddle) {
  const element = id => document.getElementById(id);
  const hex = address => "0x" + address.toString(16);
  let form;
  let loads = [];
  let drawn = null;

  const sheet = new heddle.Sheet(element("loading"), {label: ({first: w}) => ["T" + w.by, w.what, "", String(w.by)],
    height: () => 460, highest: 26, least: 14});
  heddle.sheets.loading = sheet;

  /** The state: matrix, bytes from row to row, swizzle, and 1 for ld.shared. */
  function chosen() {
    const [role, pitch = "", mode = "0", words = "0"] = (heddle.state.load || "A").split(",");
    return {role, pitch, mode, words: words === "1"};
  }

  function take(changes) {
    const next = Object.assign(chosen(), changes);
    heddle.change({load: [next.role, next.pitch, next.mode, next.words ? 1 : 0].join()});
  }

  function cell(tag, text) {
    const made = document.createElement(tag);
    made.textContent = text;
    return made;
  }

  /** Which choice of swizzle or pitch costs what; each can be taken. */
  function choices(all) {
    const head = document.createElement("tr");
    head.append(...["where rows stand", "passes", "least", "choose"].map(text => cell("th", text)));
    const rows = all.map(([name, pitch, mode, passes, ideal]) => {
      const row = document.createElement("tr");
      const button = cell("button", "Take");
      button.type = "button";
      button.setAttribute("aria-label", "Take " + name);
      button.addEventListener("click", () => take({pitch, mode}));
      const last = document.createElement("td");
      last.append(button);
      row.append(cell("td", name), cell("td", passes + (passes === ideal ? ", no conflict" : "")), cell("td", ideal), last);
      return row;
    });
    element("loadChoices").replaceChildren(head, ...rows);
  }

  /** The words that the shown load reads, by address and bank; what a lane addresses has its colour. */
  function draw() {
    const load = loads[Number(element("loadWhich").value) || 0];
    const matrices = load.text.startsWith("ldmatrix");
    const bytes = matrices ? 16 : Number(/\.b(\d+)/.exec(load.text)[1]) / 8;
    const words = new Map();
    load.lanes.forEach(([address, row, column], lane) => {
      for (let i = 0; i < bytes; i += 4) {
        const word = Math.floor((address + i) / 4);
        if (!words.has(word)) {
          words.set(word, {lane, by: lane, register: word, element: 0, row, column: column + i, line: Math.floor(word / 32), bank: word % 32,
            what: (chosen().role === "A" ? "m" : "n") + row});
        }
      }
    });
    const list = [...words.values()];
    sheet.show([{name: "loading", title: "bank|of 32 bits each; T: the lane that gives the address, m: row of A, n: column of B", rows: Math.max(...list.map(w => w.line)) + 1,
      columns: 32, cx: 0, cy: 0, gx: 0, gy: 0, holdings: list, alone: true, placeOf: w => [w.line, w.bank],
      rowLabel: line => (line * 128).toString(16)}]);
    element("loadLanes").replaceChildren(...load.lanes.map(([address, row, column], lane) =>
      cell("li", "lane " + lane + ": " + hex(address) + ", bank " + Math.floor(address / 4) % 32 + "; "
          + (chosen().role === "A" ? "row " : "column ") + row + ", byte " + column)));
    element("loadText").textContent = load.text;
  }

  /** Shows how the form's A or B is loaded; returns what is wrong with the address. */
  heddle.showLoading = async now => {
    form = now;
    const there = form.lanes === 32 && form.computations === 1;
    element("loadPath").hidden = !there;
    if (!there) {
      return heddle.state.load ? ["load: the warps of this form load no fragment of A or B so"] : [];
    }
    const {role, pitch, mode, words} = chosen();
    const values = {opcode: form.opcode, source: form.source, role, mode};
    const answer = await heddle.ask("load", Object.assign(values, pitch ? {pitch} : {}, words ? {words: "1"} : {}));
    element("loadRole").value = role;
    element("loadPitch").value = answer.pitch;
    element("loadPitch").min = answer.least;
    element("loadMode").value = answer.mode;
    heddle.fill("loadHow", [heddle.option("0", "ldmatrix", answer.matrices ? "" : "not for this layout"), heddle.option("1", "ld.shared")],
        words || !answer.matrices ? "1" : "0");
    element("loadSaid").textContent = answer.summary;
    element("loadCode").textContent = answer.code;
    if (drawn !== answer) {
      drawn = answer;
      loads = answer.loads;
      choices(answer.choices);
      element("loadWhich").closest("label").hidden = loads.length === 1;
      heddle.fill("loadWhich", loads.map((load, i) => heddle.option(i, load.text)), 0);
      draw();
    }
    return [];
  };

  sheet.onPoint = (place, words) => {
    const w = words && words[0];
    element("loadPointed").textContent = w ? "address " + hex(w.register * 4) + ", bank " + w.bank + ": "
        + (chosen().role === "A" ? "row " : "column ") + w.row + ", bytes " + w.column + ".." + (w.column + 3) + "; lane " + w.by + " gives the address" : "";
    sheet.light({marks: w ? [{tile: "loading", row: w.line, column: w.bank}] : [], dim: w ? w.by : null});
  };
  element("loadRole").addEventListener("change", event => take({role: event.target.value, pitch: ""}));
  element("loadPitch").addEventListener("change", event => take({pitch: event.target.value}));
  element("loadMode").addEventListener("change", event => take({mode: event.target.value}));
  element("loadHow").addEventListener("change", event => take({words: event.target.value === "1"}));
  element("loadWhich").addEventListener("change", draw);
})(window.heddle);
