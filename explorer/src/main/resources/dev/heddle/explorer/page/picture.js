"use strict";
// The product as one picture: A left, B above, D (or C) in the corner, metadata and scale factors
// beside what they belong to. What is pointed at lights up in all of it.
(function (heddle) {
  const element = id => document.getElementById(id);
  const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
  const range = (first, last) => first === last ? String(first) : first + ".." + last;
  const NEXT = {A: {right: "D", left: "E", up: "lanes"}, B: {down: "D", left: "lanes", up: "SFB"}, D: {up: "B", left: "A"},
    E: {right: "A", up: "lanes"}, SFA: {right: "A", left: "E", up: "lanes"}, SFB: {down: "B", left: "lanes"}, lanes: {right: "B", down: "A"}};
  const said = element("where").parentElement;
  let form;
  let corner = "D"; // which of C and D stands in the corner
  let computation = 0;
  let lists = {};

  /** The lanes, four of a hue in a column, above A where nothing else stands: a legend, and to choose from. */
  function lanes(width, height) {
    const rows = form.lanes / 8;
    const of = lane => ({lane, register: 0, element: lane, colour: lane & 31});
    return {name: "lanes", operand: "lanes", rows, columns: 8, cx: 0, cy: 0, gx: 0, gy: 0,
      uw: Math.min(Math.max(1.4, width * 0.3 / 8), width * 0.62 / 8), uh: Math.min(1.4, height * 0.8 / rows), noRows: true, legend: true, alone: true,
      title: form.lanes === 32 ? "Lanes|of the warp" : "Lanes|of four warps", brackets: warps().map(each => ({...each, first: each.first / 4})),
      holdings: Array.from({length: form.lanes}, (_, lane) => of(lane)), placeOf: ({lane}) => [(lane >> 5) * 4 + (lane & 3), (lane & 31) >> 2],
      label: ({first}) => ["T" + first.lane, "", "", String(first.lane)], columnLabel: () => ""};
  }

  /** Texts of a run: lane, elements, register and bits, and the lane alone. */
  function label(run, tile) {
    const {first, last} = run;
    const lane = "T" + first.lane;
    if (!form.tables[tile.operand].element || tile.operand === "E") {
      return [lane, "[" + Math.max(first.high, last.high) + ".." + Math.min(first.low, last.low) + "]", "", String(first.lane)];
    }
    const letter = tile.operand.toLowerCase();
    const count = last.element - first.element;
    const elements = letter + first.element + (count === 0 ? "" : (count === 1 ? " " : "..") + letter + last.element);
    const {registerBits} = form.tables[tile.operand];
    const whole = first.low === 0 && last.high === registerBits - 1;
    return [lane, elements, "r" + first.register + (whole ? "" : " [" + last.high + ".." + first.low + "]"), String(first.lane)];
  }

  function room() {
    const top = element("picture").getBoundingClientRect().top + scrollY;
    const below = getComputedStyle(said).position === "sticky" ? said.offsetHeight : 0;
    return clamp(innerHeight - top - below - 14, 260, 1100);
  }

  const picture = new heddle.Sheet(element("picture"), {
    label,
    height: room,
    first: () => tileOf(heddle.state.v || "A"),
    neighbour: (name, way) => ({E: form.tables.SFA && way === "right" ? "SFA" : null}[name] || (NEXT[name] || {})[way]),
    onZoom: zoomed,
    onEscape: () => heddle.unkeep()
  });

  const tileOf = operand => operand === "C" || operand === "D" ? "D" : operand;

  function zoomed() {
    element("zoomOut").disabled = picture.zoom <= 1;
    element("zoomFit").disabled = picture.zoom <= 1;
  }

  function titleOf(name) {
    const [m, n, k] = form.shape;
    const table = form.tables[name];
    const stored = form.sparse && name === "A" && table;
    const extent = {A: [m, stored ? table.columns : k], B: [k, n], C: [m, n], D: [m, n], E: table && [table.rows, table.columns],
      SFA: table && [table.rows, table.columns], SFB: table && [table.rows, table.columns]}[name];
    const kind = {E: "metadata", SFA: "scales", SFB: "scales"}[name] || form.types[name];
    return name + (stored ? " stored|" : "|") + extent.join("×") + " " + kind;
  }

  /** The tiles of the picture, with places: units of cells, and pixels between. */
  function tiles() {
    const [m, n, k] = form.shape;
    const stored = form.sparse ? form.sparse.columns / form.sparse.width * form.sparse.stored : k;
    const wide = clamp(stored, 0.3 * n, 3 * n) / stored;
    const high = clamp(k, 0.3 * m, 1.5 * m) / k;
    const list = [];
    let cx = 0;
    let gx = 0;
    const add = (name, operand, rows, columns, uw, uh, more) => list.push(Object.assign({name, operand, rows, columns, uw, uh,
      title: titleOf(operand), holdings: lists[operand] || null, note: "in shared memory"}, more));
    const scaled = form.tables.SFB;
    const top = (scaled ? scaled.rows * 1.2 : 0) + k * high;
    const dy = scaled ? 74 : 40;
    const left = (name, uw, gap) => {
      const {columns} = form.tables[name];
      add(name, name, m, columns, uw, 1, {cx, gx, cy: top, gy: dy, noRows: list.length > 0});
      cx += columns * uw;
      gx += gap;
    };
    if (form.tables.E) {
      left("E", clamp(form.tables.E.columns, 3, Math.max(3, stored * wide * 0.7)) / form.tables.E.columns, 34);
    }
    if (form.tables.SFA) {
      left("SFA", 1.5, 34);
    }
    add("A", "A", m, stored, wide, 1, {cx, gx, cy: top, gy: dy, brackets: warps(),
      noRows: false});
    cx += stored * wide;
    gx += 34;
    list.push(lanes(cx, top));
    if (scaled) {
      add("SFB", "SFB", scaled.rows, n, 1, 1.2, {cx, gx, cy: 0, gy: 0});
    }
    add("B", "B", k, n, 1, high, {cx, gx, cy: scaled ? scaled.rows * 1.2 : 0, gy: scaled ? 36 : 0});
    add("D", corner, m, n, 1, 1, {cx, gx, cy: top, gy: dy, brackets: warps()});
    return list;
  }

  /** The four warps of a warpgroup, one below the other. */
  function warps() {
    return form.lanes === 128 ? [0, 1, 2, 3].map(warp => ({first: 16 * warp, count: 16, text: ""})) : [];
  }

  /** Shows a form; `selection` chooses metadata or scale factors, `operand` what the corner is. */
  heddle.showPicture = (now, selections, operand) => {
    form = now;
    corner = operand === "C" ? "C" : "D";
    lists = {};
    for (const name of Object.keys(form.tables)) {
      lists[name] = heddle.holdings(form, name, selections[name])
          .filter(h => h.computation === computation || name.length > 1);
    }
    picture.show(tiles());
    zoomed();
    element("product").hidden = form.computations === 1;
    return lists;
  };

  element("productChoice").addEventListener("change", event => {
    computation = Number(event.target.value);
    heddle.redrawOperand();
  });

  const at = (name, h) => ({tile: tileOf(name), row: h.atRow, column: h.atColumn});

  /** The dense columns along K that a holding of A stands for: one, or those its chunk may have. */
  function along(h) {
    const kept = form.sparse && heddle.keptColumns(h.row, h.column);
    if (!form.sparse || !kept) {
      return [h.column, h.columnLast];
    }
    const k = h.column + kept[h.atColumn % form.sparse.stored];
    return [k, k];
  }

  /** What meets what is pointed at: rows, columns, cells of other operands. */
  function mates(name, h) {
    const bands = [];
    const linked = [];
    const row = (tile, first, last = first) => bands.push({tile, row: first, rows: last - first + 1});
    const column = (tile, first, last = first) => bands.push({tile, column: first, columns: last - first + 1});
    const cells = (other, test) => linked.push(...(lists[other] || []).filter(test).map(each => at(other, each)));
    if (name === "A") {
      const [first, last] = along(h);
      row("D", h.row);
      row("B", first, last);
      cells("E", each => each.row === h.row && each.column === h.column);
      cells("SFA", each => each.row === h.row && first >= each.column && first <= each.columnLast);
    } else if (name === "B") {
      column("D", h.column);
      if (!form.sparse) {
        column("A", h.row);
      }
      cells("SFB", each => each.column === h.column && h.row >= each.row && h.row <= each.rowLast);
    } else if (name === "C" || name === "D") {
      row("A", h.row);
      column("B", h.column);
      row("E", h.row);
      row("SFA", h.row);
      column("SFB", h.column);
    } else if (name === "E") {
      cells("A", each => each.row === h.row && each.column === h.column);
      row("B", h.column, h.columnLast);
      row("D", h.row);
    } else if (name === "SFA") {
      cells("A", each => each.row === h.row && each.column >= h.column && each.column <= h.columnLast);
      row("D", h.row);
    } else {
      cells("B", each => each.column === h.column && each.row >= h.row && each.row <= h.rowLast);
      column("D", h.column);
    }
    return {bands, linked};
  }

  /** Lights holdings of an operand and all that belongs to them. */
  heddle.lightPicture = (name, holdings, lane) => {
    const lights = {marks: [], linked: [], bands: [], lane: null, dim: lane === undefined ? null : lane};
    for (const h of holdings.slice(0, 64)) {
      lights.marks.push(at(name, h));
      const {bands, linked} = mates(name, h);
      lights.bands.push(...bands);
      lights.linked.push(...linked.filter(each => !lights.linked.some(other =>
        other.tile === each.tile && other.row === each.row && other.column === each.column)));
    }
    lights.lane = holdings.length ? holdings[0].lane : null;
    picture.light(lights);
  };

  /** Lights the row and the column of a place that no lane holds: of a matrix in shared memory. */
  heddle.lightPlace = ({tile, row, column}) => picture.light({marks: [{tile, row, column}],
    bands: tile === "A" ? [{tile: "D", row, rows: 1}, {tile: "B", row: column, rows: 1}]
        : [{tile: "D", column, columns: 1}, {tile: "A", column: row, columns: 1}]});

  /** In a sentence, what the pointed holding meets. */
  heddle.meeting = (name, h) => {
    const [first, last] = name === "A" ? along(h) : [0, 0];
    return {
      A: () => "It meets row " + range(first, last) + " of B, and goes into row " + h.row + " of D.",
      B: () => "It meets column " + h.row + " of A, and goes into column " + h.column + " of D.",
      C: () => "D[" + h.row + "][" + h.column + "] is the sum of this and row " + h.row + " of A times column " + h.column + " of B.",
      D: () => "It is row " + h.row + " of A times column " + h.column + " of B, added to C[" + h.row + "][" + h.column + "].",
      E: () => "It says which of these columns of row " + h.row + " are stored.",
      SFA: () => "It scales columns " + range(h.column, h.columnLast) + " of row " + h.row + " of A.",
      SFB: () => "It scales rows " + range(h.row, h.rowLast) + " of column " + h.column + " of B."
    }[name]();
  };

  /** The place of a dense column of A in its tile; null if it is not stored. */
  function storedPlace(row, k) {
    if (!form.sparse) {
      return {tile: "A", row, column: k};
    }
    const {width, stored} = form.sparse;
    const chunk = Math.floor(k / width);
    const index = (heddle.keptColumns(row, chunk * width) || []).indexOf(k % width);
    return index < 0 ? null : {tile: "A", row, column: chunk * stored + index};
  }

  /** Lights what a term of an element of D is made of: elements of A and B along k, or C alone. */
  heddle.lightTerm = ([row, column], ks) => picture.light({
    marks: ks.flatMap(k => [storedPlace(row, k), {tile: "B", row: k, column}]).filter(Boolean),
    linked: [{tile: "D", row, column}], bands: [{tile: "A", row, rows: 1}, {tile: "B", column, columns: 1}]});

  /** Lights all that a lane holds. */
  heddle.lightLane = (lane, chosen) => picture.light({lane, dim: chosen === undefined ? null : chosen});

  heddle.listOf = name => lists[name] || [];
  heddle.cornerOperand = () => corner;
  heddle.revealPlace = (name, h) => picture.reveal(at(name, h));
  heddle.sheets = Object.assign(heddle.sheets || {}, {picture});
  picture.onPoint = (place, holdings) => place && place.tile === "lanes" ? heddle.pointedLane(holdings[0].lane)
      : heddle.pointed(place && (place.tile === "D" ? corner : place.tile), holdings, place);
  picture.onKeep = (place, holdings) => place.tile === "lanes" ? heddle.chooseLane(holdings[0].lane)
      : heddle.kept(place.tile === "D" ? corner : place.tile, holdings, place);

  element("zoomIn").addEventListener("click", () => picture.magnify(1.5));
  element("zoomOut").addEventListener("click", () => {
    picture.magnify(1 / 1.5);
  });
  element("zoomFit").addEventListener("click", () => {
    picture.fit();
    zoomed();
  });
})(window.heddle);
