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

  async function fromServer(name, values) {
    let response;
    try {
      response = await fetch("api/" + name + "?" + new URLSearchParams(values));
    } catch (e) {
      throw new Error("the local server does not answer: is heddle explore still running?");
    }
    const answer = await response.json();
    if (!response.ok) {
      throw new Error(answer.message);
    }
    return answer;
  }

  async function exportedForm(values) {
    const catalogue = await load("catalogue");
    for (const family of catalogue.families) {
      for (const [shape, rest, source, , file] of family.forms) {
        if (family.name + ".sync.aligned." + shape + rest === values.opcode
            && (!values.source || values.source === source)) {
          return load(file);
        }
      }
    }
    throw new Error("this exported site has no form " + values.opcode
        + "; heddle explore has every form, and checks whole instructions");
  }

  async function fromFiles(name, values) {
    switch (name) {
      case "catalogue":
        return load("catalogue");
      case "form":
        return exportedForm(values);
      case "operand": {
        const form = await exportedForm(values);
        const key = values.operand + "/" + (values.selector || 0) + "/" + (values.thread || 0);
        if (!form.files[key]) {
          throw new Error("this form has no operand " + values.operand + " with this selection");
        }
        const drawn = await load(form.files[key]);
        return Object.assign({}, drawn, {caption: form.captions[key],
          arithmetic: form.arithmetic[key]});
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
