// Keeps the pictures of runs for the films on this page: run -> (first picture's number -> piece).
// A piece is {count, k, h, w, c, pixels}; the newest picture of a run has the number -1.

const store = (window.__iaClusters ??= { runs: new Map(), listeners: new Set(), memory: new Map() });
export default function feed({ data, parentElement }) {
  const [run, first, piece] = data ? unpack(data) : [];
  if (piece) keep(run, first, piece);
  return lease(parentElement, () => piece && drop(run, first, piece));
}

function unpack(data) {
  const length = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
  const { run, first, shape } = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
  const [count, k, h, w, c] = shape;
  const pixels = data.slice(4 + length, 4 + length + count * k * h * w * c);
  return [run, first, { count, k, h, w, c, pixels }];
}

function keep(run, first, piece) {
  if (!store.runs.has(run)) store.runs.set(run, new Map());
  store.runs.get(run).set(first, piece);
  for (const listener of store.listeners) listener(run);
}

function drop(run, first, piece) {
  const pieces = store.runs.get(run);
  if (pieces?.get(first) !== piece) return;
  pieces.delete(first);
  if (!pieces.size) store.runs.delete(run);
}
