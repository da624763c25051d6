// The parts of the player that need no page: time, groups, orders, layout and the exchange with Python.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { advance, blend, partOf, shownStep, smooth, wayAt } from "./clock.js";

globalThis.window = globalThis; // where the stores of the page are
const { blockLength, chooseShown, layTiles, tileAt } = await import("./gallery.js");
const { averageGroups } = await import("./class-means.js");
const { layGallery, sideOfMatrix } = await import("./layout.js");
const { groupsOf, ordersOf } = await import("./groups.js");
const { blocksOf, cellAt, mapIndex } = await import("./matrix.js");
const { pointAt, roundStep } = await import("./scatter.js");
const { Exchange } = await import("./exchange.js");
const { adviceOn, stopOf, storeAdvice, valueAt } = await import("./advice.js");
const { betaOf, sliderOf } = await import("./controls.js");
const { store } = await import("../shared/frame_store.js");

function newClock(position, rest = {}) {
  return { position, playing: true, speed: 1, loop: true, ...rest };
}

test("the clock waits at the end of a growing run, holds the end of a loop, and stops without one", () => {
  const growing = newClock(2.9);
  advance(growing, 1, 3, true);
  assert.equal(growing.position, 3);
  const loop = newClock(3);
  advance(loop, 1, 3, false);
  assert.equal(loop.position, 4);
  advance(loop, 1, 3, false);
  assert.equal(loop.position, 0);
  const once = newClock(2.9, { loop: false });
  advance(once, 1, 3, false);
  assert.deepEqual([once.position, once.playing], [3, false]);
});

test("a step is still at first, and changes into the next one smoothly", () => {
  assert.deepEqual(blend(1.4, 3, false), { k: 1, t: 0 });
  assert.deepEqual(blend(1.9, 3, true), { k: 1, t: 0 });
  assert.deepEqual(blend(7, 3, false), { k: 3, t: 0 });
  assert.deepEqual([smooth(0), smooth(0.5), smooth(1)], [0, 0.5, 1]);
  assert.deepEqual([shownStep({ k: 1, t: 0.4 }), shownStep({ k: 1, t: 0.5 })], [1, 2]);
});

const HEADER = { labels: [], classes: [], orders: { spectral: [2, 0, 1], other: [1, 0] } };
const FRAMES = [{ n: 3, id: 7 }, { n: 3, id: 8, assignments: [1, 0, 1] }];

test("groups are the classes if labels are known, otherwise the clusters", () => {
  const classes = groupsOf({ ...HEADER, labels: [1, 0, 1], classes: ["one"] }, [FRAMES]);
  assert.deepEqual([classes.kind, classes.names], ["classes", ["one", "class 1"]]);
  const clusters = groupsOf(HEADER, [[], FRAMES]);
  assert.deepEqual([clusters.kind, clusters.names, clusters.ids], ["clusters", ["cluster 1", "cluster 2"], [1, 0, 1]]);
  assert.equal(groupsOf(HEADER, [[FRAMES[0]]]), undefined);
});

test("orders are sorted by class and by cluster; given orders of a different length are omitted", () => {
  const header = { ...HEADER, labels: [1, 0, 1] };
  const orders = ordersOf(header, [FRAMES], groupsOf(header, [FRAMES]));
  const indices = Object.fromEntries([...orders].map(([name, order]) => [name, order.indices]));
  assert.deepEqual(indices, {
    "as given": [0, 1, 2],
    "by class": [1, 0, 2],
    "by cluster": [1, 0, 2],
    spectral: [2, 0, 1],
  });
});

test("weights have colours up to the end of the linear scale, or over four decades", () => {
  assert.deepEqual([0, 0.1, 0.2, 1].map((w) => mapIndex(w, 0.2, false)), [0, 128, 255, 255]);
  assert.deepEqual([0, 1e-4, 1e-2, 1].map((w) => mapIndex(w, 0.2, true)), [0, 0, 128, 255]);
});

test("neighbours of one group form a block", () => {
  assert.deepEqual(blocksOf([3, 0, 1, 2], [5, 5, 4, 5]), [[0, 3], [3, 4]]);
  assert.equal(blockLength([0, 1, 2, 3], [1, 1, 2, 2]), 2);
  assert.equal(blockLength([0, 1, 2], [1, 1, 2]), undefined);
});

