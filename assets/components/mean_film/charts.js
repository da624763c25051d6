// The metrics of a run beside its animation: curves over the iterations, and the path of every image.

import { make } from "../shared/dom.js";
import { significant, withMinus } from "../shared/numbers.js";
import { axisTicks, linearScale, makeLine, makeSvg, makeText, rangeAround, setSvg, svgElement } from "./svg.js";

/** @typedef {import("./summaries.js").Summary} Summary */
/** @typedef {import("./film.js").FilmData} FilmData */
/** @typedef {import("./svg.js").Scale} Scale */
/** @typedef {[x: number, y: number, theta?: number]} Point */
/** @typedef {(typeof PANELS)[number]} Panel */

const CURVES = { left: 46, right: 8, width: 420, height: 336 };
const PANELS = [
  { name: "f", kind: "f", title: "objective f [no unit]", top: 24, bottom: 116, read: (/** @type {Summary} */ step) => step.objective, least: 1e-9 },
  { name: "sharpness", kind: "s", title: "sharpness of μ [no unit]", top: 148, bottom: 216, read: (/** @type {Summary} */ step) => step.sharpness, least: 1e-9 },
  { name: "σ", kind: "sigma", title: "σ chosen [px]", top: 248, bottom: 292, read: (/** @type {Summary} */ step) => step.sigma, least: 1 },
];
const SPREAD = { top: 24, bottom: 286, height: 336, width: 420 };
/** @type {{ axis: 1 | 2, left: number, right: number, title: string }[]} */
const SIDES = [
  { axis: 1, left: 46, right: 222, title: "translation down [px]" },
  { axis: 2, left: 240, right: 416, title: "translation right [px]" },
];
const MAX_NUMBERED = 20; // with more images the dots have no numbers

export class Charts {
  /** @param {HTMLElement} place @param {(at: number) => void} goTo @param {(i: number) => void} pick */
  constructor(place, goTo, pick) {
    this.curves = makeSvg(CURVES.width, CURVES.height);
    this.spread = makeSvg(SPREAD.width, SPREAD.height);
    /** @type {Summary[]} */
    this.steps = [];
    /** @type {FilmData | undefined} */
    this.data = undefined;
    /** @type {string | undefined} */
    this.key = undefined;
    /** @type {Scale} of the iterations */
    this.x = linearScale([0, 1], [0, 1]);
    /** @type {ReturnType<Charts["drawPanel"]>[]} */
    this.panels = [];
    /** @type {ReturnType<Charts["drawPath"]>[]} */
    this.paths = [];
    this.cursor = makeLine({ class: "cursor" });
    place.append(
      makeFigure("Objective, sharpness and σ", this.curves, "f"),
      makeFigure("Rotation and translation of every image", this.spread, "tau"),
    );
    this.spread.addEventListener("click", ({ target }) => {
      const end = /** @type {SVGElement | null} */ (/** @type {Element} */ (target).closest(".end"));
      if (end) pick(Number(end.dataset.i));
    });
    const seek = (/** @type {PointerEvent} */ event) => {
      if (event.buttons && this.steps.length) goTo(this.stepAt(event));
    };
    this.curves.addEventListener("pointerdown", seek);
    this.curves.addEventListener("pointermove", seek);
  }

  /** Draws the charts again when steps are added; `show` moves only the parts that depend on the step. @param {Summary[]} steps @param {FilmData} data */
  update(steps, data) {
    const key = `${data.run} ${steps.length}`;
    if (this.key === key || !steps.length) return;
    Object.assign(this, { key, steps, data });
    this.drawCurves(data);
    this.drawPaths(data);
  }

  /** @param {number} at @param {[number, number] | null} pair */
  show(at, pair) {
    const step = this.steps[at];
    if (!step) return;
    const x = this.x(step.k);
    setSvg(this.cursor, { x1: x, x2: x });
    for (const { dot, y, panel } of this.panels) setSvg(dot, { cx: x, cy: y(panel.read(step)) });
    const words = PANELS.map((panel) => `${panel.name} ${significant(panel.read(step))}`).join(", ");
    this.curves.setAttribute("aria-label", `Curves over the iterations; at iteration ${step.k}: ${words}`);
    this.spread.setAttribute("aria-label", `Rotations and translations of ${step.poses.length} images from iteration 0 to ${step.k}`);
    for (const { line, end, title, points, i, axis } of this.paths) {
      for (const part of [line, end]) {
        part.classList.toggle("own", i === pair?.[0]);
        part.classList.toggle("other", i === pair?.[1] && i !== pair[0]);
      }
      if (i === pair?.[0] && end.nextSibling) this.spread.append(end); // above the others
      line.setAttribute("d", pathOf(points, at));
      setSvg(end, { transform: `translate(${points[at][0].toFixed(1)} ${points[at][1].toFixed(1)})` });
      title.textContent = `image ${i + 1}: θ = ${significant(step.poses[i][0])}°, b = ${significant(step.poses[i][axis])} px`;
    }
  }

