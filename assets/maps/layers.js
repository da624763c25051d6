// All maps of one layer, for every pose h: what is taken away, what is kept, and their product with
// the attention to a channel; they follow the angle of the first view.
//
// data: {key}: the orbit that the first view holds

const VIEWS = new WeakMap(); // the element -> its view
const CHOSEN = { layer: 0, channel: 0 }; // it outlives the view, which other data replace
const SIGN = (h) => ["↑", "←", "↓", "→"][h % 4];
const [PLACES, CHANNELS, MINUS, PLUS] = ["α_X", "α_C", "α⁻ = α_X · α_C", "α⁺ = 1 − α⁻"];
const [BACK, DIFFERENCE] = ["α_X turned back", "difference"];
const LINES = [
  [PLACES, "of places, at (x, h)"],
  [CHANNELS, "of every channel c at h: choose one"],
  [MINUS, "removed from channel c"],
  [PLUS, "kept of channel c"],
  [BACK, "in the plane and in h"],
  [DIFFERENCE, "to α_X of the upright picture, twice as strong"],
];

export default function mount({ parentElement }) {
  const view = VIEWS.get(parentElement) ?? new Layers(parentElement);
  VIEWS.set(parentElement, view);
  view.renew();
  const call = (view.call = (view.call ?? 0) + 1);
  return () => {
    if (view.call !== call) return;
    VIEWS.delete(parentElement);
    view.remove();
  };
}

class Layers {
  constructor(parent) {
    this.root = make("div", "turning layers");
    [this.buttons, this.grid] = [make("div", "choose"), make("div", "grid")];
    this.buttons.setAttribute("role", "group");
    this.buttons.setAttribute("aria-label", "Layer");
    this.slider = Object.assign(make("input"), { type: "range", min: 0, step: 1 });
    this.slider.setAttribute("aria-label", "Turn of the picture, for the layers");
    this.slider.addEventListener("input", () => showAngle(Number(this.slider.value)));
    this.angle = make("output");
    const line = make("div", "line");
    line.append(make("span", "", "turn"), this.slider, this.angle);
    this.root.append(line, this.buttons, this.grid);
    parent.append(this.root);
    this.onTurn = () => this.renew();
    SHELF.listeners.add(this.onTurn);
  }

  renew() {
    const orbit = SHELF.current;
    if (!orbit) return;
    this.look = lookOf(this.root);
    if (this.orbit !== orbit) this.build(orbit);
    if (orbit.layers.length) this.render();
  }

  build(orbit) {
    this.orbit = orbit;
    this.layer = Math.min(CHOSEN.layer, Math.max(0, orbit.layers.length - 1));
    this.slider.max = orbit.degrees.length;
    this.buttons.replaceChildren(...orbit.layers.map((layer, at) => this.layerButton(layer, at)));
    this.root.style.setProperty("--poses", orbit.elements.length);
    if (orbit.layers.length) this.lay();
    else this.grid.replaceChildren(make("div", "label", `${plainName(orbit.title)} has no attention: choose another network.`));
  }

  layerButton(layer, at) {
    const button = Object.assign(make("button", "", `${layer.name}: ${layer.side}²`), { type: "button" });
    button.addEventListener("click", () => {
      this.layer = CHOSEN.layer = at;
      this.lay();
      this.render();
    });
    return button;
  }

  // The table of the chosen layer: a label and a map for every pose, line by line.
  lay() {
    const { elements, layers } = this.orbit;
    const { channels, spread } = layers[this.layer];
    const placed = spread > FLAT; // else it attends to channels alone
    this.channel = Math.min(CHOSEN.channel, Math.max(0, channels - 1));
    [...this.buttons.children].forEach((button, at) => button.setAttribute("aria-pressed", at === this.layer));
    this.lines = LINES.filter(([name]) => placed || [CHANNELS, MINUS, PLUS].includes(name)).map(([name, about]) => {
      const label = make("div", "label");
      const signed = [CHANNELS, DIFFERENCE].includes(name);
      const head = make("b");
      head.append(...writeName(name));
      label.append(head, make("span", "", about), signed ? make("div", "scale") : makeScale());
      const cells = elements.map((element) => (name === CHANNELS ? this.strip(channels, element) : mapCell(name, element)));
      return { name, label, cells };
    });
    const told = `Layer reads ${layers[this.layer].side} × ${layers[this.layer].side} px`;
    const heads = elements.map((element, h) => make("div", "head", `h = ${element} ${elements.length > 1 ? SIGN(h) : ""}`));
    const parts = this.lines.flatMap(({ label, cells }) => [label, ...cells]);
    const corner = make("div", "head label");
    corner.append(...writeName(placed ? told : "α_X = 1 everywhere"));
    this.grid.replaceChildren(corner, ...heads, ...parts);
  }

