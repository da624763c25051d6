// Buttons in the bar of every plotly plot that download the plot as SVG and its data as CSV; plotly itself
// offers zoom and PNG.

import { makeButton } from "../shared/dom.js";
import { nameFile, save, toCsv } from "../shared/figure.js";

/** @typedef {import("./plots.js").Plot} Plot */
/** @typedef {{ name?: string, visible?: unknown, x?: ArrayLike<any>, y?: ArrayLike<any>, z?: ArrayLike<any>, text?: ArrayLike<any> }} Trace */

const SPACE = "http://www.w3.org/2000/svg";
const MARK = "figure-files";

/** Adds the buttons unless the plot has them; plotly removes them when it draws its bar again. @param {Plot} plot */
export function addPlotFiles(plot) {
  const bar = plot.querySelector(".modebar");
  if (!bar || bar.querySelector(`.${MARK}`)) return;
  const group = Object.assign(document.createElement("div"), { className: `modebar-group ${MARK}` });
  const add = (/** @type {string} */ label, /** @type {string} */ about, /** @type {() => void} */ act) => {
    const button = makeButton("modebar-btn", label);
    button.dataset.title = about;
    button.setAttribute("aria-label", about);
    button.style.cssText = "font-size:11px;line-height:20px;border:0;background:none;color:inherit";
    button.addEventListener("click", act);
    group.append(button);
  };
  add("SVG", "Download plot as SVG", () => save(plotSvg(plot), "image/svg+xml", nameFile(titleOf(plot), "svg")));
  add("CSV", "Download data as CSV", () => save(toCsv(plotRows(plot)), "text/csv", nameFile(titleOf(plot), "csv")));
  bar.append(group);
}

/** The title of a plot: the titles of its axes and of its parts, and its name. @param {Plot} plot */
export function titleOf({ layout }) {
  const words = (/** @type {any} */ part) => part?.title?.text ?? (typeof part?.title === "string" ? part.title : "");
  const axes = [words(layout.yaxis), words(layout.xaxis)].filter(Boolean).join(" against ");
  const parts = (layout.annotations ?? []).map((/** @type {{ text?: string }} */ { text = "" }) => text).filter(Boolean);
  const name = (layout.uirevision ?? "plot").split(" ")[0];
  return words(layout) || [name, axes, parts.join(", ")].filter(Boolean).join(": ");
}

/** The layers of a plot, on top of one another. @param {Plot} plot */
export function plotSvg(plot) {
  const { width, height } = plot.getBoundingClientRect();
  const whole = document.createElementNS(SPACE, "svg");
  const set = (/** @type {Element} */ element, /** @type {Record<string, unknown>} */ values) => {
    for (const [name, value] of Object.entries(values)) element.setAttribute(name, String(value));
  };
  set(whole, { xmlns: SPACE, width, height, viewBox: `0 0 ${width} ${height}`, style: `font-family:${getComputedStyle(plot).fontFamily.replaceAll('"', "'")}` });
  const ground = document.createElementNS(SPACE, "rect");
  set(ground, { width, height, fill: getComputedStyle(document.body).getPropertyValue("--st-background-color").trim() || "#ffffff" });
  const title = document.createElementNS(SPACE, "title");
  title.textContent = titleOf(plot);
  whole.append(title, ground);
  for (const layer of plot.querySelectorAll("svg.main-svg")) {
    const copy = /** @type {Element} */ (layer.cloneNode(true));
    copy.removeAttribute("style");
    whole.append(copy);
  }
  return new XMLSerializer().serializeToString(whole);
}

/** The points of all visible lines; a matrix has one row for each element. @param {Plot} plot */
export function plotRows(plot) {
  /** @type {(string | number)[][]} */
  const rows = [["line", "x", "y", "value", "name"]];
  const traces = /** @type {{ _fullData?: Trace[] }} */ (/** @type {unknown} */ (plot))._fullData ?? /** @type {Trace[]} */ (plot.data);
  traces.forEach(({ name = "", visible, x = [], y = [], z, text }, k) => {
    if (visible === false || visible === "legendonly") return;
    const line = name || `line ${k + 1}`;
    if (z) Array.from(z, (row, i) => Array.from(row, (value, j) => rows.push([line, x[j] ?? j, y[i] ?? i, Number(value), ""])));
    else Array.from(x, (at, i) => rows.push([line, at ?? "", y[i] ?? "", "", typeof text === "object" ? text[i] ?? "" : ""]));
  });
  return rows;
}
