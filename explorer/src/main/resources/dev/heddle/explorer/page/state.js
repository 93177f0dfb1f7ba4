"use strict";
// The state of the page is its address: everything behind the #, as name=value pairs.
(function (heddle) {
  const START = {op: "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", src: "reg", v: "A"};
  const NAMES = ["op", "src", "v", "f", "t", "at", "lane", "target", "ins", "meta", "val", "role", "mode",
    "major", "desc", "ea", "eb", "ec", "eg"];
  const listeners = [];

  function read() {
    const state = {};
    for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
      if (NAMES.includes(name)) {
        state[name] = value;
      }
    }
    return state.op ? state : Object.assign({}, START, state);
  }

  heddle.state = read();

  /** Changes some of the state; null removes. */
  heddle.change = (changes, quietly) => {
    const next = Object.assign({}, heddle.state);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === undefined || value === "") {
        delete next[name];
      } else {
        next[name] = String(value);
      }
    }
    heddle.state = next;
    history.replaceState(null, "", "#" + new URLSearchParams(next));
    if (!quietly) {
      listeners.forEach(listener => listener());
    }
  };

  heddle.whenChanged = listener => listeners.push(listener);

  addEventListener("hashchange", () => {
    heddle.state = read();
    listeners.forEach(listener => listener());
  });
})(window.heddle);
