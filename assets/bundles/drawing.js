// shared/dom.js
function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}
function targetOf(event) {
  return (
    /** @type {HTMLElement} */
    event.target
  );
}
function zoomOf(element) {
  return (
    /** @type {{ currentCSSZoom?: number }} */
    element.currentCSSZoom ?? 1
  );
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

// drawing/index.js
var Drawing = class {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = make("div", "drawing");
    this.picture = make("div");
    this.tip = Object.assign(make("div", "tip"), { hidden: true });
    parent.querySelector(".drawing")?.remove();
    this.root.append(this.picture, this.tip);
    parent.append(this.root);
    this.stop = shareHighlights(this.root);
    this.svg = void 0;
    this.pick = (_) => {
    };
    this.root.addEventListener("pointermove", (event) => this.showTip(event));
    this.root.addEventListener("pointerleave", () => this.tip.hidden = true);
    this.root.addEventListener("click", (event) => {
      const cell = cellAt(event);
      if (cell?.area.dataset.pick) this.pick([cell.row, cell.column]);
    });
  }
  /** @param {string} svg */
  show(svg) {
    if (this.svg === svg) return;
    this.svg = svg;
    this.picture.innerHTML = svg;
    this.tip.hidden = true;
    showHighlights(this.root);
  }
  /** @param {PointerEvent} event */
  showTip(event) {
    const { root, tip } = this;
    const cell = cellAt(event);
    tip.hidden = !cell;
    if (!cell) return;
    const { words = "", origin, step, numbers } = cell.area.dataset;
    const names = numbers?.split(" ") ?? [];
    const nameOf = (at) => names[at] ?? withMinus(Number(origin) + at * Number(step));
    tip.textContent = words.replace("{row}", nameOf(cell.row)).replace("{column}", nameOf(cell.column)).replace("{value}", cell.value);
    const [box, zoom] = [root.getBoundingClientRect(), zoomOf(root)];
    const left = (event.clientX - box.left) / zoom + 14;
    tip.style.left = `${Math.max(0, Math.min(left, box.width / zoom - tip.offsetWidth))}px`;
    tip.style.top = `${Math.max(0, (event.clientY - box.top) / zoom - 34)}px`;
  }
};
function cellAt(event) {
  const area = (
    /** @type {HTMLElement | null} */
    targetOf(event).closest?.(".read")
  );
  if (!area) return void 0;
  const values = valuesOf(area);
  const across = Number(area.dataset.across);
  const box = area.getBoundingClientRect();
  const place = (share, count) => Math.max(0, Math.min(Math.floor(share * count), count - 1));
  const column = place((event.clientX - box.left) / box.width, across);
  const row = place((event.clientY - box.top) / box.height, values.length / across);
  return { area, row, column, value: values[row * across + column] };
}
var parsed = /* @__PURE__ */ new WeakMap();
function valuesOf(area) {
  const values = parsed.get(area) ?? (area.dataset.values ?? "").split(" ");
  parsed.set(area, values);
  return values;
}
var drawing_default = defineComponent(
  (parent) => new Drawing(parent),
  (drawing, { data, setTriggerValue }) => {
    drawing.pick = (place) => setTriggerValue?.("picked", place);
    drawing.show(data);
  },
  (drawing) => drawing.stop()
);
export {
  drawing_default as default
};
