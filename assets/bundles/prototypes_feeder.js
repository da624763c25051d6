// shared/streamlit.js
function defineFeeder(store2) {
  const releases = /* @__PURE__ */ new WeakMap();
  return ({ data, parentElement }) => {
    const release = data ? store2(data) : void 0;
    const previous = releases.get(parentElement);
    releases.set(parentElement, release);
    previous?.();
    return () => {
      if (releases.get(parentElement) !== release) return;
      releases.delete(parentElement);
      release?.();
    };
  };
}

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

// prototypes/store.js
var page = (
  /** @type {{ __iaClusters?: ClusterStore }} */
  /** @type {unknown} */
  window
);
var store = page.__iaClusters ??= { runs: /* @__PURE__ */ new Map(), listeners: /* @__PURE__ */ new Set(), memory: /* @__PURE__ */ new Map() };
function storePictures(data) {
  const { metadata, arrays } = readArrays(data.slice());
  const { run, first } = metadata;
  const [count, k, h, w, c] = arrays.pixels.shape;
  const piece = { count, k, h, w, c, pixels: arrays.pixels.values };
  const pieces = store.runs.get(run) ?? /* @__PURE__ */ new Map();
  store.runs.set(run, pieces.set(first, piece));
  for (const listener of store.listeners) listener(run);
  return () => {
    const current = store.runs.get(run);
    if (current?.get(first) !== piece) return;
    current.delete(first);
    if (!current.size) store.runs.delete(run);
  };
}

// prototypes/feeder.js
var feeder_default = defineFeeder(storePictures);
export {
  feeder_default as default
};
