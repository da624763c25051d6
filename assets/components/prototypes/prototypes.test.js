// The pictures of a clustering in the store of the page, and its chart.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { encode } from "../shared/encode.testing.js";

globalThis.window = globalThis; // where the store of the page is
const { drawChart } = await import("./chart.js");
const { findPicture, store, storePictures } = await import("./store.js");

const engine = JSON.parse(readFileSync(new URL("../engine_values.json", import.meta.url), "utf8"));

function encodePictures(run, first, shape, value) {
  const size = shape.reduce((a, b) => a * b);
  const header = {
    __metadata__: { run: JSON.stringify(run), first: String(first) },
    pixels: { dtype: "U8", shape, data_offsets: [0, size] },
  };
  return encode(header, new Uint8Array(size).fill(value));
}

test("pictures that the engine encoded are stored with their shape", () => {
  const release = storePictures(new Uint8Array(Buffer.from(engine.packing.pixels, "base64")));
  const { piece, start } = findPicture("ü", 0, 0);
  assert.deepEqual([piece.count, piece.k, piece.h, piece.w, piece.c, start], [2, 3, 2, 2, 1, 0]);
  assert.deepEqual([...piece.pixels], Array.from({ length: 24 }, (_, at) => at));
  release();
  assert.equal(store.runs.has("ü"), false);
});

test("the picture of a step is in its piece, and the newest picture replaces a missing one", () => {
  const releases = [[0, 1], [2, 2], [-1, 9]].map(([first, value]) =>
    storePictures(encodePictures("run", first, [2, 1, 1, 3, 1], value)));
  const at = (step) => {
    const { piece, start } = findPicture("run", step, 6);
    return [piece.pixels[0], start];
  };
  assert.deepEqual([0, 1, 3, 5, 6].map(at), [[1, 0], [1, 3], [2, 3], [9, 0], [9, 0]]);
  releases.forEach((release) => release());
  assert.equal(findPicture("run", 0, 6), undefined);
});

test("a chart has a curve of known losses and a mark for every module", () => {
  const { svg, x } = drawChart({
    seconds: [1, 2, 4], budget: 4, losses: [null, 0.5, 0.25], acc: [null, null, null], stages: [1, 2, 2],
    modules: ["affine", "colour"], cooling: [false, false, true], events: [[2, [[0, 3]]]],
  });
  assert.equal(svg.match(/class="loss" points="([^"]*)"/)[1].split(" ").length, 2);
  for (const words of ["+ affine", "+ colour", "rate ÷ 10", "1 became a copy of 4"]) assert.ok(svg.includes(words), words);
  assert.ok(!svg.includes("ACC"));
  assert.deepEqual([x(0), x(4), x(9)], [58, 356, 356]);
});
