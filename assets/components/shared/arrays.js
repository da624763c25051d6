// Arrays and metadata as ia_engine/figures/frames.py writes them, in the format safetensors:
// uint64 length of the header | JSON header | little-endian arrays.

const TYPES = { F32: Float32Array, I32: Int32Array, I8: Int8Array, U8: Uint8Array };
const LENGTH_BYTES = 8;

/** @typedef {InstanceType<(typeof TYPES)[keyof typeof TYPES]>} Values */
/** @typedef {{ values: Values, shape: number[] }} ShapedArray */
/** @typedef {{ dtype: string, shape: number[], data_offsets: [number, number] }} Entry where an array is, after the header */

/**
 * The metadata alone.
 * @param {Uint8Array} bytes
 * @returns {Record<string, any>}
 */
export function readMetadata(bytes) {
  return parseMetadata(readHeader(bytes).header);
}

/**
 * The arrays are views of the bytes where these are aligned, otherwise copies.
 * @param {Uint8Array} bytes
 * @returns {{ metadata: Record<string, any>, arrays: Record<string, ShapedArray> }}
 */
export function readArrays(bytes) {
  const { header, data } = readHeader(bytes);
  /** @type {Record<string, ShapedArray>} */
  const arrays = {};
  for (const [name, entry] of Object.entries(header))
    if (name !== "__metadata__") arrays[name] = { values: readValues(name, entry, data), shape: entry.shape };
  return { metadata: parseMetadata(header), arrays };
}

/** @param {Uint8Array} bytes @returns {{ header: Record<string, any>, data: Uint8Array }} */
function readHeader(bytes) {
  if (bytes.length < LENGTH_BYTES) throw new Error(`arrays need at least ${LENGTH_BYTES} bytes; got ${bytes.length}`);
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const start = LENGTH_BYTES + length;
  if (start > bytes.length) throw new Error(`the header needs ${start} bytes; got ${bytes.length}`);
  const text = new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, start));
  return { header: JSON.parse(text), data: bytes.subarray(start) };
}

/** Every value in the header is a string, which here contains JSON. @param {Record<string, any>} header */
function parseMetadata(header) {
  /** @type {[string, string][]} */
  const entries = Object.entries(header.__metadata__ ?? {});
  return Object.fromEntries(entries.map(([name, text]) => [name, JSON.parse(text)]));
}

/** @param {string} name @param {Entry} entry @param {Uint8Array} data @returns {Values} */
function readValues(name, { dtype, shape, data_offsets: [start, end] }, data) {
  const Type = TYPES[/** @type {keyof typeof TYPES} */ (dtype)];
  if (!Type) throw new Error(`${name} must have one of the types ${Object.keys(TYPES).join(", ")}; got ${dtype}`);
  const count = shape.reduce((product, size) => product * size, 1);
  const size = count * Type.BYTES_PER_ELEMENT;
  if (end - start !== size || end > data.length)
    throw new Error(`${name} needs ${size} bytes; got bytes ${start} to ${end} of ${data.length}`);
  const part = data.subarray(start, end);
  const aligned = part.byteOffset % Type.BYTES_PER_ELEMENT === 0 ? part : part.slice();
  return new Type(/** @type {ArrayBuffer} */ (aligned.buffer), aligned.byteOffset, count);
}
