// One network of the first view: its map, the map rotated back, the difference, and its prediction.

import { make, makeButton } from "../shared/dom.js";
import { FLAT, makeMap, makeScale, paintArrows, paintValues, plainName, renderName, showScale, subtractMaps } from "./maps.js";
import { formatError, sliceOf } from "./orbit.js";

/** @typedef {import("./orbit.js").Orbit} Orbit */
/** @typedef {import("./maps.js").Look} Look */

const EXACT = 1e-4; // smaller errors are rounding errors

export class Row {
  /** @param {import("./orbit.js").NetworkRow} row @param {number} number @param {() => void} onView called when another map is chosen */
  constructor(row, number, onView) {
    this.row = row;
    this.at = Math.max(0, row.views.findIndex(({ spread }) => spread > FLAT)); // the first map that is not constant
    const description = make("div", "network");
    this.error = make("b", "error");
    this.verdict = make("span", "verdict");
    this.prediction = make("div", "prediction");
    this.scale = makeScale();
    const name = make("div", `name line-${number}`);
    name.append(...renderName(row.title));
    description.append(name, this.makeButtons(onView), this.error, this.verdict, this.prediction, this.scale);
    this.maps = ["map", "map rotated back", "difference"].map((what) => makeMap(`${plainName(row.title)}: ${what}`));
    this.arrows = make("canvas", "arrows");
    this.arrows.setAttribute("aria-hidden", "true");
    const frames = this.maps.map((canvas, at) => {
      const frame = make("div", at ? "map disc" : "map");
      frame.append(canvas);
      return frame;
    });
    frames[0].append(this.arrows);
    this.cells = [description, ...frames];
  }

  get view() {
    return this.row.views[this.at];
  }

  /** Buttons to choose one of the row's maps, if there are several. @param {() => void} onView */
  makeButtons(onView) {
    const group = make("div", "choose");
    if (this.row.views.length < 2) return group;
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", `Which map of ${plainName(this.row.title)}`);
    const buttons = this.row.views.map(({ name, about }) => Object.assign(makeButton("", name), { title: about }));
    const mark = () => buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(at === this.at)));
    buttons.forEach((button, at) => button.addEventListener("click", () => {
      this.at = at;
      mark();
      onView();
    }));
    mark();
    group.append(...buttons);
    return group;
  }

  /** @param {Orbit} orbit */
  errors(orbit) {
    return orbit.arrays[this.view.error].values;
  }

  /** @param {Orbit} orbit @param {number} at @param {Look} look */
  show(orbit, at, look) {
    const { view } = this;
    const { arrays } = orbit;
    const size = arrays[view.heat].shape.slice(1);
    const back = sliceOf(arrays[view.back], at);
    this.arrows.hidden = !view.arrows;
    showScale(this.scale, view.low, view.high, look);
    this.scale.title = view.about;
    paintValues(this.maps[0], sliceOf(arrays[view.heat], at), size, look.map);
    paintValues(this.maps[1], back, size, look.map);
    paintValues(this.maps[2], subtractMaps(back, arrays[view.upright].values, size[1]), size, look.signed);
    if (view.arrows) {
      const arrows = arrays[view.arrows];
      paintArrows(this.arrows, sliceOf(arrows, at), arrows.shape[1], look.dark ? "#ff9d5c" : "#c2410c");
    }
    this.describe(orbit, at);
  }

  /** @param {Orbit} orbit @param {number} at */
  describe(orbit, at) {
    const error = this.errors(orbit)[at];
    this.error.textContent = formatError(error);
    const [words, kind] = verdictOf(orbit, at, error);
    this.verdict.textContent = words;
    this.verdict.className = `verdict ${kind}`;
    const [label, sure] = [orbit.arrays[this.row.says].values[at], orbit.arrays[this.row.sure].values[at]];
    this.prediction.textContent = `says ${orbit.classes[label]}, ${Math.round(100 * sure)} %`;
  }
}

/** @param {Orbit} orbit @param {number} at @param {number} error @returns {[words: string, kind: string]} */
function verdictOf(orbit, at, error) {
  if (at === 0 && !orbit.mirrored) return ["upright", ""];
  if (error < EXACT) return ["exact", "good"];
  return orbit.exact.includes(orbit.degrees[at]) ? ["not exact", "bad"] : ["in between", ""];
}
