// Messages of the engine are read with all their arrays, and damaged messages are refused.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readArrays, readMetadata } from "./arrays.js";
import { encode } from "./encode.testing.js";

const engine = JSON.parse(readFileSync(new URL("../engine_values.json", import.meta.url), "utf8"));
const FRAME = new Uint8Array(Buffer.from(engine.packing.frame, "base64"));

function shifted(bytes, by) {
  const message = new Uint8Array(bytes.length + by);
  message.set(bytes, by);
  return message.subarray(by);
}

test("arrays and metadata of the engine are read, with their shapes", () => {
  const { metadata, arrays } = readArrays(FRAME);
  assert.deepEqual(metadata, { run: "run", k: 3 });
  const { d2, images, assignments } = arrays;
  assert.deepEqual([d2.shape, Array.from(d2.values)], [[2, 2], [0, 0.25, 0.25, 0]]);
  assert.deepEqual([images.shape, Array.from(images.values)], [[2, 2, 2, 3], engine.packing.images]);
  assert.deepEqual([assignments.values.constructor, Array.from(assignments.values)], [Int32Array, [1, 0]]);
});

test("a message is read at any offset of its buffer; aligned arrays are not copied", () => {
  const expected = readArrays(FRAME.slice());
  for (let by = 0; by < 8; by++) assert.deepEqual(readArrays(shifted(FRAME, by)), expected);
  const message = FRAME.slice();
  for (const { values } of Object.values(readArrays(message).arrays)) assert.equal(values.buffer, message.buffer);
});

test("metadata are read without the arrays, whatever padding follows the header", () => {
  const header = { __metadata__: { run: '"ü"', summary: '{"k":[1,null]}' }, x: { dtype: "F64" } };
  assert.deepEqual(readMetadata(encode(header, [], "    ")), { run: "ü", summary: { k: [1, null] } });
  assert.deepEqual(readMetadata(encode({}, [])), {});
});

test("an array of an unknown type or a wrong size is refused by name", () => {
  const read = (dtype, shape, data_offsets) => () => readArrays(encode({ d2: { dtype, shape, data_offsets } }, [1, 2, 3, 4]));
  assert.throws(read("F64", [1], [0, 8]), /d2 must have one of the types F32, I32, I8, U8; got F64/);
  assert.throws(read("F32", [2], [0, 4]), /d2 needs 8 bytes; got bytes 0 to 4 of 4/);
  assert.throws(read("U8", [5], [0, 5]), /d2 needs 5 bytes; got bytes 0 to 5 of 4/);
  assert.equal(read("F32", [0, 3], [4, 4])().arrays.d2.values.length, 0);
});

test("a message that was cut off is refused", () => {
  assert.throws(() => readArrays(FRAME.subarray(0, 5)), /at least 8 bytes; got 5/);
  assert.throws(() => readArrays(FRAME.subarray(0, 40)), /the header needs \d+ bytes; got 40/);
  assert.throws(() => readArrays(FRAME.subarray(0, FRAME.length - 1)), /needs \d+ bytes; got bytes/);
});