  /** @param {FilmData} data */
  drawCurves(data) {
    const { left, right, width } = CURVES;
    const last = Math.max(data.expected, 1);
    this.x = linearScale([0, last], [left, width - right]);
    this.curves.replaceChildren();
    this.panels = PANELS.map((panel) => this.drawPanel(panel, data));
    const { bottom } = PANELS[PANELS.length - 1];
    for (const k of axisTicks(0, last, 5)) this.curves.append(makeText(this.x(k), bottom + 20, String(k), "middle"));
    this.curves.append(makeText((left + width) / 2, bottom + 40, "iteration k", "middle"));
    setSvg(this.cursor, { y1: PANELS[0].top, y2: bottom });
    this.curves.append(this.cursor, ...this.panels.map(({ dot }) => dot));
  }

  /** @param {Panel} panel @param {FilmData} data */
  drawPanel(panel, data) {
    const { kind, title, top, bottom, read, least } = panel;
    const values = this.steps.map(read);
    const plain = kind === "s" ? data.plainSharpness : undefined;
    const most = Math.max(...values, plain ?? 0, least);
    const y = linearScale([0, most], [bottom, top]);
    const { left, right, width } = CURVES;
    const level = (/** @type {number} */ value, /** @type {string} */ className) =>
      makeLine({ x1: left, x2: width - right, y1: y(value), y2: y(value), class: className });
    this.curves.append(makeText(left, top - 8, title, "start", "title"));
    for (const value of axisTicks(0, most, 3))
      this.curves.append(level(value, "grid"), makeText(left - 6, y(value) + 5, String(value), "end"));
    if (plain !== undefined)
      this.curves.append(level(plain, "plain"), makeText(width - right, y(plain) - 5, "plain average", "end"));
    const points = kind === "sigma" ? this.stairs(values, y) : this.steps.map((step, at) => /** @type {Point} */ ([this.x(step.k), y(values[at])]));
    this.curves.append(svgElement("path", { d: pathOf(points, points.length - 1), class: `curve of-${kind}` }));
    return { y, panel, dot: svgElement("circle", { r: 5, class: "dot" }) };
  }

  /** Steps of a value that was chosen for each iteration; there is none at iteration 0. @param {number[]} values @param {Scale} y @returns {Point[]} */
  stairs(values, y) {
    return this.steps.flatMap((step, at) =>
      step.k === 0 ? [] : /** @type {Point[]} */ ([[this.x(this.steps[at - 1].k), y(values[at])], [this.x(step.k), y(values[at])]]));
  }

  /** @param {FilmData} data */
  drawPaths(data) {
    this.spread.replaceChildren();
    const valuesOf = (/** @type {0 | 1 | 2} */ axis) => this.steps.flatMap((step) => step.poses.map((pose) => pose[axis]));
    const theta = rangeAround(valuesOf(0), 10);
    const y = linearScale(theta, [SPREAD.bottom, SPREAD.top]);
    this.spread.append(makeText(0, SPREAD.top - 8, "rotation θ [°]", "start", "title"));
    this.paths = SIDES.flatMap(({ axis, left, right, title }) => {
      const range = rangeAround(valuesOf(axis), 2);
      const x = linearScale(range, [left, right]);
      for (const value of axisTicks(...theta, 5)) {
        this.spread.append(makeLine({ x1: left, x2: right, y1: y(value), y2: y(value), class: "grid" }));
        if (axis === 1) this.spread.append(makeText(left - 6, y(value) + 5, withMinus(value), "end"));
      }
      for (const value of axisTicks(...range, 4))
        this.spread.append(makeText(x(value), SPREAD.bottom + 20, withMinus(value), "middle"));
      this.spread.append(makeText((left + right) / 2, SPREAD.bottom + 40, title, "middle"));
      return this.steps[0].poses.map((_, i) => this.drawPath(i, axis, x, y, data.colours));
    });
    this.spread.append(...this.paths.map((path) => path.line), ...this.paths.map((path) => path.end));
  }

  /** @param {number} i @param {1 | 2} axis @param {Scale} x @param {Scale} y @param {string[]} colours */
  drawPath(i, axis, x, y, colours) {
    const colour = colours[i % colours.length];
    const points = this.steps.map(({ poses }) => /** @type {Point} */ ([x(poses[i][axis]), y(poses[i][0]), poses[i][0]]));
    const numbered = this.steps[0].poses.length <= MAX_NUMBERED;
    const end = svgElement("g", { class: "end", "data-i": i });
    const title = svgElement("title", {});
    end.append(title, svgElement("circle", { r: numbered ? 8 : 5, fill: colour }));
    if (numbered) end.append(makeText(0, 4, String(i + 1), "middle"));
    return { i, axis, points, end, title, line: svgElement("path", { stroke: colour, class: "way" }) };
  }

  /** The step nearest to the pointer. @param {PointerEvent} event */
  stepAt(event) {
    const box = this.curves.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * CURVES.width;
    const distances = this.steps.map((step) => Math.abs(this.x(step.k) - at));
    return distances.indexOf(Math.min(...distances));
  }
}

/** @param {string} title @param {SVGElement} chart @param {string} term */
function makeFigure(title, chart, term) {
  const figure = make("figure");
  figure.dataset.term = term;
  figure.append(make("b", "", title), chart);
  return figure;
}

/** A path that crosses 180° has a gap there. @param {Point[]} points @param {number} last */
function pathOf(points, last) {
  return points.slice(0, last + 1).map(([x, y, theta = 0], at) => {
    const jumps = at > 0 && Math.abs(theta - (points[at - 1][2] ?? 0)) > 180;
    return `${at > 0 && !jumps ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
  }).join("");
}
