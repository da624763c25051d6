// A term of a formula and the parts of the pictures that it stands for are highlighted together,
// wherever on the page they are: an element lists what it shows in data-term, separated by spaces.

/**
 * @typedef {object} Highlights shared by all components of the page
 * @property {string} term
 * @property {boolean} isTerm the term itself is pointed at, so that a picture may dim everything else
 * @property {Set<(term: string) => void>} listeners
 */

const page = /** @type {{ __iaLights?: Highlights }} */ (/** @type {unknown} */ (window));

export const highlights = (page.__iaLights ??= { term: "", isTerm: false, listeners: new Set() });

/** @param {string} term @param {boolean} [isTerm] */
function highlight(term, isTerm = false) {
  if (highlights.term === term) return;
  Object.assign(highlights, { term, isTerm: isTerm && term !== "" });
  for (const listener of highlights.listeners) listener(term);
}

/** @param {HTMLElement | null} element */
function termsOf(element) {
  return (element?.dataset.term ?? "").split(" ").filter(Boolean);
}

/**
 * Highlights the terms of all elements below the root that have a data-term, on pointer and focus.
 * @param {HTMLElement} root
 * @returns {() => void} stops the highlighting
 */
export function shareHighlights(root) {
  const on = (/** @type {Event} */ { target }) => {
    const element = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest?.("[data-term]"));
    highlight(termsOf(element).join(" "), element?.classList.contains("term"));
  };
  const off = () => highlight("");
  /** @type {[string, (event: Event) => void][]} */
  const listeners = [["pointerover", on], ["focusin", on], ["pointerleave", off], ["focusout", off]];
  for (const [type, listener] of listeners) root.addEventListener(type, listener);
  const update = () => showHighlights(root);
  highlights.listeners.add(update);
  return () => {
    highlights.listeners.delete(update);
    for (const [type, listener] of listeners) root.removeEventListener(type, listener);
  };
}

/** @param {HTMLElement} root */
export function showHighlights(root) {
  const shown = highlights.term.split(" ").filter(Boolean);
  for (const element of root.querySelectorAll("[data-term]")) {
    const names = termsOf(/** @type {HTMLElement} */ (element));
    element.classList.toggle("lit", names.some((name) => shown.includes(name)));
  }
}
