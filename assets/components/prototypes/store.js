// The pictures of clustering runs, stored once on the window for the bundles of the animation and its feeder.

import { readArrays } from "../shared/arrays.js";

/** @typedef {{ count: number, k: number, h: number, w: number, c: number, pixels: import("../shared/arrays.js").Values }} Piece consecutive pictures of a run */
/** @typedef {{ piece: Piece, start: number }} Picture where a picture starts in the pixels of a piece */
/**
 * @typedef {object} ClusterStore
 * @property {Map<string, Map<number, Piece>>} runs pieces by run and first picture; the newest picture has the number -1
 * @property {Set<(run: string) => void>} listeners
 * @property {Map<string, any>} memory the state of an animation while it is not on the page, by key
 */

const page = /** @type {{ __iaClusters?: ClusterStore }} */ (/** @type {unknown} */ (window));

/** @type {ClusterStore} */
export const store = (page.__iaClusters ??= { runs: new Map(), listeners: new Set(), memory: new Map() });

/** Stores a piece until the returned function is called. @param {Uint8Array} data */
export function storePictures(data) {
  const { metadata, arrays } = readArrays(data.slice());
  const { run, first } = metadata;
  const [count, k, h, w, c] = arrays.pixels.shape;
  const piece = { count, k, h, w, c, pixels: arrays.pixels.values };
  const pieces = store.runs.get(run) ?? new Map();
  store.runs.set(run, pieces.set(first, piece));
  for (const listener of store.listeners) listener(run);
  return () => {
    const current = store.runs.get(run);
    if (current?.get(first) !== piece) return;
    current.delete(first);
    if (!current.size) store.runs.delete(run);
  };
}

/** The picture of a step, or the newest one. @param {string} run @param {number} at @param {number} last @returns {Picture | undefined} */
export function findPicture(run, at, last) {
  const pieces = store.runs.get(run);
  if (!pieces) return undefined;
  const newest = pieces.get(-1);
  if (at >= last && newest) return { piece: newest, start: 0 };
  for (const [first, piece] of pieces) {
    if (first < 0 || at < first || at >= first + piece.count) continue;
    return { piece, start: (at - first) * piece.k * piece.h * piece.w * piece.c };
  }
  return newest && { piece: newest, start: 0 };
}
