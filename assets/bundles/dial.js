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
function findInput(root, selector) {
  return (
    /** @type {HTMLInputElement} */
    find(root, selector)
  );
}
function setLabel(element, text) {
  if (element.getAttribute("aria-label") !== text) element.setAttribute("aria-label", text);
}

// shared/highlights.js
var page = (
  /** @type {{ __iaLights?: Highlights }} */
  /** @type {unknown} */
  window
);
var highlights = page.__iaLights ??= { term: "", isTerm: false, listeners: /* @__PURE__ */ new Set() };
function highlight(term, isTerm = false) {
  if (highlights.term === term) return;
  Object.assign(highlights, { term, isTerm: isTerm && term !== "" });
  for (const listener of highlights.listeners) listener(term);
}
function termsOf(element) {
  return (element?.dataset.term ?? "").split(" ").filter(Boolean);
}
function shareHighlights(root) {
  const on = ({ target }) => {
    const element = (
      /** @type {HTMLElement | null} */
      /** @type {Element} */
      target.closest?.("[data-term]")
    );
    highlight(termsOf(element).join(" "), element?.classList.contains("term"));
  };
  const off = () => highlight("");
  const listeners = [["pointerover", on], ["focusin", on], ["pointerleave", off], ["focusout", off]];
  for (const [type, listener] of listeners) root.addEventListener(type, listener);
  const update = () => showHighlights(root);
  highlights.listeners.add(update);
  return () => {
    highlights.listeners.delete(update);
    for (const [type, listener] of listeners) root.removeEventListener(type, listener);
  };
}
function showHighlights(root) {
  const shown = highlights.term.split(" ").filter(Boolean);
  for (const element of root.querySelectorAll("[data-term]")) {
    const names = termsOf(
      /** @type {HTMLElement} */
      element
    );
    element.classList.toggle("lit", names.some((name) => shown.includes(name)));
  }
}

// shared/numbers.js
function withMinus(text) {
  return String(text).replace("-", "−");
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

// dial/index.js
var MAX_WAIT_MS = 1e3;
var Dial = class {
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
    find(this.root, "label").htmlFor = this.input.id;
    this.given = void 0;
    this.sent = void 0;
    this.sentAt = 0;
    this.unit = "";
    this.send = (_) => {
    };
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
};
var dial_default = defineComponent(
  (parent) => new Dial(parent),
  (dial, { data, setStateValue }) => {
    dial.send = (value) => setStateValue("value", [value, data.given]);
    dial.update(data);
  },
  (dial) => dial.stop()
);
export {
  dial_default as default
};
