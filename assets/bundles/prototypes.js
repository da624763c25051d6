// shared/capture.js
var SKIPPED = "button:not(:has(canvas)), input, select, option, details, dialog, .tip, .unseen, .play";
var PADDING = 12;
var TITLE = 34;
var BASELINE = 0.78;
var STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "text-anchor"];
function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
function captureSvg(root, title) {
  const frame = root.getBoundingClientRect();
  const place = ({ left, top }) => ({ x: left - frame.left + PADDING, y: top - frame.top + PADDING + TITLE });
  const parts = [...visibleNodes(root)].flatMap((node) => {
    if (node instanceof HTMLCanvasElement) return captureCanvas(node, place);
    if (node instanceof SVGSVGElement) return captureDrawing(node, place);
    return captureText(
      /** @type {Text} */
      node,
      place
    );
  });
  const [width, height] = [frame.width + 2 * PADDING, frame.height + 2 * PADDING + TITLE];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}" fill="currentColor">
    <text x="${PADDING}" y="26" class="title" font-size="20" font-weight="600">${escapeXml(title)}</text>${parts.join("")}</svg>`;
}
function* visibleNodes(element) {
  for (const child of element.childNodes) {
    if (child instanceof Text && child.data.trim()) yield child;
    if (!(child instanceof Element) || child.matches(SKIPPED) || child.checkVisibility?.() === false) continue;
    if (child instanceof HTMLCanvasElement || child instanceof SVGSVGElement) yield child;
    else yield* visibleNodes(child);
  }
}
function captureCanvas(canvas, place) {
  const rect = canvas.getBoundingClientRect();
  if (!canvas.width || !rect.width) return [];
  const { x, y } = place(rect);
  return [`<image x="${x}" y="${y}" width="${rect.width}" height="${rect.height}" style="image-rendering:pixelated" preserveAspectRatio="none" href="${canvas.toDataURL()}"/>`];
}
function captureDrawing(svg, place) {
  const rect = svg.getBoundingClientRect();
  if (!rect.width) return [];
  const copy = (
    /** @type {SVGSVGElement} */
    svg.cloneNode(true)
  );
  for (const [name, value] of Object.entries({ ...place(rect), width: rect.width, height: rect.height })) copy.setAttribute(name, String(value));
  const copies = copy.querySelectorAll("*");
  svg.querySelectorAll("*").forEach((element, at) => {
    const style = getComputedStyle(element);
    copies[at].setAttribute("style", STYLES.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
  });
  copy.removeAttribute("role");
  copy.setAttribute("color", getComputedStyle(svg).color);
  return [new XMLSerializer().serializeToString(copy)];
}
function captureText(text, place) {
  const { fontSize, fontWeight, fontStyle, color } = getComputedStyle(
    /** @type {Element} */
    text.parentElement
  );
  const lines = [];
  for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    const [rect, last] = [range.getBoundingClientRect(), lines.at(-1)];
    if (last && Math.abs(last.rect.top - rect.top) < 2) last.words += ` ${word}`;
    else if (rect.width) lines.push({ words: word, rect });
  }
  return lines.map(({ words, rect }) => {
    const { x, y } = place(rect);
    return `<text x="${x}" y="${y + BASELINE * rect.height}" font-size="${fontSize}" font-weight="${fontWeight}" font-style="${fontStyle}" fill="${color}">${escapeXml(words)}</text>`;
  });
}

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
function findButton(root, selector) {
  return (
    /** @type {HTMLButtonElement} */
    find(root, selector)
  );
}
function targetOf(event) {
  return (
    /** @type {HTMLElement} */
    event.target
  );
}
function contextOf(canvas, settings) {
  return (
    /** @type {CanvasRenderingContext2D} */
    canvas.getContext("2d", settings)
  );
}
function newCanvas(width, height) {
  return Object.assign(make("canvas"), { width, height });
}
function resizeCanvas(canvas, width, height) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
}
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
function setLabel(element, text) {
  if (element.getAttribute("aria-label") !== text) element.setAttribute("aria-label", text);
}
function prefersStillness() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// shared/figure.js
var STEP = 1.5;
var MAX_SCALE = 24;
var PNG_RATIO = 2;
var GAP = 24;
var SPACE = "http://www.w3.org/2000/svg";
var WHOLE = Object.freeze({ scale: 1, x: 0.5, y: 0.5 });
function zoomBox([x, y, width, height], { scale, x: cx, y: cy }) {
  const clamp = (share) => Math.max(0, Math.min(share - 0.5 / scale, 1 - 1 / scale));
  return [x + width * clamp(cx), y + height * clamp(cy), width / scale, height / scale];
}
function toCsv(rows) {
  const quote = (cell) => /[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell;
  return rows.map((row) => row.map(quote).join(",")).join("\n") + "\n";
}
function nameFile(title, ending) {
  const words = title.normalize("NFKD").toLowerCase().match(/[a-z0-9]+/g) ?? ["figure"];
  return `${words.join("-").slice(0, 48).replace(/-$/, "")}.${ending}`;
}
function writeSvg(parts, title) {
  const width = parts.reduce((sum, { box }) => sum + box[2] + GAP, -GAP);
  const height = Math.max(...parts.map(({ box }) => box[3]));
  const style = getComputedStyle(parts[0].svg);
  const whole = makeElement("svg", {
    ...{ xmlns: SPACE, width, height, viewBox: `0 0 ${width} ${height}` },
    style: `color:${style.color};font-family:${style.fontFamily.replaceAll('"', "'")}`
  });
  const words = makeElement("title", {});
  words.textContent = title;
  whole.append(words, makeElement("rect", { width, height, fill: groundOf(parts[0].svg) }));
  let x = 0;
  for (const { svg, box } of parts) {
    const copy = (
      /** @type {SVGSVGElement} */
      svg.cloneNode(true)
    );
    for (const [name, value] of Object.entries({ x, width: box[2], height: box[3], viewBox: box.join(" ") })) copy.setAttribute(name, String(value));
    copy.removeAttribute("style");
    whole.append(copy);
    x += box[2] + GAP;
  }
  return { text: new XMLSerializer().serializeToString(whole), width, height };
}
function titleOf(svg) {
  const lines = [...svg.querySelectorAll(".title")].map((line) => line.textContent);
  return lines.join(" ") || svg.getAttribute("aria-label") || "";
}
function makeElement(name, values) {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(values)) element.setAttribute(key, String(value));
  return element;
}
function groundOf(element) {
  return getComputedStyle(element).getPropertyValue("--st-background-color").trim() || "#ffffff";
}
async function toPng(svg, width, height) {
  const image = new Image(width * PNG_RATIO, height * PNG_RATIO);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = Object.assign(make("canvas"), { width: width * PNG_RATIO, height: height * PNG_RATIO });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob((blob) => blob ? done(blob) : fail(new Error("the picture is too large for a PNG file"))));
}
function save(content, type, name) {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1e4);
}
var FigureMenu = class {
  /** @param {HTMLElement} figure the element around the SVG elements @param {() => (string | number)[][]} rowsOf the data of the figure */
  constructor(figure, rowsOf) {
    this.figure = figure;
    this.rowsOf = rowsOf;
    this.zoom = { ...WHOLE };
    this.boxes = /* @__PURE__ */ new WeakMap();
    this.element = make("details", "figure-menu");
    this.element.append(make("summary", "", "Figure"));
    this.bar = make("div", "figure-bar");
    this.element.append(this.bar);
    this.add("Zoom in", () => this.zoomBy(STEP));
    this.add("Zoom out", () => this.zoomBy(1 / STEP));
    this.add("Reset zoom", () => this.setZoom({ ...WHOLE }));
    this.add("SVG", () => save(this.write().text, "image/svg+xml", nameFile(this.title(), "svg")));
    this.add("PNG", async () => {
      const { text, width, height } = this.write();
      save(await toPng(text, width, height), "image/png", nameFile(this.title(), "png"));
    });
    this.data = this.add("CSV", () => save(toCsv(this.rowsOf()), "text/csv", nameFile(this.title(), "csv")));
    figure.addEventListener("pointerdown", (event) => this.grab(event));
  }
  /** @param {string} label @param {() => void} act */
  add(label2, act) {
    const button = makeButton("", label2);
    button.addEventListener("click", (event) => {
      event.stopPropagation();
      act();
    });
    this.bar.append(button);
    return button;
  }
  /** Call this after the figure has been redrawn. */
  update() {
    this.element.hidden = !this.svgs().length;
    this.data.hidden = this.rowsOf().length < 2;
    this.show();
  }
  svgs() {
    return (
      /** @type {SVGSVGElement[]} */
      [...this.figure.querySelectorAll("svg[role=img][viewBox]")]
    );
  }
  title() {
    return this.svgs().map(titleOf).filter(Boolean).join("; ") || "figure";
  }
  write() {
    return writeSvg(this.svgs().map((svg) => ({ svg, box: this.boxOf(svg) })), this.title());
  }
  /** @param {SVGSVGElement} svg */
  boxOf(svg) {
    const box = this.boxes.get(svg) ?? (svg.getAttribute("viewBox") ?? "").split(" ").map(Number);
    this.boxes.set(svg, box);
    return box;
  }
  /** @param {number} factor */
  zoomBy(factor) {
    this.setZoom({ ...this.zoom, scale: Math.max(1, Math.min(this.zoom.scale * factor, MAX_SCALE)) });
  }
  /** @param {Zoom} zoom */
  setZoom(zoom) {
    this.zoom = zoom;
    this.show();
  }
  show() {
    for (const svg of this.svgs()) svg.setAttribute("viewBox", zoomBox(this.boxOf(svg), this.zoom).join(" "));
    this.figure.classList.toggle("zoomed", this.zoom.scale > 1);
  }
  /** Moves a zoomed figure with the pointer. @param {PointerEvent} event */
  grab(event) {
    const svg = (
      /** @type {Element} */
      event.target.closest?.("svg")
    );
    if (!svg || this.zoom.scale === 1) return;
    const [start, { width, height }] = [{ ...this.zoom }, svg.getBoundingClientRect()];
    const follow = new AbortController();
    const move = (now) => {
      const by = (pixels, size) => pixels / size / start.scale;
      const [x, y] = [start.x - by(now.clientX - event.clientX, width), start.y - by(now.clientY - event.clientY, height)];
      const edge = 0.5 / start.scale;
      const clamp = (share) => Math.max(edge, Math.min(share, 1 - edge));
      this.setZoom({ scale: start.scale, x: clamp(x), y: clamp(y) });
    };
    addEventListener("pointermove", move, { signal: follow.signal });
    addEventListener("pointerup", () => follow.abort(), { signal: follow.signal });
  }
};

// shared/figure-dialog.js
var FigureDialog = class {
  /**
   * @param {HTMLElement} parent
   * @param {() => string} draw returns the figure as SVG
   * @param {() => (string | number)[][]} rowsOf its data
   * @param {() => () => void} [hold] called when the dialog opens; returns a function that is called when it closes
   */
  constructor(parent, draw, rowsOf, hold = () => () => {
  }) {
    this.draw = draw;
    this.hold = hold;
    this.release = () => {
    };
    this.dialog = make("dialog", "figure-dialog");
    this.picture = make("div");
    this.menu = new FigureMenu(this.picture, rowsOf);
    this.menu.element.open = true;
    const close = makeButton("close", "Close");
    close.addEventListener("click", () => this.dialog.close());
    this.dialog.append(this.picture, this.menu.element, close);
    this.dialog.addEventListener("keydown", (event) => event.stopPropagation());
    this.dialog.addEventListener("close", () => {
      this.picture.replaceChildren();
      this.release();
    });
    parent.append(this.dialog);
  }
  open() {
    this.release = this.hold();
    this.dialog.showModal();
    this.update();
  }
  /** Draws the figure again, with the same zoom. */
  update() {
    if (!this.dialog.open) return;
    this.picture.innerHTML = this.draw();
    this.menu.update();
  }
};
function addFigureButton(root, title, rowsOf) {
  const dialog = new FigureDialog(root, () => captureSvg(root, title), rowsOf);
  const button = makeButton("figure-open", "Figure");
  button.title = "Zoom into the pictures and download them as SVG or PNG, with their data";
  button.addEventListener("click", () => dialog.open());
  root.style.position = "relative";
  root.append(button);
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

// shared/numbers.js
function formatPercent(share, digits = 0) {
  return Number.isFinite(share) ? `${(100 * share).toFixed(digits)} %` : "unknown";
}
function significant(x, digits = 3) {
  return Number.isFinite(x) ? String(Number(x.toPrecision(digits))) : "unknown";
}

// prototypes/texts.js
function numberOrDash(x) {
  return x === null || x === void 0 || !Number.isFinite(x) ? "–" : significant(x);
}
function percentOrDash(x) {
  return x === null || x === void 0 ? "–" : formatPercent(x, 1);
}
function describeCopies(pairs) {
  return pairs.map(([k, from]) => `${k + 1} became a copy of ${from + 1}`).join(", ");
}

// prototypes/chart.js
var CHART_WIDTH = 400;
var PLOT_HEIGHT = 156;
var [LEFT, RIGHT, ROW, BOTTOM] = [58, 44, 19, 44];
var LETTER = 8;
var GAP2 = 6;
var AXIS_NAMES = { loss: 104, acc: 60 };
function drawChart(data) {
  const last = data.seconds.at(-1) ?? 0;
  const end = last > 1.02 * data.budget ? last : Math.max(data.budget, 0.1);
  const x = (seconds) => LEFT + (CHART_WIDTH - LEFT - RIGHT) * Math.min(seconds, end) / end;
  const hasAcc = data.acc.some((acc) => acc !== null);
  const marks = placeMarks(marksOf(data), x, hasAcc);
  const top = 17 + ROW * (1 + Math.max(0, ...marks.map(({ row }) => row)));
  const height = top + PLOT_HEIGHT + BOTTOM;
  const base = height - BOTTOM;
  const losses = data.losses.filter((loss) => loss !== null);
  const [low, high] = losses.length ? [Math.min(...losses), Math.max(...losses)] : [0, 1];
  const margin = Math.max((high - low) * 0.08, 1e-9);
  const lossY = (loss) => top + PLOT_HEIGHT * (high + margin - loss) / (high - low + 2 * margin);
  const accY = (acc) => top + PLOT_HEIGHT * (1 - acc);
  const parts = [`<path class="axis" d="M${LEFT} ${top}V${base}H${CHART_WIDTH - RIGHT}V${top}"/>`];
  for (const value of [0, end / 2, end]) parts.push(label(x(value), base + 20, significant(value), "middle"));
  parts.push(label((LEFT + CHART_WIDTH - RIGHT) / 2, height - 4, "computing time [CPU s]", "middle"));
  if (losses.length > 1) {
    for (const value of [low, high]) parts.push(label(LEFT - 6, lossY(value) + 5, significant(value, 2), "end", "loss"));
    parts.push(label(4, 20, "loss [no unit]", "start", "loss"));
  }
  parts.push(...drawMarks(marks, base), ...drawEvents(data, x, base));
  parts.push(drawLine(data.seconds, data.losses, x, lossY, "loss"));
  if (hasAcc) {
    for (const value of [0, 0.5, 1]) parts.push(label(CHART_WIDTH - RIGHT + 6, accY(value) + 5, `${100 * value}`, "start", "acc"));
    parts.push(label(CHART_WIDTH - 2, 20, "ACC [%]", "end", "acc"));
    parts.push(drawLine(data.seconds, data.acc, x, accY, "acc"));
  }
  parts.push(`<path class="cursor" d="M0 ${top - 4}V${base + 4}"/>`);
  return { svg: parts.join(""), x, height };
}
function tabulateSteps({ seconds, iterations, losses, acc, nmi, sizes, k }) {
  const names = ["computing time [CPU s]", "training step", "loss", "ACC", "NMI", ...Array.from({ length: k }, (_, at) => `share of prototype ${at + 1}`)];
  const known = (value) => value ?? "";
  const rows = seconds.map((time, at) => [time, iterations[at], known(losses[at]), known(acc[at]), known(nmi[at]), ...sizes[at] ?? []]);
  return [names, ...rows];
}
function marksOf(data) {
  const marks = [];
  let known = 0;
  data.stages.forEach((stage, at) => {
    const added = data.modules.slice(known, stage).join(", ");
    known = Math.max(known, stage);
    if (added) marks.push({ seconds: data.seconds[at], words: `+ ${added}`, about: `From here on: ${added}` });
  });
  const cold = data.cooling.indexOf(true);
  if (cold >= 0) marks.push({ seconds: data.seconds[cold], words: "rate ÷ 10", about: "From here on the rate is divided by 10" });
  return marks;
}
function placeMarks(marks, x, hasAcc) {
  const rows = [[[0, AXIS_NAMES.loss], [hasAcc ? CHART_WIDTH - AXIS_NAMES.acc : CHART_WIDTH, CHART_WIDTH]]];
  return marks.map(({ seconds, words, about }) => {
    const at = x(seconds);
    const width = LETTER * words.length;
    const sides = [{ place: at + 3, anchor: "start", from: at }, { place: at - 3, anchor: "end", from: at - width }].filter(({ from }) => from >= 0 && from + width <= CHART_WIDTH);
    if (!sides.length) sides.push({ place: at, anchor: "middle", from: at });
    for (let row = 0; ; row++) {
      const taken = rows[row] ??= [];
      const free = sides.find(({ from }) => !taken.some(([a, b]) => from < b + GAP2 && a < from + width + GAP2));
      if (!free) continue;
      taken.push([free.from, free.from + width]);
      return { at, place: free.place, anchor: free.anchor, row, words, about };
    }
  });
}
function drawMarks(marks, base) {
  return marks.flatMap(({ at, place, anchor, row, words, about }) => {
    const y = 20 + ROW * row;
    return [`<path class="step" d="M${at} ${y - 13}V${base}"><title>${about}</title></path>`, label(place, y, words, anchor)];
  });
}
function drawEvents(data, x, base) {
  return data.events.map(([seconds, pairs]) => `<path class="event" d="M${x(seconds)} ${base - 9}l5 9h-10z"><title>Reassigned at ${numberOrDash(seconds)} s: ${describeCopies(pairs)}</title></path>`);
}
function drawLine(seconds, values, x, y, className) {
  const points = values.flatMap((value, at) => value === null ? [] : [`${x(seconds[at]).toFixed(1)},${y(value).toFixed(1)}`]);
  return points.length ? `<polyline class="${className}" points="${points.join(" ")}"/>` : "";
}
function label(x, y, words, anchor, className = "") {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" class="${className}">${words}</text>`;
}

