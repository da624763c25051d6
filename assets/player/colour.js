// Colours: a ramp of even steps for W by formula, a list for groups, two complements for a pair.

const RAMP = 256;
// As in ia_engine/figures/style.py, on white and on black.
const GROUPS = ["#2a78c8", "#c2570c", "#0f8f88", "#8020f5", "#92774d", "#d513c3", "#6ea33b", "#f73c89", "#c37bbe", "#8f22d3", "#df53f5", "#8f5091"];
const SELECTED_ROW = [255, 148, 38]; // orange and blue add up to white,
const SELECTED_COLUMN = [0, 107, 217]; // and differ for every kind of colour vision

// OKLCH (lightness 0..1, chroma, hue in degrees) to sRGB 0..255.
function oklch(lightness, chroma, hue) {
  const angle = (hue * Math.PI) / 180;
  return oklab(lightness, chroma * Math.cos(angle), chroma * Math.sin(angle));
}

function oklab(L, a, b) {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map(toByte);
}

function toByte(linear) {
  const x = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
}

// Nothing to all, t = 0..1: from the page's tone to its ink, through green; evenly in lightness.
// The engine's drawings have the same colours (ia_engine/figures/svg.py).
function rampColour(t, dark) {
  const light = dark ? t : 1 - t;
  return oklch(0.22 + 0.72 * light, 0.03 + 0.1 * Math.sin(Math.PI * (0.12 + 0.76 * light)), 285 - 185 * light);
}

// 256 colours as the little-endian words of an ImageData.
function makeRamp(dark) {
  return Uint32Array.from({ length: RAMP }, (_, at) => {
    const [r, g, b] = rampColour(at / (RAMP - 1), dark);
    return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  });
}

function rampGradient(dark) {
  const stops = Array.from({ length: 17 }, (_, at) => css(rampColour(at / 16, dark)));
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

// A group's colour, which is the one of the engine's plots: ten stay apart for every colour vision.
function groupColour(group) {
  const colour = parseInt(GROUPS[group % GROUPS.length].slice(1), 16);
  return css([colour >> 16, (colour >> 8) & 255, colour & 255]);
}

function css([r, g, b], alpha = 1) {
  return `rgb(${r} ${g} ${b} / ${alpha})`;
}

// What the page's theme says, with whether it is dark.
function readTheme(element) {
  const style = getComputedStyle(element);
  const value = (name, otherwise) => style.getPropertyValue(`--st-${name}`).trim() || otherwise;
  const background = value("background-color", "#ffffff");
  return {
    background,
    text: value("text-color", "#31333f"),
    border: value("border-color", "#cccccc"),
    dark: luminance(background) < 0.4,
  };
}

function luminance(colour) {
  const context = document.createElement("canvas").getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}
