// W as a figure with a title, axes, units and a legend, in a dialog: to zoom into it and to download it.

import { escapeXml } from "../shared/capture.js";
import { groupColour, mapColour, toCss } from "../shared/colours.js";
import { FigureDialog } from "../shared/figure-dialog.js";
import { formatNumber } from "../shared/numbers.js";
import { paintMatrix } from "./matrix.js";
import { titleOf } from "./words.js";

/** @typedef {import("./run-view.js").RunView} RunView */

const SIDE = 560; // of the matrix in the figure
const LEFT = 40;
const TOP = 76;
const ROW = 22; // height of a line of the legend
const STOPS = 16; // of the colour scale
const MAX_GROUPS = 24;

/** @param {number} x @param {number} y @param {string} text @param {string} [more] */
function write(x, y, text, more = "") {
  return `<text x="${x}" y="${y}" ${more}>${escapeXml(text)}</text>`;
}

/** @param {RunView} view */
function drawFigure(view) {
  const { run, frame, scene } = view.current();
  const { look, groups, beta } = scene;
  const ratio = 2;
  const bitmap = paintMatrix(view.weights(frame), frame.n, view.order, view.groups, look, SIDE * ratio, ratio);
  const title = `Weights W of ${run.title.toLowerCase()}, iteration ${view.step}`;
  const settings = `β = ${formatNumber(beta)}, σ = ${formatNumber(run.sigma)} px, n = ${frame.n} images`;
  const [low, high] = look.log ? ["≤ 10⁻⁴", "1"] : ["0", `${look.ceiling === 1 ? "" : "≥ "}${formatNumber(look.ceiling ?? 1)}`];
  const colourAt = (/** @type {number} */ share) => toCss(mapColour(share, look.dark));
  const gradient = Array.from({ length: STOPS + 1 }, (_, at) => `<stop offset="${at / STOPS}" stop-color="${colourAt(at / STOPS)}"/>`).join("");
  const right = LEFT + SIDE + 24;
  const names = view.groups && groups ? groups.names.slice(0, MAX_GROUPS) : [];
  const legend = names.map((name, at) =>
    `<rect x="${right}" y="${TOP + 110 + at * ROW}" width="14" height="14" fill="${groupColour(at)}"/>${write(right + 22, TOP + 122 + at * ROW, name)}`);
  const [width, height] = [right + 210, TOP + SIDE + 24];
  const about = `${title}; ${settings}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(about)}" fill="currentColor" font-size="15">
    <defs><linearGradient id="weights">${gradient}</linearGradient></defs>
    ${write(LEFT, 24, title, 'class="title" font-size="20" font-weight="600"')}${write(LEFT, 46, settings)}
    ${write(LEFT + SIDE / 2, TOP - 8, "mean j", 'text-anchor="middle"')}
    ${write(0, 0, "image i", `text-anchor="middle" transform="translate(${LEFT - 12} ${TOP + SIDE / 2}) rotate(-90)"`)}
    <image x="${LEFT}" y="${TOP}" width="${SIDE}" height="${SIDE}" style="image-rendering:pixelated" href="${bitmap.toDataURL()}"/>
    ${write(right, TOP + 14, "weight W (no unit;")}${write(right, TOP + 34, "columns add up to 1)")}
    <rect x="${right}" y="${TOP + 46}" width="180" height="16" fill="url(#weights)" stroke="currentColor" stroke-opacity="0.35"/>
    ${write(right, TOP + 80, low)}${write(right + 180, TOP + 80, high, 'text-anchor="end"')}
    ${legend.join("")}</svg>`;
}

/** W and d² of every pair, with the names of the images. @param {RunView} view @returns {(string | number)[][]} */
function rowsOf(view) {
  const { frame, scene: { header } } = view.current();
  const W = view.weights(frame);
  /** @type {(string | number)[][]} */
  const rows = [["image i", "mean j", "W", "d²"]];
  for (let i = 0; i < frame.n; i++)
    for (let j = 0; j < frame.n; j++) rows.push([titleOf(header, i), titleOf(header, j), W[i * frame.n + j], frame.d2[i * frame.n + j]]);
  return rows;
}

/** A dialog with W of a run; the player is paused while the dialog is open. @param {RunView} view @param {() => () => void} hold stops the player, and returns a function that continues */
export function makeMatrixFigure(view, hold) {
  return new FigureDialog(view.elements.element, () => drawFigure(view), () => rowsOf(view), hold);
}
