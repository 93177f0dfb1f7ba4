"use strict";
// The theme, and the tour: a few sentences, each beside what it speaks of.
(function (heddle) {
  const element = id => document.getElementById(id);
  const THEMES = ["", "light", "dark"];
  const NAMES = {"": "as the system", light: "light", dark: "dark"};
  const STOPS = [
    ["A product of matrices", "D = A × B + C, done by a whole warp at once. A stands left, B above, D in the corner. Each lane"
        + " of the warp holds a few elements of each matrix in its registers; colour tells lanes apart.", {el: null, lane: null, at: null}],
    ["Point at an element", "This is A[9][10]. The words beside the picture say which lane, register and bits hold it. Lines mark"
        + " what it meets: a row of B, and a row of D that it goes into.", {v: "A", el: "9,10", lane: null, at: null}],
    ["Be a lane", "Choose a lane, and the others fade. Its registers are listed beside the picture, element by element: this is"
        + " what your thread must load.", {v: "A", el: null, at: null, lane: "5"}],
    ["Read the equation", "The layout is one line: which bits of lane and element make up row and column. Below it stands what the"
        + " words mean, worked through for lane 5.", {lane: "5"}],
    ["Find your instruction", "Type what you know into the box at the top: f16 16x8x16, wgmma e4m3 sparse, HMMA.16816.F32. Or paste"
        + " a kernel, or drop a file: its matrix instructions are listed and checked.", {}],
    ["Further down", "See one element of D added up bit by bit, matrices in shared memory by address and bank, sparsity metadata to"
        + " edit, and code to copy.", {lane: null}]
  ];
  let stop = 0;

  function theme(name) {
    if (name) {
      document.documentElement.dataset.theme = name;
    } else {
      delete document.documentElement.dataset.theme;
    }
    element("theme").setAttribute("aria-label", "Theme: " + NAMES[name]);
    element("theme").textContent = name ? name[0].toUpperCase() + name.slice(1) : "Theme";
    heddle.recolour();
  }

  function remembered() {
    try {
      return THEMES.includes(localStorage.getItem("theme")) ? localStorage.getItem("theme") : "";
    } catch (e) {
      return ""; // storage may be forbidden
    }
  }

  element("theme").addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme || "") + 1) % THEMES.length];
    theme(next);
    try {
      localStorage.setItem("theme", next);
    } catch (e) {
      // storage may be forbidden: the theme holds for this visit
    }
  });
  theme(remembered());

  function show() {
    const [title, text, changes] = STOPS[stop];
    element("tourTitle").textContent = title;
    element("tourText").textContent = text;
    element("tourCount").textContent = (stop + 1) + " of " + STOPS.length;
    element("tourBack").disabled = stop === 0;
    element("tourNext").textContent = stop === STOPS.length - 1 ? "Done" : "Next";
    if (Object.keys(changes).length) {
      heddle.change(changes);
    }
  }

  function end() {
    element("tourBox").close();
    element("tour").focus();
  }

  element("tour").addEventListener("click", () => {
    stop = 0;
    const [op, src] = [document.documentElement.dataset.start, document.documentElement.dataset.source];
    heddle.change({op, src, ins: null, meta: null, f: null, t: null, desc: null, d: null});
    element("tourBox").show();
    show();
    element("tourNext").focus();
  });
  element("tourBack").addEventListener("click", () => {
    stop--;
    show();
    element("tourNext").focus();
  });
  element("tourNext").addEventListener("click", () => {
    if (stop === STOPS.length - 1) {
      end();
    } else {
      stop++;
      show();
    }
  });
  element("tourEnd").addEventListener("click", end);
  element("tourBox").addEventListener("keydown", event => event.key === "Escape" && end());
})(window.heddle);
