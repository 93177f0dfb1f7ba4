"use strict";
// Which neighbouring cells of a tile are one run.
(function (heddle) {
  /** Runs of neighbours that one lane holds in one register, of which one label is said. */
  heddle.runs = tile => {
    const taken = new Set();
    const found = [];
    const at = (row, column) => (tile.index.get(row * tile.columns + column) || [])[0];
    for (let row = 0; row < tile.rows; row++) {
      for (let column = 0; column < tile.columns; column++) {
        const first = at(row, column);
        if (!first || taken.has(row * tile.columns + column)) {
          continue;
        }
        const length = (down, along) => {
          let n = 1;
          for (let next = at(row + n * down, column + n * along); column + n * along < tile.columns && next
              && next.lane === first.lane && next.register === first.register && next.element === first.element + n
              && !tile.alone; next = at(row + n * down, column + n * along)) {
            n++;
          }
          return n;
        };
        const columns = length(0, 1);
        const rows = columns === 1 ? length(1, 0) : 1;
        for (let i = 0; i < rows * columns; i++) {
          taken.add((row + (columns === 1 ? i : 0)) * tile.columns + column + (columns === 1 ? 0 : i));
        }
        found.push({row, column, rows, columns, first, last: at(row + rows - 1, column + columns - 1)});
      }
    }
    return found;
  };
})(window.heddle);
