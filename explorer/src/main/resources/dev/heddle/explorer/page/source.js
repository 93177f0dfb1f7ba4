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

  /** The server says why there is no answer as a problem, which is no failure of the request. */
  const isRefusal = response => !response.ok || response.headers.get("Content-Type").startsWith("application/problem+json");

  async function asked(name, question) {
    let response;
    try {
      response = await fetch("api/" + question);
    } catch (e) {
      throw new Error("the local server does not answer: is heddle explore still running?");
    }
    if (isRefusal(response)) {
      throw new Error((await response.json()).message);
    }
    return name === "figure" ? response.text() : response.json();
  }

  const unpacked = new Map();

  /** A bundle of an exported site: documents whose equal parts stand in it once. */
  function bundle(name) {
    if (!unpacked.has(name)) {
      unpacked.set(name, load(name).then(async packed => {
        const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0));
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
        return JSON.parse(await new Response(stream).text());
      }));
    }
    return unpacked.get(name);
  }

  async function fromBundle(name, key) {
    const {parts, documents} = await bundle(name);
    if (!documents[key]) {
      return null;
    }
    const whole = reference => typeof reference === "number" ? parts[reference]
        : Object.fromEntries(Object.entries(reference).map(([field, part]) => [field, parts[part]]));
    return Object.fromEntries(Object.entries(documents[key]).map(([field, reference]) => [field, whole(reference)]));
  }

  const taken = new Map();

  async function exportedForm(values) {
    const catalogue = (await fromBundle("catalogue", "catalogue")).all;
    for (const family of catalogue.families) {
      for (const [shape, rest, source, , file] of family.forms) {
        if (family.name + ".sync.aligned." + shape + rest === values.opcode
            && (!values.source || values.source === source) && file) {
          const key = values.opcode + "/" + source;
          if (!taken.has(key)) {
            taken.set(key, await fromBundle(file, key));
          }
          return taken.get(key);
        }
      }
    }
    throw new Error("this exported site has no form " + values.opcode
        + "; heddle explore has every form, and checks whole instructions");
  }

  async function fromFiles(name, values) {
    switch (name) {
      case "catalogue":
        return (await fromBundle("catalogue", "catalogue")).all;
      case "form":
        return exportedForm(values);
      case "figure":
        throw new Error("this exported site saves the picture as PNG; heddle layout --as svg draws every operand");
      case "execution": {
        const form = await exportedForm(values);
        const all = await fromBundle(form.executions, form.opcode + "/" + form.source);
        const found = values.example !== null && all[values.generation + "/" + values.example];
        if (!found) {
          throw new Error("this exported site steps through its example alone; heddle explore takes any values and metadata");
        }
        return found;
      }
      case "shared": {
        const form = await exportedForm(values);
        const there = !values.descriptor && form.memory[values.role + "/" + values.major + "/" + values.mode];
        if (!there) {
          throw new Error("this exported site draws matrices without gaps alone; heddle explore takes any descriptor");
        }
        return there;
      }
      case "instruction": {
        const opcode = String(values.text).trim().split(/[\s;]/)[0];
        const form = await exportedForm({opcode});
        return {legal: true, forms: [[form.opcode, form.source]], violations: [], nearest: [], marks: []};
      }
      case "load": {
        const form = await exportedForm(values);
        const there = (values.pitch || values.words) ? null : (form.loads || {})[values.role + "/" + values.mode];
        if (!there) {
          throw new Error("this exported site loads rows of the usual length with ldmatrix alone; heddle explore takes any");
        }
        return there;
      }
      case "search":
        return (await fromBundle("search", "search")).all;
      case "find":
        return heddle.findIn(await heddle.ask("catalogue", {}), await heddle.ask("search", {}), values.text);
      default:
        throw new Error("this needs the local server: run heddle explore");
    }
  }

  /** Sends a text that is too long for an address. */
  heddle.send = async (name, text) => {
    if (exported) {
      throw new Error("this exported site cannot check a file: run heddle explore, or heddle check");
    }
    const response = await fetch("api/" + name, {method: "POST", headers: {"Content-Type": "text/plain; charset=utf-8"}, body: text})
        .catch(() => {
          throw new Error("the local server does not answer: is heddle explore still running?");
        });
    const answer = await response.json();
    if (isRefusal(response)) {
      throw new Error(answer.message);
    }
    return answer;
  };

  heddle.exported = exported;
  heddle.ask = (name, values) => exported ? fromFiles(name, values) : fromServer(name, values);
})(window.heddle);
