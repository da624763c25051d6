// A pad to draw a digit on with a mouse, a finger or a pen. The drawing is sent as a square of bytes.

import "./pad.css";
import { contextOf, find, findCanvas, make, newCanvas } from "../shared/dom.js";
import { defineComponent } from "../shared/streamlit.js";

const SIDE = 224; // side of the pad [px]
const STROKE = 20; // width [px]
const SENT_SIDE = 56; // side of the square that is sent [px]

class Pad {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = make("div", "pad");
    this.root.innerHTML = `<canvas width="${SIDE}" height="${SIDE}" role="img"
      aria-label="Pad to draw a digit on"></canvas><button type="button">Clear</button>`;
    parent.append(this.root);
    this.canvas = findCanvas(this.root, "canvas");
    this.context = contextOf(this.canvas, { willReadFrequently: true });
    /** @type {[number, number] | undefined} the end of the stroke so far */
    this.last = undefined;
    this.send = (/** @type {string} */ _) => {};
    this.clear();
    find(this.root, "button").addEventListener("click", () => {
      this.clear();
      this.send("");
    });
    this.canvas.addEventListener("pointerdown", (event) => this.startStroke(event));
    this.canvas.addEventListener("pointermove", (event) => this.continueStroke(event));
    for (const type of ["pointerup", "pointercancel"]) this.canvas.addEventListener(type, () => this.endStroke());
  }

  clear() {
    this.context.fillStyle = "#000";
    this.context.fillRect(0, 0, SIDE, SIDE);
    Object.assign(this.context, { strokeStyle: "#fff", lineWidth: STROKE, lineCap: "round", lineJoin: "round" });
  }

  /** The position of the pointer on the canvas. @param {PointerEvent} event @returns {[number, number]} */
  positionOf(event) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    return [((event.clientX - left) * SIDE) / width, ((event.clientY - top) * SIDE) / height];
  }

  /** @param {PointerEvent} event */
  startStroke(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.last = this.positionOf(event);
    this.continueStroke(event);
  }

  /** @param {PointerEvent} event */
  continueStroke(event) {
    if (!this.last) return;
    const position = this.positionOf(event);
    this.context.beginPath();
    this.context.moveTo(...this.last);
    this.context.lineTo(...position);
    this.context.stroke();
    this.last = position;
  }

  // Each block of 4×4 pixels is averaged before the square is sent.
  endStroke() {
    if (!this.last) return;
    this.last = undefined;
    const context = contextOf(newCanvas(SENT_SIDE, SENT_SIDE));
    context.imageSmoothingQuality = "high";
    context.drawImage(this.canvas, 0, 0, SENT_SIDE, SENT_SIDE);
    const { data } = context.getImageData(0, 0, SENT_SIDE, SENT_SIDE);
    this.send(btoa(String.fromCharCode(...data.filter((_, at) => at % 4 === 0))));
  }
}

export default defineComponent(
  (parent) => new Pad(parent),
  (pad, { setStateValue }) => {
    pad.send = (text) => setStateValue("drawn", text);
  },
  (pad) => pad.root.remove(),
);