  strip(channels, element) {
    const strip = make("div", "strip");
    for (let c = 0; c < channels; c++) {
      const button = Object.assign(make("button"), { type: "button" });
      button.dataset.what = `channel ${c + 1}, h = ${element}`;
      button.addEventListener("click", () => {
        this.channel = CHOSEN.channel = c;
        this.render();
      });
      strip.append(button);
    }
    return strip;
  }

  render() {
    const { orbit, look } = this;
    const at = SHELF.at;
    if (Number(this.slider.value) % orbit.degrees.length !== at) this.slider.value = at;
    this.angle.textContent = `${orbit.degrees[at]}°`;
    this.slider.setAttribute("aria-valuetext", `${orbit.degrees[at]} degrees anticlockwise`);
    const layer = orbit.layers[this.layer];
    const now = numbersOf(orbit, layer, at, this.channel);
    for (const line of this.lines) {
      if (line.name === CHANNELS) this.showChannels(line, now);
      else showLine(line, now, look);
    }
    this.root.dataset.at = at;
  }

  showChannels(line, { alpha, poses, channels }) {
    line.cells.forEach((strip, h) =>
      [...strip.children].forEach((button, c) => {
        const value = alpha[c * poses + h] / 255;
        button.style.setProperty("--tall", `${100 * value}%`);
        button.title = `${button.dataset.what}: weight ${value.toFixed(2)}`;
        button.setAttribute("aria-label", button.title);
        button.setAttribute("aria-pressed", c === this.channel);
      }),
    );
    line.label.lastChild.textContent = `c = ${this.channel + 1} of ${channels}, 0 to 1`;
  }

  remove() {
    SHELF.listeners.delete(this.onTurn);
    this.root.remove();
  }
}

// Everything that is drawn of a layer at one angle, pose after pose: bytes with both ends of their scale.
function numbersOf(orbit, layer, at, channel) {
  const { shape } = orbit.arrays[layer.heat];
  const [, poses, side] = shape;
  const { low, high, channels } = layer;
  const places = sliceOf(orbit.arrays[layer.heat], at);
  const back = sliceOf(orbit.arrays[layer.back], at);
  const alpha = channels ? sliceOf(orbit.arrays[layer.channel], at) : undefined;
  const minus = alpha && multiply(orbit, layer, channel, at);
  const maps = {
    [PLACES]: [places, low, high],
    [MINUS]: minus,
    [PLUS]: minus && [minus[0].map((byte) => 255 - byte), 1 - minus[2], 1 - minus[1]],
    [BACK]: [back, low, high],
    [DIFFERENCE]: [subtract(back, orbit.arrays[layer.upright].values, side)],
  };
  return { alpha, poses, side, channels, maps, error: orbit.arrays[layer.error].values[at] };
}

// α_X·α_C of one channel, on a scale that holds for all angles.
function multiply(orbit, layer, channel, at) {
  const values = (number) => productOf(orbit, layer, channel, number);
  const known = (layer.scales ??= []);
  if (!known[channel]) {
    const ends = orbit.degrees.map((_, number) => endsOf(values(number)));
    known[channel] = widen(Math.min(...ends.map(([low]) => low)), Math.max(...ends.map(([, high]) => high)));
  }
  const [low, high] = known[channel];
  return [Uint8Array.from(values(at), (x) => (255 * (x - low)) / Math.max(high - low, 1e-9)), low, high];
}

function productOf(orbit, layer, channel, at) {
  const [, poses, side] = orbit.arrays[layer.heat].shape;
  const spatial = sliceOf(orbit.arrays[layer.heat], at);
  const alpha = sliceOf(orbit.arrays[layer.channel], at);
  const step = (layer.high - layer.low) / 255;
  return Float32Array.from(spatial, (byte, place) => {
    const h = Math.floor(place / (side * side));
    return ((layer.low + byte * step) * alpha[channel * poses + h]) / 255;
  });
}

function endsOf(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return [low, high];
}

function showLine(line, { maps, side, error }, look) {
  const [values, low, high] = maps[line.name];
  const signed = low === undefined;
  line.cells.forEach((cell, h) => {
    const part = values.subarray(h * side * side, (h + 1) * side * side);
    paintValues(cell.firstChild, part, [side, side], signed ? look.signed : look.ramp);
  });
  if (signed) line.label.lastChild.textContent = `relative error ${writeError(error)}`;
  else tellEnds(line.label.lastChild, { low, high }, look);
}

function mapCell(name, element) {
  const cell = make("div", name === BACK || name === DIFFERENCE ? "map disc" : "map");
  cell.append(makeMap(`${name}, h = ${element}`));
  return cell;
}
