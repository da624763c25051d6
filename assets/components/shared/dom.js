// Elements: creating and finding them, and changing them only if something differs.

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} [className]
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

/** @param {string} className @param {string} [text] */
export function makeButton(className, text = "") {
  return Object.assign(make("button", className, text), { type: "button" });
}

/** A range slider. @param {Record<string, unknown>} [properties] */
export function makeSlider(properties = {}) {
  return Object.assign(make("input"), { type: "range", ...properties });
}

/**
 * An element that the component itself has built, so it must exist.
 * @param {Element} root
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function find(root, selector) {
  const element = root.querySelector(selector);
  if (!element) throw new Error(`the component has no element ${selector}`);
  return /** @type {HTMLElement} */ (element);
}

/** @param {Element} root @param {string} selector */
export function findCanvas(root, selector) {
  return /** @type {HTMLCanvasElement} */ (find(root, selector));
}

/** @param {Element} root @param {string} selector */
export function findInput(root, selector) {
  return /** @type {HTMLInputElement} */ (find(root, selector));
}

/** @param {Element} root @param {string} selector */
export function findSelect(root, selector) {
  return /** @type {HTMLSelectElement} */ (find(root, selector));
}

/** @param {Element} root @param {string} selector */
export function findButton(root, selector) {
  return /** @type {HTMLButtonElement} */ (find(root, selector));
}

/** The element that an event happened on. @param {Event} event */
export function targetOf(event) {
  return /** @type {HTMLElement} */ (event.target);
}

/** @param {HTMLCanvasElement} canvas @param {CanvasRenderingContext2DSettings} [settings] */
export function contextOf(canvas, settings) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", settings));
}

/** @param {number} width @param {number} height */
export function newCanvas(width, height) {
  return Object.assign(make("canvas"), { width, height });
}

/** @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
export function resizeCanvas(canvas, width, height) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
}

/** The zoom of the page; offsets of events are in pixels of the screen. @param {Element} element */
export function zoomOf(element) {
  return /** @type {{ currentCSSZoom?: number }} */ (element).currentCSSZoom ?? 1;
}

/** @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {Element} element @param {string} text */
export function setLabel(element, text) {
  if (element.getAttribute("aria-label") !== text) element.setAttribute("aria-label", text);
}

/** @param {Element} element @param {Record<string, unknown>} attributes */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

/** True if the user asked for less motion. */
export function prefersStillness() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
