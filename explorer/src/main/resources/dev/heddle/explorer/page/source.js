"use strict";
// Where answers come from: the local server, or in an exported site files that the model wrote.
window.heddle = window.heddle || {};
(function (heddle) {
  const exported = document.documentElement.dataset.exported === "true";
  const received = new Map();
  const loading = new Map();

  heddle.receive = (name, value) => received.set(name, value);

  function load(name) {
    if (!loading.has(name)) {
      loading.set(name, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = "data/" + name + ".js";
        script.onload = () => resolve(received.get(name));
        script.onerror = () => reject(new Error("data/" + name + ".js is missing from this site"));
        document.head.append(script);
      }));
    }
    return loading.get(name);
  }

  /** Answers do not change: the latest are kept. */
  async function fromServer(name, values) {
    const question = name + "?" + new URLSearchParams(values);
    if (!received.has(question)) {
      const answer = await asked(name, question);
      received.set(question, answer);
      if (received.size > 50) {
        received.delete(received.keys().next().value);
      }
    }
    return received.get(question);
  }

  async function asked(name, question) {
    let response;
    try {
      response = await fetch("api/" + question);
    } catch (e) {
      throw new Error("the local server does not answer: is heddle explore still running?");
    }
    if (!response.ok) {
      throw new Error((await response.json()).message);
    }
    return name === "figure" ? response.text() : response.json();
  }

  async function exportedForm(values) {
    const catalogue = await load("catalogue");
    for (const family of catalogue.families) {
      for (const [shape, rest, source, , file] of family.forms) {
        if (family.name + ".sync.aligned." + shape + rest === values.opcode
            && (!values.source || values.source === source) && file) {
          return load(file);
        }
      }
    }
    throw new Error("this exported site has no form " + values.opcode
        + "; heddle explore has every form, and checks whole instructions");
  }

  /** The form, the layout's key in it, and its drawings. */
  async function exportedLayout(values) {
    const form = await exportedForm(values);
    const key = values.operand + "/" + (values.selector || 0) + "/" + (values.thread || 0);
    if (!form.files[key]) {
      throw new Error("this form has no operand " + values.operand + " with this selection");
    }
    return {form, key, drawn: await load(form.files[key])};
  }

  async function fromFiles(name, values) {
    switch (name) {
      case "catalogue":
        return load("catalogue");
      case "form":
        return exportedForm(values);
      case "operand": {
        const {form, key, drawn} = await exportedLayout(values);
        return Object.assign({}, drawn, {caption: form.captions[key],
          arithmetic: form.arithmetic[key]});
      }
      case "figure": {
        const {form, key, drawn} = await exportedLayout(values);
        const panels = drawn.svg.replace(/^<svg[^>]*>\n/, "").replace(/<\/svg>\n$/, "");
        return form.frames[key].replace("<style></style>", "<style>" + await load("style") + "</style>")
            + panels + "</g>\n</svg>\n";
      }
      case "execution": {
        const form = await exportedForm(values);
        const file = values.example !== null && form.executions[values.generation + "/" + values.example];
        if (!file) {
          throw new Error("this exported site steps through its example alone; heddle explore takes any values and metadata");
        }
        return load(file);
      }
      case "shared": {
        const form = await exportedForm(values);
        const there = !values.descriptor && form.memory[values.role + "/" + values.major + "/" + values.mode];
        if (!there) {
          throw new Error("this exported site draws matrices without gaps alone; heddle explore takes any descriptor");
        }
        return Object.assign({caption: there[1]}, await load(there[0]));
      }
      case "instruction": {
        const opcode = String(values.text).trim().split(/[\s;]/)[0];
        const form = await exportedForm({opcode});
        return {legal: true, forms: [[form.opcode, form.source]], violations: [], nearest: []};
      }
      default:
        throw new Error("this needs the local server: run heddle explore");
    }
  }

  heddle.exported = exported;
  heddle.ask = (name, values) => exported ? fromFiles(name, values) : fromServer(name, values);
})(window.heddle);
