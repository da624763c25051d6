// shared/capture.js
var SKIPPED = "button:not(:has(canvas)), input, select, option, details, dialog, .tip, .unseen, .play";
var PADDING = 12;
var TITLE = 34;
var BASELINE = 0.78;
var STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "text-anchor"];
function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
function captureSvg(root, title) {
  const frame = root.getBoundingClientRect();
  const place = ({ left, top }) => ({ x: left - frame.left + PADDING, y: top - frame.top + PADDING + TITLE });
  const parts = [...visibleNodes(root)].flatMap((node) => {
    if (node instanceof HTMLCanvasElement) return captureCanvas(node, place);
    if (node instanceof SVGSVGElement) return captureDrawing(node, place);
    return captureText(
      /** @type {Text} */
      node,
      place
    );
  });
  const [width, height] = [frame.width + 2 * PADDING, frame.height + 2 * PADDING + TITLE];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}" fill="currentColor">
    <text x="${PADDING}" y="26" class="title" font-size="20" font-weight="600">${escapeXml(title)}</text>${parts.join("")}</svg>`;
}
function* visibleNodes(element) {
  for (const child of element.childNodes) {
    if (child instanceof Text && child.data.trim()) yield child;
    if (!(child instanceof Element) || child.matches(SKIPPED) || child.checkVisibility?.() === false) continue;
    if (child instanceof HTMLCanvasElement || child instanceof SVGSVGElement) yield child;
    else yield* visibleNodes(child);
  }
}
function captureCanvas(canvas, place) {
  const rect = canvas.getBoundingClientRect();
  if (!canvas.width || !rect.width) return [];
  const { x, y } = place(rect);
  return [`<image x="${x}" y="${y}" width="${rect.width}" height="${rect.height}" style="image-rendering:pixelated" preserveAspectRatio="none" href="${canvas.toDataURL()}"/>`];
}
function captureDrawing(svg, place) {
  const rect = svg.getBoundingClientRect();
  if (!rect.width) return [];
  const copy = (
    /** @type {SVGSVGElement} */
    svg.cloneNode(true)
  );
  for (const [name, value] of Object.entries({ ...place(rect), width: rect.width, height: rect.height })) copy.setAttribute(name, String(value));
  const copies = copy.querySelectorAll("*");
  svg.querySelectorAll("*").forEach((element, at) => {
    const style = getComputedStyle(element);
    copies[at].setAttribute("style", STYLES.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
  });
  copy.removeAttribute("role");
  copy.setAttribute("color", getComputedStyle(svg).color);
  return [new XMLSerializer().serializeToString(copy)];
}
function captureText(text, place) {
  const { fontSize, fontWeight, fontStyle, color } = getComputedStyle(
    /** @type {Element} */
    text.parentElement
  );
  const lines = [];
  for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    const [rect, last] = [range.getBoundingClientRect(), lines.at(-1)];
    if (last && Math.abs(last.rect.top - rect.top) < 2) last.words += ` ${word}`;
    else if (rect.width) lines.push({ words: word, rect });
  }
  return lines.map(({ words, rect }) => {
    const { x, y } = place(rect);
    return `<text x="${x}" y="${y + BASELINE * rect.height}" font-size="${fontSize}" font-weight="${fontWeight}" font-style="${fontStyle}" fill="${color}">${escapeXml(words)}</text>`;
  });
}

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
function findInput(root, selector) {
  return (
    /** @type {HTMLInputElement} */
    find(root, selector)
  );
}
function findSelect(root, selector) {
  return (
    /** @type {HTMLSelectElement} */
    find(root, selector)
  );
}
function findButton(root, selector) {
  return (
    /** @type {HTMLButtonElement} */
    find(root, selector)
  );
}
function targetOf(event) {
  return (
    /** @type {HTMLElement} */
    event.target
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
function resizeCanvas(canvas, width, height) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
}
function zoomOf(element) {
  return (
    /** @type {{ currentCSSZoom?: number }} */
    element.currentCSSZoom ?? 1
  );
}
function setLabel(element, text) {
  if (element.getAttribute("aria-label") !== text) element.setAttribute("aria-label", text);
}
function prefersStillness() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
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
  constructor(figure, rowsOf) {
    this.figure = figure;
    this.rowsOf = rowsOf;
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

// shared/figure-dialog.js
var FigureDialog = class {
  /**
   * @param {HTMLElement} parent
   * @param {() => string} draw returns the figure as SVG
   * @param {() => (string | number)[][]} rowsOf its data
   * @param {() => () => void} [hold] called when the dialog opens; returns a function that is called when it closes
   */
  constructor(parent, draw, rowsOf, hold = () => () => {
  }) {
    this.draw = draw;
    this.hold = hold;
    this.release = () => {
    };
    this.dialog = make("dialog", "figure-dialog");
    this.picture = make("div");
    this.menu = new FigureMenu(this.picture, rowsOf);
    this.menu.element.open = true;
    const close = makeButton("close", "Close");
    close.addEventListener("click", () => this.dialog.close());
    this.dialog.append(this.picture, this.menu.element, close);
    this.dialog.addEventListener("keydown", (event) => event.stopPropagation());
    this.dialog.addEventListener("close", () => {
      this.picture.replaceChildren();
      this.release();
    });
    parent.append(this.dialog);
  }
  open() {
    this.release = this.hold();
    this.dialog.showModal();
    this.update();
  }
  /** Draws the figure again, with the same zoom. */
  update() {
    if (!this.dialog.open) return;
    this.picture.innerHTML = this.draw();
    this.menu.update();
  }
};
function addFigureButton(root, title, rowsOf) {
  const dialog = new FigureDialog(root, () => captureSvg(root, title), rowsOf);
  const button = makeButton("figure-open", "Figure");
  button.title = "Zoom into the pictures and download them as SVG or PNG, with their data";
  button.addEventListener("click", () => dialog.open());
  root.style.position = "relative";
  root.append(button);
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

// shared/formula.js
function writeTerms(element, parts) {
  const key = JSON.stringify(parts);
  if (element.dataset.parts === key) return;
  element.dataset.parts = key;
  const focused = termElements(element).findIndex((term) => term.matches(":focus"));
  element.replaceChildren(...parts.map(([text, name, about]) => {
    const part = document.createElement("span");
    part.append(...renderScripts(text));
    if (name) makeTerm(part, name, about);
    return part;
  }));
  const terms = termElements(element);
  if (terms.length) terms[Math.max(focused, 0)].tabIndex = 0;
  if (focused >= 0) terms[focused].focus();
  showHighlights(element);
}
function makeTerm(part, name, about) {
  part.className = "term";
  Object.assign(part.dataset, { term: name, about: about ?? "" });
  part.setAttribute("role", "img");
  part.setAttribute("aria-label", `${part.textContent}${about ? `: ${about}` : ""}`);
  part.tabIndex = -1;
  part.addEventListener("keydown", moveFocus);
}
function renderScripts(text) {
  return text.split(/([_^](?:\{[^}]*\}|.))/u).map((part) => {
    const tag = part.length < 2 ? void 0 : { _: "sub", "^": "sup" }[part[0]];
    if (!tag) return document.createTextNode(part);
    const node = document.createElement(tag);
    node.textContent = part.slice(1).replace(/^\{|\}$/g, "");
    return node;
  });
}
function termElements(element) {
  return [...element.querySelectorAll(".term")].map((term) => (
    /** @type {HTMLElement} */
    term
  ));
}
function moveFocus(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const term = (
    /** @type {HTMLElement} */
    event.currentTarget
  );
  if (!step || !term.parentElement) return;
  const terms = termElements(term.parentElement);
  const next = terms[terms.indexOf(term) + step];
  event.preventDefault();
  event.stopPropagation();
  if (!next) return;
  term.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

// shared/frame_store.js
var page2 = (
  /** @type {{ __ia?: Store }} */
  /** @type {unknown} */
  window
);
var store = page2.__ia ??= { frames: /* @__PURE__ */ new Map(), listeners: /* @__PURE__ */ new Set(), memory: /* @__PURE__ */ new Map(), count: 0 };
function framesOf(run) {
  const frames = store.frames.get(run) ?? /* @__PURE__ */ new Map();
  const inOrder = [];
  while (frames.get(inOrder.length)?.n) inOrder.push(frames.get(inOrder.length));
  return inOrder;
}

// shared/icons.js
var PATHS = {
  play: "M7 5v14l12-7z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  back: "M6 5h3v14H6zM19 5v14l-9-7z",
  forward: "M15 5h3v14h-3zM5 5v14l9-7z",
  loop: "M12 4V1L8 5l4 4V6a6 6 0 0 1 5.3 8.8l1.5 1.5A8 8 0 0 0 12 4zM6.7 9.2 5.2 7.7A8 8 0 0 0 12 20v3l4-4-4-4v3a6 6 0 0 1-5.3-8.8z"
};
function showIcon(button, name, title) {
  if (button.dataset.shows === name) return;
  button.dataset.shows = name;
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;
  button.title = title;
  setLabel(button, title);
}

// shared/numbers.js
function withMinus(text) {
  return String(text).replace("-", "−");
}
function significant(x, digits = 3) {
  return Number.isFinite(x) ? String(Number(x.toPrecision(digits))) : "unknown";
}

// mean_film/svg.js
function makeSvg(width, height) {
  return svgElement("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "No iteration yet" });
}
function svgElement(name, attributes) {
  return setSvg(document.createElementNS("http://www.w3.org/2000/svg", name), attributes);
}
function setSvg(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}
function makeLine(attributes) {
  return svgElement("line", attributes);
}
function makeText(x, y, words, anchor, className = "") {
  const element = svgElement("text", { x, y, "text-anchor": anchor, class: className });
  element.textContent = words;
  return element;
}
function linearScale([low, high], [from, to]) {
  return (value) => from + (value - low) / (high - low) * (to - from);
}
function rangeAround(values, least) {
  const [low, high] = [Math.min(...values, 0), Math.max(...values, 0)];
  const margin = Math.max(0.06 * (high - low), least / 2);
  return [low - margin, high + margin];
}
function axisTicks(low, high, about) {
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => power * factor >= rough * 0.999) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, k) => Number(((first + k) * step).toPrecision(6)));
}

// mean_film/charts.js
var CURVES = { left: 46, right: 8, width: 420, height: 336 };
var PANELS = [
  { name: "f", kind: "f", title: "objective f [no unit]", top: 24, bottom: 116, read: (step) => step.objective, least: 1e-9 },
  { name: "sharpness", kind: "s", title: "sharpness of μ [no unit]", top: 148, bottom: 216, read: (step) => step.sharpness, least: 1e-9 },
  { name: "σ", kind: "sigma", title: "σ chosen [px]", top: 248, bottom: 292, read: (step) => step.sigma, least: 1 }
];
var SPREAD = { top: 24, bottom: 286, height: 336, width: 420 };
var SIDES = [
  { axis: 1, left: 46, right: 222, title: "translation down [px]" },
  { axis: 2, left: 240, right: 416, title: "translation right [px]" }
];
var MAX_NUMBERED = 20;
var Charts = class {
  /** @param {HTMLElement} place @param {(at: number) => void} goTo @param {(i: number) => void} pick */
  constructor(place, goTo, pick) {
    this.curves = makeSvg(CURVES.width, CURVES.height);
    this.spread = makeSvg(SPREAD.width, SPREAD.height);
    this.steps = [];
    this.data = void 0;
    this.key = void 0;
    this.x = linearScale([0, 1], [0, 1]);
    this.panels = [];
    this.paths = [];
    this.cursor = makeLine({ class: "cursor" });
    place.append(
      makeFigure("Objective, sharpness and σ", this.curves, "f"),
      makeFigure("Rotation and translation of every image", this.spread, "tau")
    );
    this.spread.addEventListener("click", ({ target }) => {
      const end = (
        /** @type {SVGElement | null} */
        /** @type {Element} */
        target.closest(".end")
      );
      if (end) pick(Number(end.dataset.i));
    });
    const seek = (event) => {
      if (event.buttons && this.steps.length) goTo(this.stepAt(event));
    };
    this.curves.addEventListener("pointerdown", seek);
    this.curves.addEventListener("pointermove", seek);
  }
  /** Draws the charts again when steps are added; `show` moves only the parts that depend on the step. @param {Summary[]} steps @param {FilmData} data */
  update(steps, data) {
    const key = `${data.run} ${steps.length}`;
    if (this.key === key || !steps.length) return;
    Object.assign(this, { key, steps, data });
    this.drawCurves(data);
    this.drawPaths(data);
  }
  /** @param {number} at @param {[number, number] | null} pair */
  show(at, pair) {
    const step = this.steps[at];
    if (!step) return;
    const x = this.x(step.k);
    setSvg(this.cursor, { x1: x, x2: x });
    for (const { dot, y, panel } of this.panels) setSvg(dot, { cx: x, cy: y(panel.read(step)) });
    const words = PANELS.map((panel) => `${panel.name} ${significant(panel.read(step))}`).join(", ");
    this.curves.setAttribute("aria-label", `Curves over the iterations; at iteration ${step.k}: ${words}`);
    this.spread.setAttribute("aria-label", `Rotations and translations of ${step.poses.length} images from iteration 0 to ${step.k}`);
    for (const { line, end, title, points, i, axis } of this.paths) {
      for (const part of [line, end]) {
        part.classList.toggle("own", i === pair?.[0]);
        part.classList.toggle("other", i === pair?.[1] && i !== pair[0]);
      }
      if (i === pair?.[0] && end.nextSibling) this.spread.append(end);
      line.setAttribute("d", pathOf(points, at));
      setSvg(end, { transform: `translate(${points[at][0].toFixed(1)} ${points[at][1].toFixed(1)})` });
      title.textContent = `image ${i + 1}: θ = ${significant(step.poses[i][0])}°, b = ${significant(step.poses[i][axis])} px`;
    }
  }
  /** @param {FilmData} data */
  drawCurves(data) {
    const { left, right, width } = CURVES;
    const last = Math.max(data.expected, 1);
    this.x = linearScale([0, last], [left, width - right]);
    this.curves.replaceChildren();
    this.panels = PANELS.map((panel) => this.drawPanel(panel, data));
    const { bottom } = PANELS[PANELS.length - 1];
    for (const k of axisTicks(0, last, 5)) this.curves.append(makeText(this.x(k), bottom + 20, String(k), "middle"));
    this.curves.append(makeText((left + width) / 2, bottom + 40, "iteration k", "middle"));
    setSvg(this.cursor, { y1: PANELS[0].top, y2: bottom });
    this.curves.append(this.cursor, ...this.panels.map(({ dot }) => dot));
  }
  /** @param {Panel} panel @param {FilmData} data */
  drawPanel(panel, data) {
    const { kind, title, top, bottom, read, least } = panel;
    const values = this.steps.map(read);
    const plain = kind === "s" ? data.plainSharpness : void 0;
    const most = Math.max(...values, plain ?? 0, least);
    const y = linearScale([0, most], [bottom, top]);
    const { left, right, width } = CURVES;
    const level = (value, className) => makeLine({ x1: left, x2: width - right, y1: y(value), y2: y(value), class: className });
    this.curves.append(makeText(left, top - 8, title, "start", "title"));
    for (const value of axisTicks(0, most, 3))
      this.curves.append(level(value, "grid"), makeText(left - 6, y(value) + 5, String(value), "end"));
    if (plain !== void 0)
      this.curves.append(level(plain, "plain"), makeText(width - right, y(plain) - 5, "plain average", "end"));
    const points = kind === "sigma" ? this.stairs(values, y) : this.steps.map((step, at) => (
      /** @type {Point} */
      [this.x(step.k), y(values[at])]
    ));
    this.curves.append(svgElement("path", { d: pathOf(points, points.length - 1), class: `curve of-${kind}` }));
    return { y, panel, dot: svgElement("circle", { r: 5, class: "dot" }) };
  }
  /** Steps of a value that was chosen for each iteration; there is none at iteration 0. @param {number[]} values @param {Scale} y @returns {Point[]} */
  stairs(values, y) {
    return this.steps.flatMap((step, at) => step.k === 0 ? [] : (
      /** @type {Point[]} */
      [[this.x(this.steps[at - 1].k), y(values[at])], [this.x(step.k), y(values[at])]]
    ));
  }
  /** @param {FilmData} data */
  drawPaths(data) {
    this.spread.replaceChildren();
    const valuesOf = (axis) => this.steps.flatMap((step) => step.poses.map((pose) => pose[axis]));
    const theta = rangeAround(valuesOf(0), 10);
    const y = linearScale(theta, [SPREAD.bottom, SPREAD.top]);
    this.spread.append(makeText(0, SPREAD.top - 8, "rotation θ [°]", "start", "title"));
    this.paths = SIDES.flatMap(({ axis, left, right, title }) => {
      const range = rangeAround(valuesOf(axis), 2);
      const x = linearScale(range, [left, right]);
      for (const value of axisTicks(...theta, 5)) {
        this.spread.append(makeLine({ x1: left, x2: right, y1: y(value), y2: y(value), class: "grid" }));
        if (axis === 1) this.spread.append(makeText(left - 6, y(value) + 5, withMinus(value), "end"));
      }
      for (const value of axisTicks(...range, 4))
        this.spread.append(makeText(x(value), SPREAD.bottom + 20, withMinus(value), "middle"));
      this.spread.append(makeText((left + right) / 2, SPREAD.bottom + 40, title, "middle"));
      return this.steps[0].poses.map((_, i) => this.drawPath(i, axis, x, y, data.colours));
    });
    this.spread.append(...this.paths.map((path) => path.line), ...this.paths.map((path) => path.end));
  }
  /** @param {number} i @param {1 | 2} axis @param {Scale} x @param {Scale} y @param {string[]} colours */
  drawPath(i, axis, x, y, colours) {
    const colour = colours[i % colours.length];
    const points = this.steps.map(({ poses }) => (
      /** @type {Point} */
      [x(poses[i][axis]), y(poses[i][0]), poses[i][0]]
    ));
    const numbered = this.steps[0].poses.length <= MAX_NUMBERED;
    const end = svgElement("g", { class: "end", "data-i": i });
    const title = svgElement("title", {});
    end.append(title, svgElement("circle", { r: numbered ? 8 : 5, fill: colour }));
    if (numbered) end.append(makeText(0, 4, String(i + 1), "middle"));
    return { i, axis, points, end, title, line: svgElement("path", { stroke: colour, class: "way" }) };
  }
  /** The step nearest to the pointer. @param {PointerEvent} event */
  stepAt(event) {
    const box = this.curves.getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width * CURVES.width;
    const distances = this.steps.map((step) => Math.abs(this.x(step.k) - at));
    return distances.indexOf(Math.min(...distances));
  }
};
function makeFigure(title, chart, term) {
  const figure = make("figure");
  figure.dataset.term = term;
  figure.append(make("b", "", title), chart);
  return figure;
}
function pathOf(points, last) {
  return points.slice(0, last + 1).map(([x, y, theta = 0], at) => {
    const jumps = at > 0 && Math.abs(theta - (points[at - 1][2] ?? 0)) > 180;
    return `${at > 0 && !jumps ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
  }).join("");
}

