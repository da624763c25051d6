// shared/dom.js
function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}
function makeButton(className, text = "") {
  return Object.assign(make("button", className, text), { type: "button" });
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

// shared/figure.js
var STEP = 1.5;
var MAX_SCALE = 24;
var PNG_RATIO = 2;
var GAP = 24;
var SPACE = "http://www.w3.org/2000/svg";
var WHOLE = Object.freeze({ scale: 1, x: 0.5, y: 0.5 });
function zoomBox([x, y, width, height], { scale, x: cx, y: cy }) {
  const clamp = (share) => Math.max(0, Math.min(share - 0.5 / scale, 1 - 1 / scale));
  return [x + width * clamp(cx), y + height * clamp(cy), width / scale, height / scale];
}
function toCsv(rows) {
  const quote = (cell) => /[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell;
  return rows.map((row) => row.map(quote).join(",")).join("\n") + "\n";
}
function nameFile(title, ending) {
  const words = title.normalize("NFKD").toLowerCase().match(/[a-z0-9]+/g) ?? ["figure"];
  return `${words.join("-").slice(0, 48).replace(/-$/, "")}.${ending}`;
}
function writeSvg(parts, title) {
  const width = parts.reduce((sum, { box }) => sum + box[2] + GAP, -GAP);
  const height = Math.max(...parts.map(({ box }) => box[3]));
  const style = getComputedStyle(parts[0].svg);
  const whole = makeElement("svg", {
    ...{ xmlns: SPACE, width, height, viewBox: `0 0 ${width} ${height}` },
    style: `color:${style.color};font-family:${style.fontFamily.replaceAll('"', "'")}`
  });
  const words = makeElement("title", {});
  words.textContent = title;
  whole.append(words, makeElement("rect", { width, height, fill: groundOf(parts[0].svg) }));
  let x = 0;
  for (const { svg, box } of parts) {
    const copy = (
      /** @type {SVGSVGElement} */
      svg.cloneNode(true)
    );
    for (const [name, value] of Object.entries({ x, width: box[2], height: box[3], viewBox: box.join(" ") })) copy.setAttribute(name, String(value));
    copy.removeAttribute("style");
    whole.append(copy);
    x += box[2] + GAP;
  }
  return { text: new XMLSerializer().serializeToString(whole), width, height };
}
function titleOf(svg) {
  const lines = [...svg.querySelectorAll(".title")].map((line) => line.textContent);
  return lines.join(" ") || svg.getAttribute("aria-label") || "";
}
function makeElement(name, values) {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(values)) element.setAttribute(key, String(value));
  return element;
}
function groundOf(element) {
  return getComputedStyle(element).getPropertyValue("--st-background-color").trim() || "#ffffff";
}
async function toPng(svg, width, height) {
  const image = new Image(width * PNG_RATIO, height * PNG_RATIO);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = Object.assign(make("canvas"), { width: width * PNG_RATIO, height: height * PNG_RATIO });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob((blob) => blob ? done(blob) : fail(new Error("the picture is too large for a PNG file"))));
}
function save(content, type, name) {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1e4);
}
var FigureMenu = class {
  /** @param {HTMLElement} figure the element around the SVG elements @param {() => (string | number)[][]} rowsOf the data of the figure */
  constructor(figure, rowsOf2) {
    this.figure = figure;
    this.rowsOf = rowsOf2;
    this.zoom = { ...WHOLE };
    this.boxes = /* @__PURE__ */ new WeakMap();
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
    return (
      /** @type {SVGSVGElement[]} */
      [...this.figure.querySelectorAll("svg[role=img][viewBox]")]
    );
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
    const svg = (
      /** @type {Element} */
      event.target.closest?.("svg")
    );
    if (!svg || this.zoom.scale === 1) return;
    const [start, { width, height }] = [{ ...this.zoom }, svg.getBoundingClientRect()];
    const follow = new AbortController();
    const move = (now) => {
      const by = (pixels, size) => pixels / size / start.scale;
      const [x, y] = [start.x - by(now.clientX - event.clientX, width), start.y - by(now.clientY - event.clientY, height)];
      const edge = 0.5 / start.scale;
      const clamp = (share) => Math.max(edge, Math.min(share, 1 - edge));
      this.setZoom({ scale: start.scale, x: clamp(x), y: clamp(y) });
    };
    addEventListener("pointermove", move, { signal: follow.signal });
    addEventListener("pointerup", () => follow.abort(), { signal: follow.signal });
  }
};

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
    this.menu = new FigureMenu(this.picture, () => rowsOf(this.picture));
    this.root.append(this.picture, this.tip, this.menu.element);
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
    this.menu.update();
    showHighlights(this.root);
  }
  /** @param {PointerEvent} event */
  showTip(event) {
    const { root, tip } = this;
    const cell = cellAt(event);
    tip.hidden = !cell;
    if (!cell) return;
    const { words = "" } = cell.area.dataset;
    tip.textContent = words.replace("{row}", nameOf(cell.area, cell.row)).replace("{column}", nameOf(cell.area, cell.column)).replace("{value}", cell.value);
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
function rowsOf(picture) {
  const rows = [["figure", "area", "row", "column", "value"]];
  for (const svg of picture.querySelectorAll("svg[role=img]")) {
    const title = svg.getAttribute("aria-label") ?? "";
    svg.querySelectorAll(".read").forEach((found, at) => {
      const area = (
        /** @type {HTMLElement} */
        found
      );
      const across = Number(area.dataset.across);
      valuesOf(area).forEach((value, k) => {
        const [row, column] = [Math.floor(k / across), k % across].map((place) => nameOf(area, place));
        rows.push([title, at + 1, row, column, value]);
      });
    });
    for (const curve of svg.querySelectorAll(".series")) {
      const { name = "", x = "", y = "" } = (
        /** @type {SVGElement} */
        curve.dataset
      );
      const values = y.split(" ");
      x.split(" ").forEach((at, k) => rows.push([title, name, "", at, values[k]]));
    }
  }
  return rows;
}
function nameOf({ dataset }, at) {
  return dataset.numbers?.split(" ")[at] ?? withMinus(Number(dataset.origin) + at * Number(dataset.step));
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
