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
function makeSlider(properties = {}) {
  return Object.assign(make("input"), { type: "range", ...properties });
}
function contextOf(canvas, settings) {
  return (
    /** @type {CanvasRenderingContext2D} */
    canvas.getContext("2d", settings)
  );
}
function resizeCanvas(canvas, width, height) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
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

// shared/numbers.js
function superscript(count) {
  return [...String(count)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
}
function significant(x, digits = 3) {
  return Number.isFinite(x) ? String(Number(x.toPrecision(digits))) : "unknown";
}

// turning/orbit.js
var page = (
  /** @type {{ __iaTurn?: TurningState }} */
  /** @type {unknown} */
  window
);
var turning = page.__iaTurn ??= { current: void 0, at: 0, listeners: /* @__PURE__ */ new Set() };
function sliceOf({ values, shape }, at) {
  const size = shape.slice(1).reduce((product, n) => product * n, 1);
  return values.subarray(at * size, (at + 1) * size);
}
function tabulateLayers(orbit) {
  if (!orbit) return [];
  const { degrees, elements, layers, arrays } = orbit;
  const rows = layers.flatMap(({ name, side, heat, error, low, high }) => degrees.flatMap((angle, at) => {
    const maps = sliceOf(arrays[heat], at);
    return elements.map((element, h) => {
      const values = Array.from(maps.subarray(h * side * side, (h + 1) * side * side), (byte) => low + byte / 255 * (high - low));
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return [angle, name, element, mean, Math.min(...values), Math.max(...values), arrays[error].values[at]];
    });
  }));
  return [["rotation [deg]", "layer", "pose h", "mean of the map", "least", "largest", "relative error"], ...rows];
}
function showAngle(at) {
  const count = turning.current?.degrees.length ?? 1;
  const wanted = (at % count + count) % count;
  if (wanted === turning.at) return;
  turning.at = wanted;
  notify();
}
function notify() {
  for (const listener of turning.listeners) listener();
}
function nearestAngle(degrees) {
  const count = turning.current?.degrees.length ?? 1;
  return (Math.round(degrees / 360 * count) % count + count) % count;
}
function formatError(error) {
  if (error === 0) return "0";
  if (error >= 1e-3) return error.toFixed(error >= 0.1 ? 2 : 3);
  const power = Math.floor(Math.log10(error));
  return `${(error / 10 ** power).toFixed(0)}·10⁻${superscript(-power)}`;
}
function formatValue(value) {
  return Math.abs(value) < 5e-4 ? "0" : significant(value, 2);
}

// shared/colours.js
var MAP_SIZE = 256;
function oklch(lightness, chroma, hue) {
  const angle = hue * Math.PI / 180;
  return oklab(lightness, chroma * Math.cos(angle), chroma * Math.sin(angle));
}
function oklab(L, a, b) {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    toByte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toByte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toByte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  ];
}
function toByte(linear) {
  const x = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (x <= 31308e-7 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
}
function mapColour(t, dark) {
  const light = dark ? t : 1 - t;
  return oklch(0.22 + 0.72 * light, 0.03 + 0.1 * Math.sin(Math.PI * (0.12 + 0.76 * light)), 285 - 185 * light);
}
function toWord([r, g, b]) {
  return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
}
function makeColourMap(dark) {
  return Uint32Array.from({ length: MAP_SIZE }, (_, at) => toWord(mapColour(at / (MAP_SIZE - 1), dark)));
}
function mapGradient(dark) {
  const stops = Array.from({ length: 17 }, (_, at) => toCss(mapColour(at / 16, dark)));
  return `linear-gradient(to right, ${stops.join(", ")})`;
}
function toCss([r, g, b]) {
  return `rgb(${r} ${g} ${b} / 1)`;
}
function readTheme(element) {
  const style = getComputedStyle(element);
  const value = (name, otherwise) => style.getPropertyValue(`--st-${name}`).trim() || otherwise;
  const background = value("background-color", "#ffffff");
  return {
    background,
    text: value("text-color", "#31333f"),
    border: value("border-color", "#cccccc"),
    dark: luminance(background) < 0.4
  };
}
function luminance(colour) {
  const canvas = document.createElement("canvas");
  const context = (
    /** @type {CanvasRenderingContext2D} */
    canvas.getContext("2d")
  );
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}

// turning/maps.js
var FLAT = 1e-6;
var MIN_SPAN = 0.01;
var tables = /* @__PURE__ */ new Map();
function readLook(element) {
  const theme = readTheme(element);
  const { dark } = theme;
  const known = tables.get(dark) ?? {
    dark,
    map: makeColourMap(dark),
    signed: makeSignedMap(dark),
    grey: Uint32Array.from({ length: 256 }, (_, at) => toWord([at, at, at]))
  };
  tables.set(dark, known);
  return { ...theme, ...known };
}
function makeSignedMap(dark) {
  return Uint32Array.from({ length: 256 }, (_, at) => {
    const t = Math.max(-1, (at - 128) / 127);
    const depth = Math.abs(t) ** 0.8;
    const lightness = dark ? 0.22 + 0.6 * depth : 0.975 - 0.5 * depth;
    return toWord(oklch(lightness, 0.17 * depth, t < 0 ? 255 : 48));
  });
}
function paintValues(canvas, values, [height, width], table) {
  resizeCanvas(canvas, width, height);
  const image = new ImageData(width, height);
  const words = new Uint32Array(image.data.buffer);
  const zero = values instanceof Int8Array ? 128 : 0;
  for (let at = 0; at < words.length; at++) words[at] = table[values[at] + zero];
  contextOf(canvas).putImageData(image, 0, 0);
}
function subtractMaps(a, b, side) {
  const middle = (side - 1) / 2;
  return Int8Array.from(a, (value, at) => {
    const [p, q] = [Math.floor(at / side) % side - middle, at % side - middle];
    const inside = p * p + q * q <= side * side / 4;
    return inside ? Math.max(-127, Math.min(127, value - b[at])) : 0;
  });
}
function widenScale(low, high) {
  if (high - low >= MIN_SPAN) return [low, high];
  const start = Math.min(Math.max((low + high - MIN_SPAN) / 2, 0), 1 - MIN_SPAN);
  return [start, start + MIN_SPAN];
}
function renderName(text) {
  return text.split(/(_[A-Z]+)/).map((part) => /^_[A-Z]/.test(part) ? make("sub", "", part.slice(1)) : document.createTextNode(part));
}
function plainName(text) {
  return text.replace(/_(?=[A-Z])/g, "");
}
function makeScale() {
  const scale = make("div", "scale");
  scale.append(make("span"), make("i"), make("span"));
  return scale;
}
function showScale(scale, low, high, look) {
  const [least, bar, most] = [...scale.children].map((child) => (
    /** @type {HTMLElement} */
    child
  ));
  least.textContent = formatValue(low);
  most.textContent = formatValue(high);
  bar.style.background = mapGradient(look.dark);
}
function makeMap(label) {
  const canvas = make("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", label);
  return canvas;
}

// layers/layers.js
var chosen = { layer: 0, channel: 0, request: void 0 };
var ARROWS = ["↑", "←", "↓", "→"];
var [PLACES, CHANNELS, MINUS, PLUS] = ["α_X", "α_C", "α⁻ = α_X · α_C", "α⁺ = 1 − α⁻"];
var [BACK, DIFFERENCE] = ["α_X rotated back", "difference"];
var LINES = [
  [PLACES, "of positions, at (x, h) [no unit]"],
  [CHANNELS, "of channels, at h: choose one"],
  [MINUS, "removed from channel c"],
  [PLUS, "kept of channel c"],
  [BACK, "in the plane and in h"],
  [DIFFERENCE, "from α_X of the upright picture, doubled"]
];
var CHANNEL_LINES = [CHANNELS, MINUS, PLUS];
var LayersView = class {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = make("div", "turning layers");
    this.buttons = make("div", "choose");
    this.grid = make("div", "grid");
    this.buttons.setAttribute("role", "group");
    this.buttons.setAttribute("aria-label", "Layer");
    this.slider = makeSlider({ min: 0, step: 1 });
    this.slider.setAttribute("aria-label", "Rotation of the picture, for the layers");
    this.slider.addEventListener("input", () => showAngle(Number(this.slider.value)));
    this.angle = make("output");
    const line = make("div", "line");
    line.append(make("span", "", "rotation"), this.slider, this.angle);
    this.root.append(line, this.buttons, this.grid);
    parent.append(this.root);
    this.orbit = void 0;
    this.degrees = void 0;
    this.lines = [];
    this.layer = this.channel = 0;
    this.onTurn = () => this.renew();
    turning.listeners.add(this.onTurn);
  }
  /** Shows a layer and an angle if they were requested after the last change. @param {Wish} wish */
  ask({ layer, angle, request }) {
    if (request !== chosen.request) {
      if (request || chosen.request === void 0) chosen.layer = layer - 1;
      if (angle && Number.isFinite(Number(angle))) this.degrees = Number(angle);
      chosen.request = request;
      this.orbit = void 0;
    }
    this.renew();
  }
  renew() {
    const orbit = turning.current;
    if (!orbit) return;
    const { degrees } = this;
    this.degrees = void 0;
    if (degrees !== void 0) showAngle(nearestAngle(degrees));
    if (this.orbit !== orbit) this.build(orbit);
    if (orbit.layers.length) this.render(orbit);
  }
  /** @param {Orbit} orbit */
  build(orbit) {
    this.orbit = orbit;
    this.layer = Math.min(chosen.layer, Math.max(0, orbit.layers.length - 1));
    this.slider.max = String(orbit.degrees.length);
    this.buttons.replaceChildren(...orbit.layers.map((layer, at) => this.layerButton(orbit, layer, at)));
    this.root.style.setProperty("--poses", String(orbit.elements.length));
    if (orbit.layers.length) this.layOut(orbit);
    else this.grid.replaceChildren(make("div", "label", `${plainName(orbit.title)} has no attention. Choose a different network.`));
  }
  /** @param {Orbit} orbit @param {Layer} layer @param {number} at */
  layerButton(orbit, layer, at) {
    const button = makeButton("", `${layer.name}: ${layer.side}²`);
    button.addEventListener("click", () => {
      this.layer = chosen.layer = at;
      this.layOut(orbit);
      this.render(orbit);
    });
    return button;
  }
  /** The table of the chosen layer: a label and a map for every pose, line by line. @param {Orbit} orbit */
  layOut(orbit) {
    const { elements, layers } = orbit;
    const { channels, spread, side } = layers[this.layer];
    const attendsToPlaces = spread > FLAT;
    this.channel = Math.min(chosen.channel, Math.max(0, channels - 1));
    [...this.buttons.children].forEach((button, at) => button.setAttribute("aria-pressed", String(at === this.layer)));
    this.lines = LINES.filter(([name]) => attendsToPlaces || CHANNEL_LINES.includes(name)).map(([name, about]) => {
      const label = make("div", "label");
      const scale = [CHANNELS, DIFFERENCE].includes(name) ? make("div", "scale") : makeScale();
      const head = make("b");
      head.append(...renderName(name));
      label.append(head, make("span", "", about), scale);
      const cells = elements.map((element) => name === CHANNELS ? this.channelStrip(orbit, channels, element) : mapCell(name, element));
      return { name, label, scale, cells };
    });
    const heads = elements.map((element, h) => make("div", "head", `h = ${element} ${elements.length > 1 ? ARROWS[h % 4] : ""}`));
    const corner = make("div", "head label");
    corner.append(...renderName(attendsToPlaces ? `Layer reads ${side} × ${side} px` : "α_X = 1 everywhere"));
    this.grid.replaceChildren(corner, ...heads, ...this.lines.flatMap(({ label, cells }) => [label, ...cells]));
  }
  /** A button for each channel. @param {Orbit} orbit @param {number} channels @param {string} element */
  channelStrip(orbit, channels, element) {
    const strip = make("div", "strip");
    strip.append(...Array.from({ length: channels }, (_, c) => {
      const button = makeButton("");
      button.dataset.what = `channel ${c + 1}, h = ${element}`;
      button.addEventListener("click", () => {
        this.channel = chosen.channel = c;
        this.render(orbit);
      });
      return button;
    }));
    return strip;
  }
  /** @param {Orbit} orbit */
  render(orbit) {
    const { at } = turning;
    const look = readLook(this.root);
    if (Number(this.slider.value) % orbit.degrees.length !== at) this.slider.value = String(at);
    this.angle.textContent = `${orbit.degrees[at]}°`;
    this.slider.setAttribute("aria-valuetext", `${orbit.degrees[at]} degrees anticlockwise`);
    const layer = orbit.layers[this.layer];
    const maps = mapsOf(orbit, layer, at, this.channel);
    for (const line of this.lines) {
      if (line.name === CHANNELS) this.showChannels(line, maps, layer.channels);
      else showLine(line, maps, look);
    }
    this.root.dataset.at = String(at);
  }
  /** @param {Line} line @param {LayerMaps} maps @param {number} channels */
  showChannels({ cells, scale }, { alpha, poses }, channels) {
    cells.forEach((strip, h) => [...strip.children].forEach((child, c) => {
      const button = (
        /** @type {HTMLButtonElement} */
        child
      );
      const value = (alpha?.[c * poses + h] ?? 0) / 255;
      button.style.setProperty("--tall", `${100 * value}%`);
      button.title = `${button.dataset.what}: weight ${value.toFixed(2)}`;
      button.setAttribute("aria-label", button.title);
      button.setAttribute("aria-pressed", String(c === this.channel));
    }));
    scale.textContent = `c = ${this.channel + 1} of ${channels}, 0 to 1`;
  }
  remove() {
    turning.listeners.delete(this.onTurn);
    this.root.remove();
  }
};
function mapsOf(orbit, layer, at, channel) {
  const [, poses, side] = orbit.arrays[layer.heat].shape;
  const { low, high, channels } = layer;
  const back = sliceOf(orbit.arrays[layer.back], at);
  const minus = channels ? multiply(orbit, layer, channel, at) : void 0;
  return {
    alpha: channels ? sliceOf(orbit.arrays[layer.channel], at) : void 0,
    poses,
    side,
    error: orbit.arrays[layer.error].values[at],
    maps: {
      [PLACES]: { values: sliceOf(orbit.arrays[layer.heat], at), low, high },
      [MINUS]: minus,
      [PLUS]: minus && { values: minus.values.map((byte) => 255 - byte), low: 1 - minus.high, high: 1 - minus.low },
      [BACK]: { values: back, low, high },
      [DIFFERENCE]: { values: subtractMaps(back, orbit.arrays[layer.upright].values, side) }
    }
  };
}
function multiply(orbit, layer, channel, at) {
  const valuesAt = (number) => productOf(orbit, layer, channel, number);
  const scales = layer.scales ??= [];
  if (!scales[channel]) {
    const ends = orbit.degrees.map((_, number) => endsOf(valuesAt(number)));
    scales[channel] = widenScale(Math.min(...ends.map(([least]) => least)), Math.max(...ends.map(([, most]) => most)));
  }
  const [low, high] = scales[channel];
  const values = Uint8Array.from(valuesAt(at), (x) => 255 * (x - low) / Math.max(high - low, 1e-9));
  return { values, low, high };
}
function productOf(orbit, layer, channel, at) {
  const [, poses, side] = orbit.arrays[layer.heat].shape;
  const places = sliceOf(orbit.arrays[layer.heat], at);
  const alpha = sliceOf(orbit.arrays[layer.channel], at);
  const step = (layer.high - layer.low) / 255;
  return Float32Array.from(places, (byte, place) => {
    const h = Math.floor(place / (side * side));
    return (layer.low + byte * step) * alpha[channel * poses + h] / 255;
  });
}
function endsOf(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return [low, high];
}
function showLine({ name, cells, scale }, { maps, side, error }, look) {
  const map = maps[name];
  if (!map) return;
  const { values, low, high } = map;
  const isSigned = low === void 0 || high === void 0;
  cells.forEach((cell, h) => {
    const part = values.subarray(h * side * side, (h + 1) * side * side);
    paintValues(
      /** @type {HTMLCanvasElement} */
      cell.firstChild,
      part,
      [side, side],
      isSigned ? look.signed : look.map
    );
  });
  if (isSigned) scale.textContent = `relative error ${formatError(error)}`;
  else showScale(scale, low, high, look);
}
function mapCell(name, element) {
  const cell = make("div", name === BACK || name === DIFFERENCE ? "map disc" : "map");
  cell.append(makeMap(`${name}, h = ${element}`));
  return cell;
}

// layers/index.js
var layers_default = defineComponent(
  (parent) => {
    const view = new LayersView(parent);
    addFigureButton(view.root, "Maps of the attention layers", () => tabulateLayers(view.orbit));
    return view;
  },
  (view, { data }) => view.ask(data),
  (view) => view.remove()
);
export {
  layers_default as default
};
