// A pair of images: v_i, v_j, and v_i∘τ over v_j.

import { COLUMN_COLOUR, ROW_COLOUR } from "../shared/colours.js";
import { toImageData } from "../shared/pixels.js";
import { matrixOf, warp } from "../shared/warp.js";

/** @typedef {import("../shared/frame_store.js").Frame} Frame */

/** @param {Frame} frame @param {number} i */
function pixelsOf(frame, i) {
  const [height, width, channels] = frame.shapes.images.slice(1);
  const size = height * width * channels;
  return /** @type {Uint8Array} */ (frame.images).subarray(i * size, (i + 1) * size);
}

/** @param {Frame} frame @param {number} i */
function luminances(frame, i) {
  const [, height, width, channels] = frame.shapes.images;
  const pixels = pixelsOf(frame, i);
  if (channels === 1) return Float32Array.from(pixels);
  return Float32Array.from({ length: height * width }, (_, at) => {
    const [r, g, b] = pixels.subarray(3 * at, 3 * at + 3);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  });
}

/** v_i in orange and v_j in blue; where both are bright, the sum is white. @param {Frame} frame @param {number} i @param {number} j */
export function overlayPair(frame, i, j) {
  const [, height, width] = frame.shapes.images;
  const own = luminances(frame, i);
  const a = new Float32Array(own.length);
  if (frame.matrices) warp(own, [height, width, 1], matrixOf(frame, i, j), a);
  else a.set(own);
  const b = luminances(frame, j);
  const image = new ImageData(width, height);
  a.forEach((value, at) => {
    for (let c = 0; c < 3; c++)
      image.data[4 * at + c] = (value * ROW_COLOUR[c] + b[at] * COLUMN_COLOUR[c]) / 255;
    image.data[4 * at + 3] = 255;
  });
  return image;
}

/** @param {Frame} frame @param {number} i */
export function imageOf(frame, i) {
  const [height, width, channels] = frame.shapes.images.slice(1);
  return toImageData(pixelsOf(frame, i), 0, [height, width, channels]);
}
