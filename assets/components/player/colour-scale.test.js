// The end of the colour scale belongs to the frames, the values of β and the kernels on the screen.

import assert from "node:assert/strict";
import { test } from "node:test";
import { roundUp } from "../shared/weights.js";
import { ColourScale } from "./colour-scale.js";

/** Two images at this squared distance. */
function newFrame(id, d2) {
  return { id, n: 2, x: Float32Array.of(0, d2, d2, 0) };
}

/** The end of the scale if each of both weights off the diagonal is κ / (1 + κ). */
function endAt(kappa) {
  return roundUp(kappa / (1 + kappa));
}

function measureEach(...shown) {
  const ends = [];
  const scale = new ColourScale((end) => ends.push(end));
  for (const { beta = 1, kernel, frames } of shown) scale.measure([beta], [kernel], [frames]);
  return ends;
}

test("the scale of a run that replaces another at the same β does not keep the largest weight of the other", () => {
  const [near, far] = [[newFrame(1, 0.1)], [newFrame(2, 3)]];
  assert.deepEqual(measureEach({ frames: near }, { frames: far }), [endAt(Math.exp(-0.1)), endAt(Math.exp(-3))]);
});

test("the scale of a run that grows covers all of its frames", () => {
  const [near, far] = [newFrame(1, 0.1), newFrame(2, 3)];
  const ends = measureEach({ frames: [near] }, { frames: [near, far] });
  assert.deepEqual(ends, [endAt(Math.exp(-0.1)), endAt(Math.exp(-0.1))]);
});

test("the scale is measured again with another kernel", () => {
  const frames = [newFrame(1, 3)];
  const kernel = { first: -10, per_octave: 1, values: Array.from({ length: 20 }, () => 0.5) };
  assert.deepEqual(measureEach({ frames }, { frames, kernel }), [endAt(Math.exp(-3)), endAt(0.5)]);
});
