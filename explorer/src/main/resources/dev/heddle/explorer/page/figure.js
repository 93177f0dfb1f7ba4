"use strict";
// Drawings of operands: which cell a pointer or the arrow keys are at, and marks around cells.
(function (heddle) {
  const SVG = "http://www.w3.org/2000/svg";
  const MANY = 3000;
  const TILE = 640;

  /** The fields of a holding, in the order in which they are sent. */
  heddle.holding = ([lane, register, high, low, element, row, rowLast, column, columnLast,
    computation, atRow, atColumn, atRegister]) => ({lane, register, high, low, element, row,
    rowLast, column, columnLast, computation, atRow, atColumn, atRegister});

  const drawn = svg => document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);

  heddle.insert = (host, svg) => host.replaceChildren(drawn(svg));

  /** Labels of large drawings: those are put in that come into sight, since thousands take seconds. */
  class Labels {
    constructor(host, svg) {
      this.host = host;
      this.tiles = new Map();
      if ((svg.match(/<text/g) || []).length <= MANY) {
        this.svg = drawn(svg);
        return;
      }
      let group = 0;
      this.svg = drawn(svg.replace(/(<g class="(?:element|detail)">\n)([^]*?)(?=<\/g>)/g, (all, open, texts) => {
        for (const [text, x, y] of texts.matchAll(/<text x="(\d+)" y="(\d+)">[^<]*<\/text>/g)) {
          const key = [Math.floor(x / TILE), Math.floor(y / TILE), group].join();
          this.tiles.set(key, (this.tiles.get(key) || "") + text);
        }
        group++;
        return open;
      }));
      this.groups = this.svg.querySelectorAll(".element, .detail");
    }

    /** Puts in what can be seen, and what is next to it. */
    show() {
      const {scrollLeft, scrollTop, clientWidth, clientHeight} = this.host;
      for (let x = Math.floor(scrollLeft / TILE); this.tiles.size && x * TILE <= scrollLeft + clientWidth; x++) {
        for (let y = Math.floor(scrollTop / TILE); y * TILE <= scrollTop + clientHeight; y++) {
          this.groups.forEach((group, i) => {
            const key = [x, y, i].join();
            if (this.tiles.has(key)) {
              group.append(...drawn("<svg xmlns=\"" + SVG + "\">" + this.tiles.get(key) + "</svg>").childNodes);
              this.tiles.delete(key);
            }
          });
        }
      }
    }
  }

  const pointer = {};
  addEventListener("pointermove", ({clientX, clientY}) => Object.assign(pointer, {clientX, clientY}), true);

  /** Whether the pointer moved, rather than the page under it: what scrolls by is not pointed at. */
  heddle.moved = ({clientX, clientY}) => clientX !== pointer.clientX || clientY !== pointer.clientY;

  /** Scrolls a host, and nothing else, so that a place of it is in sight. */
  heddle.reveal = (host, x, y, width, height) => {
    if (x < host.scrollLeft || x + width > host.scrollLeft + host.clientWidth) {
      host.scrollLeft = x - host.clientWidth / 2;
    }
    if (y < host.scrollTop || y + height > host.scrollTop + host.clientHeight) {
      host.scrollTop = y - host.clientHeight / 2;
    }
  };

  /** One drawing in a scrolling host. */
  heddle.Drawing = class {
    constructor(host, placeOf) {
      this.host = host;
      this.placeOf = placeOf;
      this.at = null;
      this.onPoint = () => {};
      this.onKeep = () => {};
      host.addEventListener("pointermove", event => this.point(this.cellAt(event)));
      host.addEventListener("pointerleave", event => heddle.moved(event) && this.onPoint(null));
      host.addEventListener("click", event => this.keep(this.cellAt(event)));
      host.addEventListener("keydown", event => this.key(event));
      host.addEventListener("focus", () => this.at && this.onPoint(this.holdings(this.at)));
      host.addEventListener("scroll", () => this.labels && this.labels.show());
      new ResizeObserver(() => this.labels && this.labels.show()).observe(host);
    }

    show(svg, holdings) {
      this.labels = new Labels(this.host, svg);
      this.svg = this.labels.svg;
      this.host.replaceChildren(this.svg);
      this.labels.show();
      this.panels = [...this.svg.querySelectorAll(".panel")].map(panel => {
        const number = name => Number(panel.dataset[name]);
        return {left: number("left"), top: number("top"), width: number("width"),
          height: number("height"), rows: number("rows"), columns: number("columns")};
      });
      this.marks = document.createElementNS(SVG, "g");
      this.svg.append(this.marks);
      this.index = new Map();
      holdings.forEach(holding => {
        const key = this.placeOf(holding).join();
        this.index.set(key, (this.index.get(key) || []).concat(holding));
      });
      this.at = null;
    }

    holdings(at) {
      return at && this.index ? this.index.get(at.join()) || null : null;
    }

    cellAt(event) {
      if (!this.svg) {
        return null;
      }
      const box = this.svg.getBoundingClientRect();
      const x = (event.clientX - box.left) * this.svg.width.baseVal.value / box.width;
      const y = (event.clientY - box.top) * this.svg.height.baseVal.value / box.height;
      for (let i = 0; i < this.panels.length; i++) {
        const panel = this.panels[i];
        const row = Math.floor((y - panel.top) / panel.height);
        const column = Math.floor((x - panel.left) / panel.width);
        if (row >= 0 && row < panel.rows && column >= 0 && column < panel.columns) {
          return [i, row, column];
        }
      }
      return null;
    }

    point(at) {
      if (at) {
        this.at = at;
      }
      this.onPoint(this.holdings(at));
    }

    keep(at) {
      const found = this.holdings(at);
      if (found) {
        this.at = at;
        this.onKeep(found);
      }
    }

    key(event) {
      const steps = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.keep(this.at);
      } else if (steps[event.key] && this.panels) {
        event.preventDefault();
        const [panel, row, column] = this.at || [0, -1, 0];
        const {rows, columns} = this.panels[panel];
        const clamp = (value, end) => Math.max(0, Math.min(end - 1, value));
        const step = this.at ? steps[event.key] : [1, 0];
        this.at = [panel, clamp(row + step[0], rows), clamp(column + step[1], columns)];
        this.onPoint(this.holdings(this.at));
        this.reveal(this.at);
      }
    }

    reveal([index, row, column]) {
      const panel = this.panels[index];
      heddle.reveal(this.host, panel.left + column * panel.width, panel.top + row * panel.height, panel.width, panel.height);
    }

    mark(holdings, linked) {
      if (!this.svg) {
        return;
      }
      this.marks.replaceChildren(...holdings.slice(0, 2048).map(holding => {
        const [index, row, column] = this.placeOf(holding);
        const panel = this.panels[index];
        const mark = document.createElementNS(SVG, "rect");
        const set = (name, value) => mark.setAttribute(name, value);
        set("class", linked ? "mark linked" : "mark");
        set("x", panel.left + column * panel.width + 1);
        set("y", panel.top + row * panel.height + 1);
        set("width", Math.max(panel.width - 2, 2));
        set("height", Math.max(panel.height - 2, 2));
        return mark;
      }));
      if (holdings.length && !this.host.matches(":hover, :focus")) {
        this.reveal(this.placeOf(holdings[0]));
      }
    }
  };
})(window.heddle);
