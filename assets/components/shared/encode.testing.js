// For tests: a message in safetensors format with an arbitrary header.

/** @param {object} header @param {number[] | Uint8Array} data @param {string} [padding] behind the header */
export function encode(header, data, padding = "") {
  const text = new TextEncoder().encode(JSON.stringify(header) + padding);
  const bytes = new Uint8Array(8 + text.length + data.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(text, 8);
  bytes.set(data, 8 + text.length);
  return bytes;
}
