"use strict";
// What axe is to look at of a form: the parts of the page that it has not seen as they are now.
(function () {
  const OWN = ["id", "href", "title", "value", "style", "for", "src", "min", "max", "width", "height", "aria-label"];
  const seen = new Set();
  const structures = new Set();

  /** An element without its texts and figures; children of one structure count once. */
  function structure(element) {
    const names = [...element.attributes].filter(each => !OWN.includes(each.name) && !each.name.startsWith("data-"))
        .map(each => each.name + "=" + each.value).sort().join(" ");
    const children = element.matches("select") ? [] : [...element.children].map(structure);
    return element.tagName + "[" + names + "](" + [...new Set(children)].join("") + ")";
  }

  /** Sections, the parts of the one with the picture, and what stands outside. */
  function parts() {
    return [...document.querySelectorAll("header, #message, #verdict, #listing, main > section")]
        .flatMap(part => part.matches(".stage") ? [...part.children].flatMap(each => [...each.children]) : [part])
        .filter(part => part.checkVisibility());
  }

  async function ask(context) {
    const {violations} = await axe.run(context, {resultTypes: ["violations"]});
    return violations.map(each => each.id + " " + each.nodes[0].html.slice(0, 120));
  }

  /** Does something while parts are empty: axe reads the whole page, however little it looks at. */
  async function without(emptied, action) {
    const kept = emptied.map(part => {
      const fragment = document.createDocumentFragment();
      fragment.append(...part.childNodes);
      return fragment;
    });
    try {
      return await action();
    } finally {
      emptied.forEach((part, i) => part.append(kept[i]));
    }
  }

  /** Opens what is closed, and asks axe of what it has not seen: the whole page of a new structure. */
  window.axeOfForm = async () => {
    document.querySelectorAll("details").forEach(each => { each.open = true; });
    const whole = structure(document.body);
    const all = parts();
    const fresh = all.filter(part => !seen.has(part.outerHTML));
    fresh.forEach(part => seen.add(part.outerHTML));
    const known = structures.has(whole);
    structures.add(whole);
    const found = !known ? await ask(document)
        : fresh.length === 0 ? [] : await without(all.filter(part => !fresh.includes(part)), () => ask({include: fresh}));
    return {whole: !known, parts: fresh.length, found};
  };

  /** Asks axe of the whole page as it stands. */
  window.axeOfPage = () => ask(document);
})();
