"use strict";
// One element of D: its products in order, and the sum after each, as the numerics define them.
(function (heddle) {
  const element = id => document.getElementById(id);
  const INPUTS = {ea: "rowA", eb: "columnB", ec: "valueC", eg: "generation"};

  function lines(host, texts) {
    host.replaceChildren(...texts.map(text => {
      const made = document.createElement("p");
      made.textContent = text;
      return made;
    }));
  }

  function row(tag, texts) {
    const made = document.createElement("tr");
    made.append(...texts.map(text => {
      const cell = document.createElement(tag);
      cell.textContent = text;
      return cell;
    }));
    return made;
  }

  /** Shows the execution that the address asks for, if it does. */
  heddle.showExecution = async form => {
    element("steps").replaceChildren();
    lines(element("rule"), []);
    if (!heddle.state.eg) {
      return;
    }
    for (const [name, id] of Object.entries(INPUTS)) {
      if (heddle.state[name] !== undefined) {
        element(id).value = heddle.state[name];
      }
    }
    try {
      const answer = await heddle.ask("execution", {opcode: form.opcode, source: form.source,
        generation: heddle.state.eg, a: heddle.state.ea || "", b: heddle.state.eb || "", c: heddle.state.ec || "0"});
      lines(element("rule"), [answer.generation + ": " + answer.rule + ".", "Evidence: " + answer.evidence.join("; "),
        "Result " + answer.result + " (" + answer.code + ")" + (answer.untruncated !== undefined
            ? "; without truncation of terms it would be " + answer.untruncated : "") + "."]);
      element("steps").replaceChildren(row("th", ["k", "sum", "a", "b", "a x b, exact", "D if the rest were zero"]),
          ...answer.steps.map(s => row("td", [s.k, s.group + 1, s.a, s.b, s.product, s.sum])));
    } catch (e) {
      lines(element("rule"), [e.message]);
    }
  };

  element("execution").addEventListener("submit", event => {
    event.preventDefault();
    const changes = {};
    for (const [name, id] of Object.entries(INPUTS)) {
      changes[name] = element(id).value.trim();
    }
    heddle.change(changes);
  });
})(window.heddle);
