// The heat map of W: painted once per step into a bitmap, then only copied.

import { COLUMN_COLOUR, groupColour, MAP_SIZE, ROW_COLOUR, toCss } from "../shared/colours.js";
import { contextOf, newCanvas } from "../shared/dom.js";

/** @typedef {ArrayLike<number>} Numbers */
/** @typedef {CanvasRenderingContext2D} Context */
/** @typedef {import("./types.js").Look} Look */

const STRIP = 7; // width of the group colours along the edges [css px]
const STRIP_GAP = 3;
const LOG_DECADES = 4;

/** Width of the edge with the group colours [css px]. @param {unknown} groups */
export function matrixEdge(groups) {
  return groups ? STRIP + STRIP_GAP : 0;
}

/**
 * Index of a weight in the colour map: linear up to `ceiling`, or over four decades up to 1.
 * @param {number} weight
 * @param {number} ceiling
 * @param {boolean} log
 */
export function mapIndex(weight, ceiling, log) {
  const t = log ? 1 + Math.log10(weight) / LOG_DECADES : weight / ceiling;
  return t > 0 ? Math.min(MAP_SIZE - 1, Math.floor(t * MAP_SIZE)) : 0;
}

/** @param {Numbers} W @param {number} n @param {number[]} order @param {Look} look */
function colourCells(W, n, order, look) {
  const image = new ImageData(n, n);
  const words = new Uint32Array(image.data.buffer);
  const ceiling = look.ceiling ?? NaN; // if unknown, everything has the first colour
  for (let at = 0, row = 0; row < n; row++)
    for (let column = 0; column < n; column++, at++)
      words[at] = look.map[mapIndex(W[order[row] * n + order[column]], ceiling, look.log)];
  return image;
}

/**
 * W as a bitmap of size × size device pixels, with the groups along the left and the top.
 * @param {Numbers} W
 * @param {number} n
 * @param {number[]} order
 * @param {Numbers | undefined} groups
 * @param {Look} look
 * @param {number} size
 * @param {number} ratio
 */
export function paintMatrix(W, n, order, groups, look, size, ratio) {
  const cells = newCanvas(n, n);
  contextOf(cells).putImageData(colourCells(W, n, order, look), 0, 0);
  const bitmap = newCanvas(size, size);
  const context = contextOf(bitmap);
  const edge = Math.round(matrixEdge(groups) * ratio);
  context.imageSmoothingEnabled = n > size - edge; // a smaller picture is averaged, not subsampled
  context.drawImage(cells, edge, edge, size - edge, size - edge);
  if (groups) paintStrips(context, n, order, groups, size, ratio);
  return bitmap;
}

/** @param {Context} context @param {number} n @param {number[]} order @param {Numbers} groups @param {number} size @param {number} ratio */
function paintStrips(context, n, order, groups, size, ratio) {
  const edge = Math.round(matrixEdge(true) * ratio);
  const width = Math.round(STRIP * ratio);
  const cell = (size - edge) / n;
  for (const [from, to] of blocksOf(order, groups)) {
    context.fillStyle = groupColour(groups[order[from]]);
    const start = edge + from * cell;
    const length = Math.max(1, (to - from) * cell - (n > 60 ? 0 : ratio));
    context.fillRect(0, start, width, length);
    context.fillRect(start, 0, length, width);
  }
}

/**
 * Ranges of adjacent images of one group, as [from, to) in the displayed order.
 * @param {number[]} order
 * @param {Numbers} groups
 */
export function blocksOf(order, groups) {
  /** @type {[number, number][]} */
  const blocks = [];
  for (let at = 0; at < order.length; at++) {
    const current = blocks.at(-1);
    if (current && groups[order[at]] === groups[order[current[0]]]) current[1] = at + 1;
    else blocks.push([at, at + 1]);
  }
  return blocks;
}

/**
 * Draws the row of image i and the column of mean j over the bitmap.
 * @param {Context} context
 * @param {number} row
 * @param {number} column
 * @param {number} n
 * @param {number} edge
 * @param {number} size
 * @param {number} ratio
 */
export function markCell(context, row, column, n, edge, size, ratio) {
  const cell = (size - edge) / n;
  const thick = Math.max(1.5 * ratio, Math.min(3 * ratio, cell / 4));
  const [x, y] = [edge + column * cell, edge + row * cell];
  context.lineWidth = thick;
  context.strokeStyle = toCss(ROW_COLOUR);
  context.strokeRect(edge, y, size - edge, cell);
  context.strokeStyle = toCss(COLUMN_COLOUR);
  context.strokeRect(x, edge, cell, size - edge);
  const grow = Math.max(0, 5 * ratio - cell / 2);
  context.lineWidth = thick + 2 * ratio;
  context.strokeStyle = "#000";
  context.strokeRect(x - grow, y - grow, cell + 2 * grow, cell + 2 * grow);
  context.lineWidth = thick;
  context.strokeStyle = "#fff";
  context.strokeRect(x - grow, y - grow, cell + 2 * grow, cell + 2 * grow);
}

/**
 * Dims all cells except a block of `rows` rows in one column, to highlight the part that a term represents.
 * @param {Context} context
 * @param {{ row: number, column: number, rows: number }} block
 * @param {number} n
 * @param {number} edge
 * @param {number} size
 * @param {string} background
 */
export function dimOtherCells(context, { row, column, rows }, n, edge, size, background) {
  const cell = (size - edge) / n;
  const path = new Path2D();
  path.rect(edge, edge, size - edge, size - edge);
  path.rect(edge + column * cell, edge + row * cell, cell, rows * cell);
  context.globalAlpha = 0.7;
  context.fillStyle = background;
  context.fill(path, "evenodd");
  context.globalAlpha = 1;
}

/**
 * The row and column (0 to n − 1) under a point of the canvas [css px]; undefined outside the
 * cells.
 * @param {number} x
 * @param {number} y
 * @param {number} n
 * @param {number} edge
 * @param {number} size
 */
export function cellAt(x, y, n, edge, size) {
  const cell = (size - edge) / n;
  const [row, column] = [Math.floor((y - edge) / cell), Math.floor((x - edge) / cell)];
  const inside = row >= 0 && column >= 0 && row < n && column < n;
  return inside ? { row, column } : undefined;
}
