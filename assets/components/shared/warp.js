// Images warped by a τ: one onto another, or all onto the first of their group.

/** @typedef {ArrayLike<number>} Numbers */
/** @typedef {import("./frame_store.js").Frame} Frame */
/** @typedef {[height: number, width: number, channels: number]} ImageShape */

const NEAREST_HORIZON = 0.05; // as in the engine: points behind the horizon are outside the canvas

/** The nine numbers of τ_ij, which warps v_i onto v_j. @param {Frame} frame @param {number} i @param {number} j */
export function matrixOf(frame, i, j) {
  const at = 9 * (i * frame.n + j);
  return /** @type {Float32Array} */ (frame.matrices).subarray(at, at + 9);
}

/**
 * [v∘τ](p, q) = v(τ(p, q)), bilinear, 0 outside; p, q: row, column from the centre [px].
 * @param {Numbers} v
 * @param {ImageShape} shape
 * @param {Numbers} M
 * @param {{ [at: number]: number }} out
 * @param {[rows: number, columns: number]} [size] of `out`: if smaller, evenly spaced points are read
 */
export function warp(v, [height, width, channels], M, out, [rows, columns] = [height, width]) {
  const cp = (height - 1) / 2;
  const cq = (width - 1) / 2;
  const [down, right] = [height / rows, width / columns];
  for (let to = 0, row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++, to += channels) {
      const p = (row + 0.5) * down - 0.5 - cp;
      const q = (column + 0.5) * right - 0.5 - cq;
      const depth = Math.max(NEAREST_HORIZON, M[6] * p + M[7] * q + M[8]);
      const y = (M[0] * p + M[1] * q + M[2]) / depth + cp;
      const x = (M[3] * p + M[4] * q + M[5]) / depth + cq;
      if (y <= -1 || x <= -1 || y >= height || x >= width) continue;
      for (let c = 0; c < channels; c++) out[to + c] = readBetween(v, [height, width, channels], y, x, c);
    }
}

/**
 * Channel c at row y, column x, interpolated between the four pixels around it.
 * @param {Numbers} v
 * @param {ImageShape} shape
 * @param {number} y
 * @param {number} x
 * @param {number} c
 */
function readBetween(v, [height, width, channels], y, x, c) {
  const top = Math.floor(y);
  const left = Math.floor(x);
  const at = (top * width + left) * channels + c;
  const next = at + width * channels;
  const hasLeft = left >= 0;
  const hasRight = left + 1 < width;
  const upperLeft = top >= 0 && hasLeft ? v[at] : 0;
  const upperRight = top >= 0 && hasRight ? v[at + channels] : 0;
  const lowerLeft = top + 1 < height && hasLeft ? v[next] : 0;
  const lowerRight = top + 1 < height && hasRight ? v[next + channels] : 0;
  const upper = upperLeft + (x - left) * (upperRight - upperLeft);
  const lower = lowerLeft + (x - left) * (lowerRight - lowerLeft);
  return upper + (y - top) * (lower - upper);
}

/**
 * For every image, the first image of its group; undefined if images cannot be warped onto others.
 * @param {Frame} frame
 * @param {Numbers} labels
 * @returns {number[] | undefined}
 */
export function firstOfGroups(frame, labels) {
  const groups = labels.length === frame.n ? labels : frame.assignments;
  if (!frame.matrices || !groups) return undefined;
  /** @type {Map<number, number>} */
  const first = new Map();
  Array.from(groups, (group, i) => first.has(group) || first.set(group, i));
  return Array.from(groups, (group) => first.get(group) ?? 0);
}

/**
 * All images, warped part of the way towards their targets: v_i∘τ_ir, in `rows` × `columns` pixels.
 * @param {Frame} frame
 * @param {number[]} targets
 * @param {(i: number) => number} partOf the part of the way of image i
 * @param {[rows: number, columns: number]} size
 */
export function warpImages(frame, targets, partOf, [rows, columns]) {
  const images = /** @type {Uint8Array} */ (frame.images);
  const [height, width, channels] = frame.shapes.images.slice(1);
  const size = height * width * channels;
  const outSize = rows * columns * channels;
  const warped = new Uint8ClampedArray(frame.n * outSize);
  targets.forEach((target, i) => {
    const image = images.subarray(i * size, (i + 1) * size);
    const out = warped.subarray(i * outSize, (i + 1) * outSize);
    warp(image, [height, width, channels], partialMatrix(matrixOf(frame, i, target), partOf(i)), out, [rows, columns]);
  });
  return warped;
}

/**
 * Interpolates between the identity (part 0) and M (part 1). The rotation is interpolated by its angle, so that
 * images do not shrink.
 * @param {Numbers} M
 * @param {number} part
 * @returns {Numbers}
 */
export function partialMatrix(M, part) {
  if (part === 1) return M;
  const angle = Math.atan2(M[3] - M[1], M[0] + M[4]);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const mix = (/** @type {number} */ from, /** @type {number} */ to) => from + part * (to - from);
  const [a, b] = [mix(1, cos * M[0] + sin * M[3]), mix(0, cos * M[1] + sin * M[4])];
  const [c, d] = [mix(0, cos * M[3] - sin * M[0]), mix(1, cos * M[4] - sin * M[1])];
  const [turnCos, turnSin] = [Math.cos(part * angle), Math.sin(part * angle)];
  return [
    ...[turnCos * a - turnSin * c, turnCos * b - turnSin * d, part * M[2]],
    ...[turnSin * a + turnCos * c, turnSin * b + turnCos * d, part * M[5]],
    ...[part * M[6], part * M[7], mix(1, M[8])],
  ];
}