// shared/icons.js
var PATHS = {
  play: "M7 5v14l12-7z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  back: "M6 5h3v14H6zM19 5v14l-9-7z",
  forward: "M15 5h3v14h-3zM5 5v14l9-7z",
  loop: "M12 4V1L8 5l4 4V6a6 6 0 0 1 5.3 8.8l1.5 1.5A8 8 0 0 0 12 4zM6.7 9.2 5.2 7.7A8 8 0 0 0 12 20v3l4-4-4-4v3a6 6 0 0 1-5.3-8.8z"
};
function showIcon(button, name, title) {
  if (button.dataset.shows === name) return;
  button.dataset.shows = name;
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;
  button.title = title;
  setLabel(button, title);
}

// prototypes/elements.js
var TITLES = { play: "Play", pause: "Pause the animation", back: "One picture back", forward: "One picture forward" };
var HTML = `
  <div class="bar">
    ${["back", "play", "forward"].map((name) => `<button type="button" data-do="${name}"></button>`).join("")}
    <div class="now"><b></b><span></span></div>
    <div class="chips" aria-label="Transformations that are on"></div>
    <div class="scores"></div>
  </div>
  <div class="tiles" role="group" aria-label="Prototypes"></div>
  <p class="reassigned"></p>
  <div class="below">
    <div class="strip" role="group" aria-label="All prototypes at eight steps"></div>
    <svg class="chart" tabindex="0" role="slider" aria-label="Step of the run"></svg>
  </div>`;
