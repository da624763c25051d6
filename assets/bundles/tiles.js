// shared/dom.js
function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}
function makeButton(className, text = "") {
  return Object.assign(make("button", className, text), { type: "button" });
}
function find(root, selector) {
  const element = root.querySelector(selector);
  if (!element) throw new Error(`the component has no element ${selector}`);
  return (
    /** @type {HTMLElement} */
    element
  );
}

// tiles/index.js
var STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
var mounted = /* @__PURE__ */ new WeakMap();
function show({ data, parentElement, setTriggerValue }) {
  const signature = JSON.stringify(data.tiles);
  let tiles = mounted.get(parentElement);
  if (tiles?.signature !== signature) {
    tiles = { signature, buttons: build(data, parentElement) };
    mounted.set(parentElement, tiles);
  }
  const root = find(parentElement, ".book");
  root.classList.toggle("small", Boolean(data.small));
  for (const [name, button] of tiles.buttons) {
    button.onclick = () => setTriggerValue?.("toggled", name);
    button.setAttribute("aria-pressed", String(data.chosen.includes(name)));
  }
  if (data.small) scrollIntoView(root, tiles.buttons.get(data.chosen[0]));
}
function scrollIntoView(root, button) {
  if (!button) return;
  const top = button.offsetTop - root.offsetTop;
  const bottom = top + button.offsetHeight;
  if (top < root.scrollTop || bottom > root.scrollTop + root.clientHeight) root.scrollTop = top - 30;
}
function build(data, parent) {
  const buttons = /* @__PURE__ */ new Map();
  const root = make("div", "book");
  for (const [family, title] of Object.entries(data.families)) {
    const members = data.tiles.flatMap((tile, at) => tile[2] === family ? [{ name: tile[0], label: tile[1], at }] : []);
    if (!members.length) continue;
    const group = make("div", "family");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", title);
    const own = members.map(({ label, at }) => makeTile(label, at, data.columns, data.tiles.length));
    members.forEach(({ name }, at) => buttons.set(name, own[at]));
    group.append(...own);
    own[0].tabIndex = 0;
    group.addEventListener("keydown", (event) => moveFocus(event, own));
    root.append(make("div", "title", title), group);
  }
  parent.querySelector(".book")?.remove();
  parent.append(root);
  return buttons;
}
function makeTile(label, at, columns, count) {
  const button = makeButton("");
  const rows = Math.ceil(count / columns);
  const [row, column] = [Math.floor(at / columns), at % columns];
  button.tabIndex = -1;
  button.title = label;
  button.setAttribute("aria-label", label);
  button.style.backgroundSize = `${columns * 100}% ${rows * 100}%`;
  const [x, y] = [column / (columns - 1), rows > 1 ? row / (rows - 1) : 0];
  button.style.backgroundPosition = `${x * 100}% ${y * 100}%`;
  return button;
}
function moveFocus(event, buttons) {
  const last = buttons.length - 1;
  const at = buttons.findIndex((button) => button === event.target);
  const places = { Home: 0, End: last };
  const step = event.key in STEPS ? STEPS[
    /** @type {keyof typeof STEPS} */
    event.key
  ] : NaN;
  const next = event.key in places ? places[
    /** @type {keyof typeof places} */
    event.key
  ] : at + step;
  if (!(next >= 0 && next <= last)) return;
  event.preventDefault();
  buttons[at].tabIndex = -1;
  buttons[next].tabIndex = 0;
  buttons[next].focus();
}
export {
  show as default
};
