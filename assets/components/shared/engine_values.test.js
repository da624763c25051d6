// The browser code computes what the engine computes (assets/make_component_values.py).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { groupColour, mapColour, makeColourMap } from "./colours.js";
import { blockMass, computeWeights, interpolateKernel, largestOffDiagonal, meanOfDiagonal, orderBy, roundUp, sumColumn } from "./weights.js";

globalThis.window = globalThis; // where frames.js keeps its store
const { storeFrame, framesOf, store } = await import("./frame_store.js");
const { firstOfGroups, partialMatrix, warp } = await import("./warp.js");

const engine = JSON.parse(readFileSync(new URL("../engine_values.json", import.meta.url), "utf8"));

// At most 36 products or exponentials of at most 60, in double precision, as in the Python script.
const EPSILON = 36 * 60 * Number.EPSILON;

function assertClose(found, expected, message) {
  assert.equal(found.length, expected.length, message);
  expected.forEach((value, at) => {
    const error = Math.abs(found[at] - value);
    assert.ok(error <= EPSILON * Math.max(1, Math.abs(value)), `${message} [${at}]: ${found[at]}, not ${value}`);
  });
}

function bytesOf(text) {
  return new Uint8Array(Buffer.from(text, "base64"));
}

for (const { beta, W, sums, mass, diagonal } of engine.weights.results) {
  test(`W and its summaries are the engine's at β = ${beta}`, () => {
    const { d2, labels } = engine.weights;
    const n = labels.length;
    const found = computeWeights(d2, n, beta);
    assertClose(found, W, "W");
    assertClose(labels.map((_, j) => sumColumn(d2, n, beta, j)), sums, "sums of columns");
    assertClose([blockMass(found, n, labels, 3).total, meanOfDiagonal(found, n)], [mass, diagonal], "summaries");
    const others = W.filter((_, at) => at % (n + 1));
    assertClose([largestOffDiagonal(found, n)], [Math.max(...others)], "largest weight");
  });
}

for (const { beta, W, sums, exact } of engine.kernel.results) {
  test(`with a table of the kernel, W is the engine's at β = ${beta}`, () => {
    const { table, d2 } = engine.kernel;
    const n = sums.length;
    const found = computeWeights(d2, n, beta, table);
    assertClose(found, W, "W");
    assertClose(sums.map((_, j) => sumColumn(d2, n, beta, j, table)), sums, "sums of columns");
    exact.forEach((weight, at) => assert.ok(Math.abs(found[at] - weight) < 1e-4, "the error of the interpolation"));
  });
}

test("κ is 1 at 0, the first value below the table, the last one beyond it, and 0 for no weight", () => {
  const table = { first: 0, per_octave: 1, values: [0.5, 0.25, 0.125] }; // at 1, 2 and 4
  const found = [0, 0.5, 1, 1.5, 2, 3, 4, 100, Infinity, NaN].map((u) => interpolateKernel(table, u));
  assert.deepEqual(found, [1, 0.75, 0.5, 0.375, 0.25, 0.1875, 0.125, 0.125, 0, 0]);
});

test("a pair whose distance is unknown has no weight, and the others of its column add up to 1", () => {
  assert.deepEqual([...computeWeights([0, NaN, 1, 0], 2, 0)], [0.5, 0, 0.5, 1]);
});

test("the end of the colour scale is the next round number", () => {
  assert.deepEqual([1, 0.51, 0.5, 0.21, 0.2, 0.03].map(roundUp), [1, 1, 0.5, 0.5, 0.2, 0.05]);
});

test("images are sorted by group as the engine sorts them", () => {
  assert.deepEqual(orderBy(engine.orders.labels), engine.orders.order);
});

test("the colour map is the engine's to one of 255 levels", () => {
  const found = Array.from({ length: 256 }, (_, at) => mapColour(at / 255, true)).flat();
  engine.colours.map.flat().forEach((level, at) => assert.ok(Math.abs(found[at] - level) <= 1));
  assert.deepEqual([...makeColourMap(true)].map((word) => word & 255), found.filter((_, at) => at % 3 === 0));
});

test("groups have the colours of the engine's plots", () => {
  engine.colours.groups.forEach((hex, group) => {
    const parts = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
    assert.equal(groupColour(group), `rgb(${parts.join(" ")} / 1)`);
  });
});

for (const { group, matrix, warped } of engine.warps.cases) {
  test(`an image warped by a pose of the group ${group} has the engine's pixels`, () => {
    const { shape, image } = engine.warps;
    const found = new Float64Array(image.length);
    warp(image, shape, matrix, found);
    assertClose(found, warped, "pixels");
    assert.ok(warped.some((value) => value > 0));
  });
}

test("half of a rotation applied twice is the rotation", () => {
  const [cos, sin] = [Math.cos(2), Math.sin(2)];
  const half = partialMatrix([cos, -sin, 0, sin, cos, 0, 0, 0, 1], 0.5);
  assertClose(Array.from(half), [Math.cos(1), -Math.sin(1), 0, Math.sin(1), Math.cos(1), 0, 0, 0, 1], "half");
  assertClose(Array.from(partialMatrix([cos, -sin, 3, sin, cos, 4, 0, 0, 1], 0)), [1, 0, 0, 0, 1, 0, 0, 0, 1], "none");
});

test("a frame that the engine encoded is read with all its arrays", () => {
  const release = storeFrame(bytesOf(engine.packing.frame));
  const frame = store.frames.get("run").get(3);
  assert.equal(frame.n, 2);
  assert.deepEqual([...frame.d2], [0, 0.25, 0.25, 0]);
  assert.deepEqual([...frame.x], [0, 1.5, 1.5, 0]);
  assert.deepEqual([...frame.images], engine.packing.images);
  assert.deepEqual(frame.shapes.images, [2, 2, 2, 3]);
  assert.deepEqual([...frame.matrices.slice(9, 18)], [9, 10, 11, 12, 13, 14, 15, 16, 17]);
  assert.deepEqual([...frame.assignments], [1, 0]);
  assert.deepEqual(firstOfGroups(frame, [5, 5]), [0, 0]);
  assert.deepEqual(framesOf("run"), []); // the frames 0 to 2 are missing
  release();
  assert.equal(store.frames.has("run"), false);
});

test("a frame that differs in its last byte only replaces the stored one", () => {
  const bytes = bytesOf(engine.packing.frame);
  const other = bytes.slice();
  other[other.length - 1] += 1;
  const releases = [bytes, bytes, other].map((one) => [storeFrame(one), store.frames.get("run").get(3).id]);
  const [first, again, changed] = releases.map(([, id]) => id);
  assert.equal(again, first);
  assert.notEqual(changed, first);
  for (const [release] of releases) release();
});

test("a frame stored by two elements stays until both release it", () => {
  const bytes = bytesOf(engine.packing.frame);
  const [one, two] = [storeFrame(bytes), storeFrame(bytes)];
  one();
  assert.equal(store.frames.get("run").size, 1);
  two();
  assert.equal(store.frames.has("run"), false);
});
