// The parts of the rotating picture that need no page.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.window = globalThis; // where the state of the page is
const { plainName, subtractMaps, widenScale } = await import("./maps.js");
const { formatError, formatValue, nearestAngle, showAngle, sliceOf, turning } = await import("./orbit.js");

test("angles wrap around, and every change is announced once", () => {
  turning.current = { degrees: [0, 90, 180, 270] };
  let calls = 0;
  turning.listeners.add(() => calls++);
  for (const at of [5, 1, -3]) showAngle(at);
  assert.deepEqual([turning.at, calls], [1, 1]);
  assert.deepEqual([-90, 44, 46, 359].map(nearestAngle), [3, 0, 1, 0]);
});

test("the difference between two maps is clipped, and 0 in the corners", () => {
  assert.deepEqual([...subtractMaps([255, 0, 7, 9], [0, 255, 3, 9], 2)], [127, -127, 4, 0]);
  const difference = subtractMaps(new Array(25).fill(9), new Array(25).fill(1), 5);
  const corners = [0, 4, 20, 24];
  difference.forEach((value, at) => assert.equal(value, corners.includes(at) ? 0 : 8));
});

test("a scale is never narrower than a hundredth, and stays between 0 and 1", () => {
  assert.deepEqual(widenScale(0.2, 0.4), [0.2, 0.4]);
  assert.deepEqual(widenScale(1, 1), [0.99, 1]);
  assert.deepEqual(widenScale(0, 0), [0, 0.01]);
});

test("an array is split into its angles", () => {
  assert.deepEqual([...sliceOf({ values: new Uint8Array([1, 2, 3, 4]), shape: [2, 2] }, 1)], [3, 4]);
});

test("errors and names are written as on the page", () => {
  assert.deepEqual([0, 0.5, 0.0123, 3.4e-6].map(formatError), ["0", "0.50", "0.012", "3·10⁻⁶"]);
  assert.deepEqual([0.0001, 0.126].map(formatValue), ["0", "0.13"]);
  assert.equal(plainName("α_F-p4"), "αF-p4");
});
