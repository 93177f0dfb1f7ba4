"use strict";
// The values of the operands: the form's example, and what was typed instead.
(function (heddle) {
  /** The matrices that have values, and the name of what was typed in the address. */
  const NAMES = {A: "va", B: "vb", C: "vc", SFA: "vsfa", SFB: "vsfb"};
  let example = {};
  let typed = {};

  /** Takes a form's example, and what the address says instead. */
  heddle.takeValues = form => {
    example = form.example;
    typed = {};
    const faults = [];
    for (const [matrix, name] of Object.entries(NAMES)) {
      typed[matrix] = new Map();
      for (const part of (heddle.state[name] || "").split(" ").filter(Boolean)) {
        const [, row, column, text] = /^(\d+)\.(\d+):(.+)$/.exec(part);
        const [rows, columns] = example[matrix] ? example[matrix].extent : [0, 0];
        if (Number(row) < rows && Number(column) < columns) {
          typed[matrix].set(Number(row) + "." + Number(column), text);
        } else {
          faults.push("value " + part + ": " + matrix + (rows ? " has rows 0.." + (rows - 1) + ", columns 0.."
              + (columns - 1) : " is no operand of this form"));
        }
      }
    }
    return faults;
  };

  /** The example repeats itself every so many rows and columns. */
  heddle.exampleValue = (matrix, row, column) => {
    const {rows} = example[matrix];
    const line = rows[row % rows.length];
    return line[column % line.length];
  };

  heddle.value = (matrix, row, column) => {
    const text = typed[matrix].get(row + "." + column);
    return text === undefined ? heddle.exampleValue(matrix, row, column) : text;
  };

  /** Whether anything was typed there. */
  heddle.typed = (matrix, row, column) => typed[matrix].has(row + "." + column);

  /** Takes what was typed at places of a matrix, as [row, column, text]. */
  heddle.type = (matrix, entries, quietly, faults = []) => {
    for (const [row, column, text] of entries) {
      const place = row + "." + column;
      if (text && !heddle.isNumber(text)) {
        faults.push(matrix + "[" + row + "][" + column + "] \"" + text.slice(0, 60)
            + "\": expected a number, inf, NaN, or a code as 0x3c00");
      } else if (text === "" || text === heddle.exampleValue(matrix, row, column)) {
        typed[matrix].delete(place);
      } else {
        typed[matrix].set(place, text);
      }
    }
    heddle.change({[NAMES[matrix]]: [...typed[matrix]].map(([place, text]) => place + ":" + text).join(" ")}, quietly,
        faults);
  };
})(window.heddle);
