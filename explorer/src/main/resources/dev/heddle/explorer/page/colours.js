"use strict";
// The colours that drawings take from the style sheet, and when to take them anew.
(function (heddle) {
  const listeners = [];
  let colours = null;

  /** The colours of the theme. */
  heddle.palette = () => {
    if (!colours) {
      const style = getComputedStyle(document.documentElement);
      const value = name => style.getPropertyValue(name).trim();
      colours = {lanes: Array.from({length: 32}, (_, lane) => value("--l" + lane)), ink: value("--ink"),
        dim: value("--dim"), line: value("--line"), ground: value("--sheet"), mark: value("--mark"),
        band: value("--band"), plain: value("--panel")};
    }
    return colours;
  };

  heddle.whenRecoloured = listener => listeners.push(listener);

  /** The theme changed: every drawing is made anew. */
  heddle.recolour = () => {
    colours = null;
    listeners.forEach(listener => listener());
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", heddle.recolour);
})(window.heddle);
