// Loss and accuracy over the CPU seconds of a run, with the modules above and reassignments below.

import { significant } from "../shared/numbers.js";
import { describeCopies, numberOrDash } from "./texts.js";

/** @typedef {import("./film.js").FilmData} FilmData */
/** @typedef {(value: number) => number} Scale */
/** @typedef {{ seconds: number, words: string, about: string }} Mark */
/** @typedef {{ at: number, place: number, anchor: string, row: number, words: string, about: string }} PlacedMark */

export const CHART_WIDTH = 400;
const PLOT_HEIGHT = 156;
const [LEFT, RIGHT, ROW, BOTTOM] = [58, 44, 19, 44];
const LETTER = 8; // average width of a letter, at most
const GAP = 6; // between two labels of a row
const AXIS_NAMES = { loss: 104, acc: 60 }; // width of the names at the ends of the first row

/** The pieces of SVG; the cursor is moved separately. @param {FilmData} data */
export function drawChart(data) {
  const last = data.seconds.at(-1) ?? 0;
  const end = last > 1.02 * data.budget ? last : Math.max(data.budget, 0.1);
  const x = (/** @type {number} */ seconds) => LEFT + ((CHART_WIDTH - LEFT - RIGHT) * Math.min(seconds, end)) / end;
  const hasAcc = data.acc.some((acc) => acc !== null);
  const marks = placeMarks(marksOf(data), x, hasAcc);
  const top = 17 + ROW * (1 + Math.max(0, ...marks.map(({ row }) => row)));
  const height = top + PLOT_HEIGHT + BOTTOM;
  const base = height - BOTTOM;
  const losses = data.losses.filter((loss) => loss !== null);
  const [low, high] = losses.length ? [Math.min(...losses), Math.max(...losses)] : [0, 1];
  const margin = Math.max((high - low) * 0.08, 1e-9);
  const lossY = (/** @type {number} */ loss) => top + (PLOT_HEIGHT * (high + margin - loss)) / (high - low + 2 * margin);
  const accY = (/** @type {number} */ acc) => top + PLOT_HEIGHT * (1 - acc);
  const parts = [`<path class="axis" d="M${LEFT} ${top}V${base}H${CHART_WIDTH - RIGHT}V${top}"/>`];
  for (const value of [0, end / 2, end]) parts.push(label(x(value), base + 20, significant(value), "middle"));
  parts.push(label((LEFT + CHART_WIDTH - RIGHT) / 2, height - 4, "computing time [CPU s]", "middle"));
  if (losses.length > 1) {
    for (const value of [low, high]) parts.push(label(LEFT - 6, lossY(value) + 5, significant(value, 2), "end", "loss"));
    parts.push(label(4, 20, "loss [no unit]", "start", "loss"));
  }
  parts.push(...drawMarks(marks, base), ...drawEvents(data, x, base));
  parts.push(drawLine(data.seconds, data.losses, x, lossY, "loss"));
  if (hasAcc) {
    for (const value of [0, 0.5, 1]) parts.push(label(CHART_WIDTH - RIGHT + 6, accY(value) + 5, `${100 * value}`, "start", "acc"));
    parts.push(label(CHART_WIDTH - 2, 20, "ACC [%]", "end", "acc"));
    parts.push(drawLine(data.seconds, data.acc, x, accY, "acc"));
  }
  parts.push(`<path class="cursor" d="M0 ${top - 4}V${base + 4}"/>`);
  return { svg: parts.join(""), x, height };
}

/** One row for each step: its scores, and the share of the images of each prototype. @param {FilmData} data @returns {(string | number)[][]} */
export function tabulateSteps({ seconds, iterations, losses, acc, nmi, sizes, k }) {
  const names = ["computing time [CPU s]", "training step", "loss", "ACC", "NMI", ...Array.from({ length: k }, (_, at) => `share of prototype ${at + 1}`)];
  const known = (/** @type {number | null} */ value) => value ?? "";
  const rows = seconds.map((time, at) => [time, iterations[at], known(losses[at]), known(acc[at]), known(nmi[at]), ...(sizes[at] ?? [])]);
  return [names, ...rows];
}

/** When modules are added, and when the rate is divided by 10. @param {FilmData} data */
function marksOf(data) {
  /** @type {Mark[]} */
  const marks = [];
  let known = 0;
  data.stages.forEach((stage, at) => {
    const added = data.modules.slice(known, stage).join(", ");
    known = Math.max(known, stage);
    if (added) marks.push({ seconds: data.seconds[at], words: `+ ${added}`, about: `From here on: ${added}` });
  });
  const cold = data.cooling.indexOf(true);
  if (cold >= 0) marks.push({ seconds: data.seconds[cold], words: "rate ÷ 10", about: "From here on the rate is divided by 10" });
  return marks;
}

/**
 * A text starts or ends at its line, in the first row above the plot with enough space.
 * @param {Mark[]} marks
 * @param {Scale} x
 * @param {boolean} hasAcc
 * @returns {PlacedMark[]}
 */
function placeMarks(marks, x, hasAcc) {
  /** @type {[from: number, to: number][][]} */
  const rows = [[[0, AXIS_NAMES.loss], [hasAcc ? CHART_WIDTH - AXIS_NAMES.acc : CHART_WIDTH, CHART_WIDTH]]];
  return marks.map(({ seconds, words, about }) => {
    const at = x(seconds);
    const width = LETTER * words.length;
    const sides = [{ place: at + 3, anchor: "start", from: at }, { place: at - 3, anchor: "end", from: at - width }]
      .filter(({ from }) => from >= 0 && from + width <= CHART_WIDTH);
    if (!sides.length) sides.push({ place: at, anchor: "middle", from: at });
    for (let row = 0; ; row++) {
      const taken = (rows[row] ??= []);
      const free = sides.find(({ from }) => !taken.some(([a, b]) => from < b + GAP && a < from + width + GAP));
      if (!free) continue;
      taken.push([free.from, free.from + width]);
      return { at, place: free.place, anchor: free.anchor, row, words, about };
    }
  });
}

/** Dotted lines up to their labels. @param {PlacedMark[]} marks @param {number} base */
function drawMarks(marks, base) {
  return marks.flatMap(({ at, place, anchor, row, words, about }) => {
    const y = 20 + ROW * row;
    return [`<path class="step" d="M${at} ${y - 13}V${base}"><title>${about}</title></path>`, label(place, y, words, anchor)];
  });
}

/** @param {FilmData} data @param {Scale} x @param {number} base */
function drawEvents(data, x, base) {
  return data.events.map(([seconds, pairs]) =>
    `<path class="event" d="M${x(seconds)} ${base - 9}l5 9h-10z"><title>Reassigned at ${numberOrDash(seconds)} s: ${describeCopies(pairs)}</title></path>`);
}

/** @param {number[]} seconds @param {(number | null)[]} values @param {Scale} x @param {Scale} y @param {string} className */
function drawLine(seconds, values, x, y, className) {
  const points = values.flatMap((value, at) => (value === null ? [] : [`${x(seconds[at]).toFixed(1)},${y(value).toFixed(1)}`]));
  return points.length ? `<polyline class="${className}" points="${points.join(" ")}"/>` : "";
}

/** @param {number} x @param {number} y @param {string} words @param {string} anchor @param {string} [className] */
function label(x, y, words, anchor, className = "") {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" class="${className}">${words}</text>`;
}
