"use strict";
// The state of the page is its address: everything behind the #, as name=value pairs.
(function (heddle) {
  const NUMBER = /^(0x[0-9a-fA-F]{1,16}|[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})([eE][+-]?\d{1,3})?|[+-]?inf|NaN)$/;
  const ENTRY = "\\d{1,3}\\.\\d{1,3}:" + NUMBER.source.slice(1, -1);
  const VALUES = new RegExp("^" + ENTRY + "( " + ENTRY + ")*$");
  const LIST = "row.column:value, separated by blanks";
  /** What each name may say, and how to put that in words. */
  const NAMES = {
    op: [/^[\s\S]{1,20000}$/, "an opcode of at most 20000 characters"],
    src: [/^(reg|smem)$/, "reg or smem"],
    v: [/^(A|B|C|D|E|SFA|SFB)$/, "A, B, C, D, E, SFA or SFB"],
    f: [/^[0-3]$/, "0..3"],
    t: [/^[0-3]$/, "0..3"],
    at: [/^\d,\d{1,3},\d{1,3}$/, "panel,row,column"],
    el: [/^\d{1,3},\d{1,3}$/, "row and column, as 9,10 or A[9][10]"],
    lane: [/^\d{1,3}$/, "the number of a lane, as 5"],
    target: [/^sm_\d{2,3}[af]?$/, "a target, as sm_90"],
    ins: [/^[\s\S]{1,20000}$/, "an instruction of at most 20000 characters"],
    meta: [/^\d{1,3}:[0-9a-f]{1,8}( \d{1,3}:[0-9a-f]{1,8})*$/, "lane:word, separated by blanks"],
    va: [VALUES, LIST],
    vb: [VALUES, LIST],
    vc: [VALUES, LIST],
    vsfa: [VALUES, LIST],
    vsfb: [VALUES, LIST],
    role: [/^[AB]$/, "A or B"],
    mode: [/^[0-3]$/, "0..3"],
    major: [/^(K|MN)$/, "K or MN"],
    desc: [/^(0x)?[0-9a-fA-F]{1,16}$/, "up to 16 hexadecimal digits"],
    w: [/^\d{1,3},\d{1,3}$/, "row,column of the drawing"],
    chunk: [/^\d{1,3},\d{1,3}$/, "row,column"],
    d: [/^\d{1,3},\d{1,3}$/, "row,column"],
    step: [/^\d{1,3}$/, "the number of a term"],
    gen2: [/^sm_\d{2,3}$/, "a generation, as sm_80"],
    load: [/^[AB],\d{0,4},[0-3],[01]$/, "matrix, bytes from row to row, swizzle, and 1 for ld.shared"],
    code: [/^(cute|indices)$/, "cute or indices"],
    gen: [/^sm_\d{2,3}$/, "a generation, as sm_90"]
  };
  /** What fields call what the address calls otherwise. */
  const FIELDS = {el: "Element", lane: "Lane", d: "D at", desc: "Descriptor", meta: "Metadata", chunk: "Chunk", op: "Opcode",
    ins: "Instruction", va: "A", vb: "B", vc: "C", vsfa: "SFA", vsfb: "SFB"};
  const listeners = [];

  /** Whether a text is a number as people type it, or a code as 0x3c00. */
  heddle.isNumber = text => NUMBER.test(text);

  function shorten(text) {
    return text.length > 60 ? text.slice(0, 60) + "…" : text;
  }

  /** Why a value is refused, or nothing. */
  function fault(name, value) {
    const [pattern, words] = NAMES[name];
    return pattern.test(value) ? "" : (FIELDS[name] || name) + " \"" + shorten(value) + "\": expected " + words;
  }

  function read() {
    const state = {};
    heddle.faults = [];
    for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
      const reason = Object.hasOwn(NAMES, name) ? fault(name, value)
          : "\"" + shorten(name) + "\" is no part of an address of this page";
      if (reason) {
        heddle.faults.push(reason);
      } else {
        state[name] = value;
      }
    }
    return state;
  }

  heddle.state = read();

  /** Takes a form where the address names none. */
  heddle.startWith = ([op, src]) => {
    if (!heddle.state.op) {
      heddle.state = Object.assign({op, src, v: "A"}, heddle.state);
    }
  };

  /**
   * Changes some of the state; null removes. What is malformed is refused with a message, and what
   * it was to replace is gone, with any message about that. `quietly`
   * true replaces the address and draws nothing; "push" keeps the address before it for Back.
   */
  heddle.change = (changes, quietly, faults) => {
    const next = Object.assign({}, heddle.state);
    heddle.faults = faults || [];
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === undefined || value === "") {
        delete next[name];
      } else {
        const reason = fault(name, String(value));
        if (reason) {
          heddle.faults.push(reason);
          delete next[name];
        } else {
          next[name] = String(value);
        }
      }
    }
    heddle.state = next;
    const address = "#" + new URLSearchParams(next);
    if (address !== location.hash) {
      history[quietly === true ? "replaceState" : "pushState"](null, "", address);
    }
    if (!quietly) {
      listeners.forEach(listener => listener());
    } else {
      heddle.say(heddle.faults.join("\n"));
    }
  };

  heddle.whenChanged = listener => listeners.push(listener);

  addEventListener("hashchange", () => {
    heddle.state = read();
    listeners.forEach(listener => listener());
  });
})(window.heddle);
