// Images of bytes on canvases.

import { contextOf, resizeCanvas } from "./dom.js";

/** @typedef {[height: number, width: number, channels: number]} ImageShape */

/**
 * The image [h w c] that starts at a position of the bytes.
 * @param {ArrayLike<number>} bytes
 * @param {number} start
 * @param {ImageShape} shape
 */
export function toImageData(bytes, start, [height, width, channels]) {
  const image = new ImageData(width, height);
  const out = image.data;
  const [green, blue] = channels === 3 ? [1, 2] : [0, 0];
  for (let to = 0, from = start; to < out.length; to += 4, from += channels) {
    out[to] = bytes[from];
    out[to + 1] = bytes[from + green];
    out[to + 2] = bytes[from + blue];
    out[to + 3] = 255;
  }
  return image;
}

/** The canvas gets the size of the image; the page enlarges it. @param {HTMLCanvasElement} canvas @param {ImageData} image */
export function showImage(canvas, image) {
  resizeCanvas(canvas, image.width, image.height);
  contextOf(canvas).putImageData(image, 0, 0);
}
