// The frames of every run on this page. They are stored once, on the window, however many components
// show them: each component has its own bundle.

import { readArrays } from "./arrays.js";

/**
 * @typedef {object} Frame one step of a run
 * @property {number} id
 * @property {number} k
 * @property {number} n
 * @property {boolean} pending true for means whose distances are not known yet
 * @property {Record<string, number[]>} shapes
 * @property {Float32Array} d2
 * @property {Float32Array} x the kernel is exp(-β x)
 * @property {Uint8Array} [images] [n h w c]
 * @property {Float32Array} [points] [n 2]
 * @property {Float32Array} [matrices] [n n 9]
 * @property {Int32Array} [assignments] [n]
 * @property {Uint8Array} bytes of all arrays
 * @property {number} [holders] number of elements that have stored it
 */
/**
 * @typedef {object} Store
 * @property {Map<string, Map<number, Frame>>} frames by run and step
 * @property {Set<(run: string) => void>} listeners called with the run whose frames have changed
 * @property {Map<string, any>} memory the state of a component while it is not on the page, by key
 * @property {Map<string, Map<number, any>>} [summaries] numbers of the steps of a run
 * @property {number} count
 */

const page = /** @type {{ __ia?: Store }} */ (/** @type {unknown} */ (window));

/** @type {Store} */
export const store = (page.__ia ??= { frames: new Map(), listeners: new Set(), memory: new Map(), count: 0 });

/** The run and its frame in these bytes. @param {Uint8Array} bytes */
function readFrame(bytes) {
  const { metadata, arrays } = readArrays(bytes);
  /** @type {Record<string, any>} */
  const frame = { id: ++store.count, k: metadata.k, shapes: {}, bytes };
  for (const [name, { values, shape }] of Object.entries(arrays)) {
    frame[name] = values;
    frame.shapes[name] = shape;
  }
  frame.n = frame.shapes.d2[0];
  frame.pending = Number.isNaN(frame.d2[0]);
  frame.x ??= frame.d2;
  return { run: metadata.run, frame: /** @type {Frame} */ (frame) };
}

/** Compared by words, since frames of megabytes arrive again on every rerun. @param {Uint8Array} a @param {Uint8Array} b */
function sameBytes(a, b) {
  if (a.length !== b.length) return false;
  const words = Math.floor(a.length / 4);
  const [left, right] = [a, b].map(({ buffer, byteOffset }) => new Uint32Array(buffer, byteOffset, words));
  for (let at = 0; at < words; at++) if (left[at] !== right[at]) return false;
  for (let at = 4 * words; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/**
 * Stores a frame until the returned function is called; storing the same bytes again changes nothing.
 * @param {Uint8Array} bytes
 */
export function storeFrame(bytes) {
  const { run, frame } = readFrame(bytes.slice()); // aligned, and independent of the message that contains it
  const frames = store.frames.get(run) ?? new Map();
  store.frames.set(run, frames);
  const known = frames.get(frame.k);
  const stored = known && sameBytes(known.bytes, frame.bytes) ? known : frame;
  frames.set(stored.k, stored);
  stored.holders = (stored.holders ?? 0) + 1;
  if (stored !== known) notify(run);
  return () => releaseFrame(run, stored);
}

/** @param {string} run @param {Frame} frame */
function releaseFrame(run, frame) {
  frame.holders = (frame.holders ?? 0) - 1;
  const frames = store.frames.get(run);
  if (frame.holders > 0 || frames?.get(frame.k) !== frame) return;
  frames.delete(frame.k);
  if (!frames.size) store.frames.delete(run);
  notify(run);
}

/** @param {string} run */
function notify(run) {
  for (const listener of store.listeners) listener(run);
}

/** The frames 0, 1, 2, ... of a run, up to the first that is missing. @param {string} run @returns {Frame[]} */
export function framesOf(run) {
  const frames = store.frames.get(run) ?? new Map();
  const inOrder = [];
  while (frames.get(inOrder.length)?.n) inOrder.push(frames.get(inOrder.length));
  return inOrder;
}
