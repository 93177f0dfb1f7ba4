"use strict";
// What can be chosen: family, shape, types, target, operand, selector. What cannot is shown, with why.
(function (heddle) {
  const element = id => document.getElementById(id);
  const unique = list => [...new Set(list)];
  const opcode = (family, entry) => family.name + ".sync.aligned." + entry[0] + entry[1];
  let catalogue;
  let form;

  heddle.option = (value, text, reason) => {
    const made = document.createElement("option");
    made.value = value;
    made.textContent = reason ? text + " (" + reason + ")" : text;
    made.disabled = Boolean(reason);
    return made;
  };

  heddle.fill = (id, options, value) => {
    element(id).replaceChildren(...options);
    element(id).value = value;
  };

  /** What the form is in the catalogue: its family, shape and the rest. */
  function placed() {
    for (const family of catalogue.families) {
      for (const entry of family.forms) {
        if (form.source === entry[2] && opcode(family, entry) === form.opcode) {
          return {family, entry};
        }
      }
    }
    throw new Error(form.opcode + " is not in the catalogue");
  }

  function lacking(entry) {
    const target = heddle.state.target;
    const requirement = catalogue.requirements[entry[3]];
    if (heddle.exported && !entry[4]) {
      return "not in this exported site, but in heddle explore";
    }
    return !target || requirement.targets.includes(target) ? "" : "needs " + requirement.text;
  }

  function absent(family) {
    const there = family.forms.some(entry => !heddle.exported || entry[4]);
    return there ? "not on " + heddle.state.target : lacking(family.forms[0]);
  }

  /** Shows a form as chosen; returns what is wrong with the choice of target. */
  heddle.showChoice = (all, chosen) => {
    catalogue = all;
    form = chosen;
    const faults = [];
    if (heddle.state.target && !catalogue.targets.includes(heddle.state.target)) {
      faults.push("target \"" + heddle.state.target + "\": expected one of " + catalogue.targets.join(" "));
      heddle.state = Object.assign({}, heddle.state);
      delete heddle.state.target;
    }
    const {family, entry} = placed();
    if (lacking(entry)) {
      faults.push("not on " + heddle.state.target + ": this form " + lacking(entry));
    }
    heddle.fill("family", catalogue.families.map(f => heddle.option(f.name, f.name,
        f.forms.every(lacking) ? absent(f) : "")), family.name);
    const shapes = unique(family.forms.map(e => e[0]));
    heddle.fill("shape", shapes.map(shape => {
      const here = family.forms.filter(e => e[0] === shape);
      return heddle.option(shape, shape, here.every(lacking) ? lacking(here[0]) : "");
    }), entry[0]);
    const shaped = family.forms.filter(e => e[0] === entry[0]);
    heddle.fill("types", unique(shaped.map(e => e[1])).map(rest => {
      const here = shaped.filter(e => e[1] === rest);
      return heddle.option(rest, rest.replace(/^\./, ""), here.every(lacking) ? lacking(here[0]) : "");
    }), entry[1]);
    heddle.fill("source", [["reg", "registers"], ["smem", "shared memory"]].map(([word, text]) =>
      heddle.option(word, text, family.forms.some(e => e[0] === entry[0] && e[1] === entry[1] && e[2] === word)
          ? "" : "not with this form")), entry[2]);
    heddle.fill("target", [heddle.option("", "any")].concat(catalogue.targets.map(t => heddle.option(t, t))),
        heddle.state.target || "");
    return faults;
  };

  /** The form nearest to the wish: of that family, and as much of the rest as there is. */
  function choose(wish) {
    const {family, entry} = placed();
    const wanted = Object.assign({family: family.name, shape: entry[0], rest: entry[1], source: entry[2]}, wish);
    const weight = (f, e) => (f.name === wanted.family ? (wish.family ? 40 : 10) : 0)
        + (e[0] === wanted.shape ? (wish.shape ? 8 : 2) : 0) + (e[1] === wanted.rest ? (wish.rest ? 8 : 2) : 0)
        + (e[2] === wanted.source ? (wish.source ? 8 : 1) : 0) - (lacking(e) ? 100 : 0);
    let best = {family, entry};
    for (const f of catalogue.families) {
      for (const e of f.forms) {
        if (weight(f, e) > weight(best.family, best.entry)) {
          best = {family: f, entry: e};
        }
      }
    }
    heddle.change({op: opcode(best.family, best.entry), src: best.entry[2], at: null, el: null, lane: null, meta: null,
      va: null, vb: null, vc: null, vsfa: null, vsfb: null, d: null, f: null, t: null, desc: null, w: null, chunk: null, ins: null});
  }

  element("family").addEventListener("change", e => choose({family: e.target.value}));
  element("shape").addEventListener("change", e => choose({shape: e.target.value}));
  element("types").addEventListener("change", e => choose({rest: e.target.value}));
  element("source").addEventListener("change", e => choose({source: e.target.value}));
  element("target").addEventListener("change", e => {
    heddle.change({target: e.target.value}, true);
    if (lacking(placed().entry)) {
      choose({});
    } else {
      heddle.change({});
    }
  });
  element("selector").addEventListener("change", e => heddle.change({f: e.target.value}));
  element("thread").addEventListener("change", e => heddle.change({t: e.target.value}));

  /** Takes the form whose operands can be chosen. */
  heddle.takeOperands = now => {
    form = now;
  };

  const radios = [...element("operands").children];
  const COMMON = ["A", "B", "C", "D"];

  /** The operands to choose from. One of the four that is in shared memory stays, and says so. The focus stays, too. */
  heddle.showOperands = name => radios.forEach((radio, i) => {
    const [each, reason] = form.operands[i];
    radio.hidden = Boolean(reason) && !COMMON.includes(each);
    radio.setAttribute("aria-checked", String(each === name));
    radio.tabIndex = each === name ? 0 : -1;
    radio.title = reason ? each + ": " + reason : "";
    if (reason) {
      radio.setAttribute("aria-disabled", "true");
    } else {
      radio.removeAttribute("aria-disabled");
    }
  });

  function chooseOperand(radio) {
    const [each, reason] = form.operands[radios.indexOf(radio)];
    if (reason) {
      heddle.say(each + ": " + reason);
    } else {
      heddle.change({v: each, at: null, el: null});
    }
  }

  radios.forEach(radio => {
    radio.addEventListener("click", () => chooseOperand(radio));
    radio.addEventListener("keydown", event => {
      const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
      const shown = radios.filter(each => each.checkVisibility());
      const at = shown.indexOf(radio);
      const next = event.key === "Home" ? 0 : event.key === "End" ? shown.length - 1 : step && (at + step + shown.length) % shown.length;
      if (next !== undefined) {
        event.preventDefault();
        shown[next].focus();
        chooseOperand(shown[next]);
      }
    });
  });

  /** The selector of metadata, or byte-id and thread-id of scale factors. */
  heddle.showSelectors = name => {
    const scale = name === "SFA" ? form.scaleA : name === "SFB" ? form.scaleB : null;
    const selectors = scale ? scale.byteIds : form.sparse ? form.sparse.selectors : null;
    element("selectorLabel").hidden = !selectors;
    element("selectors").hidden = !selectors;
    element("threadLabel").hidden = !scale;
    element("selectorLabel").firstElementChild.textContent = scale ? "byte-id" : "selector";
    const options = list => list.map(([value, reason]) => heddle.option(value, value, reason));
    if (selectors) {
      heddle.fill("selector", options(selectors), heddle.state.f || 0);
    }
    if (scale) {
      heddle.fill("thread", options(scale.threadIds), heddle.state.t || 0);
    }
    return !selectors && (heddle.state.f || 0) > 0 ? ["f " + heddle.state.f + ": nothing to select in " + name] : [];
  };
})(window.heddle);
