// A preview of the means of iteration 1 for a new β, shown until the exact means arrive: the images of
// the data in the poses of the pairs, which the exact means refine.

import { matrixOf, warp } from "../shared/warp.js";

/** @typedef {ArrayLike<number>} Numbers */
/** @typedef {import("../shared/frame_store.js").Frame} Frame */

const MAX_READS = 6e6; // pixels read for one preview: about a tenth of a second
const MIN_SHARE = 1e-3; // weights below this share of 1/n are omitted

/** True if a preview of the means of these images takes no noticeable time. @param {Frame} frame */
export function canPreview({ images, shapes, n }) {
  if (!images) return false;
  const [, height, width, channels] = shapes.images;
  return n * n * height * width * channels <= MAX_READS;
}

/**
 * v_j ← Σ_i W_ij U(τ_ij) v_i with U(τ)v = |det Dτ|^(1/2) v∘τ; without poses, v_j ← Σ_i W_ij v_i.
 * @param {Frame} frame
 * @param {Numbers} W
 * @returns {Uint8ClampedArray}
 */
export function previewMeans(frame, W) {
  const { n } = frame;
  const images = /** @type {Uint8Array} */ (frame.images);
  const [height, width, channels] = frame.shapes.images.slice(1);
  const size = height * width * channels;
  const means = new Uint8ClampedArray(n * size);
  const [sum, warped] = [new Float32Array(size), new Float32Array(size)];
  for (let j = 0; j < n; j++) {
    sum.fill(0);
    for (let i = 0; i < n; i++) {
      const weight = W[i * n + j];
      if (weight * n < MIN_SHARE) continue;
      const image = images.subarray(i * size, (i + 1) * size);
      if (!frame.matrices || i === j) {
        for (let at = 0; at < size; at++) sum[at] += weight * image[at];
        continue;
      }
      const M = matrixOf(frame, i, j);
      const factor = weight * Math.sqrt(Math.abs(M[0] * M[4] - M[1] * M[3]));
      warped.fill(0);
      warp(image, [height, width, channels], M, warped);
      for (let at = 0; at < size; at++) sum[at] += factor * warped[at];
    }
    means.set(sum, j * size);
  }
  return means;
}
