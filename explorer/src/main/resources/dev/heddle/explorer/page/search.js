"use strict";
// The one box: words, an opcode, an instruction, several, or a whole file. The model finds and
// ranks; here its answers are shown as links.
(function (heddle) {
  const element = id => document.getElementById(id);
  const box = element("instruction");
  const list = element("suggestions");
  let asked = 0;
  let answered = null; // the latest answer to what is in the box

  const linkTo = (opcode, source) => "#" + new URLSearchParams({op: opcode, src: source});

  function made(tag, text, className) {
    const node = document.createElement(tag);
    node.textContent = text;
    if (className) {
      node.className = className;
    }
    return node;
  }

  function link(opcode, source, more) {
    const anchor = document.createElement("a");
    // A narrow line breaks before a dot
    anchor.append(...opcode.split(/(?=\.)/).flatMap(word => [document.createElement("wbr"), word]));
    anchor.href = linkTo(opcode, source);
    if (more) {
      anchor.append(made("span", more, "quiet"));
    }
    return anchor;
  }

  function close() {
    list.hidden = true;
    element("found").textContent = "";
  }

  const isInstruction = text => /^\s*(@!?\S+\s+)?w?g?mma\.[^\s]*\s*([;{%]|\s\S)/i.test(text) && !/"/.test(text);
  const isText = text => /[\n"]|;\s*\S/.test(text.trim());

  function suggest(answer) {
    answered = answer;
    const items = answer.forms.map(form => {
      const item = document.createElement("li");
      item.append(link(form.opcode, form.source, (form.source === "smem" ? " A from shared memory" : "")
          + (form.missed.length ? " without " + form.missed.join(", ") : "")));
      return item;
    });
    const head = answer.forms.length === 0 ? "" : answer.complete ? answer.matching + (answer.matching === 1 ? " form has" : " forms have")
        + " all of: " + answer.asked.map(each => each.meaning).join("; ") : "No form has all of that. The nearest:";
    list.replaceChildren(...(head ? [made("li", head, "head")] : []), ...items,
        ...answer.unknown.map(note => made("li", note, "head")));
    list.hidden = items.length + answer.unknown.length === 0;
    element("found").textContent = answer.matching + " forms found";
  }

  async function look() {
    const text = box.value.trim();
    const ask = ++asked;
    if (!text || isText(text)) {
      answered = null;
      close();
      return null;
    }
    const answer = await heddle.ask("find", {text});
    if (ask === asked) {
      suggest(answer);
    }
    return answer;
  }

  let waiting = 0;
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => look().catch(e => heddle.say(e.message)), 60);
  });

  const links = () => [...list.querySelectorAll("a")];
  element("ask").addEventListener("keydown", event => {
    const all = links();
    const at = all.indexOf(document.activeElement);
    const next = {ArrowDown: at + 1, ArrowUp: at - 1}[event.key];
    if (event.key === "Escape") {
      close();
      box.focus();
    } else if (next !== undefined && !list.hidden) {
      event.preventDefault();
      (all[next] || (next < 0 ? box : all[at])).focus();
    }
  });
  element("ask").addEventListener("focusout", event => {
    if (!element("ask").contains(event.relatedTarget)) {
      setTimeout(close, 150);
    }
  });
  list.addEventListener("click", event => {
    if (event.target.closest("a")) {
      close();
      box.value = "";
    }
  });

  /** What was typed or pasted, whatever it is. */
  async function answer(text) {
    if (isText(text)) {
      await showFile("the pasted text", text);
      return;
    }
    if (isInstruction(text) || /^\s*w?g?mma\.\S+\s*;?\s*$/i.test(text)) {
      heddle.change({ins: text.toLowerCase().startsWith("@") ? text : text.trim()});
      return;
    }
    const found = await heddle.ask("find", {text});
    const notes = found.unknown.slice();
    if (found.complete) {
      const best = found.forms[0];
      heddle.change({op: best.opcode, src: best.source, ins: null, at: null, el: null, lane: null, meta: null, va: null, vb: null,
        vc: null, vsfa: null, vsfb: null, d: null, f: null, t: null, desc: null, w: null, chunk: null, v: null}, false, notes);
      close();
    } else {
      suggest(found);
      heddle.say(notes.concat(found.forms.length ? "no form has all of that; the nearest are below the box"
          : "no form found; try words such as: f16 16x8x16, wgmma e4m3 sparse, HMMA.16816.F32").join("\n"));
      document.documentElement.dataset.ready = String(Number(document.documentElement.dataset.ready || 0) + 1);
    }
  }

  element("ask").addEventListener("submit", event => {
    event.preventDefault();
    const text = box.value.trim();
    if (text) {
      answer(text).catch(e => {
        heddle.say(e.message);
        document.documentElement.dataset.ready = String(Number(document.documentElement.dataset.ready || 0) + 1);
      });
    }
  });

  /** A text with marks under its wrong words. */
  function marked(text, marks) {
    const shown = document.createElement("pre");
    let at = 0;
    for (const [start, end, why] of marks.slice().sort((a, b) => a[0] - b[0])) {
      if (start >= at) {
        const wrong = made("mark", text.slice(start, end));
        wrong.title = why;
        shown.append(text.slice(at, start), wrong);
        at = end;
      }
    }
    shown.append(text.slice(at));
    return shown;
  }

  /** Shows the instruction of the address in the box, and under it where it is wrong. */
  heddle.showInstruction = (text, verdict) => {
    if (text || document.activeElement !== box) {
      box.value = text;
    }
    const wrong = verdict && verdict.violations.length > 0;
    element("verdict").hidden = !wrong;
    if (wrong) {
      const near = verdict.nearest.map(opcode => {
        const item = document.createElement("li");
        item.append("nearest: ", link(opcode, "reg"));
        return item;
      });
      const nearest = document.createElement("ul");
      nearest.append(...near);
      element("verdict").replaceChildren(marked(text, verdict.marks), nearest);
    }
  };

  function row(each) {
    const item = document.createElement("li");
    item.append(made("span", "line " + each.line + ": ", "quiet"));
    if (each.opcode) {
      item.append(link(each.opcode, each.source));
    } else {
      item.append(marked(each.text, each.marks));
    }
    for (const finding of each.findings) {
      item.append(made("p", finding, "finding"));
    }
    return item;
  }

  async function showFile(name, text) {
    const verdict = await heddle.send("file", text);
    const listing = element("listing");
    listing.hidden = false;
    const count = verdict.instructions.length;
    const rows = document.createElement("ol");
    rows.append(...verdict.instructions.map(row));
    const others = document.createElement("ul");
    others.append(...verdict.findings.map(each => made("li", each, "finding")));
    const closing = made("button", "Close");
    closing.type = "button";
    closing.addEventListener("click", () => {
      listing.hidden = true;
      box.focus();
    });
    listing.replaceChildren(made("h2", name + ": " + count + " matrix instruction" + (count === 1 ? "" : "s")),
        made("p", verdict.summary), rows, others, closing);
    listing.focus();
    if (count === 1 && verdict.instructions[0].opcode && verdict.instructions[0].findings.length === 0) {
      heddle.change({op: verdict.instructions[0].opcode, src: verdict.instructions[0].source, ins: null, at: null, el: null});
    } else {
      document.documentElement.dataset.ready = String(Number(document.documentElement.dataset.ready || 0) + 1);
    }
  }

  const MOST = 4 << 20;
  async function take(file) {
    try {
      if (file.size > MOST) {
        throw new Error(file.name + ": " + file.size + " bytes, expected at most " + MOST);
      }
      await showFile(file.name, await file.text());
    } catch (e) {
      heddle.say(e.message);
    }
  }
  addEventListener("dragover", event => {
    if (event.dataTransfer.types.includes("Files")) {
      event.preventDefault();
      document.documentElement.dataset.dropping = "true";
    }
  });
  addEventListener("dragleave", event => {
    if (!event.relatedTarget) {
      delete document.documentElement.dataset.dropping;
    }
  });
  addEventListener("drop", event => {
    delete document.documentElement.dataset.dropping;
    if (event.dataTransfer.files.length) {
      event.preventDefault();
      take(event.dataTransfer.files[0]);
    }
  });
  element("file").addEventListener("change", event => event.target.files.length && take(event.target.files[0]));
  box.addEventListener("paste", event => {
    const text = event.clipboardData.getData("text");
    if (isText(text)) {
      event.preventDefault();
      box.value = text.replace(/\s+/g, " ").slice(0, 200);
      showFile("the pasted text", text).catch(e => heddle.say(e.message));
    }
  });
})(window.heddle);
