// A slider that sends values while it is dragged, one at a time. If several values are waiting,
// it sends only the newest.

import "../shared/formula.css";
import "./dial.css";
import { find, findInput, make, setLabel } from "../shared/dom.js";
import { shareHighlights } from "../shared/highlights.js";
import { withMinus } from "../shared/numbers.js";
import { defineComponent } from "../shared/streamlit.js";

/**
 * @typedef {object} DialData
 * @property {string} label
 * @property {string} about
 * @property {string} unit
 * @property {string} term
 * @property {number} low
 * @property {number} high
 * @property {number} step
 * @property {number} given
 * @property {number} received the last value that Python has received
 */

const MAX_WAIT_MS = 1000; // maximum wait for an answer before the next value is sent

class Dial {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = make("div", "dial");
    this.root.innerHTML = '<label><span></span><output></output></label><input type="range">';
    parent.querySelector(".dial")?.remove();
    parent.append(this.root);
    this.name = find(this.root, "span");
    this.output = find(this.root, "output");
    this.input = findInput(this.root, "input");
    this.input.id = `dial-${Math.random().toString(36).slice(2)}`;
    /** @type {HTMLLabelElement} */ (find(this.root, "label")).htmlFor = this.input.id;
    /** @type {number | undefined} */
    this.given = undefined;
    /** @type {number | undefined} */
    this.sent = undefined;
    this.sentAt = 0; // 0: no value is waiting for an answer
    this.unit = "";
    this.send = (/** @type {number} */ _) => {};
    this.stop = shareHighlights(parent);
    this.input.addEventListener("input", () => this.sendValue());
  }

  /** @param {DialData} data */
  update(data) {
    if (this.given !== data.given) this.takeValue(data);
    this.unit = data.unit;
    this.name.textContent = data.label;
    this.root.title = data.about;
    this.root.dataset.term = data.term;
    setLabel(this.input, data.label);
    this.showValue();
    this.receive(data.received);
  }

  /** @param {DialData} data */
  takeValue({ low, high, step, given }) {
    Object.assign(this.input, { min: low, max: high, step });
    this.input.value = String(given);
    this.given = given;
    this.sentAt = 0;
  }

  showValue() {
    const text = `${withMinus(this.input.value)}${this.unit}`;
    this.output.textContent = text;
    this.input.setAttribute("aria-valuetext", text);
  }

  sendValue() {
    this.showValue();
    const now = performance.now();
    if (this.sentAt && now - this.sentAt < MAX_WAIT_MS) return;
    this.sentAt = now;
    this.sent = Number(this.input.value);
    this.send(this.sent);
  }

  /** @param {number} value */
  receive(value) {
    if (!this.sentAt || value !== this.sent) return;
    this.sentAt = 0;
    if (Number(this.input.value) !== this.sent) this.sendValue();
  }
}

export default defineComponent(
  (parent) => new Dial(parent),
  (dial, /** @type {import("../shared/streamlit.js").ComponentCall<DialData>} */ { data, setStateValue }) => {
    dial.send = (value) => setStateValue("value", [value, data.given]);
    dial.update(data);
  },
  (dial) => dial.stop(),
);
