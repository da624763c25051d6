// shared/dom.js
function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

// shared/highlights.js
var page = (
  /** @type {{ __iaLights?: Highlights }} */
  /** @type {unknown} */
  window
);
var highlights = page.__iaLights ??= { term: "", isTerm: false, listeners: /* @__PURE__ */ new Set() };
function highlight(term, isTerm = false) {
  if (highlights.term === term) return;
  Object.assign(highlights, { term, isTerm: isTerm && term !== "" });
  for (const listener of highlights.listeners) listener(term);
}
function termsOf(element) {
  return (element?.dataset.term ?? "").split(" ").filter(Boolean);
}
function shareHighlights(root) {
  const on = ({ target }) => {
    const element = (
      /** @type {HTMLElement | null} */
      /** @type {Element} */
      target.closest?.("[data-term]")
    );
    highlight(termsOf(element).join(" "), element?.classList.contains("term"));
  };
  const off = () => highlight("");
  const listeners = [["pointerover", on], ["focusin", on], ["pointerleave", off], ["focusout", off]];
  for (const [type, listener] of listeners) root.addEventListener(type, listener);
  const update = () => showHighlights(root);
  highlights.listeners.add(update);
  return () => {
    highlights.listeners.delete(update);
    for (const [type, listener] of listeners) root.removeEventListener(type, listener);
  };
}
function showHighlights(root) {
  const shown = highlights.term.split(" ").filter(Boolean);
  for (const element of root.querySelectorAll("[data-term]")) {
    const names = termsOf(
      /** @type {HTMLElement} */
      element
    );
    element.classList.toggle("lit", names.some((name) => shown.includes(name)));
  }
}

// shared/formula.js
function writeTerms(element, parts) {
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
  if (terms.length) terms[Math.max(focused, 0)].tabIndex = 0;
  if (focused >= 0) terms[focused].focus();
  showHighlights(element);
}
function makeTerm(part, name, about) {
  part.className = "term";
  Object.assign(part.dataset, { term: name, about: about ?? "" });
  part.setAttribute("role", "img");
  part.setAttribute("aria-label", `${part.textContent}${about ? `: ${about}` : ""}`);
  part.tabIndex = -1;
  part.addEventListener("keydown", moveFocus);
}
function renderScripts(text) {
  return text.split(/([_^](?:\{[^}]*\}|.))/u).map((part) => {
    const tag = part.length < 2 ? void 0 : { _: "sub", "^": "sup" }[part[0]];
    if (!tag) return document.createTextNode(part);
    const node = document.createElement(tag);
    node.textContent = part.slice(1).replace(/^\{|\}$/g, "");
    return node;
  });
}
function termElements(element) {
  return [...element.querySelectorAll(".term")].map((term) => (
    /** @type {HTMLElement} */
    term
  ));
}
function moveFocus(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const term = (
    /** @type {HTMLElement} */
    event.currentTarget
  );
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

// shared/streamlit.js
function defineComponent(create, update, remove) {
  const mounted = /* @__PURE__ */ new WeakMap();
  return (call) => {
    const { parentElement } = call;
    const entry = mounted.get(parentElement) ?? { instance: create(parentElement), calls: 0 };
    mounted.set(parentElement, entry);
    update(entry.instance, call);
    const number = entry.calls += 1;
    return () => {
      if (entry.calls !== number) return;
      mounted.delete(parentElement);
      remove(entry.instance);
    };
  };
}

// formula/index.js
var formula_default = defineComponent(
  (parent) => {
    const line = make("p", "math");
    parent.append(line);
    return { line, stop: shareHighlights(line) };
  },
  ({ line }, { data }) => writeTerms(line, data),
  ({ line, stop }) => {
    stop();
    line.remove();
  }
);
export {
  formula_default as default
};
