// Zoom and downloads of a figure that consists of SVG elements: as SVG, as PNG, and its data as CSV.

import { make, makeButton } from "./dom.js";

/** @typedef {{ scale: number, x: number, y: number }} Zoom x, y: the centre, as shares of the width and the height */

const STEP = 1.5;
const MAX_SCALE = 24;
const PNG_RATIO = 2; // pixels of the PNG per unit of the SVG
const SPACE = "http://www.w3.org/2000/svg";
export const WHOLE = Object.freeze({ scale: 1, x: 0.5, y: 0.5 });

/** The part of a view box that is visible. @param {number[]} box x, y, width and height @param {Zoom} zoom @returns {number[]} */
export function zoomBox([x, y, width, height], { scale, x: cx, y: cy }) {
  const clamp = (/** @type {number} */ share) => Math.max(0, Math.min(share - 0.5 / scale, 1 - 1 / scale));
  return [x + width * clamp(cx), y + height * clamp(cy), width / scale, height / scale];
}

/** Lines of comma-separated values; cells with commas, quotes or line breaks are quoted. @param {(string | number)[][]} rows */
export function toCsv(rows) {
  const quote = (/** @type {string | number} */ cell) => (/[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell);
  return rows.map((row) => row.map(quote).join(",")).join("\n") + "\n";
}

/** A file name without spaces and symbols. @param {string} title @param {string} ending */
export function nameFile(title, ending) {
  const words = title.normalize("NFKD").toLowerCase().match(/[a-z0-9]+/g) ?? ["figure"];
  return `${words.join("-").slice(0, 48).replace(/-$/, "")}.${ending}`;
}

/**
 * A figure as a separate file: the whole figure in its current colours, with its description as title.
 * @param {SVGSVGElement} svg
 * @param {number[]} box the view box of the whole figure
 * @param {string} title
 */
export function writeSvg(svg, box, title) {
  const style = getComputedStyle(svg);
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const [x, y, width, height] = box;
  for (const [name, value] of Object.entries({ xmlns: SPACE, viewBox: box.join(" "), width, height })) copy.setAttribute(name, String(value));
  copy.setAttribute("style", `color:${style.color};font-family:${style.fontFamily.replaceAll('"', "'")};fill:${style.fill}`);
  const ground = document.createElementNS(SPACE, "rect");
  for (const [name, value] of Object.entries({ x, y, width, height, fill: groundOf(svg) })) ground.setAttribute(name, String(value));
  const words = document.createElementNS(SPACE, "title");
  words.textContent = title;
  copy.prepend(words, ground);
  return new XMLSerializer().serializeToString(copy);
}

/** @param {Element} element */
function groundOf(element) {
  return getComputedStyle(element).getPropertyValue("--st-background-color").trim() || "#ffffff";
}

/** @param {string} svg @param {number} width @param {number} height @returns {Promise<Blob>} */
export async function toPng(svg, width, height) {
  const image = new Image(width * PNG_RATIO, height * PNG_RATIO);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = Object.assign(make("canvas"), { width: width * PNG_RATIO, height: height * PNG_RATIO });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("the picture is too large for a PNG file")))));
}

/** @param {BlobPart} content @param {string} type @param {string} name */
export function save(content, type, name) {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The menu of a figure: zoom, and its downloads. The zoom stays when the figure is drawn again. */
export class FigureMenu {
  /** @param {HTMLElement} figure the element around the SVG elements @param {() => (string | number)[][]} rowsOf the data of the figure */
  constructor(figure, rowsOf) {
    this.figure = figure;
    this.rowsOf = rowsOf;
    /** @type {Zoom} */
    this.zoom = { ...WHOLE };
    /** @type {WeakMap<Element, number[]>} */
    this.boxes = new WeakMap();
    this.element = make("details", "figure-menu");
    this.element.append(make("summary", "", "Figure"));
    this.bar = make("div", "figure-bar");
    this.element.append(this.bar);
    this.add("Zoom in", () => this.zoomBy(STEP));
    this.add("Zoom out", () => this.zoomBy(1 / STEP));
    this.add("Whole", () => this.setZoom({ ...WHOLE }));
    this.add("SVG", () => this.each((svg, box, title) => save(writeSvg(svg, box, title), "image/svg+xml", nameFile(title, "svg"))));
    this.add("PNG", () => this.each(async (svg, box, title) => save(await toPng(writeSvg(svg, box, title), box[2], box[3]), "image/png", nameFile(title, "png"))));
    this.data = this.add("Data", () => save(toCsv(this.rowsOf()), "text/csv", nameFile(this.title(), "csv")));
    figure.addEventListener("pointerdown", (event) => this.grab(event));
  }

  /** @param {string} label @param {() => void} act */
  add(label, act) {
    const button = makeButton("", label);
    button.addEventListener("click", (event) => {
      event.stopPropagation();
      act();
    });
    this.bar.append(button);
    return button;
  }

  /** Call this after the figure was drawn again. */
  update() {
    this.element.hidden = !this.svgs().length;
    this.data.hidden = this.rowsOf().length < 2;
    this.show();
  }

  svgs() {
    return /** @type {SVGSVGElement[]} */ ([...this.figure.querySelectorAll("svg[viewBox]")]);
  }

  title() {
    return this.svgs()[0]?.getAttribute("aria-label") ?? "figure";
  }

  /** @param {(svg: SVGSVGElement, box: number[], title: string) => unknown} act */
  each(act) {
    for (const svg of this.svgs()) act(svg, this.boxOf(svg), svg.getAttribute("aria-label") ?? "figure");
  }

  /** @param {SVGSVGElement} svg */
  boxOf(svg) {
    const box = this.boxes.get(svg) ?? (svg.getAttribute("viewBox") ?? "").split(" ").map(Number);
    this.boxes.set(svg, box);
    return box;
  }

  /** @param {number} factor */
  zoomBy(factor) {
    this.setZoom({ ...this.zoom, scale: Math.max(1, Math.min(this.zoom.scale * factor, MAX_SCALE)) });
  }

  /** @param {Zoom} zoom */
  setZoom(zoom) {
    this.zoom = zoom;
    this.show();
  }

  show() {
    this.each((svg, box) => svg.setAttribute("viewBox", zoomBox(box, this.zoom).join(" ")));
    this.figure.classList.toggle("zoomed", this.zoom.scale > 1);
  }

  /** Moves a zoomed figure with the pointer. @param {PointerEvent} event */
  grab(event) {
    const svg = /** @type {Element} */ (event.target).closest?.("svg");
    if (!svg || this.zoom.scale === 1) return;
    const [start, { width, height }] = [{ ...this.zoom }, svg.getBoundingClientRect()];
    const follow = new AbortController();
    const move = (/** @type {PointerEvent} */ now) => {
      const by = (/** @type {number} */ pixels, /** @type {number} */ size) => pixels / size / start.scale;
      const [x, y] = [start.x - by(now.clientX - event.clientX, width), start.y - by(now.clientY - event.clientY, height)];
      const edge = 0.5 / start.scale;
      const clamp = (/** @type {number} */ share) => Math.max(edge, Math.min(share, 1 - edge));
      this.setZoom({ scale: start.scale, x: clamp(x), y: clamp(y) });
    };
    addEventListener("pointermove", move, { signal: follow.signal });
    addEventListener("pointerup", () => follow.abort(), { signal: follow.signal });
  }
}
