// All maps of one layer, for every pose h: the attention to positions and channels, the removed part α⁻
// and the kept part α⁺. The maps follow the angle of the first view.

import { make, makeButton, makeSlider } from "../shared/dom.js";
import { FLAT, makeMap, makeScale, paintValues, plainName, readLook, renderName, showScale, subtractMaps, widenScale } from "../turning/maps.js";
import { formatError, nearestAngle, showAngle, sliceOf, turning } from "../turning/orbit.js";

/** @typedef {import("../turning/orbit.js").Orbit} Orbit */
/** @typedef {import("../turning/orbit.js").Layer} Layer */
/** @typedef {import("../turning/orbit.js").Values} Values */
/** @typedef {import("../turning/maps.js").Look} Look */
/** @typedef {{ layer: number, angle: string, request: string }} Wish a layer, counted from 1, an angle or "", and a name of the request */
/** @typedef {{ name: string, label: HTMLElement, scale: HTMLElement, cells: HTMLElement[] }} Line one kind of map: a cell for each pose */
/** @typedef {{ values: Values, low?: number, high?: number }} ScaledMap signed maps have no low and high */
/** @typedef {{ alpha: Values | undefined, poses: number, side: number, error: number, maps: Record<string, ScaledMap | undefined> }} LayerMaps */

/** @type {{ layer: number, channel: number, request: string | undefined }} kept when other data replace the view */
const chosen = { layer: 0, channel: 0, request: undefined };
const ARROWS = ["↑", "←", "↓", "→"]; // of the poses h
const [PLACES, CHANNELS, MINUS, PLUS] = ["α_X", "α_C", "α⁻ = α_X · α_C", "α⁺ = 1 − α⁻"];
const [BACK, DIFFERENCE] = ["α_X rotated back", "difference"];
const LINES = [
  [PLACES, "of positions, at (x, h) [no unit]"],
  [CHANNELS, "of channels, at h: choose one"],
  [MINUS, "removed from channel c"],
  [PLUS, "kept of channel c"],
  [BACK, "in the plane and in h"],
  [DIFFERENCE, "from α_X of the upright picture, doubled"],
];
const CHANNEL_LINES = [CHANNELS, MINUS, PLUS];

