// A table of pictures to choose from: samples, alignments, outliers.

import "../shared/formula.css";
import "./picture_table.css";
import { readArrays } from "../shared/arrays.js";
import { make, makeButton } from "../shared/dom.js";
import { shareHighlights } from "../shared/highlights.js";
import { showImage, toImageData } from "../shared/pixels.js";
import { defineComponent } from "../shared/streamlit.js";

/**
 * @typedef {object} TableHeader
 * @property {string} key
 * @property {number} size width of a picture [px]
 * @property {number} columns
 * @property {string[]} heads over the columns
 * @property {string[]} sides beside the rows
 * @property {string[]} captions
 * @property {string[]} about
 * @property {number[]} marked
 * @property {string[]} terms
 * @property {unknown[]} picks what a click sends; null for pictures that cannot be chosen
 */

/** @typedef {import("../shared/arrays.js").ShapedArray} ShapedArray */

const MAX_FEW_COLUMNS = 3;

class PictureTable {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.frame = make("div", "frame");
    this.root = make("div", "table");
    this.stop = shareHighlights(this.root);
    /** @type {Uint8Array<ArrayBuffer> | undefined} */
    this.bytes = undefined;
    this.send = (/** @type {unknown} */ _) => {};
    this.frame.append(this.root);
    parent.append(this.frame);
  }

  /** @param {Uint8Array} data */
  update(data) {
    if (sameBytes(this.bytes, data)) return;
    this.bytes = data.slice();
    const { metadata, arrays } = readArrays(this.bytes);
    this.fill(/** @type {TableHeader} */ (metadata), arrays.pixels);
  }

  /** @param {TableHeader} header @param {ShapedArray} pixels [n h w c] */
  fill(header, pixels) {
    const { columns, heads, sides, size } = header;
    const { root } = this;
    root.style.setProperty("--columns", String(columns));
    root.style.setProperty("--size", `${size}px`);
    root.classList.toggle("sided", sides.length > 0);
    root.classList.toggle("few", columns <= MAX_FEW_COLUMNS);
    const parts = heads.map((words) => make("span", "head", words));
    if (heads.length && sides.length) parts.unshift(make("span"));
    /** @type {HTMLElement[]} */
    const cells = [];
    for (let at = 0; at < pixels.shape[0]; at++) {
      if (sides.length && at % columns === 0) cells.push(make("span", "side", sides[at / columns] ?? ""));
      cells.push(this.makeCell(header, pixels, at));
    }
    root.replaceChildren(...parts, ...cells);
  }

  /** @param {TableHeader} header @param {ShapedArray} pixels @param {number} at */
  makeCell({ captions, about, marked, terms, picks, key }, { values, shape }, at) {
    const [h, w, c] = shape.slice(1);
    const pick = picks[at] ?? null;
    const cell = pick === null ? make("div", "cell") : makeButton("cell");
    const canvas = make("canvas");
    showImage(canvas, toImageData(values, at * h * w * c, [h, w, c]));
    cell.append(canvas);
    if (captions[at]) cell.append(make("span", "", captions[at]));
    if (marked.includes(at)) cell.classList.add("marked");
    if (terms[at]) cell.dataset.term = terms[at];
    const label = about[at] ?? "";
    cell.title = label;
    if (pick === null) canvas.setAttribute("role", "img");
    (pick === null ? canvas : cell).setAttribute("aria-label", label);
    if (pick !== null) cell.addEventListener("click", () => this.send([pick, key]));
    return cell;
  }

  remove() {
    this.stop();
    this.frame.remove();
  }
}

/** @param {Uint8Array | undefined} a @param {Uint8Array} b */
function sameBytes(a, b) {
  return a?.length === b.length && a.every((byte, at) => byte === b[at]);
}

export default defineComponent(
  (parent) => new PictureTable(parent),
  (table, /** @type {import("../shared/streamlit.js").ComponentCall<Uint8Array | null>} */ { data, setStateValue }) => {
    table.send = (value) => setStateValue("picked", value);
    if (data) table.update(data);
  },
  (table) => table.remove(),
);
