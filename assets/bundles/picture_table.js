// shared/arrays.js
var TYPES = { F32: Float32Array, I32: Int32Array, I8: Int8Array, U8: Uint8Array };
var LENGTH_BYTES = 8;
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
function contextOf(canvas, settings) {
  return (
    /** @type {CanvasRenderingContext2D} */
    canvas.getContext("2d", settings)
  );
}
function resizeCanvas(canvas, width, height) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
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
function showImage(canvas, image) {
  resizeCanvas(canvas, image.width, image.height);
  contextOf(canvas).putImageData(image, 0, 0);
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

// picture_table/index.js
var MAX_FEW_COLUMNS = 3;
var PictureTable = class {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.frame = make("div", "frame");
    this.root = make("div", "table");
    this.stop = shareHighlights(this.root);
    this.bytes = void 0;
    this.send = (_) => {
    };
    this.frame.append(this.root);
    parent.append(this.frame);
  }
  /** @param {Uint8Array} data */
  update(data) {
    if (sameBytes(this.bytes, data)) return;
    this.bytes = data.slice();
    const { metadata, arrays } = readArrays(this.bytes);
    this.fill(
      /** @type {TableHeader} */
      metadata,
      arrays.pixels
    );
  }
  /** @param {TableHeader} header @param {ShapedArray} pixels [n h w c] */
  fill(header, pixels) {
    const { columns, heads, sides, size } = header;
    const { root } = this;
    root.style.setProperty("--columns", String(columns));
    root.style.setProperty("--size", `${size}px`);
    root.classList.toggle("sided", sides.length > 0);
    root.classList.toggle("few", columns <= MAX_FEW_COLUMNS);
    const parts = heads.map((words) => make("span", "head", words));
    if (heads.length && sides.length) parts.unshift(make("span"));
    const cells = [];
    for (let at = 0; at < pixels.shape[0]; at++) {
      if (sides.length && at % columns === 0) cells.push(make("span", "side", sides[at / columns] ?? ""));
      cells.push(this.makeCell(header, pixels, at));
    }
    root.replaceChildren(...parts, ...cells);
  }
  /** @param {TableHeader} header @param {ShapedArray} pixels @param {number} at */
  makeCell({ captions, about, marked, terms, picks, key }, { values, shape }, at) {
    const [h, w, c] = shape.slice(1);
    const pick = picks[at] ?? null;
    const cell = pick === null ? make("div", "cell") : makeButton("cell");
    const canvas = make("canvas");
    showImage(canvas, toImageData(values, at * h * w * c, [h, w, c]));
    cell.append(canvas);
    if (captions[at]) cell.append(make("span", "", captions[at]));
    if (marked.includes(at)) cell.classList.add("marked");
    if (terms[at]) cell.dataset.term = terms[at];
    const label = about[at] ?? "";
    cell.title = label;
    if (pick === null) canvas.setAttribute("role", "img");
    (pick === null ? canvas : cell).setAttribute("aria-label", label);
    if (pick !== null) cell.addEventListener("click", () => this.send([pick, key]));
    return cell;
  }
  remove() {
    this.stop();
    this.frame.remove();
  }
};
function sameBytes(a, b) {
  return a?.length === b.length && a.every((byte, at) => byte === b[at]);
}
var picture_table_default = defineComponent(
  (parent) => new PictureTable(parent),
  (table, { data, setStateValue }) => {
    table.send = (value) => setStateValue("picked", value);
    if (data) table.update(data);
  },
  (table) => table.remove()
);
export {
  picture_table_default as default
};
