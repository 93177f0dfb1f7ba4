"use strict";
// "Be lane 5": what one lane holds, in every operand, as a list of its registers.
(function (heddle) {
  const element = id => document.getElementById(id);
  const MOST = 256;

  function made(tag, text, className) {
    const node = document.createElement(tag);
    node.textContent = text;
    if (className) {
      node.className = className;
    }
    return node;
  }

  function group(form, name, list, lane, open) {
    const mine = list.filter(h => h.lane === lane);
    const details = document.createElement("details");
    details.dataset.operand = name;
    details.open = open;
    const registers = new Set(mine.map(h => h.register)).size;
    const summary = made("summary", name + ": ");
    summary.append(made("span", mine.length === 0
        ? ["E", "SFA", "SFB"].includes(name) ? "its register is ignored under this selector" : "nothing of this product"
        : registers + (registers === 1 ? " register, " : " registers, ") + mine.length
            + ({E: " nibbles", SFA: " scale factors", SFB: " scale factors"}[name] || " elements"), "quiet"));
    const items = document.createElement("ul");
    let last = -1;
    for (const h of mine.slice(0, MOST)) {
      const item = document.createElement("li");
      item.title = heddle.sentence(name, h);
      item.append(made("b", h.register === last ? "" : "r" + h.register), made("i", h.high + ".." + h.low),
          made("span", heddle.placeOf(name, h)));
      item.classList.toggle("first", h.register !== last);
      last = h.register;
      items.append(item);
    }
    details.append(summary, items);
    return details;
  }

  /** Lists what a lane holds of each operand; the shown operand's list is open. */
  heddle.showLane = (form, text, shown) => {
    const lane = Number(text);
    const host = element("fragment");
    host.hidden = text === undefined;
    element("laneStep").hidden = text === undefined;
    if (text === undefined) {
      return;
    }
    if (lane >= form.lanes) {
      host.replaceChildren(made("p", "lane " + text + ": expected 0.." + (form.lanes - 1)));
      return;
    }
    const warp = form.lanes === 128 ? " (warp " + (lane >> 5) + ", laneid " + (lane & 31) + ")" : "";
    const names = Object.keys(form.tables);
    host.replaceChildren(made("h3", "Lane " + lane + warp + " holds"), ...names.map(name =>
      group(form, name, heddle.listOf(name), lane, name === shown || names.length === 1)));
  };

  const step = by => {
    const field = element("lane");
    const next = Number(field.value || 0) + by;
    if (next >= 0 && next <= Number(field.max)) {
      field.value = next;
      field.dispatchEvent(new Event("input", {bubbles: true}));
    }
  };
  element("laneBefore").addEventListener("click", () => step(-1));
  element("laneAfter").addEventListener("click", () => step(1));
  element("laneNone").addEventListener("click", () => {
    element("lane").value = "";
    element("lane").dispatchEvent(new Event("input", {bubbles: true}));
    element("lane").focus();
  });
})(window.heddle);
