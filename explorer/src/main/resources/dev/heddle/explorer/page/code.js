"use strict";
// The code around an instruction: CUDA C++, the notation of CuTe, index arithmetic of one operand.
(function (heddle) {
  const element = id => document.getElementById(id);
  const buttons = [...element("codeKinds").children];
  const SAID = {
    cuda: "A whole file for nvcc: each lane's loads, the instruction, the store; of sparse forms also the function of the host that packs the metadata.",
    cute: "The layouts of the fragments as CuTe writes them, and CUTLASS's name of the instruction where it has one.",
    indices: "C for any compiler: what each bit of a lane's registers is, for the operand chosen above."
  };
  let form;
  let operand;

  const kind = () => heddle.state.code || "cuda";

  /** The text with its comments quieter than the rest. */
  function quietComments(text) {
    return text.split(/(\/\/[^\n]*)/).map((part, i) => {
      const made = document.createElement(i % 2 ? "i" : "span");
      made.textContent = part;
      return made;
    });
  }

  function show() {
    buttons.forEach(button => {
      const chosen = button.dataset.kind === kind();
      button.setAttribute("aria-checked", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
    });
    element("codeSaid").textContent = SAID[kind()];
    element("code").replaceChildren(...quietComments(kind() === "indices" ? form.arithmetic[operand] : form.code[kind()]));
  }

  /** Shows the code of a form, or the indices of an operand of it. */
  heddle.showCode = (shown, name) => {
    form = shown;
    operand = name;
    show();
  };

  /** What a file with the code is called. */
  heddle.codeName = () => kind() === "cuda" ? "tile.cu" : kind() === "cute" ? "traits.hpp" : operand.toLowerCase() + ".h";

  function choose(button) {
    heddle.change({code: button.dataset.kind === "cuda" ? null : button.dataset.kind}, true);
    show();
    button.focus();
  }

  buttons.forEach((button, i) => {
    button.addEventListener("click", () => choose(button));
    button.addEventListener("keydown", event => {
      const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
      if (step) {
        event.preventDefault();
        choose(buttons[(i + step + buttons.length) % buttons.length]);
      }
    });
  });
})(window.heddle);
