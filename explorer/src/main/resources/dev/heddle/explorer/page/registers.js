"use strict";
// The registers of the shown operand, drawn lane by lane.
(function (heddle) {
  const element = id => document.getElementById(id);
  let operand; // its name
  let table;

  const registers = new heddle.Sheet(element("registers"), {label: (run, tile) => {
    const letter = tile.operand.toLowerCase();
    const {first} = run;
    const count = table.perRegister > 8 ? table.perRegister : 1;
    return [letter + first.element + (count > 1 ? ".." + letter + (first.element + count - 1) : ""),
      first.row + "," + first.column + (first.columnLast > first.column ? ".." + first.columnLast : ""), "", ""];
  }, height: () => 620, widest: 84, highest: 30, least: 15});
  heddle.sheets.registers = registers;

  /** Registers of an operand: lanes down, in each register the highest bits first. */
  heddle.showRegisters = (form, {name, list}) => {
    operand = name;
    table = form.tables[name];
    const drawable = Boolean(table.bits);
    element("registersPane").hidden = !drawable;
    if (!drawable) {
      return;
    }
    const inRegister = table.perRegister > 8 ? 1 : table.perRegister;
    element("registersTitle").textContent = "Registers of " + name + ", lane by lane";
    registers.show([{name: "registers", operand: name, title: "registers|highest bits first", rows: form.lanes,
      columns: table.elements / table.perRegister * inRegister, cx: 0, cy: 0, gx: 0, gy: 0,
      holdings: list, alone: true, placeOf: h => [h.lane, h.atRegister], columnLabel: column => "r" + Math.floor(column / inRegister)}]);
  };

  /** Marks holdings of the operand, the first in sight; fades all lanes but the chosen one. */
  heddle.lightRegisters = (holdings, lane) => {
    registers.light({marks: holdings.filter(h => h.atRegister >= 0).map(h => ({tile: "registers", row: h.lane, column: h.atRegister})),
      dim: lane === undefined ? null : lane});
    if (holdings.length && holdings[0].atRegister >= 0 && !element("registers").matches(":hover, :focus")) {
      registers.reveal({tile: "registers", row: holdings[0].lane, column: holdings[0].atRegister});
    }
  };

  registers.onPoint = (place, holdings) => heddle.pointed(operand, holdings, null);
  registers.onKeep = (place, holdings) => heddle.kept(operand, holdings, null);
})(window.heddle);