export class LayersView {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = make("div", "turning layers");
    this.buttons = make("div", "choose");
    this.grid = make("div", "grid");
    this.buttons.setAttribute("role", "group");
    this.buttons.setAttribute("aria-label", "Layer");
    this.slider = makeSlider({ min: 0, step: 1 });
    this.slider.setAttribute("aria-label", "Rotation of the picture, for the layers");
    this.slider.addEventListener("input", () => showAngle(Number(this.slider.value)));
    this.angle = make("output");
    const line = make("div", "line");
    line.append(make("span", "", "rotation"), this.slider, this.angle);
    this.root.append(line, this.buttons, this.grid);
    parent.append(this.root);
    /** @type {Orbit | undefined} */
    this.orbit = undefined;
    /** @type {number | undefined} */
    this.degrees = undefined; // requested
    /** @type {Line[]} */
    this.lines = [];
    this.layer = this.channel = 0;
    this.onTurn = () => this.renew();
    turning.listeners.add(this.onTurn);
  }

  /** Shows a layer and an angle if they were requested after the last change. @param {Wish} wish */
  ask({ layer, angle, request }) {
    if (request !== chosen.request) {
      if (request || chosen.request === undefined) chosen.layer = layer - 1;
      if (angle && Number.isFinite(Number(angle))) this.degrees = Number(angle);
      chosen.request = request;
      this.orbit = undefined; // rebuilt with this layer
    }
    this.renew();
  }

  renew() {
    const orbit = turning.current;
    if (!orbit) return;
    const { degrees } = this;
    this.degrees = undefined;
    if (degrees !== undefined) showAngle(nearestAngle(degrees));
    if (this.orbit !== orbit) this.build(orbit);
    if (orbit.layers.length) this.render(orbit);
  }

  /** @param {Orbit} orbit */
  build(orbit) {
    this.orbit = orbit;
    this.layer = Math.min(chosen.layer, Math.max(0, orbit.layers.length - 1));
    this.slider.max = String(orbit.degrees.length);
    this.buttons.replaceChildren(...orbit.layers.map((layer, at) => this.layerButton(orbit, layer, at)));
    this.root.style.setProperty("--poses", String(orbit.elements.length));
    if (orbit.layers.length) this.layOut(orbit);
    else this.grid.replaceChildren(make("div", "label", `${plainName(orbit.title)} has no attention. Choose a different network.`));
  }

  /** @param {Orbit} orbit @param {Layer} layer @param {number} at */
  layerButton(orbit, layer, at) {
    const button = makeButton("", `${layer.name}: ${layer.side}²`);
    button.addEventListener("click", () => {
      this.layer = chosen.layer = at;
      this.layOut(orbit);
      this.render(orbit);
    });
    return button;
  }

  /** The table of the chosen layer: a label and a map for every pose, line by line. @param {Orbit} orbit */
  layOut(orbit) {
    const { elements, layers } = orbit;
    const { channels, spread, side } = layers[this.layer];
    const attendsToPlaces = spread > FLAT;
    this.channel = Math.min(chosen.channel, Math.max(0, channels - 1));
    [...this.buttons.children].forEach((button, at) => button.setAttribute("aria-pressed", String(at === this.layer)));
    this.lines = LINES.filter(([name]) => attendsToPlaces || CHANNEL_LINES.includes(name)).map(([name, about]) => {
      const label = make("div", "label");
      const scale = [CHANNELS, DIFFERENCE].includes(name) ? make("div", "scale") : makeScale();
      const head = make("b");
      head.append(...renderName(name));
      label.append(head, make("span", "", about), scale);
      const cells = elements.map((element) => (name === CHANNELS ? this.channelStrip(orbit, channels, element) : mapCell(name, element)));
      return { name, label, scale, cells };
    });
    const heads = elements.map((element, h) =>
      make("div", "head", `h = ${element} ${elements.length > 1 ? ARROWS[h % 4] : ""}`));
    const corner = make("div", "head label");
    corner.append(...renderName(attendsToPlaces ? `Layer reads ${side} × ${side} px` : "α_X = 1 everywhere"));
    this.grid.replaceChildren(corner, ...heads, ...this.lines.flatMap(({ label, cells }) => [label, ...cells]));
  }

  /** A button for each channel. @param {Orbit} orbit @param {number} channels @param {string} element */
  channelStrip(orbit, channels, element) {
    const strip = make("div", "strip");
    strip.append(...Array.from({ length: channels }, (_, c) => {
      const button = makeButton("");
      button.dataset.what = `channel ${c + 1}, h = ${element}`;
      button.addEventListener("click", () => {
        this.channel = chosen.channel = c;
        this.render(orbit);
      });
      return button;
    }));
    return strip;
  }

  /** @param {Orbit} orbit */
  render(orbit) {
    const { at } = turning;
    const look = readLook(this.root);
    if (Number(this.slider.value) % orbit.degrees.length !== at) this.slider.value = String(at);
    this.angle.textContent = `${orbit.degrees[at]}°`;
    this.slider.setAttribute("aria-valuetext", `${orbit.degrees[at]} degrees anticlockwise`);
    const layer = orbit.layers[this.layer];
    const maps = mapsOf(orbit, layer, at, this.channel);
    for (const line of this.lines) {
      if (line.name === CHANNELS) this.showChannels(line, maps, layer.channels);
      else showLine(line, maps, look);
    }
    this.root.dataset.at = String(at);
  }

  /** @param {Line} line @param {LayerMaps} maps @param {number} channels */
  showChannels({ cells, scale }, { alpha, poses }, channels) {
    cells.forEach((strip, h) => [...strip.children].forEach((child, c) => {
      const button = /** @type {HTMLButtonElement} */ (child);
      const value = (alpha?.[c * poses + h] ?? 0) / 255;
      button.style.setProperty("--tall", `${100 * value}%`);
      button.title = `${button.dataset.what}: weight ${value.toFixed(2)}`;
      button.setAttribute("aria-label", button.title);
      button.setAttribute("aria-pressed", String(c === this.channel));
    }));
    scale.textContent = `c = ${this.channel + 1} of ${channels}, 0 to 1`;
  }

  remove() {
    turning.listeners.delete(this.onTurn);
    this.root.remove();
  }
}

