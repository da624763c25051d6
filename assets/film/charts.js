// What a run is in numbers, drawn beside its film: curves over the steps, and every image's path.

const CURVES = { left: 46, right: 8, width: 420, height: 336 };
const PANELS = [
  { name: "f", title: "objective f", top: 24, bottom: 116, read: (step) => step.objective },
  { name: "sharpness", title: "sharpness of μ", top: 148, bottom: 216, read: (step) => step.sharpness },
  { name: "σ", title: "σ chosen, px", top: 248, bottom: 292, read: (step) => step.sigma, steps: true, least: 1 },
];
const SPREAD = { top: 24, bottom: 286, height: 336, width: 420 };
const SIDES = [
  { axis: 1, left: 46, right: 222, title: "shift down, px" },
  { axis: 2, left: 240, right: 416, title: "shift right, px" },
];
const NUMBERED = 20; // more images than this are dots without a number

class Charts {
  constructor(place, goTo, pick) {
    this.curves = svg(CURVES.width, CURVES.height);
    this.spread = svg(SPREAD.width, SPREAD.height);
    for (const [title, chart] of [["Objective, sharpness and σ", this.curves], ["Where every image goes: turn and shift", this.spread]]) {
      const figure = document.createElement("figure");
      figure.dataset.term = chart === this.curves ? "f" : "tau";
      figure.append(Object.assign(document.createElement("b"), { textContent: title }), chart);
      place.append(figure);
    }
    this.spread.addEventListener("click", ({ target }) => {
      const end = target.closest(".end");
      if (end) pick(Number(end.dataset.i));
    });
    const seek = (event) => event.buttons && this.steps && goTo(this.placeAt(event));
    this.curves.addEventListener("pointerdown", seek);
    this.curves.addEventListener("pointermove", seek);
  }

  // Drawn anew when steps have come; `show` then only moves what the step moves.
  update(steps, data) {
    const key = `${data.run} ${steps.length}`;
    if (this.key === key || !steps.length) return;
    Object.assign(this, { key, steps, data });
    this.drawCurves();
    this.drawPaths();
  }

  show(at, pair) {
    const step = this.steps?.[at];
    if (!step) return;
    const x = this.x(step.k);
    set(this.cursor, { x1: x, x2: x });
    for (const { dot, y, read } of this.panels) set(dot, { cx: x, cy: y(read(step)) });
    const words = PANELS.map((panel) => `${panel.name} ${three(panel.read(step))}`).join(", ");
    this.curves.setAttribute("aria-label", `Over the iterations; at iteration ${step.k}: ${words}`);
    this.spread.setAttribute("aria-label", `Turns and shifts of ${step.poses.length} images from iteration 0 to ${step.k}`);
    for (const { line, end, points, i, axis } of this.paths) {
      for (const part of [line, end]) {
        part.classList.toggle("own", i === pair?.[0]);
        part.classList.toggle("other", i === pair?.[1] && i !== pair[0]);
      }
      if (i === pair?.[0] && end.nextSibling) this.spread.append(end); // above the others
      line.setAttribute("d", pathOf(points, at));
      set(end, { transform: `translate(${points[at][0].toFixed(1)} ${points[at][1].toFixed(1)})` });
      end.firstChild.textContent = `image ${i + 1}: θ = ${three(step.poses[i][0])}°, b = ${three(step.poses[i][axis])} px`;
    }
  }

  drawCurves() {
    const { left, right, width } = CURVES;
    const last = Math.max(this.data.expected, 1);
    this.x = scale([0, last], [left, width - right]);
    this.curves.replaceChildren();
    this.panels = PANELS.map((panel) => this.drawPanel(panel));
    const bottom = PANELS.at(-1).bottom;
    for (const k of ticks(0, last, 5)) this.curves.append(text(this.x(k), bottom + 20, k, "middle"));
    this.curves.append(text((left + width) / 2, bottom + 40, "iteration k", "middle"));
    this.cursor = line({ y1: PANELS[0].top, y2: bottom, class: "cursor" });
    this.curves.append(this.cursor, ...this.panels.map((panel) => panel.dot));
  }