function buildFilm() {
  const root = Object.assign(make("div", "clusters"), { innerHTML: HTML });
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", "Animation of the prototypes: Space plays; arrow keys step");
  const part = (selector) => find(root, selector);
  const parts = {
    tiles: part(".tiles"),
    reassigned: part(".reassigned"),
    chart: (
      /** @type {Element} */
      part(".chart")
    ),
    strip: part(".strip"),
    modules: part(".chips"),
    scores: part(".scores"),
    now: part(".now b"),
    iterations: part(".now span"),
    play: findButton(root, "[data-do=play]"),
    back: findButton(root, "[data-do=back]"),
    forward: findButton(root, "[data-do=forward]")
  };
  showIcon(parts.play, "play", TITLES.play);
  showIcon(parts.back, "back", TITLES.back);
  showIcon(parts.forward, "forward", TITLES.forward);
  return { root, parts };
}

// prototypes/scores.js
var LOSS = "Mean squared error per pixel, or −log p for mixtures, averaged since the previous picture";
function showModules(film, data) {
  const modules = data.modules.map((name, place) => ({ name, isOn: place < data.stages[film.at] }));
  if (data.cooling[film.at]) modules.push({ name: "rate ÷ 10", isOn: true });
  const key = JSON.stringify(modules);
  if (film.modulesKey === key) return;
  film.modulesKey = key;
  film.parts.modules.replaceChildren(...modules.map(({ name, isOn }) => {
    const chip = make("span", isOn ? "chip on" : "chip", `${isOn ? "✓ " : ""}${name}`);
    chip.title = isOn ? `${name} is on` : `${name} starts later`;
    return chip;
  }));
}
function showScores(element, data, at) {
  const known = (values) => values.slice(0, at + 1).findLast((value) => value !== null);
  const scores = [["loss", numberOrDash(known(data.losses)), LOSS]];
  if (data.rule) {
    const rule = `${data.rule}; on ${data.seen.toLocaleString("en")} of ${data.total.toLocaleString("en")} images`;
    scores.push(["ACC", percentOrDash(known(data.acc)), `Accuracy, ${rule}`]);
    scores.push(["NMI", numberOrDash(known(data.nmi)), `Normalised mutual information, ${rule}`]);
  }
  element.replaceChildren(...scores.map(([name, value, about]) => {
    const score = Object.assign(make("span"), { title: about });
    score.append(make("small", "", name), make("b", "", value));
    return score;
  }));
}
function showReassignments(element, data, at) {
  const past = data.events.filter(([seconds]) => seconds <= data.seconds[at] + 0.01);
  const count = past.reduce((sum, [, pairs]) => sum + pairs.length, 0);
  const latest = past.at(-1);
  if (!count || !latest) return setText(element, "▲ No prototype has been reassigned so far");
  const many = count === 1 ? "1 prototype has been reassigned" : `${count} prototypes have been reassigned`;
  return setText(element, `▲ ${many} so far, the last at ${numberOrDash(latest[0])} s: ${describeCopies(latest[1])}`);
}

