"use strict";
// How a sheet's tiles, lights and overview look.
(function (heddle) {
  const ADVANCE = 0.61;

  const visible = (sheet, x, y, width, height) => x < sheet.width && y < sheet.viewHeight && x + width > 0 && y + height > 0;

  /** The text of a run that fits into its box: lane and elements, or the lane alone, or nothing. */
  function label(sheet, tile, run) {
    const texts = (tile.label || sheet.options.label)(run, tile);
    const width = run.columns * tile.uw * sheet.sx - 4;
    const height = run.rows * tile.uh * sheet.sy;
    const size = Math.min(12, Math.max(9, Math.floor(height * 0.72)));
    if (height < 10) {
      return [];
    }
    const fits = (text, px) => text && text.length * px * ADVANCE <= width;
    if (height >= heddle.DETAILED && fits(texts[0] + " " + texts[1], 12) && texts[2]) {
      return [{text: texts[0] + " " + texts[1], size: 12, y: -6}, ...(fits(texts[2], 10) ? [{text: texts[2], size: 10, y: 7, dim: true}] : [])];
    }
    if (height >= heddle.DETAILED && fits(texts[0], 12) && fits(texts[1], 10)) {
      return [{text: texts[0], size: 12, y: -6}, {text: texts[1], size: 10, y: 7, dim: true}];
    }
    for (const text of [texts[0] + " " + texts[1], texts[0], texts[3] || ""]) {
      if (fits(text, size)) {
        return [{text, size, y: 0}];
      }
    }
    const tiny = [9, 8].find(px => texts[3] && texts[3].length * px * ADVANCE <= width + 3);
    return tiny ? [{text: texts[3], size: tiny, y: 0}] : [];
  }

  function drawRun(sheet, to, tile, run, colours) {
    const [x, y] = sheet.corner(tile, run.row, run.column);
    const width = run.columns * tile.uw * sheet.sx;
    const height = run.rows * tile.uh * sheet.sy;
    if (!visible(sheet, x, y, width, height)) {
      return;
    }
    const away = sheet.lights.dim !== null && run.first.lane !== sheet.lights.dim;
    to.globalAlpha = !away ? 1 : tile.legend ? 0.4 : 0.13;
    to.fillStyle = colours.lanes[(run.first.colour === undefined ? run.first.lane : run.first.colour) & 31];
    const gap = width > 6 && height > 6 ? 1 : 0;
    to.fillRect(x, y, width - gap, height - gap);
    write(sheet, to, tile, run, colours, null);
    to.globalAlpha = 1;
  }

  /** Who holds a run; `halo` parts the words from a line that crosses them. */
  function write(sheet, to, tile, run, colours, halo) {
    const [x, y] = sheet.corner(tile, run.row, run.column);
    const width = run.columns * tile.uw * sheet.sx;
    const height = run.rows * tile.uh * sheet.sy;
    const away = sheet.lights.dim !== null && run.first.lane !== sheet.lights.dim;
    const gap = width > 6 && height > 6 ? 1 : 0;
    to.textAlign = "center";
    to.textBaseline = "middle";
    for (const line of label(sheet, tile, run)) {
      to.font = line.size + "px " + heddle.MONO;
      if (halo) {
        to.globalAlpha = 1;
        to.lineJoin = "round";
        to.lineWidth = halo.width;
        to.strokeStyle = away ? colours.ground : halo.colour;
        to.strokeText(line.text, x + width / 2 - gap / 2, y + height / 2 + line.y + 0.5);
      }
      to.globalAlpha = !away ? 1 : tile.legend ? 0.7 : 0.3;
      to.fillStyle = colours.ink;
      to.fillText(line.text, x + width / 2 - gap / 2, y + height / 2 + line.y + 0.5);
    }
    to.globalAlpha = 1;
  }

  /** Writes once more what lines cross: a line marks a place, and must not hide who holds it. */
  function rewrite(sheet, to, colours, places, width) {
    for (const at of places) {
      const tile = sheet.tile(at.tile);
      if (tile) {
        const {row = 0, rows = tile.rows, column = 0, columns = tile.columns} = at;
        tile.runs.filter(run => run.row < row + rows && run.row + run.rows > row && run.column < column + columns
            && run.column + run.columns > column).forEach(run => write(sheet, to, tile, run, colours,
              {width, colour: colours.lanes[(run.first.colour === undefined ? run.first.lane : run.first.colour) & 31]}));
      }
    }
  }

  /** Indices along an edge: as many as fit. */
  function indices(sheet, to, tile, colours) {
    to.fillStyle = colours.dim;
    to.font = "10px " + heddle.MONO;
    to.textBaseline = "middle";
    const rowLabel = tile.rowLabel || String;
    const columnLabel = tile.columnLabel || String;
    const everyRow = Math.max(1, 2 ** Math.ceil(Math.log2(11 / (sheet.sy * tile.uh))));
    to.textAlign = "right";
    for (let row = 0; row < tile.rows && !tile.noRows; row += everyRow) {
      const [x, y] = sheet.corner(tile, row, 0);
      const middle = y + sheet.sy * tile.uh * Math.min(everyRow, everyRow > 1 ? 1 : 1) / 2;
      if (visible(sheet, x - 30, y, 30, sheet.sy)) {
        to.fillText(rowLabel(row), Math.max(x, 26) - 5, middle);
      }
    }
    const widest = columnLabel(tile.columns - 1).length * 6.2 + 4;
    const everyColumn = Math.max(1, 2 ** Math.ceil(Math.log2(widest / (sheet.sx * tile.uw))));
    to.textAlign = "center";
    for (let column = 0; column < tile.columns; column += everyColumn) {
      const [x, y] = sheet.corner(tile, 0, column);
      if (visible(sheet, x, y - 14, sheet.sx, 14)) {
        to.fillText(columnLabel(column), x + sheet.sx * tile.uw / 2, Math.max(y, 14) - 7);
      }
    }
  }

  function frame(sheet, to, tile, colours) {
    const [x, y] = sheet.corner(tile, 0, 0);
    const width = tile.columns * tile.uw * sheet.sx;
    const height = tile.rows * tile.uh * sheet.sy;
    if (!tile.holdings) {
      to.fillStyle = colours.plain;
      to.fillRect(x, y, width, height);
      to.strokeStyle = colours.line;
      to.lineWidth = 1;
      to.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
      to.fillStyle = colours.dim;
      to.font = "12px " + heddle.MONO;
      to.textAlign = "center";
      to.textBaseline = "middle";
      const words = tile.note.split(" ");
      const fits = tile.note.length * 12 * ADVANCE < width;
      (fits ? [tile.note] : words.map(word => word.slice(0, Math.floor(width / (12 * ADVANCE))))).forEach((line, i, all) =>
        to.fillText(line, x + width / 2, y + height / 2 + (i - (all.length - 1) / 2) * 15));
    }
    to.fillStyle = colours.ink;
    to.textAlign = "left";
    to.textBaseline = "alphabetic";
    const room = Math.max(width, tile.titleRoom || 0);
    to.font = "600 13px Charter, \"Bitstream Charter\", Cambria, Georgia, serif";
    const [head, ...rest] = tile.title.split("|");
    to.fillText(head, x, y - 17);
    const after = x + to.measureText(head).width + 6;
    to.font = "11px " + heddle.MONO;
    to.fillStyle = colours.dim;
    if (rest.length && after - x + rest[0].length * 11 * ADVANCE < room) {
      to.fillText(rest[0], after, y - 17);
    }
  }

  heddle.drawTile = (sheet, to, tile, colours) => {
    frame(sheet, to, tile, colours);
    tile.runs.forEach(run => drawRun(sheet, to, tile, run, colours));
    for (const {first, count, along, text} of tile.brackets || []) {
      const [x, y] = sheet.corner(tile, along ? 0 : first, along ? first : 0);
      to.strokeStyle = colours.dim;
      to.lineWidth = 1.5;
      to.beginPath();
      if (!along && first > 0) {
        to.moveTo(x, y - 0.5);
        to.lineTo(x + tile.columns * tile.uw * sheet.sx, y - 0.5);
      }
      to.stroke();
      if (text && count * tile.uh * sheet.sy > text.length * 6.5) {
        to.save();
        to.translate(Math.max(x, 34) - 26, y + count * tile.uh * sheet.sy / 2);
        to.rotate(-Math.PI / 2);
        to.font = "10px " + heddle.MONO;
        to.fillStyle = colours.dim;
        to.textAlign = "center";
        to.fillText(text, 0, 0);
        to.restore();
      }
    }
    indices(sheet, to, tile, colours);
  };

  /** Neighbours in a row as one: [tile, row, column, how many]. */
  function joined(list) {
    const found = [];
    for (const at of list.slice(0, 2048)) {
      const last = found.at(-1);
      if (last && last.tile === at.tile && last.row === at.row && last.column + last.columns === at.column) {
        last.columns++;
      } else {
        found.push({tile: at.tile, row: at.row, column: at.column, columns: 1});
      }
    }
    return found;
  }

  function outline(sheet, to, tile, row, column, rows, columns, inset) {
    const [x, y] = sheet.corner(tile, row, column);
    to.strokeRect(x + inset, y + inset, Math.max(columns * tile.uw * sheet.sx - 2 * inset, 2),
        Math.max(rows * tile.uh * sheet.sy - 2 * inset, 2));
  }

  heddle.drawLights = (sheet, to, colours) => {
    const {marks, linked, bands, lane} = sheet.lights;
    to.lineWidth = 2;
    to.strokeStyle = colours.band;
    for (const band of bands) {
      const tile = sheet.tile(band.tile);
      if (tile) {
        const {row = 0, rows = tile.rows, column = 0, columns = tile.columns} = band;
        outline(sheet, to, tile, row, column, rows, columns, 0);
      }
    }
    if (lane !== null) {
      to.lineWidth = 1.25;
      to.strokeStyle = colours.ink;
      for (const tile of sheet.tiles) {
        tile.runs.filter(run => run.first.lane === lane)
            .forEach(run => outline(sheet, to, tile, run.row, run.column, run.rows, run.columns, 0.5));
      }
    }
    rewrite(sheet, to, colours, bands.filter(({rows, columns}) => rows === 1 || columns === 1), 4);
    to.strokeStyle = colours.mark;
    for (const [list, dash] of [[linked, [5, 3]], [marks, []]]) {
      to.setLineDash(dash);
      to.lineWidth = 3;
      for (const at of joined(list)) {
        const tile = sheet.tile(at.tile);
        if (tile) {
          outline(sheet, to, tile, at.row, at.column, 1, at.columns, -0.5);
        }
      }
    }
    to.setLineDash([]);
    rewrite(sheet, to, colours, joined(marks.concat(linked)).map(at => ({...at, rows: 1})), 1.5);
  };

  /** The whole, small, with a frame around what is in sight. */
  heddle.drawOverview = (sheet, to, colours) => {
    const {fitted} = sheet;
    const scale = Math.min(180 / fitted.width, 130 / fitted.height);
    const width = fitted.width * scale;
    const height = fitted.height * scale;
    const left = sheet.width - width - 10;
    const top = sheet.viewHeight - height - 10;
    to.fillStyle = colours.ground;
    to.strokeStyle = colours.line;
    to.lineWidth = 1;
    to.fillRect(left - 4, top - 4, width + 8, height + 8);
    to.strokeRect(left - 4.5, top - 4.5, width + 9, height + 9);
    for (const tile of sheet.tiles) {
      const x = left + (34 + tile.gx + tile.cx * fitted.sx) * scale;
      const y = top + (30 + tile.gy + tile.cy * fitted.sy) * scale;
      to.fillStyle = tile.holdings ? colours.lanes[6] : colours.plain;
      to.fillRect(x, y, tile.columns * tile.uw * fitted.sx * scale, tile.rows * tile.uh * fitted.sy * scale);
    }
    to.strokeStyle = colours.mark;
    to.lineWidth = 2;
    to.strokeRect(left + sheet.pan.x / sheet.zoom * scale, top + sheet.pan.y / sheet.zoom * scale,
        Math.min(sheet.width / sheet.zoom, fitted.width) * scale, Math.min(sheet.viewHeight / sheet.zoom, fitted.height) * scale);
  };
})(window.heddle);
