// Maps as pictures with sharp pixels: one colour map for positive values, another for differences.

import { makeColourMap, mapGradient, oklch, readTheme, toWord } from "../shared/colours.js";
import { contextOf, make, resizeCanvas } from "../shared/dom.js";
import { formatValue } from "./orbit.js";

/** @typedef {ArrayLike<number>} Numbers */
/** @typedef {{ dark: boolean, map: Uint32Array, signed: Uint32Array, grey: Uint32Array }} ColourTables */
/** @typedef {import("../shared/colours.js").Theme & ColourTables} Look */

export const FLAT = 1e-6; // a map whose values span less than this counts as constant
const MIN_SPAN = 0.01; // of a scale, as in the engine's drawings
const MIN_ARROW = 0.08; // shorter arrows are not drawn

/** @type {Map<boolean, ColourTables>} by theme */
const tables = new Map();

/** @param {Element} element @returns {Look} */
export function readLook(element) {
  const theme = readTheme(element);
  const { dark } = theme;
  const known = tables.get(dark) ?? {
    dark,
    map: makeColourMap(dark),
    signed: makeSignedMap(dark),
    grey: Uint32Array.from({ length: 256 }, (_, at) => toWord([at, at, at])),
  };
  tables.set(dark, known);
  return { ...theme, ...known };
}

/** -1 to 1 as 256 colours: blue, the page's background, orange, with equal steps of lightness on both sides. @param {boolean} dark */
function makeSignedMap(dark) {
  return Uint32Array.from({ length: 256 }, (_, at) => {
    const t = Math.max(-1, (at - 128) / 127);
    const depth = Math.abs(t) ** 0.8;
    const lightness = dark ? 0.22 + 0.6 * depth : 0.975 - 0.5 * depth;
    return toWord(oklch(lightness, 0.17 * depth, t < 0 ? 255 : 48));
  });
}

/**
 * Paints bytes (0..255) or signed bytes in the colours of a table, on a canvas of height × width pixels.
 * @param {HTMLCanvasElement} canvas
 * @param {Numbers} values
 * @param {number[]} size [height, width]
 * @param {Uint32Array} table
 */
export function paintValues(canvas, values, [height, width], table) {
  resizeCanvas(canvas, width, height);
  const image = new ImageData(width, height);
  const words = new Uint32Array(image.data.buffer);
  const zero = values instanceof Int8Array ? 128 : 0;
  for (let at = 0; at < words.length; at++) words[at] = table[values[at] + zero];
  contextOf(canvas).putImageData(image, 0, 0);
}

/**
 * Paints small arrows over a map, one in each cell: (p, q), row downwards and column.
 * @param {HTMLCanvasElement} canvas
 * @param {Numbers} arrows
 * @param {number} cells on a side
 * @param {string} colour
 */
export function paintArrows(canvas, arrows, cells, colour) {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const side = Math.round(canvas.clientWidth * ratio) || 2;
  resizeCanvas(canvas, side, side);
  const context = contextOf(canvas);
  context.clearRect(0, 0, side, side);
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1.3 * ratio;
  const cell = side / cells;
  for (let at = 0; at < cells * cells; at++) {
    const [p, q] = [arrows[2 * at] / 127, arrows[2 * at + 1] / 127];
    if (Math.hypot(p, q) < MIN_ARROW) continue;
    const [y, x] = [(Math.floor(at / cells) + 0.5) * cell, ((at % cells) + 0.5) * cell];
    drawArrow(context, x, y, q * cell * 1.05, p * cell * 1.05);
  }
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} dx @param {number} dy */
function drawArrow(context, x, y, dx, dy) {
  const [fromX, fromY, toX, toY] = [x - dx / 2, y - dy / 2, x + dx / 2, y + dy / 2];
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(toX, toY);
  context.moveTo(toX - 0.42 * dx + 0.22 * dy, toY - 0.42 * dy - 0.22 * dx);
  context.lineTo(toX, toY);
  context.lineTo(toX - 0.42 * dx - 0.22 * dy, toY - 0.42 * dy + 0.22 * dx);
  context.stroke();
}

/**
 * The difference between two maps of bytes, as signed bytes, doubled; 0 in the corners, which leave
 * the picture when it rotates.
 * @param {Numbers} a
 * @param {Numbers} b
 * @param {number} side
 */
export function subtractMaps(a, b, side) {
  const middle = (side - 1) / 2;
  return Int8Array.from(a, (value, at) => {
    const [p, q] = [(Math.floor(at / side) % side) - middle, (at % side) - middle];
    const inside = p * p + q * q <= (side * side) / 4;
    return inside ? Math.max(-127, Math.min(127, value - b[at])) : 0;
  });
}

/** The ends of the scale of a share, at least MIN_SPAN apart, so that rounding errors are not visible. @param {number} low @param {number} high @returns {[number, number]} */
export function widenScale(low, high) {
  if (high - low >= MIN_SPAN) return [low, high];
  const start = Math.min(Math.max((low + high - MIN_SPAN) / 2, 0), 1 - MIN_SPAN);
  return [start, start + MIN_SPAN];
}

/** A name such as α_F-p4-CNN or α_X · α_C with its letters as subscripts. @param {string} text @returns {Node[]} */
export function renderName(text) {
  return text.split(/(_[A-Z]+)/).map((part) =>
    /^_[A-Z]/.test(part) ? make("sub", "", part.slice(1)) : document.createTextNode(part));
}

/** The same as plain text. @param {string} text */
export function plainName(text) {
  return text.replace(/_(?=[A-Z])/g, "");
}

export function makeScale() {
  const scale = make("div", "scale");
  scale.append(make("span"), make("i"), make("span"));
  return scale;
}

/** @param {HTMLElement} scale @param {number} low @param {number} high @param {Look} look */
export function showScale(scale, low, high, look) {
  const [least, bar, most] = [...scale.children].map((child) => /** @type {HTMLElement} */ (child));
  least.textContent = formatValue(low);
  most.textContent = formatValue(high);
  bar.style.background = mapGradient(look.dark);
}

/** @param {string} label */
export function makeMap(label) {
  const canvas = make("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", label);
  return canvas;
}
