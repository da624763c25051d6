// What all views of a turning picture share: the arrays of every angle, and the angle that is shown.

const SHELF = (window.__iaTurn ??= {
  orbits: new Map(), // key -> orbit
  current: undefined, // the orbit on the page
  at: 0, // the number of the angle that is shown
  listeners: new Set(), // called when the orbit or the angle has changed
});
const KINDS = { f4: Float32Array, u1: Uint8Array, i1: Int8Array, i2: Int16Array };

// uint32 length | JSON | zeros up to a multiple of 8 | arrays, each at such a multiple.
function readHead(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  return { header, start: Math.ceil((4 + length) / 8) * 8 };
}

function unpackOrbit(bytes) {
  const { header, start } = readHead(bytes);
  const { buffer } = bytes.slice(); // aligned, and free of the message it came in
  const arrays = {};
  for (const { name, dtype, shape, offset } of header.arrays) {
    const count = shape.reduce((product, size) => product * size, 1);
    arrays[name] = { values: new KINDS[dtype](buffer, start + offset, count), shape };
  }
  return { ...header, arrays };
}

// The part of an array that belongs to one angle.
function sliceOf({ values, shape }, at) {
  const size = shape.slice(1).reduce((product, n) => product * n, 1);
  return values.subarray(at * size, (at + 1) * size);
}

function showAngle(at) {
  const count = SHELF.current?.degrees.length ?? 1;
  const wanted = ((at % count) + count) % count;
  if (wanted === SHELF.at) return;
  SHELF.at = wanted;
  tellViews();
}

function tellViews() {
  for (const listener of SHELF.listeners) listener();
}

// The angle nearest to so many degrees.
function placeOf(degrees) {
  const count = SHELF.current.degrees.length;
  return ((Math.round((degrees / 360) * count) % count) + count) % count;
}

function writeError(error) {
  if (error === 0) return "0";
  if (error >= 0.001) return error.toFixed(error >= 0.1 ? 2 : 3);
  const power = Math.floor(Math.log10(error));
  const digits = [...String(-power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
  return `${(error / 10 ** power).toFixed(0)}·10⁻${digits}`;
}

// Two digits; what is next to nothing beside 1 is written as nothing.
function writeValue(value) {
  return Math.abs(value) < 5e-4 ? "0" : String(Number(value.toPrecision(2)));
}
