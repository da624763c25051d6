// shared/dom.js
function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}
function find(root, selector) {
  const element = root.querySelector(selector);
  if (!element) throw new Error(`the component has no element ${selector}`);
  return (
    /** @type {HTMLElement} */
    element
  );
}
function findCanvas(root, selector) {
  return (
    /** @type {HTMLCanvasElement} */
    find(root, selector)
  );
}
function contextOf(canvas, settings) {
  return (
    /** @type {CanvasRenderingContext2D} */
    canvas.getContext("2d", settings)
  );
}
function newCanvas(width, height) {
  return Object.assign(make("canvas"), { width, height });
}

// shared/streamlit.js
function defineComponent(create, update, remove) {
  const mounted = /* @__PURE__ */ new WeakMap();
  return (call) => {
    const { parentElement } = call;
    const entry = mounted.get(parentElement) ?? { instance: create(parentElement), calls: 0 };
    mounted.set(parentElement, entry);
    update(entry.instance, call);
    const number = entry.calls += 1;
    return () => {
      if (entry.calls !== number) return;
      mounted.delete(parentElement);
      remove(entry.instance);
    };
  };
}

// pad/index.js
var SIDE = 224;
var STROKE = 20;
var SENT_SIDE = 56;
var Pad = class {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = make("div", "pad");
    this.root.innerHTML = `<canvas width="${SIDE}" height="${SIDE}" role="img"
      aria-label="Pad to draw a digit on"></canvas><button type="button">Clear</button>`;
    parent.append(this.root);
    this.canvas = findCanvas(this.root, "canvas");
    this.context = contextOf(this.canvas, { willReadFrequently: true });
    this.last = void 0;
    this.send = (_) => {
    };
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
    return [(event.clientX - left) * SIDE / width, (event.clientY - top) * SIDE / height];
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
    this.last = void 0;
    const context = contextOf(newCanvas(SENT_SIDE, SENT_SIDE));
    context.imageSmoothingQuality = "high";
    context.drawImage(this.canvas, 0, 0, SENT_SIDE, SENT_SIDE);
    const { data } = context.getImageData(0, 0, SENT_SIDE, SENT_SIDE);
    this.send(btoa(String.fromCharCode(...data.filter((_, at) => at % 4 === 0))));
  }
};
var pad_default = defineComponent(
  (parent) => new Pad(parent),
  (pad, { setStateValue }) => {
    pad.send = (text) => setStateValue("drawn", text);
  },
  (pad) => pad.root.remove()
);
export {
  pad_default as default
};
