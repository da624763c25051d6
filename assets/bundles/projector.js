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
function contextOf(canvas, settings) {
  return (
    /** @type {CanvasRenderingContext2D} */
    canvas.getContext("2d", settings)
  );
}
function newCanvas(width, height) {
  return Object.assign(make("canvas"), { width, height });
}

// projector/embed.js
var EMBED_PARAMETER = "embed";
var MODE = "data-embed";
var VIEW = "data-embedded";
var PLACES = "[data-testid=stMain] :is([data-testid=stBidiComponentIsolated], .js-plotly-plot)";
var PARTS = ".player, .film, .clusters, .turning, .drawing";
var MAX_HEIGHT = 900;
var SPACE = 32;
var STYLE = `
  :root[${MODE}] :is([data-testid=stHeader], [data-testid=stSidebar], [data-testid=stExpandSidebarButton], [data-testid=stToast]) { display: none !important; }
  :root[${MODE}] .stApp [data-testid=stMain] { margin-left: 0 !important; width: 100% !important; }
  :root[${MODE}] .stApp .stMainBlockContainer { padding: 0.5rem !important; max-width: none; }
  :root[${MODE}]:has([${VIEW}]) .stMainBlockContainer :not(:has([${VIEW}]), [${VIEW}], [${VIEW}] *) { display: none !important; }
  :root[${MODE}]:has([${VIEW}]) .stMainBlockContainer :has([${VIEW}]) { flex: 1 1 100%; max-width: none; }
`;
function startEmbedding() {
  const root = document.documentElement;
  if (root.hasAttribute(MODE) || new URL(location.href).searchParams.get(EMBED_PARAMETER) !== "1") return;
  root.toggleAttribute(MODE, true);
  const style = document.createElement("style");
  style.textContent = STYLE;
  document.head.append(style);
}
function isEmbedded() {
  return document.documentElement.hasAttribute(MODE);
}
function keepView() {
  startEmbedding();
  if (!isEmbedded()) return;
  const url = new URL(location.href);
  if (url.searchParams.get(EMBED_PARAMETER) !== "1") {
    url.searchParams.set(EMBED_PARAMETER, "1");
    history.replaceState(history.state, "", url);
  }
  const view = findView()?.closest("[data-testid=stElementContainer]");
  const marked = document.querySelector(`[${VIEW}]`);
  if (!view || view === marked) return;
  marked?.removeAttribute(VIEW);
  view.toggleAttribute(VIEW, true);
}
function heightOfView() {
  const view = findView();
  return view && Math.min(MAX_HEIGHT, Math.ceil(view.getBoundingClientRect().height) + SPACE);
}
function findView() {
  return [...document.querySelectorAll(PLACES)].find((element) => element.matches(".js-plotly-plot") || element.shadowRoot?.querySelector(PARTS));
}

