// What a presenter puts over the page: strokes of a pen, a pointer, and a blank screen.
// Each part is a popover, because only the browser's top layer is above everything on the page.

import { contextOf, make, makeButton, newCanvas } from "../shared/dom.js";

const INK = "#ff2d55";
const EDGE = "#fff"; // makes the strokes visible on dark and on red pictures
const WIDTH = 5; // of a stroke [px]
const SCROLLER = "[data-testid=stMain]";
/** @typedef {"pen" | "pointer" | undefined} Tool */

export class Overlay {
  /** @param {HTMLElement} root */
  constructor(root) {
    /** @type {Tool} */
    this.tool = undefined;
    /** @type {{ x: number, y: number }[][]} points in pixels of the scrolled page */
    this.strokes = [];
    this.drawing = false;
    this.canvas = asPopover(newCanvas(0, 0), "ink");
    this.canvas.setAttribute("aria-hidden", "true");
    this.dot = asPopover(make("div"), "dot");
    this.screen = asPopover(make("div", "", "Press any key to show the page again."), "blank");
    this.screen.tabIndex = -1;
    this.screen.setAttribute("role", "alert");
    this.tools = asPopover(make("div"), "tools");
    this.tools.setAttribute("role", "group");
    this.tools.setAttribute("aria-label", "Tools over the page");
    this.pen = this.addTool("Pen", "D", () => this.use("pen"));
    this.pointer = this.addTool("Pointer", "L", () => this.use("pointer"));
    this.addTool("Erase", "X", () => this.erase());
    this.addTool("Done", "Esc", () => this.use(undefined));
    root.append(this.canvas, this.dot, this.tools, this.screen);
    this.stop = new AbortController();
    const { signal } = this.stop;
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => this.begin(event));
    canvas.addEventListener("pointermove", (event) => this.extend(event));
    for (const type of ["pointerup", "pointercancel"]) canvas.addEventListener(type, () => (this.drawing = false));
    canvas.addEventListener("wheel", ({ deltaX, deltaY }) => document.querySelector(SCROLLER)?.scrollBy(deltaX, deltaY), { passive: true });
    this.screen.addEventListener("pointerdown", () => this.unblank());
    window.addEventListener("pointermove", (event) => this.follow(event), { signal });
    window.addEventListener("pointerdown", (event) => this.follow(event), { signal });
    window.addEventListener("resize", () => this.paint(), { signal });
    document.addEventListener("scroll", () => this.paint(), { signal, capture: true });
    document.addEventListener("fullscreenchange", () => this.raise(), { signal });
  }

  /** @param {string} words @param {string} key @param {() => void} act */
  addTool(words, key, act) {
    const button = makeButton("", words);
    const hint = make("kbd", "", key);
    hint.setAttribute("aria-hidden", "true");
    button.append(hint);
    button.addEventListener("click", act);
    this.tools.append(button);
    return button;
  }

  get isBlank() {
    return this.screen.matches(":popover-open");
  }

  blank() {
    this.screen.showPopover();
    this.screen.focus();
  }

  unblank() {
    this.screen.hidePopover();
  }

  /** Takes a tool, or puts it away; the strokes remain. @param {Tool} tool */
  use(tool) {
    this.tool = tool;
    this.canvas.classList.toggle("active", tool === "pen");
    this.pen.setAttribute("aria-pressed", String(tool === "pen"));
    this.pointer.setAttribute("aria-pressed", String(tool === "pointer"));
    if (tool !== "pointer") this.dot.hidePopover();
    this.raise();
  }

  /** Puts the tool away if it is in use. @param {Tool} tool */
  toggle(tool) {
    this.use(this.tool === tool ? undefined : tool);
  }

  erase() {
    this.strokes = [];
    this.paint();
  }

  /** Shows the parts that are in use, above all others of the browser's top layer. */
  raise() {
    show(this.canvas, this.tool === "pen" || this.strokes.length > 0);
    show(this.tools, this.tool !== undefined);
    if (this.isBlank) this.blank();
  }

  /** @param {PointerEvent} event */
  begin(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.drawing = true;
    this.strokes.push([placeOf(event)]);
    this.paint();
  }

  /** @param {PointerEvent} event */
  extend(event) {
    if (!this.drawing) return;
    this.strokes.at(-1)?.push(placeOf(event));
    this.paint();
  }

  /** Moves the pointer's dot. @param {PointerEvent} event */
  follow({ clientX, clientY }) {
    if (this.tool !== "pointer") return;
    this.dot.showPopover();
    this.dot.style.translate = `${clientX}px ${clientY}px`;
  }

  paint() {
    const { canvas } = this;
    if (!this.strokes.length && this.tool !== "pen") return void canvas.hidePopover();
    const scale = devicePixelRatio;
    Object.assign(canvas, { width: innerWidth * scale, height: innerHeight * scale });
    const context = contextOf(canvas);
    const { x, y } = readScroll();
    context.setTransform(scale, 0, 0, scale, -x * scale, -y * scale);
    Object.assign(context, { lineCap: "round", lineJoin: "round" });
    for (const [colour, width] of /** @type {[string, number][]} */ ([[EDGE, WIDTH + 3], [INK, WIDTH]])) {
      Object.assign(context, { strokeStyle: colour, lineWidth: width });
      context.beginPath();
      for (const [first, ...others] of this.strokes) {
        context.moveTo(first.x, first.y);
        for (const point of others.length ? others : [first]) context.lineTo(point.x, point.y);
      }
      context.stroke();
    }
  }

  remove() {
    this.stop.abort();
  }
}

/** @template {HTMLElement} T @param {T} element @param {string} className @returns {T} */
function asPopover(element, className) {
  element.className = className;
  element.popover = "manual";
  return element;
}

/** Hides an element and shows it again if it is in use, so that it is above the others. @param {HTMLElement} element @param {boolean} used */
function show(element, used) {
  element.hidePopover();
  if (used) element.showPopover();
}

function readScroll() {
  const main = document.querySelector(SCROLLER);
  return { x: main?.scrollLeft ?? 0, y: main?.scrollTop ?? 0 };
}

/** @param {PointerEvent} event */
function placeOf({ clientX, clientY }) {
  const { x, y } = readScroll();
  return { x: clientX + x, y: clientY + y };
}
