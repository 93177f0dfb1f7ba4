"use strict";
// Copy and save: the link, the figure, the code.
(function (heddle) {
  const element = id => document.getElementById(id);

  async function copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      element("copied").textContent = what + " copied";
    } catch (e) {
      element("copied").textContent = "the browser forbids copying here";
    }
  }

  function save(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    element("copied").textContent = name + " saved";
  }

  /** The figure as a file of its own: caption, style and all, as the model drew it. */
  async function figure() {
    return heddle.ask("figure", heddle.shownQuestion());
  }

  /** The picture as it stands there: what a site without a server can save. */
  function picturePng() {
    return new Promise(resolve => document.querySelector("#picture canvas").toBlob(resolve, "image/png"));
  }

  function name(ending) {
    const {opcode, operand, selector} = heddle.shownQuestion();
    return (opcode + "-" + operand + (selector && selector !== "0" ? selector : "")).replace(/[^A-Za-z0-9_-]+/g, "-") + ending;
  }

  async function saved(work) {
    try {
      await work();
    } catch (e) {
      heddle.say(e.message);
    }
  }

  async function savePng() {
    if (heddle.exported) {
      save(await picturePng(), name(".png"));
      return;
    }
    const url = URL.createObjectURL(new Blob([await figure()], {type: "image/svg+xml"}));
    try {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = document.createElement("canvas");
      const scale = Math.min(2, 16000 / image.width, 16000 / image.height);
      canvas.width = image.width * scale;
      canvas.height = image.height * scale;
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      const blob = await new Promise(resolve => canvas.toBlob(resolve, "image/png"));
      save(blob, name(".png"));
    } finally {
      URL.revokeObjectURL(url);
    }
  }

  element("copyLink").addEventListener("click", () => copy(location.href, "link"));
  element("copyCode").addEventListener("click", () => copy(element("code").textContent, "code"));
  element("saveCode").addEventListener("click", () =>
    save(new Blob([element("code").textContent], {type: "text/plain"}), heddle.codeName()));
  element("saveSvg").addEventListener("click", () => saved(async () =>
    save(new Blob([await figure()], {type: "image/svg+xml"}), name(".svg"))));
  element("savePng").addEventListener("click", () => saved(savePng));
})(window.heddle);