// projector/qr.js
var CORRECTION = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30];
var BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25];
var FIELD = 285;
var QUIET = 4;
var MASKS = [
  (x, y) => (x + y) % 2,
  (_, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => x * y % 2 + x * y % 3,
  (x, y) => (x * y % 2 + x * y % 3) % 2,
  (x, y) => ((x + y) % 2 + x * y % 3) % 2
];
function drawQrCode(text, label) {
  const modules = makeQrCode(text);
  const side = modules.length + 2 * QUIET;
  const path = modules.flatMap((row, y) => row.map((dark, x) => dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")).join("");
  return `<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="#000" d="${path}"/></svg>`;
}
function makeQrCode(text) {
  const bytes = new TextEncoder().encode(text);
  const version = chooseVersion(bytes.length);
  const codewords = addCorrection(version, encodeBytes(version, bytes));
  const drawn = MASKS.map((_, mask) => drawModules(version, codewords, mask));
  const penalties = drawn.map(countPenalty);
  return drawn[penalties.indexOf(Math.min(...penalties))];
}
function countCodewords(version) {
  const aligned = version < 2 ? 0 : Math.floor(version / 7) + 2;
  const alignment = aligned ? (25 * aligned - 10) * aligned - 55 : 0;
  return Math.floor(((16 * version + 128) * version + 64 - alignment - (version < 7 ? 0 : 36)) / 8);
}
function countData(version) {
  return countCodewords(version) - CORRECTION[version - 1] * BLOCKS[version - 1];
}
function lengthBits(version) {
  return version < 10 ? 8 : 16;
}
function chooseVersion(length) {
  for (let version = 1; version <= 40; version++) {
    if (4 + lengthBits(version) + 8 * length <= 8 * countData(version)) return version;
  }
  throw new RangeError(`a QR code holds at most 2,953 bytes; got ${length}: use a shorter address`);
}
function encodeBytes(version, bytes) {
  const bits = [];
  const put = (value, count) => {
    for (let at = count - 1; at >= 0; at--) bits.push(value >> at & 1);
  };
  put(4, 4);
  put(bytes.length, lengthBits(version));
  bytes.forEach((byte) => put(byte, 8));
  const capacity = 8 * countData(version);
  put(0, Math.min(4, capacity - bits.length));
  put(0, -bits.length & 7);
  for (let pad = 236; bits.length < capacity; pad ^= 236 ^ 17) put(pad, 8);
  return Array.from({ length: capacity / 8 }, (_, at) => Number.parseInt(bits.slice(8 * at, 8 * at + 8).join(""), 2));
}
function multiply(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) product = product << 1 ^ (product >> 7) * FIELD ^ (b >> bit & 1) * a;
  return product;
}
function remainder(block, degree) {
  let divisor = [1];
  for (let power = 0, root = 1; power < degree; power++, root = multiply(root, 2)) {
    const shifted = [...divisor, 0];
    divisor = shifted.map((value, at) => value ^ (at ? multiply(divisor[at - 1], root) : 0));
  }
  const rest = Array(degree).fill(0);
  for (const byte of block) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    for (let at = 0; at < degree; at++) rest[at] ^= multiply(divisor[at + 1], factor);
  }
  return rest;
}
function addCorrection(version, data) {
  const [count, degree] = [BLOCKS[version - 1], CORRECTION[version - 1]];
  const [short, long] = [Math.floor(data.length / count), data.length % count];
  let start = 0;
  const blocks = Array.from({ length: count }, (_, at) => data.slice(start, start += short + (at >= count - long ? 1 : 0)));
  const corrections = blocks.map((block) => remainder(block, degree));
  const interleave = (rows, length) => Array.from({ length }, (_, at) => rows.flatMap((row) => row.slice(at, at + 1))).flat();
  return [...interleave(blocks, short + 1), ...interleave(corrections, degree)];
}
function alignmentPlaces(version, side) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = 2 * Math.floor((8 * version + 3 * count + 5) / (4 * count - 4));
  return [6, ...Array.from({ length: count - 1 }, (_, at) => side - 7 - step * (count - 2 - at))];
}
function appendCheck(value, bits, generator) {
  let rest = value;
  for (let at = 0; at < bits; at++) rest = rest << 1 ^ (rest >> bits - 1) * generator;
  return value << bits | rest;
}
function drawModules(version, codewords, mask) {
  const side = 4 * version + 17;
  const modules = Array.from({ length: side }, () => Array(side).fill(void 0));
  const set = (x, y, dark) => {
    if (x >= 0 && y >= 0 && x < side && y < side) modules[y][x] = dark;
  };
  const square = (x, y, radius) => {
    for (let dy = -radius; dy <= radius; dy++)
      for (let dx = -radius; dx <= radius; dx++) set(x + dx, y + dy, ![radius === 4 ? 4 : -1, radius === 2 ? 1 : 2].includes(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (let at = 0; at < side; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [side - 4, 3], [3, side - 4]]) square(x, y, 4);
  const places = alignmentPlaces(version, side);
  for (const x of places) {
    for (const y of places) {
      const inCorner = x === 6 && y === 6 || x === 6 && y === side - 7 || x === side - 7 && y === 6;
      if (!inCorner) square(x, y, 2);
    }
  }
  drawFormat(side, mask, set);
  if (version >= 7) {
    const bits = appendCheck(version, 12, 7973);
    for (let at = 0; at < 18; at++) {
      const [a, b] = [side - 11 + at % 3, Math.floor(at / 3)];
      set(a, b, Boolean(bits >> at & 1));
      set(b, a, Boolean(bits >> at & 1));
    }
  }
  fill(modules, codewords, mask);
  return modules.map((row) => row.map(Boolean));
}
function drawFormat(side, mask, set) {
  const bits = appendCheck(8 | mask, 10, 1335) ^ 21522;
  const bit = (at) => Boolean(bits >> at & 1);
  for (let at = 0; at < 15; at++) {
    const first = at < 6 ? at : at < 8 ? at + 1 : 14 - at + (at < 9 ? 1 : 0);
    if (at < 8) set(8, first, bit(at));
    else set(first, 8, bit(at));
    if (at < 8) set(side - 1 - at, 8, bit(at));
    else set(8, side - 15 + at, bit(at));
  }
  set(8, side - 8, true);
}
function fill(modules, codewords, mask) {
  const side = modules.length;
  let at = 0;
  for (let right = side - 1, up = true; right > 0; right -= right === 8 ? 3 : 2, up = !up) {
    if (right === 6) right = 5;
    for (let step = 0; step < side; step++) {
      const y = up ? side - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (modules[y][x] !== void 0) continue;
        const bit = (codewords[at >> 3] ?? 0) >> 7 - (at & 7) & 1;
        modules[y][x] = Boolean(bit) !== (MASKS[mask](x, y) === 0);
        at += 1;
      }
    }
  }
}
function countPenalty(modules) {
  const side = modules.length;
  const columns = modules.map((_, x) => modules.map((row) => row[x]));
  let penalty = 0;
  for (const line of [...modules, ...columns]) {
    const text = line.map(Number).join("");
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    penalty += 40 * (text.match(/(?=10111010000|00001011101)/g)?.length ?? 0);
  }
  for (let y = 1; y < side; y++)
    for (let x = 1; x < side; x++) {
      const dark = modules[y][x];
      if (modules[y - 1][x] === dark && modules[y][x - 1] === dark && modules[y - 1][x - 1] === dark) penalty += 3;
    }
  const share = modules.flat().filter(Boolean).length / side ** 2;
  return penalty + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}

// projector/dialogs.js
var KEYS = [
  ["Space", "play or pause"],
  ["← →", "one step back or forward"],
  ["Home End", "first or last step"],
  ["PageUp PageDown", "previous or next caption of a lesson"],
  ["P", "projector mode"],
  ["S", "settings, in projector mode"],
  ["D", "pen: draw over the page"],
  ["L", "pointer"],
  ["X", "erase the drawing"],
  ["B or .", "blank screen; any key shows the page again"],
  ["U or Ctrl Z", "undo the last change of a setting"],
  ["?", "this explanation"],
  ["Esc", "put the tool away, unpin a pair, or leave the projector mode"]
];
var PRIVATE = /^(localhost|127\.|\[::1\])/;
var COPIED_MS = 2e3;
var Dialog = class {
  /** @param {HTMLElement} root @param {string} className */
  constructor(root, className) {
    this.dialog = make("dialog", className);
    this.content = make("div");
    const close = makeButton("close", "Close");
    close.addEventListener("click", () => this.dialog.close());
    this.dialog.append(close, this.content);
    this.dialog.addEventListener("keydown", (event) => event.stopPropagation());
    root.append(this.dialog);
  }
  get isOpen() {
    return this.dialog.open;
  }
  /** @param {string} title @param {...Node} parts */
  show(title, ...parts) {
    this.dialog.setAttribute("aria-label", title);
    this.content.replaceChildren(make("h2", "", title), ...parts);
    if (!this.dialog.open) this.dialog.showModal();
  }
};
var ExplanationDialog = class extends Dialog {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root, "explanation");
    this.explanation = void 0;
  }
  open() {
    const { explanation } = this;
    const parts = explanation ? [paragraph(explanation.text), paragraph(`**Try it.** ${explanation.trial}`)] : [];
    const keys = make("dl");
    for (const [key, meaning] of KEYS) keys.append(make("dt", "", key), make("dd", "", meaning));
    this.show(explanation?.title ?? "Keys", ...parts, make("h3", "", "Keys"), keys);
  }
};
var ShareDialog = class extends Dialog {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root, "share");
  }
  open() {
    const address = location.href;
    const code = make("div", "code");
    try {
      code.innerHTML = drawQrCode(address, "QR code of the address of this page");
    } catch (error) {
      code.textContent = `No QR code: ${/** @type {Error} */
      error.message}`;
    }
    const link = readOnly("Address of this page", address);
    const row = make("div", "ways");
    row.append(copyButton("Copy link", link), this.makeEmbed(code, link));
    const notes = PRIVATE.test(location.host) ? [make("p", "", "Only this computer can open this address, because the app runs on it without a public name.")] : [];
    this.show("Share this page", code, link, row, ...notes);
  }
  /** The button that replaces the address by the code of a frame. @param {HTMLElement} code @param {HTMLTextAreaElement} link */
  makeEmbed(code, link) {
    const button = makeButton("", "Embed");
    const height = heightOfView();
    button.disabled = height === void 0;
    button.title = button.disabled ? "This page has no player and no figure" : "Shows the HTML that puts the player or figure of this page into a different page";
    button.addEventListener("click", () => {
      const url = new URL(location.href);
      url.searchParams.delete("projector");
      url.searchParams.set(EMBED_PARAMETER, "1");
      const frame = make("iframe");
      Object.assign(frame, { src: url.href, title: document.title, width: "100%", height: String(height) });
      const html = frame.outerHTML;
      const field = readOnly("HTML of the frame", html);
      link.after(field);
      button.replaceWith(copyButton("Copy HTML", field));
      code.classList.add("small");
      field.focus();
    });
    return button;
  }
};
function paragraph(text) {
  const element = make("p");
  element.append(...text.split("**").map((part, at) => at % 2 ? make("strong", "", part) : part));
  return element;
}
function readOnly(label, text) {
  const field = make("textarea", "", text);
  field.readOnly = true;
  field.rows = 3;
  field.setAttribute("aria-label", label);
  field.addEventListener("focus", () => field.select());
  return field;
}
function copyButton(words, field) {
  const button = makeButton("", words);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch {
      field.focus();
      field.select();
      button.textContent = document.execCommand("copy") ? "Copied" : "Press Ctrl C to copy";
    }
    setTimeout(() => button.textContent = words, COPIED_MS);
  });
  return button;
}

