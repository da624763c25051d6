// Colours: a colour map with even steps of lightness, the colours of groups, and the two colours of a pair.

export const MAP_SIZE = 256;
// As in ia_engine/figures/style.py, on white and on black.
const GROUPS = ["#2a78c8", "#c2570c", "#0f8f88", "#8020f5", "#92774d", "#d513c3", "#6ea33b", "#f73c89", "#c37bbe", "#8f22d3", "#df53f5", "#8f5091"];

/** @typedef {[number, number, number]} Rgb 0..255 */
/** @typedef {{ background: string, text: string, border: string, dark: boolean }} Theme */

// Orange and blue add up to white, and differ for every kind of colour vision.
/** @type {Rgb} */
export const ROW_COLOUR = [255, 148, 38];
/** @type {Rgb} */
export const COLUMN_COLOUR = [0, 107, 217];

/**
 * OKLCH to sRGB.
 * @param {number} lightness 0..1
 * @param {number} chroma
 * @param {number} hue in degrees
 */
export function oklch(lightness, chroma, hue) {
  const angle = (hue * Math.PI) / 180;
  return oklab(lightness, chroma * Math.cos(angle), chroma * Math.sin(angle));
}

/** @param {number} L @param {number} a @param {number} b @returns {Rgb} */
function oklab(L, a, b) {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    toByte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toByte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toByte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** @param {number} linear */
function toByte(linear) {
  const x = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
}

/**
 * The colour of a value t = 0..1: from the page's background through green to its text colour.
 * The engine's drawings have the same colours (ia_engine/figures/svg.py).
 * @param {number} t
 * @param {boolean} dark
 */
export function mapColour(t, dark) {
  const light = dark ? t : 1 - t;
  return oklch(0.22 + 0.72 * light, 0.03 + 0.1 * Math.sin(Math.PI * (0.12 + 0.76 * light)), 285 - 185 * light);
}

/** A colour as the little-endian word of an ImageData. @param {Rgb} colour */
export function toWord([r, g, b]) {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/** The colour map as 256 words. @param {boolean} dark */
export function makeColourMap(dark) {
  return Uint32Array.from({ length: MAP_SIZE }, (_, at) => toWord(mapColour(at / (MAP_SIZE - 1), dark)));
}

/** @param {boolean} dark */
export function mapGradient(dark) {
  const stops = Array.from({ length: 17 }, (_, at) => toCss(mapColour(at / 16, dark)));
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

/** The colour of a group, as in the engine's plots; ten differ for every kind of colour vision. @param {number} group */
export function groupColour(group) {
  const colour = parseInt(GROUPS[group % GROUPS.length].slice(1), 16);
  return toCss([colour >> 16, (colour >> 8) & 255, colour & 255]);
}

/** @param {Rgb} colour */
export function toCss([r, g, b]) {
  return `rgb(${r} ${g} ${b} / 1)`;
}

/** The colours of the page's theme. @param {Element} element @returns {Theme} */
export function readTheme(element) {
  const style = getComputedStyle(element);
  const value = (/** @type {string} */ name, /** @type {string} */ otherwise) =>
    style.getPropertyValue(`--st-${name}`).trim() || otherwise;
  const background = value("background-color", "#ffffff");
  return {
    background,
    text: value("text-color", "#31333f"),
    border: value("border-color", "#cccccc"),
    dark: luminance(background) < 0.4,
  };
}

/** @param {string} colour */
function luminance(colour) {
  const canvas = document.createElement("canvas");
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}
