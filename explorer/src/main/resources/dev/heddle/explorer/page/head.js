"use strict";
// The head of the page: the opcode word by word, what it computes, what it needs.
(function (heddle) {
  const element = id => document.getElementById(id);

  /** A section of the manual, as a link where its address is known. */
  function sectionLink(section, address) {
    const made = document.createElement(address ? "a" : "span");
    made.textContent = "PTX ISA " + section;
    if (address) {
      made.href = address;
      made.rel = "noreferrer";
    }
    return made;
  }

  /** The opcode word by word: what a word says is told at it, and in a list. */
  function showWords(form) {
    const more = form.name.slice(form.opcode.length);
    element("opcode").replaceChildren(...form.words.flatMap(([text, meaning]) => {
      const word = document.createElement("span");
      word.textContent = text;
      word.title = meaning;
      return [document.createElement("wbr"), word];
    }), more);
    element("spelling").replaceChildren(...form.words.flatMap(([text, meaning]) => ["dt", "dd"].map(tag => {
      const made = document.createElement(tag);
      made.textContent = tag === "dt" ? text : meaning;
      return made;
    })));
  }

  /** Names a form, and says what it computes and needs. */
  heddle.showHead = form => {
    showWords(form);
    document.title = form.opcode + " · Heddle";
    element("meaning").textContent = form.meaning;
    element("about").replaceChildren("Needs " + form.requirement + ". ", sectionLink(form.section, form.sectionLink));
    document.documentElement.dataset.loaded = "true";
  };
})(window.heddle);