// mean_film/elements.js
var TITLES = { play: "Play", pause: "Pause", back: "One iteration back", forward: "One iteration forward", loop: "Restart at the end" };
var SPEEDS = [0.25, 0.5, 1, 2];
var HTML = `
  <div class="bar">
    ${["back", "play", "forward"].map((name) => `<button type="button" data-do="${name}"></button>`).join("")}
    <input type="range" min="0" max="1" step="1" value="0" aria-label="Iteration k">
    <output></output>
    <button type="button" data-do="loop"></button>
    <label>speed <select>${SPEEDS.map((speed) => `<option value="${speed}"${speed === 1 ? " selected" : ""}>${speed}×</option>`).join("")}</select></label>
  </div>
  <div class="stage">
    <figure data-term="mu"><canvas class="mean"></canvas><figcaption></figcaption></figure>
    <figure><canvas class="plain"></canvas><figcaption></figcaption></figure>
    <figure data-term="laid"><canvas class="laid"></canvas><figcaption></figcaption></figure>
    <figure data-term="v"><canvas class="given"></canvas><figcaption></figcaption></figure>
  </div>
  <p class="math formula"></p>
  <div class="strip" role="group" aria-label="The animation at a few iterations"></div>
  <div class="charts"></div>`;
function buildFilm() {
  const root = Object.assign(make("div", "film"), { tabIndex: 0, innerHTML: HTML });
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", "Animation of the mean: Space plays; arrow keys step");
  const button = (name) => findButton(root, `[data-do=${name}]`);
  const parts = {
    slider: findInput(root, "input"),
    count: find(root, "output"),
    strip: find(root, ".strip"),
    formula: find(root, ".formula"),
    speed: findSelect(root, "select"),
    play: button("play"),
    back: button("back"),
    forward: button("forward"),
    loop: button("loop")
  };
  const pictures = {
    mean: findCanvas(root, ".mean"),
    plain: findCanvas(root, ".plain"),
    aligned: findCanvas(root, ".laid"),
    given: findCanvas(root, ".given")
  };
  showIcon(parts.play, "play", TITLES.play);
  showIcon(parts.back, "back", TITLES.back);
  showIcon(parts.forward, "forward", TITLES.forward);
  showIcon(parts.loop, "loop", TITLES.loop);
  return { root, parts, pictures };
}
function meanTerms(step, n) {
  const share = `1/${n}`;
  const [mean, aligned] = ["μ: the mean of the aligned images", "U(τ_i)v_i: image i, rotated and translated by its pose"];
  return [
    ["τ_i", "tau", "τ_i: the pose of image i, changed so that f decreases"],
    [" ← argmin_τ ‖"],
    ["U(τ)v_i", "laid", aligned],
    [" − "],
    ["μ", "mu", mean],
    ["‖²,   "],
    ["μ", "mu", mean],
    [" ← Σ_i "],
    [share, "v", `W_i = ${share}: all ${n} images have the same weight`],
    [" "],
    ["U(τ_i)v_i", "laid", aligned],
    [",   "],
    [`f = Σ_i ${share} ‖U(τ_i)v_i − μ‖² = ${significant(step.objective)}`, "f", `the objective (2.3) at iteration ${step.k}; no unit`]
  ];
}
function writeCaption(canvas, title, text) {
  const caption = (
    /** @type {HTMLElement} */
    canvas.nextElementSibling
  );
  const words = `${title}
${text}`;
  if (caption.dataset.words === words) return;
  caption.dataset.words = words;
  caption.replaceChildren(make("b", "", title), ` ${text}`);
}