// prototypes/store.js
var page = (
  /** @type {{ __iaClusters?: ClusterStore }} */
  /** @type {unknown} */
  window
);
var store = page.__iaClusters ??= { runs: /* @__PURE__ */ new Map(), listeners: /* @__PURE__ */ new Set(), memory: /* @__PURE__ */ new Map() };
function findPicture(run, at, last) {
  const pieces = store.runs.get(run);
  if (!pieces) return void 0;
  const newest = pieces.get(-1);
  if (at >= last && newest) return { piece: newest, start: 0 };
  for (const [first, piece] of pieces) {
    if (first < 0 || at < first || at >= first + piece.count) continue;
    return { piece, start: (at - first) * piece.k * piece.h * piece.w * piece.c };
  }
  return newest && { piece: newest, start: 0 };
}

// shared/pixels.js
function toImageData(bytes, start, [height, width, channels]) {
  const image = new ImageData(width, height);
  const out = image.data;
  const [green, blue] = channels === 3 ? [1, 2] : [0, 0];
  for (let to = 0, from = start; to < out.length; to += 4, from += channels) {
    out[to] = bytes[from];
    out[to + 1] = bytes[from + green];
    out[to + 2] = bytes[from + blue];
    out[to + 3] = 255;
  }
  return image;
}
function showImage(canvas, image) {
  resizeCanvas(canvas, image.width, image.height);
  contextOf(canvas).putImageData(image, 0, 0);
}

