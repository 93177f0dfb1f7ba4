"use strict";
// The holdings of an operand: which bits of which lane's register hold what. The model wrote the
// tables; a place is the exclusive-or of what the bits of lane and element contribute.
(function (heddle) {
  /** What the bits of a number contribute, put together: [row, column, computation]. */
  function place(lane, element, table) {
    const at = [0, 0, 0];
    for (const [number, basis] of [[lane, table.lane], [element, table.element]]) {
      basis.forEach((part, bit) => {
        if (number >> bit & 1) {
          at[0] ^= part[0];
          at[1] ^= part[1];
          at[2] ^= part[2];
        }
      });
    }
    return at;
  }

  function matrix(table) {
    const list = [];
    const [stored, width] = table.chunk || [1, 1];
    const perRegister = table.perRegister;
    const shown = perRegister > 8 ? 1 : perRegister;
    for (let lane = 0; lane < table.lanes; lane++) {
      for (let element = 0; element < table.elements; element++) {
        const [row, at, computation] = place(lane, element, table);
        const [high, low] = table.bits[element % perRegister];
        const column = table.chunk ? Math.floor(at / stored) * width : at;
        const register = Math.floor(element / perRegister);
        list.push({lane, register, high, low, element, row, rowLast: row, column, columnLast: column + width - 1,
          computation, atRow: row, atColumn: at,
          atRegister: register * shown + shown - 1 - (shown === 1 ? 0 : element % perRegister)});
      }
    }
    return list;
  }

  function metadata(table, selector) {
    const list = [];
    for (const lane of table.suppliers[selector]) {
      for (let slot = 0; slot < 8; slot++) {
        const [row, chunk] = place(lane, slot, table);
        list.push({lane, register: 0, high: 4 * slot + 3, low: 4 * slot, element: slot, row, rowLast: row,
          column: chunk * table.width, columnLast: chunk * table.width + table.width - 1, computation: 0,
          atRow: row, atColumn: chunk, atRegister: -1});
      }
    }
    return list;
  }

  function scales(table, selection, ofA) {
    return table.selections[selection].map(([lane, high, low, element, row, rowLast, column, columnLast]) =>
      ({lane, register: 0, high, low, element, row, rowLast, column, columnLast, computation: 0,
        atRow: ofA ? row : Math.floor(row / table.span), atColumn: ofA ? Math.floor(column / table.span) : column,
        atRegister: -1}));
  }

  const made = new WeakMap();

  /** The holdings of an operand under a selection, by lane, then register, then rising bits. */
  heddle.holdings = (form, operand, {selector = "0", thread = "0"} = {}) => {
    const table = form.tables[operand];
    const known = made.get(table) || new Map();
    made.set(table, known);
    const key = operand === "E" ? String(selector) : selector + "/" + thread;
    const name = table.element && operand !== "E" ? "" : key;
    if (!known.has(name)) {
      if (operand === "E" && !table.suppliers[key] || table.selections && !table.selections[key]) {
        const legal = Object.keys(table.suppliers || table.selections).join(", ");
        throw new Error((operand === "E" ? "sparsity selector " : "byte-id/thread-id ") + key + ": expected one of " + legal);
      }
      known.set(name, operand === "E" ? metadata(table, key)
          : table.selections ? scales(table, key, operand === "SFA") : matrix(table));
    }
    return known.get(name);
  };
})(window.heddle);