// projector/history.js
var PLACE_PARAMETERS = ["lesson", "entry"];
var TRANSIENT_MS = 1e3;
var NO_SETTINGS = ["step", "i", "j", "cluster", "job", "run_now", "projector", "embed"];
var CURRENT = ["projector", "embed"];
var ACTION_MS = 15e3;
var MOST = 100;
function placeOf(url) {
  const { pathname, searchParams } = new URL(url ?? "", location.href);
  const values = PLACE_PARAMETERS.map((name) => searchParams.get(name) ?? "");
  return { path: pathname, name: values.join("\n"), isEmpty: values.every((value) => !value) };
}
function currentPlace() {
  const { path, name } = placeOf(location.href);
  return `${path}
${name}`;
}
function keepHistoryShort() {
  if ("keepsPlaces" in history.pushState) return;
  const push = history.pushState.bind(history);
  let leftAt2 = -Infinity;
  const write = (state, title, url) => {
    const [from, to] = [placeOf(location.href), placeOf(url)];
    const now = performance.now();
    const same = from.path === to.path;
    const passing = !same && now - leftAt2 < TRANSIENT_MS;
    leftAt2 = same && from.name !== to.name && to.isEmpty ? now : -Infinity;
    if (passing || same && from.name === to.name) history.replaceState(state, title, url);
    else push(state, title, url);
  };
  history.pushState = Object.assign(write, { keepsPlaces: true });
}
function changes() {
  const shared = (
    /** @type {{ iaChanges?: Changes }} */
    /** @type {unknown} */
    window
  );
  const place = currentPlace();
  if (shared.iaChanges?.place !== place) shared.iaChanges = { place, address: location.href, earlier: [], actedAt: -Infinity };
  return shared.iaChanges;
}
function noteAction() {
  changes().actedAt = performance.now();
}
function noteAddress(defaults) {
  const known = changes();
  if (known.address === location.href) return;
  if (settingsOf(known.address, defaults) !== settingsOf(location.href, defaults)) {
    if (performance.now() - known.actedAt < ACTION_MS) known.earlier = [...known.earlier, known.address].slice(-MOST);
    known.actedAt = -Infinity;
  }
  known.address = location.href;
}
function canUndo() {
  return changes().earlier.length > 0;
}
function undo() {
  const known = changes();
  const earlier = known.earlier.pop();
  if (earlier === void 0) return false;
  const [url, now] = [new URL(earlier), new URL(location.href)];
  for (const name of CURRENT) {
    const value = now.searchParams.get(name);
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  Object.assign(known, { address: url.href, actedAt: -Infinity });
  history.replaceState(history.state, "", url);
  window.dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
  return true;
}
function settingsOf(address, defaults) {
  const { searchParams } = new URL(address);
  const same = Object.keys(defaults).filter((name) => searchParams.get(name) === defaults[name]);
  for (const name of [...NO_SETTINGS, ...same]) searchParams.delete(name);
  searchParams.sort();
  return searchParams.toString();
}

// projector/overlay.js
var INK = "#ff2d55";
var EDGE = "#fff";
var WIDTH = 5;
var SCROLLER = "[data-testid=stMain]";
var Overlay = class {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.tool = void 0;
    this.strokes = [];
    this.drawing = false;
    this.canvas = asPopover(newCanvas(0, 0), "ink");
    this.canvas.setAttribute("aria-hidden", "true");
    this.dot = asPopover(make("div"), "dot");
    this.screen = asPopover(make("div", "", "Press any key to show the page again."), "blank");
    this.screen.tabIndex = -1;
    this.screen.setAttribute("role", "alert");
    this.tools = asPopover(make("div"), "tools");
    this.tools.setAttribute("role", "group");
    this.tools.setAttribute("aria-label", "Tools over the page");
    this.pen = this.addTool("Pen", "D", () => this.use("pen"));
    this.pointer = this.addTool("Pointer", "L", () => this.use("pointer"));
    this.addTool("Erase", "X", () => this.erase());
    this.addTool("Done", "Esc", () => this.use(void 0));
    root.append(this.canvas, this.dot, this.tools, this.screen);
    this.stop = new AbortController();
    const { signal } = this.stop;
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => this.begin(event));
    canvas.addEventListener("pointermove", (event) => this.extend(event));
    for (const type of ["pointerup", "pointercancel"]) canvas.addEventListener(type, () => this.drawing = false);
    canvas.addEventListener("wheel", ({ deltaX, deltaY }) => document.querySelector(SCROLLER)?.scrollBy(deltaX, deltaY), { passive: true });
    this.screen.addEventListener("pointerdown", () => this.unblank());
    window.addEventListener("pointermove", (event) => this.follow(event), { signal });
    window.addEventListener("pointerdown", (event) => this.follow(event), { signal });
    window.addEventListener("resize", () => this.paint(), { signal });
    document.addEventListener("scroll", () => this.paint(), { signal, capture: true });
    document.addEventListener("fullscreenchange", () => this.raise(), { signal });
  }
  /** @param {string} words @param {string} key @param {() => void} act */
  addTool(words, key, act) {
    const button = makeButton("", words);
    const hint = make("kbd", "", key);
    hint.setAttribute("aria-hidden", "true");
    button.append(hint);
    button.addEventListener("click", act);
    this.tools.append(button);
    return button;
  }
  get isBlank() {
    return this.screen.matches(":popover-open");
  }
  blank() {
    this.screen.showPopover();
    this.screen.focus();
  }
  unblank() {
    this.screen.hidePopover();
  }
  /** Takes a tool, or puts it away; the strokes remain. @param {Tool} tool */
  use(tool) {
    this.tool = tool;
    this.canvas.classList.toggle("active", tool === "pen");
    this.pen.setAttribute("aria-pressed", String(tool === "pen"));
    this.pointer.setAttribute("aria-pressed", String(tool === "pointer"));
    if (tool !== "pointer") this.dot.hidePopover();
    this.raise();
  }
  /** Puts the tool away if it is in use. @param {Tool} tool */
  toggle(tool) {
    this.use(this.tool === tool ? void 0 : tool);
  }
  erase() {
    this.strokes = [];
    this.paint();
  }
  /** Shows the parts that are in use, above all others of the browser's top layer. */
  raise() {
    show(this.canvas, this.tool === "pen" || this.strokes.length > 0);
    show(this.tools, this.tool !== void 0);
    if (this.isBlank) this.blank();
  }
  /** @param {PointerEvent} event */
  begin(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.drawing = true;
    this.strokes.push([placeOf2(event)]);
    this.paint();
  }
  /** @param {PointerEvent} event */
  extend(event) {
    if (!this.drawing) return;
    this.strokes.at(-1)?.push(placeOf2(event));
    this.paint();
  }
  /** Moves the pointer's dot. @param {PointerEvent} event */
  follow({ clientX, clientY }) {
    if (this.tool !== "pointer") return;
    this.dot.showPopover();
    this.dot.style.translate = `${clientX}px ${clientY}px`;
  }
  paint() {
    const { canvas } = this;
    if (!this.strokes.length && this.tool !== "pen") return void canvas.hidePopover();
    const scale = devicePixelRatio;
    Object.assign(canvas, { width: innerWidth * scale, height: innerHeight * scale });
    const context = contextOf(canvas);
    const { x, y } = readScroll();
    context.setTransform(scale, 0, 0, scale, -x * scale, -y * scale);
    Object.assign(context, { lineCap: "round", lineJoin: "round" });
    for (
      const [colour, width] of
      /** @type {[string, number][]} */
      [[EDGE, WIDTH + 3], [INK, WIDTH]]
    ) {
      Object.assign(context, { strokeStyle: colour, lineWidth: width });
      context.beginPath();
      for (const [first, ...others] of this.strokes) {
        context.moveTo(first.x, first.y);
        for (const point of others.length ? others : [first]) context.lineTo(point.x, point.y);
      }
      context.stroke();
    }
  }
  remove() {
    this.stop.abort();
  }
};
function asPopover(element, className) {
  element.className = className;
  element.popover = "manual";
  return element;
}
function show(element, used) {
  element.hidePopover();
  if (used) element.showPopover();
}
function readScroll() {
  const main = document.querySelector(SCROLLER);
  return { x: main?.scrollLeft ?? 0, y: main?.scrollTop ?? 0 };
}
function placeOf2({ clientX, clientY }) {
  const { x, y } = readScroll();
  return { x: clientX + x, y: clientY + y };
}