test("a cell, a tile or a point is found under the pointer, and nothing outside them", () => {
  assert.deepEqual(cellAt(15, 35, 3, 10, 40), { row: 2, column: 0 });
  assert.equal(cellAt(5, 35, 3, 10, 40), undefined);
  const tiles = { columns: 2, pitchX: 10, pitchY: 12 };
  assert.deepEqual([tileAt(11, 13, tiles, 4), tileAt(11, 13, tiles, 3)], [3, undefined]);
  assert.deepEqual([pointAt(9, 0, [0, 0, 10, 0], 5), pointAt(50, 0, [0, 0, 10, 0], 5)], [1, undefined]);
});

test("tiles fill the square, with rows of complete groups if they are nearly as large", () => {
  const shape = [18, 64, 64, 1];
  assert.equal(layTiles(18, shape, 400, 400, 1).columns, 5);
  assert.equal(layTiles(18, shape, 400, 400, 1, 6).columns, 6);
});

test("images are never narrower than the least width if they are few, and W fits beside the means", () => {
  for (const [width, scale, least] of [[446, 1, 72], [533, 1.3, 93], [326, 1, 48]]) {
    const space = { width, room: 480, scale };
    const tiles = layGallery(18, [18, 64, 64, 1], space, 1, 6);
    assert.ok(tiles.width >= least && tiles.columns * tiles.pitchX <= width);
  }
  const side = sideOfMatrix(3, 237, { width: 452, room: 480, scale: 1 });
  assert.deepEqual([side, sideOfMatrix(3, 237, { width: 452, room: 370, scale: 1 })], [220, 104]);
});

test("groups move one after the other, from their own poses at iteration 0 to the common poses at iteration 1", () => {
  assert.deepEqual([0, 1, 2].map((group) => partOf(0, group, 3)), [0, 0, 0]);
  assert.deepEqual([0, 1, 2].map((group) => partOf(1, group, 3)), [1, 1, 1]);
  const parts = [0, 1, 2].map((group) => partOf(0.5, group, 3));
  assert.ok(parts[0] > parts[1] && parts[1] > parts[2]);
  assert.deepEqual([0, 1, 4].map((position) => wayAt("aligning", position, false)), [0, 1, 1]);
  assert.deepEqual([wayAt("aligning", 0.9, true), wayAt("own", 3, false), wayAt("common", 0, false)], [0, 0, 1]);
});

test("the mean of a group is the plain mean of its images", () => {
  assert.deepEqual([...averageGroups([2, 4, 6, 8, 1, 3], [3, 1, 2, 1], [0, 1, 0], 2)], [1.5, 3.5, 6, 8]);
});

test("if there are many images, evenly spaced images are shown", () => {
  const order = Array.from({ length: 1000 }, (_, i) => i);
  assert.deepEqual(chooseShown(order).slice(0, 3), [0, 2, 5]);
  assert.equal(chooseShown(order).length, 400);
});

test("grid lines are at round numbers", () => {
  assert.deepEqual([0.011, 0.02, 3, 6].map((x) => Number(roundStep(x).toPrecision(3))), [0.02, 0.02, 5, 10]);
});

// --- The exchange with Python ---------------------------------------------------------------------

const PLAYER = { key: "player", order: "as given", pairs_received: null, pair: null, poses: "own", start: 0, jump: 0, autoplay: false, loop: true, replaces: "", reports_playing: false, playing_reported: false, has_sliders: true, advises: false };

function receive(beta, { run = "a.ia", ...rest } = {}, sent = []) {
  const exchange = new Exchange({ ...PLAYER, runs: [{ run, beta }], ...rest }, (...answer) => sent.push(answer), false);
  return [exchange, exchange.adoptHeader(false)];
}

beforeEach(() => store.memory.clear());

