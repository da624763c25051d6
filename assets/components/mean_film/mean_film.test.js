// The axes of the charts, and the numbers of the steps.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.window = globalThis; // where the store of the page is
const { storeSummary, summariesOf } = await import("./summaries.js");
const { axisTicks, linearScale, rangeAround } = await import("./svg.js");

test("ticks are round numbers within the range", () => {
  assert.deepEqual(axisTicks(0, 50, 5), [0, 10, 20, 30, 40, 50]);
  assert.deepEqual(axisTicks(-1.3, 1.2, 5), [-1, -0.5, 0, 0.5, 1]);
});

test("a range contains 0 and all values, and is never a single point", () => {
  assert.deepEqual(rangeAround([], 10), [-5, 5]);
  const [low, high] = rangeAround([10, 110], 2);
  assert.ok(low < 0 && high > 110);
});

test("a scale maps the ends of one range to those of another", () => {
  assert.deepEqual([0, 5, 10].map(linearScale([0, 10], [100, 0])), [100, 50, 0]);
});

test("summaries are in the order of the steps, whatever the order of arrival", () => {
  for (const at of [1, 0]) storeSummary("run", { at, k: 10 * at });
  assert.deepEqual(summariesOf("run", 3).map((summary) => summary?.k), [0, 10, undefined]);
});
