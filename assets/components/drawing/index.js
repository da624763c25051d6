// An SVG drawing from the server, in the colours of the page's theme. It is always replaced completely.
// Over a `.read` area, a tooltip shows the value under the pointer. data-values contains the values row by
// row, data-across the number of columns, and data-words a text with {row}, {column} and {value}. Rows and
// columns are numbered from data-origin in steps of data-step, or have the names in data-numbers.

import "../shared/formula.css";
import "../shared/figure.css";
import "./drawing.css";
import { make, targetOf, zoomOf } from "../shared/dom.js";
import { FigureMenu } from "../shared/figure.js";
import { shareHighlights, showHighlights } from "../shared/highlights.js";
import { withMinus } from "../shared/numbers.js";
import { defineComponent } from "../shared/streamlit.js";

class Drawing {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = make("div", "drawing");
    this.picture = make("div");
    this.tip = Object.assign(make("div", "tip"), { hidden: true });
    parent.querySelector(".drawing")?.remove();
    this.menu = new FigureMenu(this.picture, () => rowsOf(this.picture));
    this.root.append(this.picture, this.tip, this.menu.element);
    parent.append(this.root);
    this.stop = shareHighlights(this.root);
    /** @type {string | undefined} */
    this.svg = undefined;
    this.pick = (/** @type {[number, number]} */ _) => {};
    this.root.addEventListener("pointermove", (event) => this.showTip(event));
    this.root.addEventListener("pointerleave", () => (this.tip.hidden = true));
    this.root.addEventListener("click", (event) => {
      const cell = cellAt(event);
      if (cell?.area.dataset.pick) this.pick([cell.row, cell.column]);
    });
  }

  /** @param {string} svg */
  show(svg) {
    if (this.svg === svg) return;
    this.svg = svg;
    this.picture.innerHTML = svg;
    this.tip.hidden = true;
    this.menu.update();
    showHighlights(this.root);
  }

  /** @param {PointerEvent} event */
  showTip(event) {
    const { root, tip } = this;
    const cell = cellAt(event);
    tip.hidden = !cell;
    if (!cell) return;
    const { words = "" } = cell.area.dataset;
    tip.textContent = words
      .replace("{row}", nameOf(cell.area, cell.row))
      .replace("{column}", nameOf(cell.area, cell.column))
      .replace("{value}", cell.value);
    const [box, zoom] = [root.getBoundingClientRect(), zoomOf(root)];
    const left = (event.clientX - box.left) / zoom + 14;
    tip.style.left = `${Math.max(0, Math.min(left, box.width / zoom - tip.offsetWidth))}px`;
    tip.style.top = `${Math.max(0, (event.clientY - box.top) / zoom - 34)}px`;
  }
}

/** The cell of a `.read` area under the pointer. @param {MouseEvent} event */
function cellAt(event) {
  const area = /** @type {HTMLElement | null} */ (targetOf(event).closest?.(".read"));
  if (!area) return undefined;
  const values = valuesOf(area);
  const across = Number(area.dataset.across);
  const box = area.getBoundingClientRect();
  const place = (/** @type {number} */ share, /** @type {number} */ count) =>
    Math.max(0, Math.min(Math.floor(share * count), count - 1));
  const column = place((event.clientX - box.left) / box.width, across);
  const row = place((event.clientY - box.top) / box.height, values.length / across);
  return { area, row, column, value: values[row * across + column] };
}

/** The values of all areas and curves of a drawing as rows of a table; a curve has its x in the column. @param {HTMLElement} picture @returns {(string | number)[][]} */
function rowsOf(picture) {
  /** @type {(string | number)[][]} */
  const rows = [["figure", "area", "row", "column", "value"]];
  for (const svg of picture.querySelectorAll("svg[role=img]")) {
    const title = svg.getAttribute("aria-label") ?? "";
    svg.querySelectorAll(".read").forEach((found, at) => {
      const area = /** @type {HTMLElement} */ (found);
      const across = Number(area.dataset.across);
      valuesOf(area).forEach((value, k) => {
        const [row, column] = [Math.floor(k / across), k % across].map((place) => nameOf(area, place));
        rows.push([title, at + 1, row, column, value]);
      });
    });
    for (const curve of svg.querySelectorAll(".series")) {
      const { name = "", x = "", y = "" } = /** @type {SVGElement} */ (curve).dataset;
      const values = y.split(" ");
      x.split(" ").forEach((at, k) => rows.push([title, name, "", at, values[k]]));
    }
  }
  return rows;
}

/** The name of a row or column of an area. @param {HTMLElement} area @param {number} at */
function nameOf({ dataset }, at) {
  return dataset.numbers?.split(" ")[at] ?? withMinus(Number(dataset.origin) + at * Number(dataset.step));
}

/** @type {WeakMap<HTMLElement, string[]>} */
const parsed = new WeakMap();

/** The values of an area, parsed once. @param {HTMLElement} area */
function valuesOf(area) {
  const values = parsed.get(area) ?? (area.dataset.values ?? "").split(" ");
  parsed.set(area, values);
  return values;
}

export default defineComponent(
  (parent) => new Drawing(parent),
  (drawing, /** @type {import("../shared/streamlit.js").ComponentCall<string>} */ { data, setTriggerValue }) => {
    drawing.pick = (place) => setTriggerValue?.("picked", place);
    drawing.show(data);
  },
  (drawing) => drawing.stop(),
);