// projector/bar.js
var TYPED = "input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable=true], [role=combobox]";
var USES_PAGE_KEYS = "textarea, [contenteditable=true]";
var OPEN = "[data-testid=stPopoverBody], [role=dialog], [role=listbox], [role=menu]";
var CAPTION_BUTTONS = { PageDown: ["Next"], PageUp: ["Back", "Previous"] };
var SHOW_SETTINGS = "data-settings";
var LATE_MS = 1e4;
var CHECK_MS = 250;
var RESEND_MS = 1500;
var PARAMETER = "projector";
var LESSON_PARAMETER = "lesson";
var BUTTON_WAIT_MS = 5e3;
var FILMS = ".player, .film, .clusters";
var leftAt = -Infinity;
var ProjectorBar = class {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = make("div", "projector");
    this.stop = new AbortController();
    this.on = void 0;
    this.clicked = false;
    this.open = false;
    this.waiting = void 0;
    this.sentAt = -Infinity;
    this.send = (_) => {
    };
    this.sendReset = () => {
    };
    this.defaults = {};
    this.place = currentPlace();
    this.buttons = make("div", "buttons");
    this.overlay = new Overlay(this.root);
    this.explanation = new ExplanationDialog(this.root);
    this.share = new ShareDialog(this.root);
    this.undoButton = keyButton("Undo", "U", "U", () => this.undo());
    this.undoButton.title = "Restores the settings before the last change";
    this.resetButton = keyButton("Reset", "", "", () => this.reset());
    this.resetButton.title = "Sets all controls of this page or caption to their defaults, and the animation to its start";
    parent.querySelector(".projector")?.remove();
    this.root.append(this.buttons);
    parent.append(this.root);
    const { signal } = this.stop;
    window.addEventListener("pointerdown", () => {
      this.clicked = true;
      noteAction();
    }, { signal, capture: true });
    window.addEventListener("keydown", (event) => this.intercept(event), { signal, capture: true });
    document.addEventListener("keydown", (event) => this.onKey(event), { signal });
    document.addEventListener("fullscreenchange", () => {
      if (this.on && !document.fullscreenElement) this.leave();
    }, { signal });
    this.timer = setInterval(() => {
      this.stayOut();
      this.retryCaption();
      this.followPage();
    }, CHECK_MS);
    this.followPage();
  }
  /** @param {BarData} data */
  update({ on, explanation, defaults }) {
    this.explanation.explanation = explanation;
    this.defaults = defaults;
    if (this.on === on) return;
    this.on = on;
    this.root.classList.toggle("on", on);
    const buttons = on ? [
      keyButton("Play / pause", "Space", "Space", () => this.play()),
      keyButton("Settings", "S", "S", () => this.toggleSettings()),
      keyButton("Pen", "D", "D", () => this.overlay.toggle("pen")),
      keyButton("Blank", "B", "B", () => this.overlay.blank()),
      keyButton("Exit", "Esc", "Escape", () => this.leave())
    ] : [
      keyButton("Explain this page", "?", "?", () => this.explanation.open()),
      this.undoButton,
      this.resetButton,
      keyButton("Share", "", "", () => this.share.open()),
      keyButton("Pen", "D", "D", () => this.overlay.toggle("pen")),
      keyButton("Projector", "P", "P", () => this.enter())
    ];
    this.buttons.replaceChildren(...buttons);
    if (!on) document.documentElement.removeAttribute(SHOW_SETTINGS);
  }
  enter() {
    leftAt = -Infinity;
    document.documentElement.requestFullscreen?.().catch(() => {
    });
    this.send("on");
  }
  leave() {
    if (document.fullscreenElement) document.exitFullscreen();
    leftAt = performance.now();
    removeParameter();
    this.sendOff();
  }
  /**
   * Sends the end of the mode again if Python has since written the mode into the URL or still shows it,
   * because another request of the page at the same moment can discard the first one.
   */
  stayOut() {
    const now = performance.now();
    if (now - leftAt >= LATE_MS) return;
    const asked = new URL(location.href).searchParams.has(PARAMETER);
    if (asked || this.on && now - this.sentAt > RESEND_MS) this.sendOff();
  }
  sendOff() {
    this.sentAt = performance.now();
    this.send("off");
  }
  /** Presses the button of a key that was pressed while the page was being drawn. */
  retryCaption() {
    if (!this.waiting) return;
    const isLate = performance.now() - this.waiting.since > BUTTON_WAIT_MS;
    if (isLate || pressCaptionButton(this.waiting.words)) this.waiting = void 0;
  }
  /** Changes the caption; false if there is no lesson, so that the key scrolls the page as usual. @param {string[]} words */
  changeCaption(words) {
    if (pressCaptionButton(words)) this.waiting = void 0;
    else if (isCaptionAwaited()) this.waiting = { words, since: performance.now() };
    else return false;
    return true;
  }
  /** Follows the page, which may have changed its URL or drawn its view again. */
  followPage() {
    keepView();
    noteAddress(this.defaults);
    this.undoButton.disabled = !canUndo();
    const place = currentPlace();
    if (place !== this.place) this.overlay.erase();
    this.place = place;
  }
  undo() {
    this.followPage();
    undo();
    this.followPage();
  }
  reset() {
    this.overlay.erase();
    for (const film of findInComponents(FILMS)) film.dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }));
    this.sendReset();
  }
  toggleSettings() {
    document.documentElement.toggleAttribute(SHOW_SETTINGS);
  }
  /** Presses the first play button of the page. */
  play() {
    const buttons = findInComponents("[data-do=play], button.play");
    const play = buttons.map((button) => (
      /** @type {HTMLButtonElement} */
      button
    )).find((button) => button.checkVisibility() && !button.disabled);
    play?.click();
  }
  /**
   * Handles a presenter's keys before the element that has the focus, wherever the mouse was used last.
   * PageDown and PageUp change the caption, and Space plays unless the focus came from the keyboard.
   * @param {KeyboardEvent} event
   */
  intercept(event) {
    if (this.overlay.isBlank) {
      this.overlay.unblank();
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    noteAction();
    this.open = this.explanation.isOpen || this.share.isOpen || Boolean(document.querySelector(OPEN));
    this.clicked &&= event.key !== "Tab";
    if (this.open || isCombined(event)) return;
    const target = (
      /** @type {HTMLElement} */
      event.composedPath()[0]
    );
    const words = CAPTION_BUTTONS[event.key];
    const paged = words && !target.matches?.(USES_PAGE_KEYS) && this.changeCaption(words);
    const plays = event.key === " " && this.on && this.clicked && !target.matches?.(TYPED);
    if (plays) {
      this.play();
      target.blur?.();
    }
    if (!paged && !plays) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  /** All other keys act first on the element that has the focus, such as a field, a button or a player. @param {KeyboardEvent} event */
  onKey(event) {
    const target = (
      /** @type {HTMLElement} */
      event.composedPath()[0]
    );
    if (event.defaultPrevented || this.open || target.matches?.(TYPED)) return;
    const undoes = event.key === "z" && (event.ctrlKey || event.metaKey) && !event.altKey;
    if (undoes) this.undo();
    else if (isCombined(event) || !this.act(event.key, target)) return;
    event.preventDefault();
  }
  /** Performs the action of a key; true if it has one. @param {string} key @param {HTMLElement} target */
  act(key, target) {
    const letter = key.toLowerCase();
    if (isEmbedded()) return false;
    if (this.actOver(key, letter)) return true;
    if (!this.on && letter === "p") this.enter();
    else if (!this.on) return false;
    else if (key === "Escape") this.leave();
    else if (letter === "s") this.toggleSettings();
    else if (key === " " && target === document.body) this.play();
    else return false;
    return true;
  }
  /** Performs the action of a key that works in both modes; true if it has one. @param {string} key @param {string} letter */
  actOver(key, letter) {
    const { overlay } = this;
    const actions = {
      d: () => overlay.toggle("pen"),
      l: () => overlay.toggle("pointer"),
      x: () => overlay.erase(),
      b: () => overlay.blank(),
      ".": () => overlay.blank(),
      u: () => this.undo(),
      "?": () => this.explanation.open()
    };
    if (overlay.tool && key === "Escape") overlay.use(void 0);
    else if (Object.hasOwn(actions, letter)) actions[letter]();
    else return false;
    return true;
  }
  remove() {
    this.overlay.remove();
    clearInterval(this.timer);
    this.stop.abort();
    this.root.remove();
  }
};
function removeParameter() {
  const url = new URL(location.href);
  url.searchParams.delete(PARAMETER);
  history.replaceState(history.state, "", url);
}
function pressCaptionButton(words) {
  const buttons = [...document.querySelectorAll(".st-key-lesson_steps :is(a, button:not(:disabled))")].map((element) => (
    /** @type {HTMLElement} */
    element
  ));
  const found = buttons.find((button) => words.some((word) => button.innerText.trim().startsWith(word)));
  found?.click();
  return Boolean(found);
}
function isCaptionAwaited() {
  return new URL(location.href).searchParams.has(LESSON_PARAMETER) && !document.querySelector(".st-key-lesson_steps :is(a, button)");
}
function findInComponents(selector) {
  const hosts = [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")];
  return hosts.flatMap(({ shadowRoot }) => [...shadowRoot?.querySelectorAll(selector) ?? []]);
}
function isCombined({ repeat, ctrlKey, metaKey, altKey }) {
  return repeat || ctrlKey || metaKey || altKey;
}
function keyButton(words, hint, shortcut, act) {
  const button = makeButton("");
  button.append(words);
  if (hint) {
    const key = make("kbd", "", hint);
    key.setAttribute("aria-hidden", "true");
    button.append(key);
    button.setAttribute("aria-keyshortcuts", shortcut);
  }
  button.addEventListener("click", act);
  return button;
}

// shared/cache.js
function trim(cache, size) {
  for (const oldest of cache.keys()) {
    if (cache.size <= size) return;
    cache.delete(oldest);
  }
}

// shared/figure.js
var WHOLE = Object.freeze({ scale: 1, x: 0.5, y: 0.5 });
function toCsv(rows) {
  const quote = (cell) => /[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell;
  return rows.map((row) => row.map(quote).join(",")).join("\n") + "\n";
}
function nameFile(title, ending) {
  const words = title.normalize("NFKD").toLowerCase().match(/[a-z0-9]+/g) ?? ["figure"];
  return `${words.join("-").slice(0, 48).replace(/-$/, "")}.${ending}`;
}
function save(content, type, name) {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1e4);
}

// projector/plot-files.js
var SPACE2 = "http://www.w3.org/2000/svg";
var MARK = "figure-files";
function addPlotFiles(plot) {
  const bar = plot.querySelector(".modebar");
  if (!bar || bar.querySelector(`.${MARK}`)) return;
  const group = Object.assign(document.createElement("div"), { className: `modebar-group ${MARK}` });
  const add = (label, about, act) => {
    const button = makeButton("modebar-btn", label);
    button.dataset.title = about;
    button.setAttribute("aria-label", about);
    button.style.cssText = "font-size:11px;line-height:20px;border:0;background:none;color:inherit";
    button.addEventListener("click", act);
    group.append(button);
  };
  add("SVG", "Download plot as SVG", () => save(plotSvg(plot), "image/svg+xml", nameFile(titleOf(plot), "svg")));
  add("CSV", "Download data as CSV", () => save(toCsv(plotRows(plot)), "text/csv", nameFile(titleOf(plot), "csv")));
  bar.append(group);
}
function titleOf({ layout }) {
  const words = (part) => part?.title?.text ?? (typeof part?.title === "string" ? part.title : "");
  const axes = [words(layout.yaxis), words(layout.xaxis)].filter(Boolean).join(" against ");
  const parts = (layout.annotations ?? []).map(({ text = "" }) => text).filter(Boolean);
  const name = (layout.uirevision ?? "plot").split(" ")[0];
  return words(layout) || [name, axes, parts.join(", ")].filter(Boolean).join(": ");
}
function plotSvg(plot) {
  const { width, height } = plot.getBoundingClientRect();
  const whole = document.createElementNS(SPACE2, "svg");
  const set = (element, values) => {
    for (const [name, value] of Object.entries(values)) element.setAttribute(name, String(value));
  };
  set(whole, { xmlns: SPACE2, width, height, viewBox: `0 0 ${width} ${height}`, style: `font-family:${getComputedStyle(plot).fontFamily.replaceAll('"', "'")}` });
  const ground = document.createElementNS(SPACE2, "rect");
  set(ground, { width, height, fill: getComputedStyle(document.body).getPropertyValue("--st-background-color").trim() || "#ffffff" });
  const title = document.createElementNS(SPACE2, "title");
  title.textContent = titleOf(plot);
  whole.append(title, ground);
  for (const layer of plot.querySelectorAll("svg.main-svg")) {
    const copy = (
      /** @type {Element} */
      layer.cloneNode(true)
    );
    copy.removeAttribute("style");
    whole.append(copy);
  }
  return new XMLSerializer().serializeToString(whole);
}
function plotRows(plot) {
  const rows = [["line", "x", "y", "value", "name"]];
  const traces = (
    /** @type {{ _fullData?: Trace[] }} */
    /** @type {unknown} */
    plot._fullData ?? /** @type {Trace[]} */
    plot.data
  );
  traces.forEach(({ name = "", visible, x = [], y = [], z, text }, k) => {
    if (visible === false || visible === "legendonly") return;
    const line = name || `line ${k + 1}`;
    if (z) Array.from(z, (row, i) => Array.from(row, (value, j) => rows.push([line, x[j] ?? j, y[i] ?? i, Number(value), ""])));
    else Array.from(x, (at, i) => rows.push([line, at ?? "", y[i] ?? "", "", typeof text === "object" ? text[i] ?? "" : ""]));
  });
  return rows;
}

// projector/plots.js
var AXIS = /^[xy]axis\d*$/;
var MAX_VIEWS = 100;
var MAX_TRIES = 10;
function readView({ layout, data }) {
  const axes = Object.entries(layout).flatMap(([name, value]) => {
    const { range, autorange } = (
      /** @type {Axis} */
      value ?? {}
    );
    return AXIS.test(name) && range && !autorange ? [[name, [...range]]] : [];
  });
  return { axes, visible: data.map((trace) => trace.visible), frame: layout.sliders?.[0]?.active ?? 0 };
}
function isShown(plot, view) {
  const current = readView(plot);
  const count = Math.min(current.visible.length, view.visible.length);
  const [found, wanted] = [current, view].map((one) => JSON.stringify({ ...one, visible: one.visible.slice(0, count) }));
  return found === wanted;
}
function showView(plot, { axes, visible, frame }) {
  const layout = { ...plot.layout };
  for (const [name, range] of axes) layout[name] = { ...layout[name], range, autorange: false };
  const data = plot.data.map((trace, k) => k in visible ? { ...trace, visible: visible[k] } : trace);
  const shown = frame ? plot._transitionData?._frames?.[frame] : void 0;
  if (shown) {
    layout.sliders = layout.sliders?.map((slider) => ({ ...slider, active: frame }));
    shown.traces.forEach((at, k) => data[at] = { ...data[at], ...shown.data[k] });
  }
  Object.assign(plot, { layout, data });
  plot.emit("plotly_relayout", {});
}
function keepPlotViews() {
  const page = (
    /** @type {{ plotViews?: Map<string, View> }} */
    /** @type {unknown} */
    window
  );
  if (page.plotViews) return;
  const views = page.plotViews = /* @__PURE__ */ new Map();
  const followed = /* @__PURE__ */ new WeakSet();
  const follow = (plot) => {
    followed.add(plot);
    const name = plot.layout.uirevision ?? "";
    let isShowing = false;
    let tries = MAX_TRIES;
    const store = () => {
      if (isShowing) return;
      views.delete(name);
      views.set(name, readView(plot));
      trim(views, MAX_VIEWS);
    };
    const show2 = () => {
      const view = views.get(name);
      if (!view || !plot.isConnected || isShown(plot, view) || !tries--) return;
      isShowing = true;
      showView(plot, view);
      isShowing = false;
    };
    addPlotFiles(plot);
    plot.on("plotly_afterplot", () => {
      addPlotFiles(plot);
      setTimeout(show2);
    });
    plot.on("plotly_relayout", (change) => {
      if (Object.keys(change).some((key) => AXIS.test(key.split(".")[0]))) store();
    });
    plot.on("plotly_restyle", store);
    plot.on("plotly_sliderchange", (change) => {
      if (change.interaction) store();
    });
    plot.on("plotly_animated", store);
  };
  const findPlots = () => {
    for (const element of document.getElementsByClassName("js-plotly-plot")) {
      const plot = (
        /** @type {Plot} */
        element
      );
      if (!followed.has(plot) && "on" in plot && plot.layout?.uirevision) follow(plot);
    }
  };
  new MutationObserver(findPlots).observe(document, { subtree: true, childList: true, attributeFilter: ["class"] });
  findPlots();
}

// projector/index.js
keepHistoryShort();
keepPlotViews();
var projector_default = defineComponent(
  (parent) => new ProjectorBar(parent),
  (bar, { data, setTriggerValue }) => {
    bar.send = (wish) => setTriggerValue?.("wish", wish);
    bar.sendReset = () => setTriggerValue?.("reset", true);
    bar.update(data);
  },
  (bar) => bar.remove()
);
export {
  projector_default as default
};
