// Elements of SVG charts.

/** @typedef {(value: number) => number} Scale */
/** @typedef {[low: number, high: number]} Range */

/** @param {number} width @param {number} height */
export function makeSvg(width, height) {
  return svgElement("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "No iteration yet" });
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, unknown>} attributes
 * @returns {SVGElementTagNameMap[K]}
 */
export function svgElement(name, attributes) {
  return setSvg(document.createElementNS("http://www.w3.org/2000/svg", name), attributes);
}

/**
 * @template {SVGElement} T
 * @param {T} element
 * @param {Record<string, unknown>} attributes
 * @returns {T}
 */
export function setSvg(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** @param {Record<string, unknown>} attributes */
export function makeLine(attributes) {
  return svgElement("line", attributes);
}

/** @param {number} x @param {number} y @param {string} words @param {string} anchor @param {string} [className] */
export function makeText(x, y, words, anchor, className = "") {
  const element = svgElement("text", { x, y, "text-anchor": anchor, class: className });
  element.textContent = words;
  return element;
}

/** @param {Range} range @param {Range} target @returns {Scale} */
export function linearScale([low, high], [from, to]) {
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}

/** A range that contains 0 and all values, with a margin. @param {number[]} values @param {number} least the minimum width of the range @returns {Range} */
export function rangeAround(values, least) {
  const [low, high] = [Math.min(...values, 0), Math.max(...values, 0)];
  const margin = Math.max(0.06 * (high - low), least / 2);
  return [low - margin, high + margin];
}

/** Round numbers within a range. @param {number} low @param {number} high @param {number} about approximate number of them */
export function axisTicks(low, high, about) {
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => power * factor >= rough * 0.999) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, k) => Number(((first + k) * step).toPrecision(6)));
}
