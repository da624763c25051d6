// Figures: the visible part of a zoomed figure, tables, and names of files.

import assert from "node:assert/strict";
import { test } from "node:test";
import { nameFile, toCsv, WHOLE, zoomBox } from "./figure.js";

test("a zoomed figure shows a part of the same shape that stays inside the figure", () => {
  assert.deepEqual(zoomBox([10, 20, 400, 200], WHOLE), [10, 20, 400, 200]);
  assert.deepEqual(zoomBox([0, 0, 400, 200], { scale: 2, x: 0.5, y: 0.5 }), [100, 50, 200, 100]);
  assert.deepEqual(zoomBox([0, 0, 400, 200], { scale: 4, x: 0, y: 1 }), [0, 150, 100, 50]);
});

test("cells with commas and quotes are quoted in tables", () => {
  assert.equal(toCsv([["a,b", 'say "c"'], [1, -2.5]]), '"a,b","say ""c"""\n1,-2.5\n');
});

test("files are named after the title of the figure", () => {
  assert.equal(nameFile("First and last W. σ = 2 px", "svg"), "first-and-last-w-2-px.svg");
  assert.equal(nameFile("", "png"), "figure.png");
});
