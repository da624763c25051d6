// The preview of means: shifted copies of one image have that image as their mean.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.window = globalThis; // where the stores of the page are
const { canPreview, previewMeans } = await import("./preview.js");

const SIDE = 5;

/** An image with one bright pixel. */
function dotAt(row, column) {
  const image = new Uint8Array(SIDE * SIDE);
  image[row * SIDE + column] = 200;
  return image;
}

function frameOf(images, matrices) {
  const n = images.length;
  return { n, images: Uint8Array.from(images.flatMap((image) => [...image])), matrices, shapes: { images: [n, SIDE, SIDE, 1] } };
}

/** τ(p, q) = (p, q) + (down, right) */
function shift(down, right) {
  return [1, 0, down, 0, 1, right, 0, 0, 1];
}

test("aligned images have a sharp preview, in the pose of the image that is replaced", () => {
  const images = [dotAt(2, 1), dotAt(2, 3)];
  const matrices = Float32Array.from([...shift(0, 0), ...shift(0, -2), ...shift(0, 2), ...shift(0, 0)]);
  const means = previewMeans(frameOf(images, matrices), [0.5, 0.5, 0.5, 0.5]);
  assert.deepEqual([...means.subarray(0, 25)], [...images[0]]);
  assert.deepEqual([...means.subarray(25)], [...images[1]]);
});

test("without poses, the preview is the weighted sum of the pixels", () => {
  const means = previewMeans(frameOf([dotAt(0, 0), dotAt(4, 4)]), [0.75, 0, 0.25, 1]);
  assert.deepEqual([means[0], means[24]], [150, 50]);
  assert.deepEqual([means[25], means[49]], [0, 200]);
});

test("the scale of a pose keeps the norm: halving the size of pixels doubles the values", () => {
  const frame = frameOf([new Uint8Array(25).fill(40), new Uint8Array(25).fill(40)]);
  frame.matrices = Float32Array.from([...shift(0, 0), 2, 0, 0, 0, 2, 0, 0, 0, 1, ...shift(0, 0), ...shift(0, 0)]);
  const centre = previewMeans(frame, [0, 1, 1, 0])[25 + 12];
  assert.equal(centre, 80);
});

test("large sets have no preview", () => {
  assert.equal(canPreview({ images: new Uint8Array(), shapes: { images: [60, 28, 28, 1] }, n: 60 }), true);
  assert.equal(canPreview({ images: new Uint8Array(), shapes: { images: [200, 64, 64, 1] }, n: 200 }), false);
  assert.equal(canPreview({ shapes: {}, n: 10 }), false);
});
