// Arrays in bytes: uint32 length | JSON | zeros up to a multiple of 8 | arrays, each at such a multiple.

const TYPES = { f4: Float32Array, i4: Int32Array, i2: Int16Array, u1: Uint8Array, i1: Int8Array };

/** @typedef {InstanceType<(typeof TYPES)[keyof typeof TYPES]>} Values */
/** @typedef {{ name: string, dtype: keyof typeof TYPES, shape: number[], offset: number }} ArrayEntry */

/**
 * The JSON at a position, and where the rest begins.
 * @param {ArrayBuffer} buffer
 * @param {number} at
 */
export function readHeader(buffer, at) {
  const { header, textEnd } = readJson(buffer, at);
  return { header, end: at + Math.ceil((textEnd - at) / 8) * 8 };
}

/**
 * Without zeros after the JSON.
 * @param {ArrayBuffer} buffer
 * @param {number} at
 */
export function readJson(buffer, at) {
  const length = new DataView(buffer).getUint32(at, true);
  const text = new TextDecoder().decode(new Uint8Array(buffer, at + 4, length));
  return { header: JSON.parse(text), textEnd: at + 4 + length };
}

/**
 * @param {ArrayBuffer} buffer
 * @param {number} start
 * @param {ArrayEntry} entry
 * @returns {Values}
 */
export function readArray(buffer, start, { dtype, shape, offset }) {
  return new TYPES[dtype](buffer, start + offset, sizeOf(shape));
}

/** @param {number[]} shape */
export function sizeOf(shape) {
  return shape.reduce((product, size) => product * size, 1);
}
