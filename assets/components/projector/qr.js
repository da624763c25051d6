// A QR code of a text (ISO/IEC 18004): bytes at error correction level L, which gives the largest modules.

const CORRECTION = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30]; // bytes per block, by version
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25]; // by version
const FIELD = 0x11d; // the polynomial of GF(256)
const QUIET = 4; // modules of white around the code
/** @type {((x: number, y: number) => number)[]} a module is inverted where its mask is 0 */
const MASKS = [
  (x, y) => (x + y) % 2,
  (_, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

/** The code as SVG, dark on white in any theme. @param {string} text @param {string} label */
export function drawQrCode(text, label) {
  const modules = makeQrCode(text);
  const side = modules.length + 2 * QUIET;
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : ""))).join("");
  return `<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="#000" d="${path}"/></svg>`;
}

/** The modules of the code, row by row; true is dark. @param {string} text @returns {boolean[][]} */
export function makeQrCode(text) {
  const bytes = new TextEncoder().encode(text);
  const version = chooseVersion(bytes.length);
  const codewords = addCorrection(version, encodeBytes(version, bytes));
  const drawn = MASKS.map((_, mask) => drawModules(version, codewords, mask));
  const penalties = drawn.map(countPenalty);
  return drawn[penalties.indexOf(Math.min(...penalties))];
}

/** Number of all codewords of a version. @param {number} version */
function countCodewords(version) {
  const aligned = version < 2 ? 0 : Math.floor(version / 7) + 2;
  const alignment = aligned ? (25 * aligned - 10) * aligned - 55 : 0;
  return Math.floor(((16 * version + 128) * version + 64 - alignment - (version < 7 ? 0 : 36)) / 8);
}

/** @param {number} version */
function countData(version) {
  return countCodewords(version) - CORRECTION[version - 1] * BLOCKS[version - 1];
}

/** @param {number} version */
function lengthBits(version) {
  return version < 10 ? 8 : 16;
}

/** The smallest version that holds so many bytes. @param {number} length */
function chooseVersion(length) {
  for (let version = 1; version <= 40; version++) {
    if (4 + lengthBits(version) + 8 * length <= 8 * countData(version)) return version;
  }
  throw new RangeError(`a QR code holds at most 2,953 bytes; got ${length}: use a shorter address`);
}

/** The mode, the length, the bytes and the padding. @param {number} version @param {Uint8Array} bytes */
function encodeBytes(version, bytes) {
  /** @type {number[]} */
  const bits = [];
  const put = (/** @type {number} */ value, /** @type {number} */ count) => {
    for (let at = count - 1; at >= 0; at--) bits.push((value >> at) & 1);
  };
  put(4, 4);
  put(bytes.length, lengthBits(version));
  bytes.forEach((byte) => put(byte, 8));
  const capacity = 8 * countData(version);
  put(0, Math.min(4, capacity - bits.length));
  put(0, -bits.length & 7);
  for (let pad = 0xec; bits.length < capacity; pad ^= 0xec ^ 0x11) put(pad, 8);
  return Array.from({ length: capacity / 8 }, (_, at) => Number.parseInt(bits.slice(8 * at, 8 * at + 8).join(""), 2));
}

/** A product in GF(256). @param {number} a @param {number} b */
function multiply(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) product = (product << 1) ^ ((product >> 7) * FIELD) ^ (((b >> bit) & 1) * a);
  return product;
}

/** The Reed-Solomon remainder of a block. @param {number[]} block @param {number} degree */
function remainder(block, degree) {
  let divisor = [1];
  for (let power = 0, root = 1; power < degree; power++, root = multiply(root, 2)) {
    const shifted = [...divisor, 0];
    divisor = shifted.map((value, at) => value ^ (at ? multiply(divisor[at - 1], root) : 0));
  }
  const rest = Array(degree).fill(0);
  for (const byte of block) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    for (let at = 0; at < degree; at++) rest[at] ^= multiply(divisor[at + 1], factor);
  }
  return rest;
}

/** All codewords in the order in which they are drawn: the blocks are interleaved. @param {number} version @param {number[]} data */
function addCorrection(version, data) {
  const [count, degree] = [BLOCKS[version - 1], CORRECTION[version - 1]];
  const [short, long] = [Math.floor(data.length / count), data.length % count];
  let start = 0;
  const blocks = Array.from({ length: count }, (_, at) => data.slice(start, (start += short + (at >= count - long ? 1 : 0))));
  const corrections = blocks.map((block) => remainder(block, degree));
  const interleave = (/** @type {number[][]} */ rows, /** @type {number} */ length) =>
    Array.from({ length }, (_, at) => rows.flatMap((row) => row.slice(at, at + 1))).flat();
  return [...interleave(blocks, short + 1), ...interleave(corrections, degree)];
}

