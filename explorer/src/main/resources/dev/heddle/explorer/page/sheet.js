"use strict";
// A drawing of tiles on a canvas: fitted, zoomed, moved, pointed at, and walked through by keys.
// What stands in a cell comes from its holdings; the sheet knows nothing of layouts.
(function (heddle) {
  const GOLDEN = {left: 34, top: 30, right: 12, bottom: 12};
  const WIDEST = 72;
  const HIGHEST = 34;
  const DETAILED = 26;
  const MONO = "ui-monospace, \"DejaVu Sans Mono\", Menlo, Consolas, monospace";
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

  heddle.Sheet = class {
    /** @param host a focusable element; @param options labels of cells and the neighbours of tiles */
    constructor(host, options = {}) {
      this.host = host;
      this.options = options;
      this.canvas = document.createElement("canvas");
      this.canvas.setAttribute("aria-hidden", "true");
      this.base = document.createElement("canvas");
      host.append(this.canvas);
      this.tiles = [];
      this.at = null;
      this.lights = {marks: [], linked: [], bands: [], lane: null, dim: null};
      this.zoom = 1;
      this.pan = {x: 0, y: 0};
      this.onPoint = () => {};
      this.onKeep = () => {};
      this.listen();
      heddle.whenRecoloured(() => this.redraw());
      new ResizeObserver(() => this.resize()).observe(host);
    }

    listen() {
      const host = this.host;
      host.addEventListener("pointermove", event => this.dragged ? this.drag(event) : this.point(this.cellAt(event)));
      host.addEventListener("pointerleave", event => heddle.moved(event) && this.onPoint(null, null));
      host.addEventListener("pointerdown", event => {
        this.dragged = this.overflows ? {x: event.clientX, y: event.clientY, pan: {...this.pan}, far: false} : null;
      });
      addEventListener("pointerup", () => {
        const far = this.dragged && this.dragged.far;
        this.dragged = null;
        this.justDragged = far;
      });
      host.addEventListener("click", event => {
        if (!this.justDragged) {
          this.keep(this.cellAt(event));
        }
        this.justDragged = false;
      });
      host.addEventListener("keydown", event => this.key(event));
      host.addEventListener("focus", () => this.at && this.onPoint(this.at, this.holdings(this.at)));
      host.addEventListener("wheel", event => {
        if (event.ctrlKey) {
          event.preventDefault();
          this.magnify(event.deltaY < 0 ? 1.25 : 0.8, event);
        } else if (this.overflows) {
          this.scroll(event);
        }
      }, {passive: false});
    }

    /** Whether there is more than is in sight. */
    get overflows() {
      return this.fitted && (this.zoom > 1 || this.fitted.height > this.viewHeight + 1);
    }

    /** Moves by the wheel, as anything that scrolls; at its end the page goes on. */
    scroll(event) {
      const before = {...this.pan};
      this.pan = {x: before.x + event.deltaX, y: before.y + event.deltaY};
      this.clampPan();
      if (this.pan.x !== before.x || this.pan.y !== before.y) {
        event.preventDefault();
        this.redraw();
      }
    }

    drag(event) {
      const dx = event.clientX - this.dragged.x;
      const dy = event.clientY - this.dragged.y;
      this.dragged.far = this.dragged.far || Math.abs(dx) + Math.abs(dy) > 5;
      if (this.dragged.far) {
        this.pan = {x: this.dragged.pan.x - dx, y: this.dragged.pan.y - dy};
        this.redraw();
      }
    }

    /** Shows tiles: name, title, rows, columns, where (cx, cy in units; gx, gy in pixels), holdings. */
    show(tiles) {
      this.tiles = tiles;
      for (const tile of tiles) {
        tile.index = new Map();
        for (const holding of tile.holdings || []) {
          const [row, column] = (tile.placeOf || (h => [h.atRow, h.atColumn]))(holding);
          const key = row * tile.columns + column;
          const there = tile.index.get(key);
          if (there) {
            there.push(holding);
          } else {
            tile.index.set(key, [holding]);
          }
        }
        tile.runs = heddle.runs(tile);
        tile.uw = tile.uw || 1;
        tile.uh = tile.uh || 1;
      }
      this.at = null;
      this.fit();
    }

    tile(name) {
      return this.tiles.find(each => each.name === name);
    }

    holdings(at) {
      const tile = at && this.tile(at.tile);
      return tile ? tile.index.get(at.row * tile.columns + at.column) || null : null;
    }

    get units() {
      const over = (axis, unit, count, gap) => [Math.max(...this.tiles.map(t => t[axis] + t[count] * t[unit])),
        Math.max(...this.tiles.map(t => t[gap]))];
      return {x: over("cx", "uw", "columns", "gx"), y: over("cy", "uh", "rows", "gy")};
    }

    resize() {
      if (this.tiles.length && (this.width !== this.host.clientWidth || this.ratio !== devicePixelRatio
          || this.room !== this.height())) {
        this.fit(this.zoom > 1);
      }
    }

    /** How high the host may be. */
    height() {
      return this.options.height ? this.options.height() : 560;
    }

    /** The whole in sight, as large as there is room. */
    fit(keepZoom) {
      this.width = this.host.clientWidth;
      if (!this.tiles.length || !this.width) {
        return;
      }
      this.ratio = devicePixelRatio;
      this.room = this.height();
      const {x: [columns, gx], y: [rows, gy]} = this.units;
      const {widest = WIDEST, highest = HIGHEST, least = 0} = this.options;
      let sx = Math.min(widest, (this.width - GOLDEN.left - GOLDEN.right - gx) / columns);
      let sy = Math.min(highest, (this.room - GOLDEN.top - GOLDEN.bottom - gy) / rows);
      sx = Math.min(sx, Math.max(sy * 3.4, 12));
      sy = Math.max(Math.min(sy, sx * 1.7), least);
      this.fitted = {sx, sy, width: gx + columns * sx + GOLDEN.left + GOLDEN.right,
        height: gy + rows * sy + GOLDEN.top + GOLDEN.bottom};
      this.viewHeight = Math.ceil(Math.min(this.fitted.height, Math.max(this.room, 120)));
      this.host.style.height = this.viewHeight + "px";
      if (!keepZoom) {
        this.zoom = 1;
        this.pan = {x: 0, y: 0};
      }
      this.thumb = null;
      this.redraw();
    }

    get sx() {
      return this.fitted.sx * this.zoom;
    }

    get sy() {
      return this.fitted.sy * this.zoom;
    }

    /** The left top corner of a cell, in the view. */
    corner(tile, row, column) {
      return [GOLDEN.left + tile.gx + (tile.cx + column * tile.uw) * this.sx - this.pan.x,
        GOLDEN.top + tile.gy + (tile.cy + row * tile.uh) * this.sy - this.pan.y];
    }

    get zoomable() {
      return this.zoom < Math.max(WIDEST / this.fitted.sx, HIGHEST / this.fitted.sy, 2);
    }

    /** The middle of a cell in the window, brought into sight. For whoever drives the page. */
    middle(name, row, column) {
      const tile = this.tile(name);
      this.host.scrollIntoView({block: "nearest"});
      this.reveal({tile: name, row, column});
      this.draw();
      const box = this.canvas.getBoundingClientRect();
      const [x, y] = this.corner(tile, row, column);
      return [box.left + x + this.sx * tile.uw / 2, box.top + y + this.sy * tile.uh / 2];
    }

    /** Every label that is drawn where there is room. */
    texts() {
      return this.tiles.flatMap(tile => tile.runs.map(run => (tile.label || this.options.label)(run, tile).slice(0, 3).join(" ")));
    }

    /** Nearer or farther, around a point of the window or the middle. */
    magnify(factor, around) {
      const most = Math.max(WIDEST / this.fitted.sx, HIGHEST / this.fitted.sy, 2);
      const next = Math.min(Math.max(this.zoom * factor, 1), most);
      const box = this.canvas.getBoundingClientRect();
      const x = around ? around.clientX - box.left : this.width / 2;
      const y = around ? around.clientY - box.top : this.viewHeight / 2;
      this.pan = {x: (this.pan.x + x) * next / this.zoom - x, y: (this.pan.y + y) * next / this.zoom - y};
      this.zoom = next;
      this.redraw();
      if (this.options.onZoom) {
        this.options.onZoom();
      }
    }

    clampPan() {
      const {x: [columns, gx], y: [rows, gy]} = this.units;
      const far = (all, view) => Math.max(0, all - view);
      this.pan.x = Math.min(Math.max(this.pan.x, 0),
          far(gx + columns * this.sx + GOLDEN.left + GOLDEN.right, this.width));
      this.pan.y = Math.min(Math.max(this.pan.y, 0),
          far(gy + rows * this.sy + GOLDEN.top + GOLDEN.bottom, this.viewHeight));
    }

    cellAt(event) {
      if (!this.fitted) {
        return null;
      }
      const box = this.canvas.getBoundingClientRect();
      const x = event.clientX - box.left;
      const y = event.clientY - box.top;
      for (const tile of this.tiles) {
        const [left, top] = this.corner(tile, 0, 0);
        const column = Math.floor((x - left) / (this.sx * tile.uw));
        const row = Math.floor((y - top) / (this.sy * tile.uh));
        if (row >= 0 && row < tile.rows && column >= 0 && column < tile.columns) {
          return {tile: tile.name, row, column};
        }
      }
      return null;
    }

    point(at) {
      if (at) {
        this.at = at;
      }
      this.onPoint(at, this.holdings(at));
    }

    keep(at) {
      if (at) {
        this.at = at;
        this.onKeep(at, this.holdings(at));
      }
    }

    key(event) {
      const steps = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-8, 0], PageDown: [8, 0]};
      const zooms = {"+": 1.5, "=": 1.5, "-": 1 / 1.5};
      if (event.altKey || event.metaKey || !this.fitted) {
        return;
      }
      if (event.key === "Enter" || event.key === " ") {
        this.keep(this.at);
      } else if (steps[event.key] || event.key === "Home" || event.key === "End") {
        this.walk(event, steps[event.key]);
      } else if (zooms[event.key] && !event.ctrlKey) {
        this.magnify(zooms[event.key]);
      } else if (event.key === "0" && !event.ctrlKey) {
        this.fit();
      } else if (event.key === "Escape") {
        this.at = null;
        this.onPoint(null, null);
        (this.options.onEscape || (() => {}))();
        return;
      } else {
        return;
      }
      event.preventDefault();
    }

    walk(event, step) {
      if (!this.at) {
        const tile = this.tile(this.options.first ? this.options.first() : "") || this.tiles[0];
        this.at = {tile: tile.name, row: 0, column: 0};
      } else {
        const tile = this.tile(this.at.tile);
        let {row, column} = this.at;
        if (!step) {
          const end = event.key === "End";
          column = end ? tile.columns - 1 : 0;
          row = event.ctrlKey ? (end ? tile.rows - 1 : 0) : row;
        } else {
          row += step[0];
          column += step[1];
        }
        const beyond = row < 0 ? "up" : row >= tile.rows ? "down" : column < 0 ? "left" : column >= tile.columns ? "right" : "";
        const next = beyond && Math.abs(step[0]) < 2 && this.options.neighbour && this.tile(this.options.neighbour(tile.name, beyond));
        this.at = next ? {tile: next.name, row: beyond === "up" ? next.rows - 1 : beyond === "down" ? 0 : Math.min(row, next.rows - 1),
          column: beyond === "left" ? next.columns - 1 : beyond === "right" ? 0 : Math.min(column, next.columns - 1)}
            : {tile: tile.name, row: Math.max(0, Math.min(tile.rows - 1, row)), column: Math.max(0, Math.min(tile.columns - 1, column))};
      }
      this.reveal(this.at);
      this.onPoint(this.at, this.holdings(this.at));
    }

    /** Moves the view so that a cell is in it. */
    reveal({tile: name, row, column}) {
      const tile = this.tile(name);
      if (!tile || !this.fitted) {
        return;
      }
      const [x, y] = this.corner(tile, row, column);
      if (x < GOLDEN.left || x + this.sx * tile.uw > this.width) {
        this.pan.x += x - this.width / 2;
      }
      if (y < GOLDEN.top || y + this.sy * tile.uh > this.viewHeight) {
        this.pan.y += y - this.viewHeight / 2;
      }
      this.redraw();
    }

    /** What is lit: cells, linked cells, rows and columns, the cells of a lane; others may be dimmed. */
    light(lights) {
      const dim = this.lights.dim;
      this.lights = Object.assign({marks: [], linked: [], bands: [], lane: null, dim: null}, lights);
      this.host.dataset.marked = this.lights.marks.concat(this.lights.linked).slice(0, 512)
          .map(at => [at.tile, at.row, at.column].join(".")).join(" ");
      if (dim !== this.lights.dim) {
        this.stale = true;
      }
      this.soon();
    }

    redraw() {
      this.stale = true;
      this.soon();
    }

    soon() {
      if (!this.waiting) {
        this.waiting = true;
        requestAnimationFrame(() => {
          this.waiting = false;
          this.draw();
        });
      }
    }

    draw() {
      if (!this.fitted || !this.width) {
        return;
      }
      const ratio = this.ratio;
      if (this.stale) {
        this.clampPan();
        for (const canvas of [this.canvas, this.base]) {
          canvas.width = Math.round(this.width * ratio);
          canvas.height = Math.round(this.viewHeight * ratio);
        }
        this.canvas.style.width = this.width + "px";
        this.canvas.style.height = this.viewHeight + "px";
        const base = this.base.getContext("2d");
        base.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.tiles.forEach(tile => heddle.drawTile(this, base, tile, heddle.palette()));
        this.stale = false;
      }
      const drawn = this.canvas.getContext("2d");
      drawn.setTransform(1, 0, 0, 1, 0, 0);
      drawn.clearRect(0, 0, this.canvas.width, this.canvas.height);
      drawn.drawImage(this.base, 0, 0);
      drawn.setTransform(ratio, 0, 0, ratio, 0, 0);
      heddle.drawLights(this, drawn, heddle.palette());
      if (this.overflows) {
        heddle.drawOverview(this, drawn, heddle.palette());
      }
    }
  };

  Object.assign(heddle, {MONO, DETAILED});
})(window.heddle);