// prototypes/strip.js
var FRAMES = 8;
var ASPECT = 2.2;
function showStrip(film, data) {
  const last = film.last();
  const places = [...new Set(Array.from({ length: FRAMES }, (_, part) => Math.round(part * last / (FRAMES - 1))))];
  const key = `${data.run} ${places} ${store.runs.get(data.run)?.size}`;
  const pictures = places.flatMap((at) => film.picture(at) ?? []);
  if (film.stripKey === key || pictures.length < places.length) return;
  film.stripKey = key;
  film.parts.strip.replaceChildren(...places.map((at, number) => {
    const button = makeButton("frame");
    const seconds = numberOrDash(data.seconds[at]);
    button.dataset.at = String(at);
    button.append(makeMosaic(pictures[number]), make("span", "", `${seconds} s`));
    button.setAttribute("aria-label", `The prototypes after ${seconds} seconds`);
    button.addEventListener("click", () => film.goTo(at));
    return button;
  }));
}
function makeMosaic({ piece: { k, h, w, c, pixels }, start }) {
  const columns = Math.ceil(k / Math.max(1, Math.round(Math.sqrt(k / ASPECT))));
  const canvas = newCanvas(columns * (w + 1) - 1, Math.ceil(k / columns) * (h + 1) - 1);
  const context = contextOf(canvas);
  for (let at = 0; at < k; at++) {
    const image = toImageData(pixels, start + at * h * w * c, [h, w, c]);
    context.putImageData(image, at % columns * (w + 1), Math.floor(at / columns) * (h + 1));
  }
  return canvas;
}