/** All maps of a layer at one angle, pose by pose, as bytes with both ends of their scale. @param {Orbit} orbit @param {Layer} layer @param {number} at @param {number} channel @returns {LayerMaps} */
function mapsOf(orbit, layer, at, channel) {
  const [, poses, side] = orbit.arrays[layer.heat].shape;
  const { low, high, channels } = layer;
  const back = sliceOf(orbit.arrays[layer.back], at);
  const minus = channels ? multiply(orbit, layer, channel, at) : undefined;
  return {
    alpha: channels ? sliceOf(orbit.arrays[layer.channel], at) : undefined,
    poses,
    side,
    error: orbit.arrays[layer.error].values[at],
    maps: {
      [PLACES]: { values: sliceOf(orbit.arrays[layer.heat], at), low, high },
      [MINUS]: minus,
      [PLUS]: minus && { values: minus.values.map((byte) => 255 - byte), low: 1 - minus.high, high: 1 - minus.low },
      [BACK]: { values: back, low, high },
      [DIFFERENCE]: { values: subtractMaps(back, orbit.arrays[layer.upright].values, side) },
    },
  };
}

/** α_X·α_C of one channel, on one scale for all angles. @param {Orbit} orbit @param {Layer} layer @param {number} channel @param {number} at */
function multiply(orbit, layer, channel, at) {
  const valuesAt = (/** @type {number} */ number) => productOf(orbit, layer, channel, number);
  const scales = (layer.scales ??= []);
  if (!scales[channel]) {
    const ends = orbit.degrees.map((_, number) => endsOf(valuesAt(number)));
    scales[channel] = widenScale(Math.min(...ends.map(([least]) => least)), Math.max(...ends.map(([, most]) => most)));
  }
  const [low, high] = scales[channel];
  const values = Uint8Array.from(valuesAt(at), (x) => (255 * (x - low)) / Math.max(high - low, 1e-9));
  return { values, low, high };
}

/** @param {Orbit} orbit @param {Layer} layer @param {number} channel @param {number} at */
function productOf(orbit, layer, channel, at) {
  const [, poses, side] = orbit.arrays[layer.heat].shape;
  const places = sliceOf(orbit.arrays[layer.heat], at);
  const alpha = sliceOf(orbit.arrays[layer.channel], at);
  const step = (layer.high - layer.low) / 255;
  return Float32Array.from(places, (byte, place) => {
    const h = Math.floor(place / (side * side));
    return ((layer.low + byte * step) * alpha[channel * poses + h]) / 255;
  });
}

/** @param {Float32Array} values @returns {[number, number]} */
function endsOf(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return [low, high];
}

/** @param {Line} line @param {LayerMaps} layerMaps @param {Look} look */
function showLine({ name, cells, scale }, { maps, side, error }, look) {
  const map = maps[name];
  if (!map) return;
  const { values, low, high } = map;
  const isSigned = low === undefined || high === undefined;
  cells.forEach((cell, h) => {
    const part = values.subarray(h * side * side, (h + 1) * side * side);
    paintValues(/** @type {HTMLCanvasElement} */ (cell.firstChild), part, [side, side], isSigned ? look.signed : look.map);
  });
  if (isSigned) scale.textContent = `relative error ${formatError(error)}`;
  else showScale(scale, low, high, look);
}

/** @param {string} name @param {string} element */
function mapCell(name, element) {
  const cell = make("div", name === BACK || name === DIFFERENCE ? "map disc" : "map");
  cell.append(makeMap(`${name}, h = ${element}`));
  return cell;
}
