// The data of plots as tables.

import assert from "node:assert/strict";
import { test } from "node:test";
import { plotRows, titleOf } from "./plot-files.js";

test("every visible line has a row for each of its points", () => {
  const data = [
    { name: "within", x: [0, 1], y: [0.5, null] },
    { name: "hidden", visible: "legendonly", x: [0], y: [9] },
    { x: Float64Array.of(2), y: Float64Array.of(3), text: ["Crab"] },
  ];
  assert.deepEqual(plotRows({ data }).slice(1), [
    ["within", 0, 0.5, "", ""],
    ["within", 1, "", "", ""],
    ["line 3", 2, 3, "", "Crab"],
  ]);
});

test("a matrix has a row for each element", () => {
  const rows = plotRows({ data: [], _fullData: [{ name: "W", z: [[1, 2], [3, 4]], x: ["a", "b"], y: ["c", "d"] }] });
  assert.deepEqual(rows.slice(1), [["W", "a", "c", 1, ""], ["W", "b", "c", 2, ""], ["W", "a", "d", 3, ""], ["W", "b", "d", 4, ""]]);
});

test("a plot is titled by its name, its axes and its parts", () => {
  const layout = { uirevision: "distances run 7", xaxis: { title: { text: "iteration" } }, yaxis: { title: { text: "mean d²" } } };
  assert.equal(titleOf({ layout }), "distances: mean d² against iteration");
  assert.equal(titleOf({ layout: { uirevision: "tree run 7", annotations: [{ text: "invariant" }, { text: "kernel" }] } }), "tree: invariant, kernel");
});
