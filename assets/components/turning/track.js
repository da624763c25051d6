// The error against the angle, and below it the slider, whose thumb is under the current point of the curve.

import { make, makeSlider } from "../shared/dom.js";

/** @typedef {import("./orbit.js").Orbit} Orbit */
/** @typedef {(at: number) => number} Place */

const [TRACK_HEIGHT, TRACK_TOP, THUMB] = [92, 8, 18];
const MIN_WIDTH = 240;
const STROKES = [
  ["var(--first)", ""],
  ["var(--second)", "7 5"],
];

export class Track {
  /** @param {(at: number) => void} onTurn */
  constructor(onTurn) {
    this.root = make("div", "track");
    this.plot = make("div", "plot");
    this.slider = makeSlider({ min: 0, step: 1 });
    this.slider.setAttribute("aria-label", "Rotation of the picture");
    this.marks = make("div", "marks");
    this.axis = make("div", "axis");
    /** @type {Place} */
    this.place = () => 0;
    this.root.append(this.axis, this.plot, this.slider, this.marks);
    this.slider.addEventListener("input", () => onTurn(Number(this.slider.value)));
  }

  /** Draws one curve for each row, at the measured width, so that letters keep their size. @param {Orbit} orbit @param {ArrayLike<number>[]} errors */
  draw(orbit, errors) {
    const width = Math.max(MIN_WIDTH, this.root.clientWidth);
    const count = orbit.degrees.length;
    const top = Math.max(0.1, ...errors.flatMap((error) => [...Array.from(error)]));
    /** @type {Place} */
    const x = (at) => THUMB / 2 + (at / count) * (width - THUMB);
    const y = (/** @type {number} */ value) => TRACK_TOP + (1 - value / top) * (TRACK_HEIGHT - TRACK_TOP - 4);
    const points = (/** @type {ArrayLike<number>} */ error) =>
      [...Array.from(error), error[0]].map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    const exact = [...orbit.exact, 360].map((degrees) => (degrees / 360) * count);
    const curves = errors.map((error, row) => {
      const [colour, dash] = STROKES[row % 2];
      const look = `fill="none" stroke="${colour}" stroke-width="2.5" stroke-dasharray="${dash}"`;
      const dots = exact.map((at) => `<circle cx="${x(at)}" cy="${y(error[at % count])}" r="4" fill="${colour}"/>`);
      return `<polyline points="${points(error)}" ${look}/>${dots.join("")}`;
    });
    const lines = exact.map((at) => `<line x1="${x(at)}" x2="${x(at)}" y1="0" y2="${TRACK_HEIGHT}" class="exact"/>`);
    this.plot.innerHTML = `<svg width="${width}" height="${TRACK_HEIGHT}" role="img"
      aria-label="Relative error against the angle; the first row falls to 0 at 0, 90, 180 and 270 degrees">
      ${lines.join("")}${curves.join("")}<line class="now" y1="0" y2="${TRACK_HEIGHT}"/></svg>`;
    this.axis.textContent = `relative error [no unit], 0 to ${top.toFixed(2)}, against the angle [°]`;
    this.place = x;
    this.showMarks(orbit, (degrees) => x((degrees / 360) * count));
    this.slider.max = String(count);
  }

  /** @param {Orbit} orbit @param {Place} x */
  showMarks(orbit, x) {
    this.marks.replaceChildren(...[...orbit.exact, 360].map((degrees) => {
      const mark = make("span", "", `${degrees}°`);
      mark.style.left = `${x(degrees)}px`;
      return mark;
    }));
  }

  /** @param {Orbit} orbit @param {number} at */
  show(orbit, at) {
    const line = this.plot.querySelector(".now");
    for (const end of ["x1", "x2"]) line?.setAttribute(end, String(this.place(at)));
    if (Number(this.slider.value) % orbit.degrees.length !== at) this.slider.value = String(at);
    this.slider.setAttribute("aria-valuetext", `${orbit.degrees[at]} degrees anticlockwise`);
  }
}