  drawPanel({ title, top, bottom, read, steps: inSteps, least = 1e-9 }) {
    const values = this.steps.map(read);
    const plain = title.startsWith("sharp") ? this.data.plainSharpness : undefined;
    const most = Math.max(...values, plain ?? 0, least);
    const y = scale([0, most], [bottom, top]);
    const { left, right, width } = CURVES;
    this.curves.append(text(left, top - 8, title, "start", "title"));
    for (const value of ticks(0, most, 3))
      this.curves.append(line({ x1: left, x2: width - right, y1: y(value), y2: y(value), class: "grid" }), text(left - 6, y(value) + 5, value, "end"));
    if (plain !== undefined)
      this.curves.append(line({ x1: left, x2: width - right, y1: y(plain), y2: y(plain), class: "plain" }), text(width - right, y(plain) - 5, "plain average", "end"));
    const points = this.steps.flatMap((step, at) => {
      if (inSteps && step.k === 0) return []; // no step has been taken yet
      const place = [this.x(step.k), y(values[at])];
      return inSteps ? [[this.x(this.steps[at - 1].k), place[1]], place] : [place];
    });
    this.curves.append(make("path", { d: pathOf(points, points.length - 1), class: `curve of-${title[0] === "σ" ? "sigma" : title[0]}` }));
    return { y, read, dot: make("circle", { r: 5, class: "dot" }) };
  }

  drawPaths() {
    this.spread.replaceChildren();
    const every = (axis) => this.steps.flatMap((step) => step.poses.map((pose) => pose[axis]));
    const theta = around(every(0), 10);
    const y = scale(theta, [SPREAD.bottom, SPREAD.top]);
    this.spread.append(text(0, SPREAD.top - 8, "turn θ, °", "start", "title"));
    this.paths = SIDES.flatMap(({ axis, left, right, title }) => {
      const range = around(every(axis), 2);
      const x = scale(range, [left, right]);
      for (const value of ticks(...theta, 5)) {
        this.spread.append(line({ x1: left, x2: right, y1: y(value), y2: y(value), class: "grid" }));
        if (axis === 1) this.spread.append(text(left - 6, y(value) + 5, minus(value), "end"));
      }
      for (const value of ticks(...range, 4)) this.spread.append(text(x(value), SPREAD.bottom + 20, minus(value), "middle"));
      this.spread.append(text((left + right) / 2, SPREAD.bottom + 40, title, "middle"));
      return this.steps[0].poses.map((_, i) => this.drawPath(i, axis, x, y));
    });
    this.spread.append(...this.paths.map((path) => path.line), ...this.paths.map((path) => path.end));
  }

  drawPath(i, axis, x, y) {
    const colour = this.data.colours[i % this.data.colours.length];
    const points = this.steps.map(({ poses }) => [x(poses[i][axis]), y(poses[i][0]), poses[i][0]]);
    const numbered = this.steps[0].poses.length <= NUMBERED;
    const end = make("g", { class: "end", "data-i": i });
    end.append(make("title", {}), make("circle", { r: numbered ? 8 : 5, fill: colour }));
    if (numbered) end.append(text(0, 4, i + 1, "middle"));
    return { i, axis, points, end, line: make("path", { stroke: colour, class: "way" }) };
  }

  placeAt(event) {
    const box = this.curves.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * CURVES.width;
    const far = this.steps.map((step) => Math.abs(this.x(step.k) - at));
    return far.indexOf(Math.min(...far));
  }
}

function svg(width, height) {
  return make("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "No iteration yet" });
}

function make(name, attributes) {
  return set(document.createElementNS("http://www.w3.org/2000/svg", name), attributes);
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function line(attributes) {
  return make("line", attributes);
}

function text(x, y, words, anchor, kind = "") {
  const element = make("text", { x, y, "text-anchor": anchor, class: kind });
  element.textContent = words;
  return element;
}

function scale([low, high], [from, to]) {
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}

// Ends a little beyond the values, and never one point.
function around(values, least) {
  const [low, high] = [Math.min(...values, 0), Math.max(...values, 0)];
  const margin = Math.max(0.06 * (high - low), least / 2);
  return [low - margin, high + margin];
}

function ticks(low, high, about) {
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => power * factor >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, k) => Number(((first + k) * step).toPrecision(6)));
}

// A way that leaves at 180° and comes back at -180° has a gap there.
function pathOf(points, last) {
  return points.slice(0, last + 1).map(([x, y, theta], at) => {
    const jumps = at && Math.abs(theta - points[at - 1][2]) > 180;
    return `${at && !jumps ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
  }).join("");
}

function minus(value) {
  return String(value).replace("-", "−");
}
