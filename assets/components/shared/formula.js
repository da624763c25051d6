// Formulas whose terms can be pointed at, or reached with Tab and the arrow keys.

import { showHighlights } from "./highlights.js";

/** @typedef {[text: string, name?: string, about?: string]} Part a term, or without a name only text */

/** @param {HTMLElement} element @param {Part[]} parts */
export function writeTerms(element, parts) {
  const key = JSON.stringify(parts);
  if (element.dataset.parts === key) return;
  element.dataset.parts = key;
  const focused = termElements(element).findIndex((term) => term.matches(":focus"));
  element.replaceChildren(...parts.map(([text, name, about]) => {
    const part = document.createElement("span");
    part.append(...renderScripts(text));
    if (name) makeTerm(part, name, about);
    return part;
  }));
  const terms = termElements(element);
  if (terms.length) terms[Math.max(focused, 0)].tabIndex = 0; // one stop of the Tab key per formula
  if (focused >= 0) terms[focused].focus();
  showHighlights(element);
}

/** Writes W_{ij} and β^2 with subscripts and superscripts. @param {HTMLElement} element @param {string} text */
export function writeFormula(element, text) {
  if (element.dataset.formula === text) return;
  element.dataset.formula = text;
  element.replaceChildren(...renderScripts(text));
}

/** @param {HTMLElement} part @param {string} name @param {string} [about] */
function makeTerm(part, name, about) {
  part.className = "term";
  Object.assign(part.dataset, { term: name, about: about ?? "" });
  part.setAttribute("role", "img");
  part.setAttribute("aria-label", `${part.textContent}${about ? `: ${about}` : ""}`);
  part.tabIndex = -1;
  part.addEventListener("keydown", moveFocus);
}

/** @param {string} text @returns {Node[]} */
function renderScripts(text) {
  return text.split(/([_^](?:\{[^}]*\}|.))/u).map((part) => {
    const tag = part.length < 2 ? undefined : { _: "sub", "^": "sup" }[part[0]];
    if (!tag) return document.createTextNode(part);
    const node = document.createElement(tag);
    node.textContent = part.slice(1).replace(/^\{|\}$/g, "");
    return node;
  });
}

/** @param {HTMLElement} element @returns {HTMLElement[]} */
function termElements(element) {
  return [...element.querySelectorAll(".term")].map((term) => /** @type {HTMLElement} */ (term));
}

/** Arrow keys move from term to term. @param {KeyboardEvent} event */
function moveFocus(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const term = /** @type {HTMLElement} */ (event.currentTarget);
  if (!step || !term.parentElement) return;
  const terms = termElements(term.parentElement);
  const next = terms[terms.indexOf(term) + step];
  event.preventDefault();
  event.stopPropagation();
  if (!next) return;
  term.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
