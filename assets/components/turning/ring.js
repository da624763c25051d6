// The picture in a ring that is rotated with the pointer; multiples of 90° are marked on it.

import { contextOf, make, resizeCanvas } from "../shared/dom.js";
import { makeMap, paintValues } from "./maps.js";
import { nearestAngle, sliceOf } from "./orbit.js";

/** @typedef {import("./orbit.js").Orbit} Orbit */
/** @typedef {import("./maps.js").Look} Look */

const RING = 15; // width of the ring [css px]

export class Ring {
  /** @param {(at: number) => void} onTurn */
  constructor(onTurn) {
    this.canvas = makeMap("The picture, rotated");
    this.canvas.className = "ring";
    this.picture = make("canvas");
    this.onTurn = onTurn;
    this.degrees = 0;
    /** @type {number | undefined} from the picture to the pointer, while it is dragged [degrees] */
    this.held = undefined;
    this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
    this.canvas.addEventListener("pointermove", (event) => this.drag(event));
    for (const type of ["pointerup", "pointercancel"])
      this.canvas.addEventListener(type, () => (this.held = undefined));
  }

  /** @param {PointerEvent} event */
  grab(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.held = this.angleAt(event) - this.degrees;
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (this.held !== undefined) this.onTurn(nearestAngle(this.angleAt(event) - this.held));
  }

  /** Degrees, anticlockwise from the right. @param {PointerEvent} event */
  angleAt(event) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - left - width / 2, event.clientY - top - height / 2];
    return (Math.atan2(-y, x) * 180) / Math.PI;
  }

  /** @param {Orbit} orbit @param {number} at @param {Look} look */
  show(orbit, at, look) {
    const [, height, width] = orbit.arrays.images.shape;
    this.degrees = orbit.degrees[at];
    paintValues(this.picture, sliceOf(orbit.arrays.images, at), [height, width], look.grey);
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const side = Math.round(this.canvas.clientWidth * ratio) || 2;
    resizeCanvas(this.canvas, side, side);
    const context = contextOf(this.canvas);
    const edge = RING * ratio;
    context.clearRect(0, 0, side, side);
    context.save();
    context.beginPath();
    context.arc(side / 2, side / 2, side / 2 - edge, 0, 2 * Math.PI);
    context.fillStyle = "#000";
    context.fill();
    context.clip();
    context.imageSmoothingEnabled = false;
    context.drawImage(this.picture, edge, edge, side - 2 * edge, side - 2 * edge);
    context.restore();
    this.drawRing(context, side, edge, orbit, look);
  }

  /** @param {CanvasRenderingContext2D} context @param {number} side @param {number} edge @param {Orbit} orbit @param {Look} look */
  drawRing(context, side, edge, orbit, look) {
    const [centre, radius] = [side / 2, side / 2 - edge / 2];
    const drawDot = (/** @type {number} */ degrees, /** @type {number} */ size) => {
      const angle = (-(degrees + 90) * Math.PI) / 180; // 0° at the top, anticlockwise
      context.beginPath();
      context.arc(centre + radius * Math.cos(angle), centre + radius * Math.sin(angle), size, 0, 2 * Math.PI);
      context.fill();
    };
    context.lineWidth = edge * 0.55;
    context.strokeStyle = look.border;
    context.beginPath();
    context.arc(centre, centre, radius, 0, 2 * Math.PI);
    context.stroke();
    context.fillStyle = look.text;
    for (const degrees of orbit.exact) drawDot(degrees, edge * 0.2);
    context.fillStyle = getComputedStyle(this.canvas).getPropertyValue("--strong") || "#0b5fa5";
    drawDot(this.degrees, edge * 0.48);
  }
}