// prototypes/tiles.js
var COPY_SHOWN = 0.03;
var MAX_LARGE = 30;
function makeTiles(tiles, k, choose) {
  if (tiles.children.length === k) return;
  const columns = Math.ceil(k / Math.ceil(k / (k > 40 ? 20 : 12)));
  tiles.style.setProperty("--columns", String(columns));
  tiles.classList.toggle("many", k > MAX_LARGE);
  tiles.replaceChildren(...Array.from({ length: k }, (_, at) => makeTile(at, choose)));
}
function makeTile(at, choose) {
  const tile = makeButton("tile");
  const bar = make("i", "size");
  bar.append(make("i"));
  tile.append(make("canvas"), make("b", "", String(at + 1)), bar, make("span"));
  tile.addEventListener("click", () => choose(at));
  return tile;
}
function showTiles(tiles, data, at, { piece: { k, h, w, c, pixels }, start }) {
  const most = Math.max(...data.sizes[at], 1e-9);
  const copied = copiesAt(data, at);
  [...tiles.children].slice(0, k).forEach((element, cluster) => {
    const tile = (
      /** @type {HTMLElement} */
      element
    );
    const image = toImageData(pixels, start + cluster * h * w * c, [h, w, c]);
    showImage(
      /** @type {HTMLCanvasElement} */
      tile.firstChild,
      image
    );
    describe(tile, data, cluster, data.sizes[at][cluster], most, copied.get(cluster));
  });
}
function describe(tile, data, cluster, share, most, from) {
  const name = data.named[cluster] ? ` “${data.named[cluster]}”` : "";
  const copy = from === void 0 ? "" : `, just reassigned: a copy of ${from + 1}`;
  find(tile, ".size i").style.width = `${100 * share / most}%`;
  const text = from === void 0 ? `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %${name}` : `▲ from ${from + 1}`;
  setText(find(tile, "span"), text);
  tile.classList.toggle("copied", Boolean(copy));
  tile.setAttribute("aria-pressed", String(data.chosen === cluster));
  const label2 = `Prototype ${cluster + 1}, ${(100 * share).toFixed(1)} % of the images${name && `, mostly${name}`}${copy}`;
  tile.setAttribute("aria-label", label2);
  tile.title = label2;
}
function copiesAt(data, at) {
  const now = data.seconds[at] + 0.01;
  const since = Math.min((data.seconds[at - 1] ?? -1) + 0.01, now - COPY_SHOWN * data.budget);
  return new Map(data.events.filter(([seconds]) => seconds > since && seconds <= now).flatMap(([, pairs]) => pairs));
}