test("a β of a different header replaces the slider's, unless it is an earlier value of the slider", () => {
  const [exchange] = receive(10);
  const { memory } = exchange;
  assert.deepEqual(memory.betas, [10]);
  for (const beta of [20, 30]) {
    memory.betas = [beta];
    exchange.answer("betas", memory.betas, 1);
  }
  memory.betas = [40];
  const [, { resend }] = receive(20);
  assert.deepEqual([memory.betas, memory.sentBetas, resend], [[40], [[30]], ["betas"]]);
  receive(7);
  assert.deepEqual(memory.betas, [7]);
});

test("without sliders, W has the β of a control of the page", () => {
  const runs = [{ run: "a.ia", beta: 10, weights_beta: 30 }, { run: "a.ka", beta: 2, weights_beta: 2 }];
  const [{ memory }] = receive(10, { runs, has_sliders: false });
  assert.deepEqual(memory.betas, [30, 2]);
});

test("advice on a run is found until its element is removed", () => {
  const advice = { curve: "", betas: [1, 10], averaged: [4, 2], n: 4, sentence: "", choices: [] };
  const heard = [];
  const listener = (name) => heard.push(name);
  store.listeners.add(listener);
  const release = storeAdvice({ key: "player", runs: { "a.ia": advice } });
  assert.equal(adviceOn("player", "a.ia"), advice);
  assert.equal(adviceOn("player", "b.ia"), undefined);
  const later = storeAdvice({ key: "player", runs: { "b.ia": advice } });
  release();
  assert.equal(adviceOn("player", "b.ia"), advice);
  later();
  assert.equal(adviceOn("player", "b.ia"), undefined);
  assert.deepEqual(heard, ["player", "player", "player"]);
  store.listeners.delete(listener);
});

test("the mark lies on the curve, between two stops on a logarithmic axis", () => {
  const stops = [1, 10, 1000];
  assert.deepEqual([0.5, 1, 10, 100, 1000, 2000].map((beta) => Number(stopOf(stops, beta).toFixed(9))), [0, 0, 1, 1.5, 2, 2]);
  assert.deepEqual([0, 0.5, 2].map((stop) => valueAt([4, 2, 1], stop)), [4, 3, 1]);
});

test("every β with two digits can be set exactly on the slider", () => {
  const range = [0.1, 200];
  for (const beta of [0.1, 0.15, 1, 2, 5, 9.9, 10, 15, 50, 99, 150, 200])
    assert.equal(betaOf(Math.round(sliderOf(beta, range)), range), beta);
  for (const beta of [1, 1.5, 5, 9.5, 50]) for (const by of [-2, 2]) assert.equal(betaOf(Math.round(sliderOf(beta, range)) + by, range, 6), beta);
  assert.equal(betaOf(560, range), 7.06);
});

test("a run that replaces another keeps the position, and its step is sent again", () => {
  const [exchange] = receive(10);
  exchange.memory.clock.position = 3;
  exchange.answer("step", 3);
  const [, { follows, resend }] = receive(10, { run: "b.ia", replaces: "a" });
  assert.deepEqual([follows, resend, exchange.memory.clock.position], [true, ["step"], 3]);
});

test("a different run starts at the header's step, and plays if requested", () => {
  const [exchange] = receive(10);
  exchange.memory.clock.position = 3;
  receive(10, { run: "b.ia", start: 1, autoplay: true });
  assert.deepEqual([exchange.memory.clock.position, exchange.memory.waiting], [1, true]);
});

test("a pair of the header replaces the pinned one unless a newer one is on its way", () => {
  const [exchange] = receive(10, { pair: [0, 1], pairs_received: 0 });
  assert.deepEqual(exchange.memory.pinned, { i: 0, j: 1 });
  exchange.memory.pairs = 2;
  receive(10, { pair: [2, 2], pairs_received: 1 });
  assert.deepEqual(exchange.memory.pinned, { i: 0, j: 1 });
  receive(10, { pair: [1, 1], pairs_received: 2 });
  assert.deepEqual(exchange.memory.pinned, { i: 1, j: 1 });
});

test("an answer is sent once, with the header's value that it replaces", () => {
  const sent = [];
  const [exchange] = receive(10, {}, sent);
  exchange.answer("step", 2);
  exchange.answer("step", 2);
  assert.deepEqual(sent, [["step", [2, [["a.ia"], 0]]]]);
});
