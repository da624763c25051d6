// Zoom and downloads of a figure that consists of SVG elements: as SVG, as PNG, and its data as CSV.

import { make, makeButton } from "./dom.js";

/** @typedef {{ scale: number, x: number, y: number }} Zoom x, y: the centre, as shares of the width and the height */

const STEP = 1.5;
const MAX_SCALE = 24;
const PNG_RATIO = 2; // pixels of the PNG per unit of the SVG
const GAP = 24; // between two parts of a figure
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
 * A figure as a separate file: all its parts side by side, in their current colours, with a title.
 * @param {{ svg: SVGSVGElement, box: number[] }[]} parts the parts and the view boxes of the whole parts
 * @param {string} title
 * @returns {{ text: string, width: number, height: number }}
 */
export function writeSvg(parts, title) {
  const width = parts.reduce((sum, { box }) => sum + box[2] + GAP, -GAP);
  const height = Math.max(...parts.map(({ box }) => box[3]));
  const style = getComputedStyle(parts[0].svg);
  const whole = makeElement("svg", {
    ...{ xmlns: SPACE, width, height, viewBox: `0 0 ${width} ${height}` },
    style: `color:${style.color};font-family:${style.fontFamily.replaceAll('"', "'")}`,
  });
  const words = makeElement("title", {});
  words.textContent = title;
  whole.append(words, makeElement("rect", { width, height, fill: groundOf(parts[0].svg) }));
  let x = 0;
  for (const { svg, box } of parts) {
    const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
    for (const [name, value] of Object.entries({ x, width: box[2], height: box[3], viewBox: box.join(" ") })) copy.setAttribute(name, String(value));
    copy.removeAttribute("style");
    whole.append(copy);
    x += box[2] + GAP;
  }
  return { text: new XMLSerializer().serializeToString(whole), width, height };
}

/** The title written in a drawing, or else its description. @param {Element} svg */
function titleOf(svg) {
  const lines = [...svg.querySelectorAll(".title")].map((line) => line.textContent);
  return lines.join(" ") || svg.getAttribute("aria-label") || "";
}

/** @param {string} name @param {Record<string, unknown>} values */
function makeElement(name, values) {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(values)) element.setAttribute(key, String(value));
  return element;
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
    this.add("Reset zoom", () => this.setZoom({ ...WHOLE }));
    this.add("SVG", () => save(this.write().text, "image/svg+xml", nameFile(this.title(), "svg")));
    this.add("PNG", async () => {
      const { text, width, height } = this.write();
      save(await toPng(text, width, height), "image/png", nameFile(this.title(), "png"));
    });
    this.data = this.add("CSV", () => save(toCsv(this.rowsOf()), "text/csv", nameFile(this.title(), "csv")));
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

  /** Call this after the figure has been redrawn. */
  update() {
    this.element.hidden = !this.svgs().length;
    this.data.hidden = this.rowsOf().length < 2;
    this.show();
  }

  svgs() {
    return /** @type {SVGSVGElement[]} */ ([...this.figure.querySelectorAll("svg[role=img][viewBox]")]);
  }

  title() {
    return this.svgs().map(titleOf).filter(Boolean).join("; ") || "figure";
  }

  write() {
    return writeSvg(this.svgs().map((svg) => ({ svg, box: this.boxOf(svg) })), this.title());
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
    for (const svg of this.svgs()) svg.setAttribute("viewBox", zoomBox(this.boxOf(svg), this.zoom).join(" "));
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