/** @param {number} version @param {number} side */
function alignmentPlaces(version, side) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = 2 * Math.floor((8 * version + 3 * count + 5) / (4 * count - 4));
  return [6, ...Array.from({ length: count - 1 }, (_, at) => side - 7 - step * (count - 2 - at))];
}

/** The value followed by its remainder, for the format and the version. @param {number} value @param {number} bits @param {number} generator */
function appendCheck(value, bits, generator) {
  let rest = value;
  for (let at = 0; at < bits; at++) rest = (rest << 1) ^ ((rest >> (bits - 1)) * generator);
  return (value << bits) | rest;
}

/** @param {number} version @param {number[]} codewords @param {number} mask */
function drawModules(version, codewords, mask) {
  const side = 4 * version + 17;
  /** @type {(boolean | undefined)[][]} */
  const modules = Array.from({ length: side }, () => Array(side).fill(undefined));
  const set = (/** @type {number} */ x, /** @type {number} */ y, /** @type {boolean} */ dark) => {
    if (x >= 0 && y >= 0 && x < side && y < side) modules[y][x] = dark;
  };
  const square = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ radius) => {
    for (let dy = -radius; dy <= radius; dy++)
      for (let dx = -radius; dx <= radius; dx++) set(x + dx, y + dy, ![radius === 4 ? 4 : -1, radius === 2 ? 1 : 2].includes(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (let at = 0; at < side; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [side - 4, 3], [3, side - 4]]) square(x, y, 4);
  const places = alignmentPlaces(version, side);
  for (const x of places) {
    for (const y of places) {
      const inCorner = (x === 6 && y === 6) || (x === 6 && y === side - 7) || (x === side - 7 && y === 6);
      if (!inCorner) square(x, y, 2);
    }
  }
  drawFormat(side, mask, set);
  if (version >= 7) {
    const bits = appendCheck(version, 12, 0x1f25);
    for (let at = 0; at < 18; at++) {
      const [a, b] = [side - 11 + (at % 3), Math.floor(at / 3)];
      set(a, b, Boolean((bits >> at) & 1));
      set(b, a, Boolean((bits >> at) & 1));
    }
  }
  fill(modules, codewords, mask);
  return modules.map((row) => row.map(Boolean));
}

/** The level, the mask and their check bits, twice. @param {number} side @param {number} mask @param {(x: number, y: number, dark: boolean) => void} set */
function drawFormat(side, mask, set) {
  const bits = appendCheck(8 | mask, 10, 0x537) ^ 0x5412; // level L is 01
  const bit = (/** @type {number} */ at) => Boolean((bits >> at) & 1);
  for (let at = 0; at < 15; at++) {
    const first = at < 6 ? at : at < 8 ? at + 1 : 14 - at + (at < 9 ? 1 : 0);
    if (at < 8) set(8, first, bit(at));
    else set(first, 8, bit(at));
    if (at < 8) set(side - 1 - at, 8, bit(at));
    else set(8, side - 15 + at, bit(at));
  }
  set(8, side - 8, true);
}

/** Draws the codewords upwards and downwards, in columns of two from the right. @param {(boolean | undefined)[][]} modules @param {number[]} codewords @param {number} mask */
function fill(modules, codewords, mask) {
  const side = modules.length;
  let at = 0;
  for (let right = side - 1, up = true; right > 0; right -= right === 8 ? 3 : 2, up = !up) {
    if (right === 6) right = 5;
    for (let step = 0; step < side; step++) {
      const y = up ? side - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (modules[y][x] !== undefined) continue;
        const bit = ((codewords[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
        modules[y][x] = Boolean(bit) !== (MASKS[mask](x, y) === 0);
        at += 1;
      }
    }
  }
}

/** How hard the code is to read: long runs, squares of one colour, and an unequal share of dark modules. @param {boolean[][]} modules */
function countPenalty(modules) {
  const side = modules.length;
  const columns = modules.map((_, x) => modules.map((row) => row[x]));
  let penalty = 0;
  for (const line of [...modules, ...columns]) {
    const text = line.map(Number).join("");
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    penalty += 40 * (text.match(/(?=10111010000|00001011101)/g)?.length ?? 0);
  }
  for (let y = 1; y < side; y++)
    for (let x = 1; x < side; x++) {
      const dark = modules[y][x];
      if (modules[y - 1][x] === dark && modules[y][x - 1] === dark && modules[y - 1][x - 1] === dark) penalty += 3;
    }
  const share = modules.flat().filter(Boolean).length / side ** 2;
  return penalty + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}
