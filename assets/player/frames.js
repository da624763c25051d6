// The frames of every run on this page, kept once however many players show them.
// A frame is one step of a run: {id, k, n, d2, x, images?, points?, matrices?, assignments?}.

const store = (window.__ia ??= {
  frames: new Map(), // run -> Map(k -> frame)
  listeners: new Set(), // called with the run whose frames changed
  memory: new Map(), // player's key -> what it remembers while it is not on the page
  count: 0,
});

const ARRAYS = { f4: Float32Array, i4: Int32Array, u1: Uint8Array };

// uint32 length | JSON | zeros up to a multiple of 8: returns the JSON and where the rest begins.
function readHeader(buffer, at) {
  const length = new DataView(buffer).getUint32(at, true);
  const text = new TextDecoder().decode(new Uint8Array(buffer, at + 4, length));
  return { header: JSON.parse(text), end: at + Math.ceil((4 + length) / 8) * 8 };
}

function unpackFrame(buffer, at) {
  const { header, end } = readHeader(buffer, at);
  const frame = { id: ++store.count, k: header.k, n: 0, shapes: {} };
  for (const { name, dtype, shape, offset } of header.arrays) {
    const count = shape.reduce((product, size) => product * size, 1);
    frame[name] = new ARRAYS[dtype](buffer, end + offset, count);
    frame.shapes[name] = shape;
  }
  frame.n = frame.shapes.d2[0];
  frame.pending = Number.isNaN(frame.d2[0]); // means whose distances are still to come
  frame.x ??= frame.d2; // what β punishes
  return frame;
}

// Word by word: frames of some megabytes come by on every rerun.
function sameBytes(a, b) {
  if (a.length !== b.length) return false;
  const [left, right] = [new Uint32Array(a.buffer), new Uint32Array(b.buffer)];
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false;
  return true;
}

// Keeps a frame until the returned function is called; the same bytes again change nothing.
function keepFrame(bytes) {
  const copy = bytes.slice(); // aligned, and free of the message it came in
  const { header, end } = readHeader(copy.buffer, 0);
  const frame = Object.assign(unpackFrame(copy.buffer, end), { bytes: copy });
  const frames = store.frames.get(header.run) ?? new Map();
  store.frames.set(header.run, frames);
  const known = frames.get(frame.k);
  const kept = known && sameBytes(known.bytes, copy) ? known : frame;
  frames.set(kept.k, kept);
  kept.holders = (kept.holders ?? 0) + 1;
  if (kept !== known) announce(header.run);
  return () => dropFrame(header.run, kept);
}

function dropFrame(run, frame) {
  frame.holders -= 1;
  const frames = store.frames.get(run);
  if (frame.holders > 0 || frames?.get(frame.k) !== frame) return;
  frames.delete(frame.k);
  if (!frames.size) store.frames.delete(run);
  announce(run);
}

function announce(run) {
  for (const listener of store.listeners) listener(run);
}

// The frames 0, 1, 2, ... of a run, up to the first that has not come.
function framesOf(run) {
  const frames = store.frames.get(run) ?? new Map();
  const inOrder = [];
  while (frames.get(inOrder.length)?.n) inOrder.push(frames.get(inOrder.length));
  return inOrder;
}
