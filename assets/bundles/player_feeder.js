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

// shared/frame_store.js
var page = (
  /** @type {{ __ia?: Store }} */
  /** @type {unknown} */
  window
);
var store = page.__ia ??= { frames: /* @__PURE__ */ new Map(), listeners: /* @__PURE__ */ new Set(), memory: /* @__PURE__ */ new Map(), count: 0 };
function readFrame(bytes) {
  const { metadata, arrays } = readArrays(bytes);
  const frame = { id: ++store.count, k: metadata.k, shapes: {}, bytes };
  for (const [name, { values, shape }] of Object.entries(arrays)) {
    frame[name] = values;
    frame.shapes[name] = shape;
  }
  frame.n = frame.shapes.d2[0];
  frame.pending = Number.isNaN(frame.d2[0]);
  frame.x ??= frame.d2;
  return { run: metadata.run, frame: (
    /** @type {Frame} */
    frame
  ) };
}
function sameBytes(a, b) {
  if (a.length !== b.length) return false;
  const words = Math.floor(a.length / 4);
  const [left, right] = [a, b].map(({ buffer, byteOffset }) => new Uint32Array(buffer, byteOffset, words));
  for (let at = 0; at < words; at++) if (left[at] !== right[at]) return false;
  for (let at = 4 * words; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
function storeFrame(bytes) {
  const { run, frame } = readFrame(bytes.slice());
  const frames = store.frames.get(run) ?? /* @__PURE__ */ new Map();
  store.frames.set(run, frames);
  const known = frames.get(frame.k);
  const stored = known && sameBytes(known.bytes, frame.bytes) ? known : frame;
  frames.set(stored.k, stored);
  stored.holders = (stored.holders ?? 0) + 1;
  if (stored !== known) notify(run);
  return () => releaseFrame(run, stored);
}
function releaseFrame(run, frame) {
  frame.holders = (frame.holders ?? 0) - 1;
  const frames = store.frames.get(run);
  if (frame.holders > 0 || frames?.get(frame.k) !== frame) return;
  frames.delete(frame.k);
  if (!frames.size) store.frames.delete(run);
  notify(run);
}
function notify(run) {
  for (const listener of store.listeners) listener(run);
}

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

// player/advice.js
function storeAdvice(sent) {
  const name = nameOf(sent.key);
  store.memory.set(name, sent);
  notify2(sent.key);
  return () => {
    if (store.memory.get(name) !== sent) return;
    store.memory.delete(name);
    notify2(sent.key);
  };
}
var nameOf = (key) => `${key}: advice`;
function notify2(key) {
  for (const listener of store.listeners) listener(key);
}

// player/feeder.js
var feeder_default = defineFeeder((data) => data instanceof Uint8Array ? storeFrame(data) : storeAdvice(data));
export {
  feeder_default as default
};
