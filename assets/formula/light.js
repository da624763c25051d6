// A term of a formula and the parts of the pictures that it stands for light up together, wherever on
// the page they are: an element names what it is about in data-term, and several names stand apart.

const lights = (window.__iaLights ??= { term: "", told: false, listeners: new Set() });

// `told`: the term itself is meant, so that a picture may dim all else; a picture never dims itself.
function lightUp(term, told = false) {
  if (lights.term === term) return;
  Object.assign(lights, { term, told: told && term !== "" });
  for (const listener of lights.listeners) listener(term);
}

function namesOf(element) {
  return (element?.dataset.term ?? "").split(" ").filter(Boolean);
}

// Everything below the root that has a data-term hears of it and tells of it, by pointer and by focus.
function shareLights(root) {
  const on = ({ target }) => {
    const element = target.closest?.("[data-term]");
    lightUp(element ? namesOf(element).join(" ") : "", element?.classList.contains("term"));
  };
  const off = () => lightUp("");
  const told = { pointerover: on, focusin: on, pointerleave: off, focusout: off, keydown: rove };
  for (const [type, listener] of Object.entries(told)) root.addEventListener(type, listener);
  const hear = () => showLights(root);
  lights.listeners.add(hear);
  return () => {
    lights.listeners.delete(hear);
    for (const [type, listener] of Object.entries(told)) root.removeEventListener(type, listener);
  };
}

function showLights(root) {
  const lit = lights.term.split(" ").filter(Boolean);
  for (const element of root.querySelectorAll("[data-term]"))
    element.classList.toggle("lit", namesOf(element).some((name) => lit.includes(name)));
}

// --- Formulas -----------------------------------------------------------------------------------

// parts: [text, name, about], where a text without a name is only written.
function writeTerms(element, parts) {
  const key = JSON.stringify(parts);
  if (element.dataset.parts === key) return;
  element.dataset.parts = key;
  const had = element.querySelector(".term:focus") ? termsOf(element).findIndex((term) => term.matches(":focus")) : -1;
  element.replaceChildren(...parts.map(([text, name, about]) => {
    const part = document.createElement("span");
    part.append(...scripts(text));
    if (name) makeTerm(part, name, about);
    return part;
  }));
  const terms = termsOf(element);
  if (terms.length) terms[Math.max(had, 0)].tabIndex = 0; // one stop of the Tab key for a formula
  if (had >= 0) terms[had].focus();
  showLights(element);
}

function makeTerm(part, name, about) {
  part.className = "term";
  Object.assign(part.dataset, { term: name, about: about ?? "" });
  part.setAttribute("role", "img");
  part.setAttribute("aria-label", `${part.textContent}${about ? `: ${about}` : ""}`);
  part.tabIndex = -1;
}

// W_{ij} and β^2 with real subscripts and superscripts.
function scripts(text) {
  return text.split(/([_^](?:\{[^}]*\}|.))/u).map((part) => {
    const tag = { _: "sub", "^": "sup" }[part[0]];
    if (!tag || part.length < 2) return document.createTextNode(part);
    const node = document.createElement(tag);
    node.textContent = part.slice(1).replace(/^\{|\}$/g, "");
    return node;
  });
}

function termsOf(element) {
  return [...element.querySelectorAll(".term")];
}

// Arrow keys move from term to term.
function rove(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || !event.target.matches?.(".term")) return;
  const terms = termsOf(event.target.parentElement);
  const next = terms[terms.indexOf(event.target) + step];
  event.preventDefault();
  event.stopPropagation();
  if (!next) return;
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