// shared/pixels.js
function toImageData(bytes, start, [height, width, channels]) {
  const image = new ImageData(width, height);
  const out = image.data;
  const [green, blue] = channels === 3 ? [1, 2] : [0, 0];
  for (let to = 0, from = start; to < out.length; to += 4, from += channels) {
    out[to] = bytes[from];
    out[to + 1] = bytes[from + green];
    out[to + 2] = bytes[from + blue];
    out[to + 3] = 255;
  }
  return image;
}

// mean_film/pictures.js
var FEW = 20;
var MAX_COLUMNS = 4;
var SMALL = 48;
var layouts = /* @__PURE__ */ new WeakMap();
function paintImages(canvas, frame, from, to, about, pair = null) {
  const key = `${frame.id} ${from} ${pair}`;
  if (layouts.get(canvas)?.key === key) return;
  const [height, width, channels] = frame.shapes.images.slice(1);
  const count = to - from;
  const columns = Math.min(Math.ceil(Math.sqrt(count)), count > FEW ? count : MAX_COLUMNS);
  const gap = count === 1 ? 0 : width < SMALL ? 1 : 2;
  const [pitchX, pitchY] = [width + gap, height + gap];
  resizeCanvas(canvas, columns * pitchX - gap, Math.ceil(count / columns) * pitchY - gap);
  const context = contextOf(canvas);
  const cornerOf = (i) => ({ x: i % columns * pitchX, y: Math.floor(i / columns) * pitchY });
  context.clearRect(0, 0, canvas.width, canvas.height);
  for (let i = 0; i < count; i++) {
    const start = (from + i) * height * width * channels;
    const { x, y } = cornerOf(i);
    context.putImageData(toImageData(frame.images ?? [], start, [height, width, channels]), x, y);
  }
  if (pair) {
    frameImage(context, cornerOf(pair[1]), width, height, "#006bd9");
    frameImage(context, cornerOf(pair[0]), width, height, "#ff9426");
  }
  layouts.set(canvas, { columns, pitch: [pitchX, pitchY], width, count, key });
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", pair ? `${about}; image ${pair[0] + 1} is marked` : about);
}
function frameImage(context, { x, y }, width, height, colour) {
  const thick = Math.max(2, Math.round(width / 20));
  context.strokeStyle = colour;
  context.lineWidth = thick;
  context.strokeRect(x + thick / 2, y + thick / 2, width - thick, height - thick);
}
function imageAt(canvas, event) {
  const layout = layouts.get(canvas);
  if (!layout) return -1;
  const { columns, pitch, count } = layout;
  const scale = Math.max(canvas.width / canvas.clientWidth, canvas.height / canvas.clientHeight) / zoomOf(canvas);
  const [column, row] = [event.offsetX, event.offsetY].map((at, axis) => Math.floor(at * scale / pitch[axis]));
  const i = row * columns + column;
  return column < columns && i < count ? i : -1;
}
function widthOfImage(canvas) {
  const layout = layouts.get(canvas);
  return layout ? layout.width / canvas.width * canvas.getBoundingClientRect().width : 0;
}
function makePicture(frame, i, about) {
  const canvas = newCanvas(0, 0);
  paintImages(canvas, frame, i, i + 1, about);
  return canvas;
}

