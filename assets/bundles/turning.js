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

// shared/arrays.js
var TYPES = { F32: Float32Array, I32: Int32Array, I8: Int8Array, U8: Uint8Array };
var LENGTH_BYTES = 8;
function readMetadata(bytes) {
  return parseMetadata(readHeader(bytes).header);
}
function readArrays(bytes) {
  const { header, data } = readHeader(bytes);
  const arrays = {};
  for (const [name, entry] of Object.entries(header))
    if (name !== "__metadata__") arrays[name] = { values: readValues(name, entry, data), shape: entry.shape };
  return { metadata: parseMetadata(header), arrays };
}
function readHeader(bytes) {
  if (bytes.length < LENGTH_BYTES) throw new Error(`arrays need at least ${LENGTH_BYTES} bytes; got ${bytes.length}`);
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const start = LENGTH_BYTES + length;
  if (start > bytes.length) throw new Error(`the header needs ${start} bytes; got ${bytes.length}`);
  const text = new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, start));
  return { header: JSON.parse(text), data: bytes.subarray(start) };
}
function parseMetadata(header) {
  const entries = Object.entries(header.__metadata__ ?? {});
  return Object.fromEntries(entries.map(([name, text]) => [name, JSON.parse(text)]));
}
function readValues(name, { dtype, shape, data_offsets: [start, end] }, data) {
  const Type = TYPES[
    /** @type {keyof typeof TYPES} */
    dtype
  ];
  if (!Type) throw new Error(`${name} must have one of the types ${Object.keys(TYPES).join(", ")}; got ${dtype}`);
  const count = shape.reduce((product, size2) => product * size2, 1);
  const size = count * Type.BYTES_PER_ELEMENT;
  if (end - start !== size || end > data.length)
    throw new Error(`${name} needs ${size} bytes; got bytes ${start} to ${end} of ${data.length}`);
  const part = data.subarray(start, end);
  const aligned = part.byteOffset % Type.BYTES_PER_ELEMENT === 0 ? part : part.slice();
  return new Type(
    /** @type {ArrayBuffer} */
    aligned.buffer,
    aligned.byteOffset,
    count
  );
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
function readKey(bytes) {
  return readMetadata(bytes).key;
}
function readOrbit(bytes) {
  const { metadata, arrays } = readArrays(bytes.slice());
  return (
    /** @type {Orbit} */
    { ...metadata, arrays }
  );
}
function sliceOf({ values, shape }, at) {
  const size = shape.slice(1).reduce((product, n) => product * n, 1);
  return values.subarray(at * size, (at + 1) * size);
}
function tabulateAngles(orbit) {
  if (!orbit) return [];
  const { degrees, rows, classes, arrays } = orbit;
  const table = degrees.flatMap((angle, at) => rows.flatMap(({ title, says, sure, views }) => views.map(({ name, error }) => [angle, title, name, arrays[error].values[at], classes[arrays[says].values[at]], arrays[sure].values[at]])));
  return [["rotation [deg]", "network", "map", "relative error", "prediction", "probability"], ...table];
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
var MIN_ARROW = 0.08;
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
function paintArrows(canvas, arrows, cells, colour) {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const side = Math.round(canvas.clientWidth * ratio) || 2;
  resizeCanvas(canvas, side, side);
  const context = contextOf(canvas);
  context.clearRect(0, 0, side, side);
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1.3 * ratio;
  const cell = side / cells;
  for (let at = 0; at < cells * cells; at++) {
    const [p, q] = [arrows[2 * at] / 127, arrows[2 * at + 1] / 127];
    if (Math.hypot(p, q) < MIN_ARROW) continue;
    const [y, x] = [(Math.floor(at / cells) + 0.5) * cell, (at % cells + 0.5) * cell];
    drawArrow(context, x, y, q * cell * 1.05, p * cell * 1.05);
  }
}
function drawArrow(context, x, y, dx, dy) {
  const [fromX, fromY, toX, toY] = [x - dx / 2, y - dy / 2, x + dx / 2, y + dy / 2];
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(toX, toY);
  context.moveTo(toX - 0.42 * dx + 0.22 * dy, toY - 0.42 * dy - 0.22 * dx);
  context.lineTo(toX, toY);
  context.lineTo(toX - 0.42 * dx - 0.22 * dy, toY - 0.42 * dy + 0.22 * dx);
  context.stroke();
}
function subtractMaps(a, b, side) {
  const middle = (side - 1) / 2;
  return Int8Array.from(a, (value, at) => {
    const [p, q] = [Math.floor(at / side) % side - middle, at % side - middle];
    const inside = p * p + q * q <= side * side / 4;
    return inside ? Math.max(-127, Math.min(127, value - b[at])) : 0;
  });
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

// turning/ring.js
var RING = 15;
var Ring = class {
  /** @param {(at: number) => void} onTurn */
  constructor(onTurn) {
    this.canvas = makeMap("The picture, rotated");
    this.canvas.className = "ring";
    this.picture = make("canvas");
    this.onTurn = onTurn;
    this.degrees = 0;
    this.held = void 0;
    this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
    this.canvas.addEventListener("pointermove", (event) => this.drag(event));
    for (const type of ["pointerup", "pointercancel"])
      this.canvas.addEventListener(type, () => this.held = void 0);
  }
  /** @param {PointerEvent} event */
  grab(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.held = this.angleAt(event) - this.degrees;
  }
  /** @param {PointerEvent} event */
  drag(event) {
    if (this.held !== void 0) this.onTurn(nearestAngle(this.angleAt(event) - this.held));
  }
  /** Degrees, anticlockwise from the right. @param {PointerEvent} event */
  angleAt(event) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - left - width / 2, event.clientY - top - height / 2];
    return Math.atan2(-y, x) * 180 / Math.PI;
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
    const drawDot = (degrees, size) => {
      const angle = -(degrees + 90) * Math.PI / 180;
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
};

// turning/row.js
var EXACT = 1e-4;
var Row = class {
  /** @param {import("./orbit.js").NetworkRow} row @param {number} number @param {() => void} onView called when another map is chosen */
  constructor(row, number, onView) {
    this.row = row;
    this.at = Math.max(0, row.views.findIndex(({ spread }) => spread > FLAT));
    const description = make("div", "network");
    this.error = make("b", "error");
    this.verdict = make("span", "verdict");
    this.prediction = make("div", "prediction");
    this.scale = makeScale();
    const name = make("div", `name line-${number}`);
    name.append(...renderName(row.title));
    description.append(name, this.makeButtons(onView), this.error, this.verdict, this.prediction, this.scale);
    this.maps = ["map", "map rotated back", "difference"].map((what) => makeMap(`${plainName(row.title)}: ${what}`));
    this.arrows = make("canvas", "arrows");
    this.arrows.setAttribute("aria-hidden", "true");
    const frames = this.maps.map((canvas, at) => {
      const frame = make("div", at ? "map disc" : "map");
      frame.append(canvas);
      return frame;
    });
    frames[0].append(this.arrows);
    this.cells = [description, ...frames];
  }
  get view() {
    return this.row.views[this.at];
  }
  /** Buttons to choose one of the row's maps, if there are several. @param {() => void} onView */
  makeButtons(onView) {
    const group = make("div", "choose");
    if (this.row.views.length < 2) return group;
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", `Which map of ${plainName(this.row.title)}`);
    const buttons = this.row.views.map(({ name, about }) => Object.assign(makeButton("", name), { title: about }));
    const mark = () => buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(at === this.at)));
    buttons.forEach((button, at) => button.addEventListener("click", () => {
      this.at = at;
      mark();
      onView();
    }));
    mark();
    group.append(...buttons);
    return group;
  }
  /** @param {Orbit} orbit */
  errors(orbit) {
    return orbit.arrays[this.view.error].values;
  }
  /** @param {Orbit} orbit @param {number} at @param {Look} look */
  show(orbit, at, look) {
    const { view } = this;
    const { arrays } = orbit;
    const size = arrays[view.heat].shape.slice(1);
    const back = sliceOf(arrays[view.back], at);
    this.arrows.hidden = !view.arrows;
    showScale(this.scale, view.low, view.high, look);
    this.scale.title = view.about;
    paintValues(this.maps[0], sliceOf(arrays[view.heat], at), size, look.map);
    paintValues(this.maps[1], back, size, look.map);
    paintValues(this.maps[2], subtractMaps(back, arrays[view.upright].values, size[1]), size, look.signed);
    if (view.arrows) {
      const arrows = arrays[view.arrows];
      paintArrows(this.arrows, sliceOf(arrows, at), arrows.shape[1], look.dark ? "#ff9d5c" : "#c2410c");
    }
    this.describe(orbit, at);
  }
  /** @param {Orbit} orbit @param {number} at */
  describe(orbit, at) {
    const error = this.errors(orbit)[at];
    this.error.textContent = formatError(error);
    const [words, kind] = verdictOf(orbit, at, error);
    this.verdict.textContent = words;
    this.verdict.className = `verdict ${kind}`;
    const [label, sure] = [orbit.arrays[this.row.says].values[at], orbit.arrays[this.row.sure].values[at]];
    this.prediction.textContent = `says ${orbit.classes[label]}, ${Math.round(100 * sure)} %`;
  }
};
function verdictOf(orbit, at, error) {
  if (at === 0 && !orbit.mirrored) return ["upright", ""];
  if (error < EXACT) return ["exact", "good"];
  return orbit.exact.includes(orbit.degrees[at]) ? ["not exact", "bad"] : ["in between", ""];
}

// turning/track.js
var [TRACK_HEIGHT, TRACK_TOP, THUMB] = [92, 8, 18];
var MIN_WIDTH = 240;
var STROKES = [
  ["var(--first)", ""],
  ["var(--second)", "7 5"]
];
var Track = class {
  /** @param {(at: number) => void} onTurn */
  constructor(onTurn) {
    this.root = make("div", "track");
    this.plot = make("div", "plot");
    this.slider = makeSlider({ min: 0, step: 1 });
    this.slider.setAttribute("aria-label", "Rotation of the picture");
    this.marks = make("div", "marks");
    this.axis = make("div", "axis");
    this.place = () => 0;
    this.root.append(this.axis, this.plot, this.slider, this.marks);
    this.slider.addEventListener("input", () => onTurn(Number(this.slider.value)));
  }
  /** Draws one curve for each row, at the measured width, so that letters keep their size. @param {Orbit} orbit @param {ArrayLike<number>[]} errors */
  draw(orbit, errors) {
    const width = Math.max(MIN_WIDTH, this.root.clientWidth);
    const count = orbit.degrees.length;
    const top = Math.max(0.1, ...errors.flatMap((error) => [...Array.from(error)]));
    const x = (at) => THUMB / 2 + at / count * (width - THUMB);
    const y = (value) => TRACK_TOP + (1 - value / top) * (TRACK_HEIGHT - TRACK_TOP - 4);
    const points = (error) => [...Array.from(error), error[0]].map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    const exact = [...orbit.exact, 360].map((degrees) => degrees / 360 * count);
    const curves = errors.map((error, row) => {
      const [colour, dash] = STROKES[row % 2];
      const look = `fill="none" stroke="${colour}" stroke-width="2.5" stroke-dasharray="${dash}"`;
      const dots = exact.map((at) => `<circle cx="${x(at)}" cy="${y(error[at % count])}" r="4" fill="${colour}"/>`);
      return `<polyline points="${points(error)}" ${look}/>${dots.join("")}`;
    });
    const lines = exact.map((at) => `<line x1="${x(at)}" x2="${x(at)}" y1="0" y2="${TRACK_HEIGHT}" class="exact"/>`);
    this.plot.innerHTML = `<svg width="${width}" height="${TRACK_HEIGHT}" role="img"
      aria-label="Relative error against the angle; the first row falls to 0 at 0, 90, 180 and 270 degrees">
      ${lines.join("")}${curves.join("")}<line class="now" y1="0" y2="${TRACK_HEIGHT}"/></svg>`;
    this.axis.textContent = `relative error [no unit], 0 to ${top.toFixed(2)}, against the angle [°]`;
    this.place = x;
    this.showMarks(orbit, (degrees) => x(degrees / 360 * count));
    this.slider.max = String(count);
  }
  /** @param {Orbit} orbit @param {Place} x */
  showMarks(orbit, x) {
    this.marks.replaceChildren(...[...orbit.exact, 360].map((degrees) => {
      const mark = make("span", "", `${degrees}°`);
      mark.style.left = `${x(degrees)}px`;
      return mark;
    }));
  }
  /** @param {Orbit} orbit @param {number} at */
  show(orbit, at) {
    const line = this.plot.querySelector(".now");
    for (const end of ["x1", "x2"]) line?.setAttribute(end, String(this.place(at)));
    if (Number(this.slider.value) % orbit.degrees.length !== at) this.slider.value = String(at);
    this.slider.setAttribute("aria-valuetext", `${orbit.degrees[at]} degrees anticlockwise`);
  }
};

// turning/view.js
var ANGLE_MS = 45;
var EXACT_MS = 1e3;
var AUTOPLAY_TURNS = 1.25;
var ANGLE_PAUSE_MS = 600;
var HEADS = ["", "map [no unit]", "rotated back", "minus the upright map"];
var TurningView = class {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = make("div", "turning");
    this.ring = new Ring((at) => this.turnTo(at));
    this.track = new Track((at) => this.turnTo(at));
    this.angle = make("output");
    this.table = make("div", "rows");
    this.play = makeButton("play");
    const [stage, left, bar] = [make("div", "stage"), make("div", "left"), make("div", "bar")];
    bar.append(this.play, this.angle);
    left.append(this.ring.canvas, bar);
    stage.append(left, this.table);
    this.root.append(stage, this.track.root);
    parent.append(this.root);
    this.rows = [];
    this.key = void 0;
    this.look = void 0;
    this.timer = void 0;
    this.answerTimer = void 0;
    this.answerAngle = (_) => {
    };
    this.onTurn = () => this.render();
    this.resized = new ResizeObserver(() => this.layOut());
    this.play.addEventListener("click", () => this.timer === void 0 ? this.start() : this.pause());
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    turning.listeners.add(this.onTurn);
    this.resized.observe(this.root);
    const state = () => ({ at: turning.at, key: this.key, playing: this.timer !== void 0 });
    Object.assign(this.root, { __turning: { state } });
  }
  /** The angle is kept when the picture or the element is replaced. @param {Uint8Array} data */
  update(data) {
    const look = readLook(this.root);
    const isThemed = this.look?.dark !== look.dark;
    this.look = look;
    if (this.key !== readKey(data)) this.showOrbit(readOrbit(data));
    else if (isThemed) this.layOut();
  }
  /** @param {Orbit} orbit */
  showOrbit(orbit) {
    const isFirst = turning.current === void 0;
    this.key = orbit.key;
    turning.current = orbit;
    if (isFirst) turning.at = nearestAngle(orbit.start);
    this.rows = orbit.rows.map((row, number) => new Row(row, number, () => this.layOut()));
    const heads = HEADS.map((words) => make("div", "head", words));
    this.table.replaceChildren(...heads, ...this.rows.flatMap((row) => row.cells));
    this.layOut();
    notify();
    if (isFirst && orbit.autoplay && !prefersStillness()) this.start(Math.round(AUTOPLAY_TURNS * orbit.degrees.length));
  }
  layOut() {
    const orbit = turning.current;
    if (!orbit || !this.root.clientWidth) return;
    this.track.draw(orbit, this.rows.map((row) => row.errors(orbit)));
    this.render();
  }
  render() {
    const { current: orbit, at } = turning;
    const { look } = this;
    if (!orbit || !look) return;
    this.ring.show(orbit, at, look);
    this.track.show(orbit, at);
    for (const row of this.rows) row.show(orbit, at, look);
    this.angle.textContent = `${orbit.mirrored ? "⇋ " : ""}${orbit.degrees[at]}°`;
    this.root.dataset.at = String(at);
    this.showPlaying();
  }
  /** @param {number} at */
  turnTo(at) {
    this.pause();
    showAngle(at);
    clearTimeout(this.answerTimer);
    this.answerTimer = setTimeout(() => {
      if (turning.current) this.answerAngle(turning.current.degrees[turning.at]);
    }, ANGLE_PAUSE_MS);
  }
  /** Rotates automatically, with a pause where everything is exact, for a number of angles. @param {number} [angles] */
  start(angles = Infinity) {
    const { current: orbit, at } = turning;
    if (!orbit) return;
    this.timer = setTimeout(() => {
      showAngle(turning.at + 1);
      if (angles > 1) this.start(angles - 1);
      else this.pause();
    }, orbit.exact.includes(orbit.degrees[at]) ? EXACT_MS : ANGLE_MS);
    this.showPlaying();
  }
  pause() {
    clearTimeout(this.timer);
    this.timer = void 0;
    this.showPlaying();
  }
  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key !== " " || event.target === this.play) return;
    event.preventDefault();
    this.play.click();
  }
  showPlaying() {
    if (this.timer === void 0) showIcon(this.play, "play", "Rotate");
    else showIcon(this.play, "pause", "Pause the rotation");
  }
  remove() {
    this.pause();
    clearTimeout(this.answerTimer);
    turning.listeners.delete(this.onTurn);
    this.resized.disconnect();
    this.root.remove();
  }
};

// turning/index.js
var turning_default = defineComponent(
  (parent) => {
    const view = new TurningView(parent);
    addFigureButton(view.root, "Maps of two networks for a rotated picture", () => tabulateAngles(turning.current));
    return view;
  },
  (view, { data, setStateValue }) => {
    view.answerAngle = (degrees) => setStateValue("angle", degrees);
    view.update(data);
  },
  (view) => view.remove()
);
export {
  turning_default as default
};
