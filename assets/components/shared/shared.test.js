// How components are mounted and fed, and how numbers are written.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cached } from "./cache.js";
import { formatNumber, formatPercent, significant } from "./numbers.js";
import { defineComponent, defineFeeder } from "./streamlit.js";

test("an element has one instance, which only the last clean-up function removes", () => {
  const calls = [];
  const mount = defineComponent(
    () => ({ name: calls.push("create") }),
    (_, { data }) => calls.push(data),
    () => calls.push("remove"),
  );
  const parentElement = {};
  const first = mount({ data: "one", parentElement });
  const second = mount({ data: "two", parentElement });
  first();
  assert.deepEqual(calls, ["create", "one", "two"]);
  second();
  mount({ data: "three", parentElement });
  assert.deepEqual(calls, ["create", "one", "two", "remove", "create", "three"]);
});

test("what a feeder has stored is released after it has stored something else", () => {
  const calls = [];
  const feed = defineFeeder((data) => {
    calls.push(`+${data}`);
    return () => calls.push(`-${data}`);
  });
  const parentElement = {};
  const first = feed({ data: "a", parentElement });
  const second = feed({ data: "b", parentElement });
  first();
  assert.deepEqual(calls, ["+a", "+b", "-a"]);
  second();
  second();
  assert.deepEqual(calls, ["+a", "+b", "-a", "-b"]);
  feed({ data: null, parentElement })();
  assert.equal(calls.length, 4);
});

test("a cache keeps the most recently used values", () => {
  const cache = new Map();
  let computed = 0;
  for (const key of ["a", "b", "a", "c", "a", "b"]) cached(cache, key, 2, () => ++computed);
  assert.equal(computed, 4); // "b" was used least recently when "c" was added
  assert.deepEqual([...cache.keys()], ["a", "b"]);
});

test("numbers have three digits, powers of ten where they are small, and a minus sign", () => {
  assert.deepEqual([0, 1234.5, -0.5, 0.00012, NaN].map((x) => formatNumber(x)), ["0", "1,230", "−0.5", "1.2·10⁻⁴", "unknown"]);
  assert.deepEqual([significant(0.12345), significant(1 / 0), significant(0.128, 2)], ["0.123", "unknown", "0.13"]);
  assert.deepEqual([formatPercent(0.256), formatPercent(0.256, 1), formatPercent(NaN)], ["26 %", "25.6 %", "unknown"]);
});