// mean_film/summaries.js
function tabulateSteps(steps) {
  const names = ["k", "objective", "sharpness", "sigma [px]", "image", "theta [deg]", "shift down [px]", "shift right [px]"];
  const rows = steps.flatMap(({ k, objective, sharpness, sigma, poses }) => poses.map((pose, i) => [k, objective, sharpness, sigma, i + 1, ...pose]));
  return [names, ...rows];
}
function summariesOf(run, count) {
  const known = store.summaries?.get(run);
  return Array.from({ length: count }, (_, at) => known?.get(at));
}

// mean_film/film.js
var MAX_STEPS_PER_S = 12;
var MIN_STEPS_PER_S = 2;
var FULL_FILM_S = 4;
var END_PAUSE_S = 1.5;
var STEP_PAUSE_MS = 600;
var STRIP = [0, 0.1, 0.2, 0.5, 1];
var MeanFilm = class {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    const { root, parts, pictures } = buildFilm();
    this.root = root;
    this.parts = parts;
    this.pictures = pictures;
    parent.append(root);
    this.charts = new Charts(find(root, ".charts"), (at) => this.goTo(at), (i) => this.pick(i));
    this.data = void 0;
    this.frames = [];
    this.steps = [];
    this.plain = void 0;
    this.pair = null;
    this.start = null;
    this.at = 0;
    this.jump = 0;
    this.playing = false;
    this.loop = true;
    this.speed = 1;
    this.stripKey = void 0;
    this.timer = void 0;
    this.stepTimer = void 0;
    this.answerStep = (_) => {
    };
    this.answerPicked = (_) => {
    };
    this.onFrames = (run) => {
      if (this.data && [this.data.run, this.data.plain].includes(run)) this.receiveFrames(this.data);
    };
    store.listeners.add(this.onFrames);
    this.unshare = shareHighlights(this.root);
    this.listen();
    const state = () => ({ at: this.at, last: this.last(), playing: this.playing, pair: this.pair });
    Object.assign(this.root, { __film: { state, tiles: () => [this.pictures.aligned, this.pictures.given].map(widthOfImage) } });
  }
  /** The position and the playing state are kept when Streamlit replaces the element. @param {FilmData} data */
  update(data) {
    if (this.data?.run !== data.run || this.jump !== data.jump) {
      const known = store.memory.get(data.key);
      const fresh = { at: 0, start: data.start, jump: data.jump, playing: data.autoplay && !prefersStillness(), loop: true, speed: 1 };
      Object.assign(this, known?.run === data.run && known.jump === data.jump ? known.state : fresh);
    }
    this.data = data;
    this.pair = data.pair;
    this.receiveFrames(data);
  }
  /** @param {FilmData} data */
  receiveFrames(data) {
    this.frames = framesOf(data.run);
    this.steps = summariesOf(data.run, this.frames.length);
    this.plain = framesOf(data.plain)[0];
    this.goToStart();
    this.showStrip(data);
    this.charts.update(this.steps, data);
    this.render();
    this.schedule();
  }
  goToStart() {
    const { start } = this;
    if (start === null) return;
    const at = this.steps.findIndex((step) => step?.k >= start);
    if (at < 0) return;
    this.at = at;
    this.start = null;
  }
  last() {
    return this.frames.length - 1;
  }
  listen() {
    const { slider, play, back, forward, loop, speed } = this.parts;
    slider.addEventListener("input", () => this.goTo(Number(slider.value)));
    play.addEventListener("click", () => this.toggle());
    back.addEventListener("click", () => this.goTo(this.at - 1));
    forward.addEventListener("click", () => this.goTo(this.at + 1));
    loop.addEventListener("click", () => {
      this.loop = !this.loop;
      this.render();
    });
    speed.addEventListener("change", () => {
      this.speed = Number(speed.value);
      this.render();
    });
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    for (const canvas of [this.pictures.aligned, this.pictures.given]) {
      canvas.tabIndex = 0;
      canvas.addEventListener("click", (event) => this.pick(imageAt(canvas, event)));
      canvas.addEventListener("keydown", (event) => this.onPictureKey(event));
    }
  }
  /** Chooses an image, which is marked wherever it is drawn. @param {number} i */
  pick(i) {
    if (!this.plain || !(i >= 0 && i < this.plain.n - 1)) return;
    this.pair = [i, i];
    this.render();
    this.answerPicked(i);
  }
  /** Arrow keys choose the next image while the pictures have the focus. @param {KeyboardEvent} event */
  onPictureKey(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    this.pick(this.pair ? this.pair[0] + step : 0);
    event.preventDefault();
    event.stopPropagation();
  }
  /** @param {KeyboardEvent} event */
  onKey(event) {
    const target = targetOf(event);
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("select")) return;
    if (event.key === " " && target.matches("button")) return;
    if (target.matches(".term") && /^Arrow/.test(event.key)) return;
    const at = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last() }[event.key];
    if (event.key === " ") this.toggle();
    else if (at !== void 0) this.goTo(at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.at >= this.last() && !this.data?.running) this.at = 0;
    this.render();
    this.schedule();
    if (!this.playing) this.settle();
  }
  /** @param {number} at */
  goTo(at) {
    this.playing = false;
    this.at = Math.max(0, Math.min(at, this.last()));
    this.render();
    this.settle();
  }
  /** After a pause, the step is sent to Python. */
  settle() {
    clearTimeout(this.stepTimer);
    this.stepTimer = setTimeout(() => {
      const step = this.steps[this.at];
      if (step && !this.playing) this.answerStep(step.k);
    }, STEP_PAUSE_MS);
  }
  /** Shows the next step while the animation plays. At the end, it waits for a running run, or restarts. */
  schedule() {
    if (!this.playing || this.timer !== void 0) return;
    const atEnd = this.at >= this.last();
    if (atEnd && this.data?.running) return;
    if (atEnd && !this.loop) {
      this.toggle();
      return;
    }
    const pace = Math.min(MAX_STEPS_PER_S, Math.max(MIN_STEPS_PER_S, this.frames.length / FULL_FILM_S));
    const seconds = (atEnd ? END_PAUSE_S : 1 / pace) / this.speed;
    this.timer = setTimeout(() => {
      this.timer = void 0;
      if (!this.playing) return;
      const end = this.at >= this.last();
      if (!end || !this.data?.running) this.at = end ? 0 : this.at + 1;
      this.render();
      this.schedule();
    }, 1e3 * seconds);
  }
  render() {
    const { data, at, pictures, plain } = this;
    if (!data) return;
    this.remember(data);
    const place = Math.max(0, Math.min(at, this.last()));
    const step = this.steps[place];
    this.showBar(data, step);
    this.charts.show(place, this.pair);
    if (step) this.showStep(this.frames[place], step);
    if (!plain) return;
    paintImages(pictures.plain, plain, 0, 1, "Plain average");
    paintImages(pictures.given, plain, 1, plain.n, "Original images", this.pair);
    writeCaption(pictures.plain, "Plain average", `of the same images: sharpness ${significant(data.plainSharpness)}`);
    writeCaption(pictures.given, "Originals", `vᵢ, i = 1 to ${plain.n - 1}`);
  }
  /** @param {FilmData} data */
  remember({ key, run, jump }) {
    const { at, playing, loop, speed } = this;
    store.memory.set(key, { run, jump, state: { at, jump, playing, loop, speed } });
  }
  /** @param {FilmData} data @param {Summary | undefined} step */
  showBar(data, step) {
    const { slider, count, play, loop, speed, strip } = this.parts;
    slider.max = String(Math.max(data.places - 1, 1));
    slider.value = String(this.at);
    slider.disabled = this.last() < 1;
    slider.setAttribute("aria-valuetext", `iteration ${step?.k ?? 0} of ${data.expected}`);
    count.textContent = step ? `iteration ${step.k} of ${data.expected}` : "no iteration yet";
    const name = this.playing ? "pause" : "play";
    showIcon(play, name, TITLES[name]);
    loop.setAttribute("aria-pressed", String(this.loop));
    speed.value = String(this.speed);
    for (const other of strip.children)
      other.setAttribute("aria-pressed", String(
        /** @type {HTMLElement} */
        other.dataset.at === String(this.at)
      ));
  }
  /** @param {Frame} frame @param {Summary} step */
  showStep(frame, step) {
    const { pictures, parts } = this;
    paintImages(pictures.mean, frame, 0, 1, `μ at iteration ${step.k}`);
    paintImages(pictures.aligned, frame, 1, frame.n, `Images aligned at iteration ${step.k}`, this.pair);
    writeTerms(parts.formula, meanTerms(step, step.poses.length));
    writeCaption(pictures.mean, "Invariant mean μ", `k = ${step.k}: objective f = ${significant(step.objective)}, sharpness ${significant(step.sharpness)}, σ = ${significant(step.sigma)} px`);
    writeCaption(pictures.aligned, "Aligned", `each image rotated and translated, U(τᵢ)vᵢ, at k = ${step.k}`);
  }
  /** Shows a few steps at once, as in Figure 5; a click on a step goes to it. @param {FilmData} data */
  showStrip({ run, places: count }) {
    const last = count - 1;
    const places = [...new Set(STRIP.map((part) => Math.round(part * last)))].filter((at) => at < this.frames.length);
    const key = `${run} ${places}`;
    if (this.stripKey === key) return;
    this.stripKey = key;
    this.parts.strip.replaceChildren(...places.map((at) => {
      const { k, sharpness } = this.steps[at];
      const button = makeButton("");
      button.dataset.at = String(at);
      const words = make("span");
      words.append(`k = ${k}`, make("br"), `sharpness ${significant(sharpness)}`);
      button.append(makePicture(this.frames[at], 0, `μ at iteration ${k}`), words);
      button.addEventListener("click", () => this.goTo(at));
      return button;
    }));
  }
  remove() {
    clearTimeout(this.timer);
    clearTimeout(this.stepTimer);
    this.unshare();
    this.playing = false;
    store.listeners.delete(this.onFrames);
    this.root.remove();
  }
};

// mean_film/index.js
var mean_film_default = defineComponent(
  (parent) => {
    const film = new MeanFilm(parent);
    addFigureButton(film.root, "Invariant mean", () => tabulateSteps(film.steps));
    return film;
  },
  (film, { data, setStateValue, setTriggerValue }) => {
    film.answerStep = (k) => setStateValue("step", k);
    film.answerPicked = (i) => setTriggerValue?.("picked", i);
    film.update(data);
  },
  (film) => film.remove()
);
export {
  mean_film_default as default
};
