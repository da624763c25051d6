// shared/packed.js
var TYPES = { f4: Float32Array, i4: Int32Array, i2: Int16Array, u1: Uint8Array, i1: Int8Array };
function readHeader(buffer, at) {
  const { header, textEnd } = readJson(buffer, at);
  return { header, end: at + Math.ceil((textEnd - at) / 8) * 8 };
}
function readJson(buffer, at) {
  const length = new DataView(buffer).getUint32(at, true);
  const text = new TextDecoder().decode(new Uint8Array(buffer, at + 4, length));
  return { header: JSON.parse(text), textEnd: at + 4 + length };
}
function readArray(buffer, start, { dtype, shape, offset }) {
  return new TYPES[dtype](buffer, start + offset, sizeOf(shape));
}
function sizeOf(shape) {
  return shape.reduce((product, size) => product * size, 1);
}

// shared/frames.js
var page = (
  /** @type {{ __ia?: Store }} */
  /** @type {unknown} */
  window
);
var store = page.__ia ??= { frames: /* @__PURE__ */ new Map(), listeners: /* @__PURE__ */ new Set(), memory: /* @__PURE__ */ new Map(), count: 0 };
function unpackFrame(buffer, at) {
  const { header, end } = readHeader(buffer, at);
  const frame = { id: ++store.count, k: header.k, shapes: {} };
  for (const entry of header.arrays) {
    frame[entry.name] = readArray(buffer, end, entry);
    frame.shapes[entry.name] = entry.shape;
  }
  frame.n = frame.shapes.d2[0];
  frame.pending = Number.isNaN(frame.d2[0]);
  frame.x ??= frame.d2;
  return (
    /** @type {Frame} */
    frame
  );
}
function sameBytes(a, b) {
  if (a.length !== b.length) return false;
  const [left, right] = [new Uint32Array(a.buffer), new Uint32Array(b.buffer)];
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false;
  return true;
}
function storeFrame(bytes) {
  const copy = bytes.slice();
  const { header, end } = readHeader(copy.buffer, 0);
  const frame = Object.assign(unpackFrame(copy.buffer, end), { bytes: copy });
  const frames = store.frames.get(header.run) ?? /* @__PURE__ */ new Map();
  store.frames.set(header.run, frames);
  const known = frames.get(frame.k);
  const stored = known && sameBytes(known.bytes, copy) ? known : frame;
  frames.set(stored.k, stored);
  stored.holders = (stored.holders ?? 0) + 1;
  if (stored !== known) notify(header.run);
  return () => releaseFrame(header.run, stored);
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

// player/feeder.js
var feeder_default = defineFeeder(storeFrame);
export {
  feeder_default as default
};
