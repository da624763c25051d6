// Maps as pictures of hard pixels: a ramp for what is positive, two hues for differences.

const LOOKS = new Map(); // theme -> its tables of colours

function lookOf(element) {
  const theme = readTheme(element);
  const known = LOOKS.get(theme.dark) ?? {
    dark: theme.dark,
    ramp: makeRamp(theme.dark),
    signed: makeSigned(theme.dark),
    grey: Uint32Array.from({ length: 256 }, (_, at) => word([at, at, at])),
  };
  LOOKS.set(theme.dark, known);
  return { ...known, text: theme.text, border: theme.border, background: theme.background };
}

function word([r, g, b]) {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

// -1 to 1 as 256 colours: blue, the page's tone, orange; as many steps of lightness to either side.
function makeSigned(dark) {
  return Uint32Array.from({ length: 256 }, (_, at) => {
    const t = Math.max(-1, (at - 128) / 127);
    const depth = Math.abs(t) ** 0.8;
    const lightness = dark ? 0.22 + 0.6 * depth : 0.975 - 0.5 * depth;
    return word(oklch(lightness, 0.17 * depth, t < 0 ? 255 : 48));
  });
}

// Bytes (0..255) or signed bytes through a table, into a canvas of height × width pixels.
function paintValues(canvas, values, [height, width], table) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const image = new ImageData(width, height);
  const words = new Uint32Array(image.data.buffer);
  const zero = values instanceof Int8Array ? 128 : 0;
  for (let at = 0; at < words.length; at++) words[at] = table[values[at] + zero];
  canvas.getContext("2d").putImageData(image, 0, 0);
}

// Small arrows over a map, one in each cell: (p, q) row downwards and column.
function paintArrows(canvas, arrows, cells, colour) {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const side = Math.round(canvas.clientWidth * ratio) || 2;
  if (canvas.width !== side) Object.assign(canvas, { width: side, height: side });
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, side, side);
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1.3 * ratio;
  const cell = side / cells;
  for (let at = 0; at < cells * cells; at++) {
    const [p, q] = [arrows[2 * at] / 127, arrows[2 * at + 1] / 127];
    if (Math.hypot(p, q) < 0.08) continue;
    const [y, x] = [(Math.floor(at / cells) + 0.5) * cell, ((at % cells) + 0.5) * cell];
    drawArrow(context, x, y, q * cell * 1.05, p * cell * 1.05);
  }
}

function drawArrow(context, x, y, dx, dy) {
  const [fromX, fromY, toX, toY] = [x - dx / 2, y - dy / 2, x + dx / 2, y + dy / 2];
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(toX, toY);
  context.moveTo(toX - 0.42 * dx + 0.22 * dy, toY - 0.42 * dy - 0.22 * dx);
  context.lineTo(toX, toY);
  context.lineTo(toX - 0.42 * dx - 0.22 * dy, toY - 0.42 * dy + 0.22 * dx);
  context.stroke();
}

// The difference of two maps of bytes as signed bytes, twice as strong; nothing in the corners,
// which leave the picture when it turns.
function subtract(a, b, side) {
  const middle = (side - 1) / 2;
  return Int8Array.from(a, (value, at) => {
    const [p, q] = [(Math.floor(at / side) % side) - middle, (at % side) - middle];
    const inside = p * p + q * q <= (side * side) / 4;
    return inside ? Math.max(-127, Math.min(127, value - b[at])) : 0;
  });
}

// What the colours of a map stand for: least is the tone of the page, most is its ink.
const FLAT = 1e-6; // what spans less is the same everywhere
const LEAST_SPAN = 0.01; // of a scale, as in the engine's drawings

// The ends of the scale of a share, at least so far apart: what is rounding looks like nothing.
function widen(low, high) {
  if (high - low >= LEAST_SPAN) return [low, high];
  const start = Math.min(Math.max((low + high - LEAST_SPAN) / 2, 0), 1 - LEAST_SPAN);
  return [start, start + LEAST_SPAN];
}

// A name such as α_F-p4-CNN or α_X · α_C with its letters below the line; and as plain text.
function writeName(text) {
  return text.split(/(_[A-Z]+)/).map((part) => {
    if (!/^_[A-Z]/.test(part)) return document.createTextNode(part);
    return make("sub", "", part.slice(1));
  });
}

function plainName(text) {
  return text.replace(/_(?=[A-Z])/g, "");
}

function makeScale() {
  const scale = make("div", "scale");
  scale.append(make("span"), make("i"), make("span"));
  return scale;
}

function tellEnds(scale, { low, high }, look) {
  const [least, bar, most] = scale.children;
  [least.textContent, most.textContent] = [writeValue(low), writeValue(high)];
  bar.style.background = rampGradient(look.dark);
}

function make(tag, className = "", text = "") {
  return Object.assign(document.createElement(tag), { className, textContent: text });
}

function makeMap(label) {
  const canvas = make("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", label);
  return canvas;
}
