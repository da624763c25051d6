// A set of pictures to choose from: a click, Space or Enter selects one or deselects it; arrow keys
// move from one to the next.

import "./tiles.css";
import { find, make, makeButton } from "../shared/dom.js";

/**
 * @typedef {object} TileData
 * @property {[name: string, label: string, family: string][]} tiles in the order of the sheet
 * @property {Record<string, string>} families title of each family
 * @property {number} columns of the sheet
 * @property {string[]} chosen names
 * @property {boolean} [small]
 */
/** @typedef {{ signature: string, buttons: Map<string, HTMLButtonElement> }} Tiles */

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** @type {WeakMap<HTMLElement, Tiles>} */
const mounted = new WeakMap();

/** @param {import("../shared/streamlit.js").ComponentCall<TileData>} call */
export default function show({ data, parentElement, setTriggerValue }) {
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

/** Scrolls to a button without moving the page, unlike the browser's own method. @param {HTMLElement} root @param {HTMLElement} [button] */
function scrollIntoView(root, button) {
  if (!button) return;
  const top = button.offsetTop - root.offsetTop;
  const bottom = top + button.offsetHeight;
  if (top < root.scrollTop || bottom > root.scrollTop + root.clientHeight) root.scrollTop = top - 30;
}

/** @param {TileData} data @param {HTMLElement} parent */
function build(data, parent) {
  /** @type {Map<string, HTMLButtonElement>} */
  const buttons = new Map();
  const root = make("div", "book");
  for (const [family, title] of Object.entries(data.families)) {
    const members = data.tiles.flatMap((tile, at) => (tile[2] === family ? [{ name: tile[0], label: tile[1], at }] : []));
    if (!members.length) continue;
    const group = make("div", "family");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", title);
    const own = members.map(({ label, at }) => makeTile(label, at, data.columns, data.tiles.length));
    members.forEach(({ name }, at) => buttons.set(name, own[at]));
    group.append(...own);
    own[0].tabIndex = 0; // one stop of the Tab key for each family
    group.addEventListener("keydown", (event) => moveFocus(event, own));
    root.append(make("div", "title", title), group);
  }
  parent.querySelector(".book")?.remove();
  parent.append(root);
  return buttons;
}

/** @param {string} label @param {number} at @param {number} columns @param {number} count */
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

/** @param {KeyboardEvent} event @param {HTMLButtonElement[]} buttons */
function moveFocus(event, buttons) {
  const last = buttons.length - 1;
  const at = buttons.findIndex((button) => button === event.target);
  const places = { Home: 0, End: last };
  const step = event.key in STEPS ? STEPS[/** @type {keyof typeof STEPS} */ (event.key)] : NaN;
  const next = event.key in places ? places[/** @type {keyof typeof places} */ (event.key)] : at + step;
  if (!(next >= 0 && next <= last)) return;
  event.preventDefault();
  buttons[at].tabIndex = -1;
  buttons[next].tabIndex = 0;
  buttons[next].focus();
}