// prototypes/film.js
var MAX_STEPS_PER_S = 14;
var MIN_STEPS_PER_S = 4;
var FULL_FILM_S = 5;
var END_PAUSE_S = 1.6;
var PrototypeFilm = class {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    const { root, parts } = buildFilm();
    this.root = root;
    this.parts = parts;
    parent.append(root);
    this.data = void 0;
    this.chart = void 0;
    this.at = 0;
    this.playing = false;
    this.follow = false;
    this.stripKey = void 0;
    this.modulesKey = void 0;
    this.timer = void 0;
    this.choose = (_) => {
    };
    this.paints = 0;
    this.checksums = /* @__PURE__ */ new Set();
    this.onPictures = (run) => {
      if (run === this.data?.run) this.refresh();
    };
    store.listeners.add(this.onPictures);
    this.listen();
    this.expose();
  }
  /** The position and the playing state are kept when Streamlit replaces the element. @param {FilmData} data */
  update(data) {
    if (this.data?.run !== data.run) {
      const known = store.memory.get(data.key);
      const fresh = { at: data.autoplay ? 0 : data.seconds.length - 1, playing: Boolean(data.autoplay) && !prefersStillness(), follow: data.running };
      Object.assign(this, known?.run === data.run ? known.state : fresh);
      this.checksums.clear();
    }
    const ended = this.data?.running && !data.running && this.data.run === data.run;
    this.data = data;
    if (data.running && this.follow) this.at = this.last();
    if (ended && this.follow) {
      this.at = this.last();
      this.playing = false;
    }
    this.refresh();
  }
  last() {
    return (this.data?.seconds.length ?? 1) - 1;
  }
  refresh() {
    const { data } = this;
    if (!data) return;
    makeTiles(this.parts.tiles, data.k, (cluster) => this.choose(cluster));
    showStrip(this, data);
    this.drawChart(data);
    this.render();
    this.schedule();
  }
  /** @param {number} at */
  picture(at) {
    return this.data && findPicture(this.data.run, at, this.last());
  }
  listen() {
    const { play, back, forward, chart } = this.parts;
    play.addEventListener("click", () => this.toggle());
    back.addEventListener("click", () => this.goTo(this.at - 1));
    forward.addEventListener("click", () => this.goTo(this.at + 1));
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    for (const type of ["pointerdown", "pointermove"])
      chart.addEventListener(type, (event) => this.seek(
        /** @type {PointerEvent} */
        event
      ));
  }
  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && targetOf(event).matches("button")) return;
    const at = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last() }[event.key];
    if (event.key === " ") this.toggle();
    else if (at !== void 0) this.goTo(at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  /** Goes to the step nearest to the pointer on the chart. @param {PointerEvent} event */
  seek(event) {
    const { data, chart } = this;
    if (!event.buttons || !data || !chart) return;
    const box = this.parts.chart.getBoundingClientRect();
    const place = (event.clientX - box.left) / box.width * CHART_WIDTH;
    const distances = data.seconds.map((seconds) => Math.abs(chart.x(seconds) - place));
    this.goTo(distances.indexOf(Math.min(...distances)));
  }
  toggle() {
    this.playing = !this.playing;
    this.follow = false;
    if (this.playing && this.at >= this.last()) this.at = 0;
    this.render();
    this.schedule();
  }
  /** @param {number} at */
  goTo(at) {
    this.playing = false;
    this.at = Math.max(0, Math.min(at, this.last()));
    this.follow = Boolean(this.data?.running) && this.at === this.last();
    this.render();
  }
  /** Shows the next step while the animation plays. At the end, it follows a running run, or restarts. */
  schedule() {
    if (!this.playing || this.timer !== void 0) return;
    const pace = Math.min(MAX_STEPS_PER_S, Math.max(MIN_STEPS_PER_S, this.last() / FULL_FILM_S));
    const seconds = this.at >= this.last() && !this.data?.running ? END_PAUSE_S : 1 / pace;
    this.timer = setTimeout(() => {
      this.timer = void 0;
      if (!this.playing) return;
      if (this.at < this.last()) this.at += 1;
      else if (this.data?.running) [this.playing, this.follow] = [false, true];
      else this.at = 0;
      this.render();
      this.schedule();
    }, 1e3 * seconds);
  }
  /** @param {FilmData} data */
  drawChart(data) {
    const chart = drawChart(data);
    const changed = this.chart?.svg !== chart.svg;
    this.chart = chart;
    if (!changed) return;
    this.parts.chart.setAttribute("viewBox", `0 0 ${CHART_WIDTH} ${chart.height}`);
    this.parts.chart.innerHTML = chart.svg;
  }
  render() {
    const { data, parts } = this;
    if (!data) return;
    this.at = Math.max(0, Math.min(this.at, this.last()));
    const { at, playing, follow } = this;
    store.memory.set(data.key, { run: data.run, state: { at, playing, follow } });
    const name = playing ? "pause" : "play";
    showIcon(parts.play, name, TITLES[name]);
    setText(parts.now, `${numberOrDash(data.seconds[at])} of ${numberOrDash(data.budget)} s`);
    setText(parts.iterations, `${data.iterations[at].toLocaleString("en")} steps`);
    this.moveCursor(data);
    for (const frame of parts.strip.children)
      frame.setAttribute("aria-pressed", String(
        /** @type {HTMLElement} */
        frame.dataset.at === String(at)
      ));
    showModules(this, data);
    showScores(parts.scores, data, at);
    showReassignments(parts.reassigned, data, at);
    const picture = this.picture(at);
    if (!picture) return;
    showTiles(parts.tiles, data, at, picture);
    this.count(picture);
  }
  /** @param {FilmData} data */
  moveCursor(data) {
    const { at, chart } = this;
    const element = this.parts.chart;
    const seconds = data.seconds[at];
    if (chart) element.querySelector(".cursor")?.setAttribute("transform", `translate(${chart.x(seconds)})`);
    element.setAttribute("aria-valuemin", "0");
    element.setAttribute("aria-valuemax", String(this.last()));
    element.setAttribute("aria-valuenow", String(at));
    element.setAttribute("aria-valuetext", `${numberOrDash(seconds)} seconds, loss ${numberOrDash(data.losses[at])}`);
  }
  /** @param {import("./store.js").Picture} picture */
  count({ piece: { pixels, k, h, w, c }, start }) {
    this.paints += 1;
    let sum = 0;
    for (let at = start; at < start + k * h * w * c; at += 7) sum = sum * 31 + pixels[at] | 0;
    if (this.data?.running) this.checksums.add(sum);
  }
  /** For tests. */
  expose() {
    const state = () => ({
      at: this.at,
      last: this.last(),
      playing: this.playing,
      run: this.data?.run,
      k: this.data?.k,
      paints: this.paints,
      changes: this.checksums.size,
      chosen: this.data?.chosen,
      acc: this.data?.acc.findLast((acc) => acc !== null)
    });
    Object.assign(this.root, { __film: { state } });
  }
  remove() {
    clearTimeout(this.timer);
    this.playing = false;
    store.listeners.delete(this.onPictures);
    this.root.remove();
  }
};

// prototypes/index.js
var prototypes_default = defineComponent(
  (parent) => {
    const film = new PrototypeFilm(parent);
    addFigureButton(film.root, "Prototypes of the clusters", () => film.data ? tabulateSteps(film.data) : []);
    return film;
  },
  (film, { data, setStateValue }) => {
    film.choose = (cluster) => setStateValue("chosen", [cluster, data.run]);
    film.update(data);
  },
  (film) => film.remove()
);
export {
  prototypes_default as default
};
