"use strict";
var component = (() => {
  var __defProp = Object.defineProperty;
  var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
  var __getOwnPropNames = Object.getOwnPropertyNames;
  var __hasOwnProp = Object.prototype.hasOwnProperty;
  var __export = (target, all) => {
    for (var name in all)
      __defProp(target, name, { get: all[name], enumerable: true });
  };
  var __copyProps = (to, from, except, desc) => {
    if (from && typeof from === "object" || typeof from === "function") {
      for (let key of __getOwnPropNames(from))
        if (!__hasOwnProp.call(to, key) && key !== except)
          __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
    }
    return to;
  };
  var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

  // site/file.js
  var file_exports = {};
  __export(file_exports, {
    open: () => open,
    storeFilm: () => storeFilm
  });

  // shared/exported.js
  function decode(text) {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
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
  function makeSlider(properties = {}) {
    return Object.assign(make("input"), { type: "range", ...properties });
  }
  function find(root, selector) {
    const element = root.querySelector(selector);
    if (!element) throw new Error(`the component has no element ${selector}`);
    return (
      /** @type {HTMLElement} */
      element
    );
  }
  function findCanvas(root, selector) {
    return (
      /** @type {HTMLCanvasElement} */
      find(root, selector)
    );
  }
  function findInput(root, selector) {
    return (
      /** @type {HTMLInputElement} */
      find(root, selector)
    );
  }
  function findSelect(root, selector) {
    return (
      /** @type {HTMLSelectElement} */
      find(root, selector)
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
  function zoomOf(element) {
    return (
      /** @type {{ currentCSSZoom?: number }} */
      element.currentCSSZoom ?? 1
    );
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

  // site/films.js
  var films = /* @__PURE__ */ new Map();
  var waiting = /* @__PURE__ */ new Map();
  function loadFilm(name) {
    const known = films.get(name);
    if (known) return known;
    const loaded = new Promise((resolve, reject) => {
      waiting.set(name, resolve);
      const script = Object.assign(make("script"), { src: `films/${name}.js` });
      script.addEventListener("error", () => reject(new Error(`films/${name}.js cannot be read`)));
      document.head.append(script);
    });
    const film = loaded.then((parts) => Promise.all(parts.map(unpack)));
    film.catch(() => films.delete(name));
    films.set(name, film);
    return film;
  }
  function storeFilm(name, parts) {
    waiting.get(name)?.(parts);
    waiting.delete(name);
  }
  async function unpack({ component, data, sizes, packed }) {
    const stream = new Blob([decode(packed)]).stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    let end = 0;
    const pieces = sizes.map((size) => bytes.slice(end, end += size));
    return { component, data, pieces };
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
    constructor(figure, rowsOf3) {
      this.figure = figure;
      this.rowsOf = rowsOf3;
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
      const button2 = makeButton("", label2);
      button2.addEventListener("click", (event) => {
        event.stopPropagation();
        act();
      });
      this.bar.append(button2);
      return button2;
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

  // shared/numbers.js
  function formatNumber(x, digits = 3) {
    if (!Number.isFinite(x)) return "unknown";
    if (x !== 0 && Math.abs(x) < 1e-3) {
      const [mantissa, exponent] = x.toExponential(digits - 2).split("e");
      return `${mantissa}·10⁻${superscript(-Number(exponent))}`;
    }
    return withMinus(x.toLocaleString("en", { maximumSignificantDigits: digits }));
  }
  function superscript(count) {
    return [...String(count)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  }
  function withMinus(text) {
    return String(text).replace("-", "−");
  }
  function formatPercent(share, digits = 0) {
    return Number.isFinite(share) ? `${(100 * share).toFixed(digits)} %` : "unknown";
  }
  function significant(x, digits = 3) {
    return Number.isFinite(x) ? String(Number(x.toPrecision(digits))) : "unknown";
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
  function defineFeeder(store3) {
    const releases = /* @__PURE__ */ new WeakMap();
    return ({ data, parentElement }) => {
      const release = data ? store3(data) : void 0;
      const previous = releases.get(parentElement);
      releases.set(parentElement, release);
      previous?.();
      return () => {
        if (releases.get(parentElement) !== release) return;
        releases.delete(parentElement);
        release?.();
      };
    };
  }

  // drawing/index.js
  var Drawing = class {
    /** @param {HTMLElement} parent */
    constructor(parent) {
      this.root = make("div", "drawing");
      this.picture = make("div");
      this.tip = Object.assign(make("div", "tip"), { hidden: true });
      parent.querySelector(".drawing")?.remove();
      this.menu = new FigureMenu(this.picture, () => rowsOf(this.picture));
      this.root.append(this.picture, this.tip, this.menu.element);
      parent.append(this.root);
      this.stop = shareHighlights(this.root);
      this.svg = void 0;
      this.pick = (_) => {
      };
      this.root.addEventListener("pointermove", (event) => this.showTip(event));
      this.root.addEventListener("pointerleave", () => this.tip.hidden = true);
      this.root.addEventListener("click", (event) => {
        const cell = cellAt(event);
        if (cell?.area.dataset.pick) this.pick([cell.row, cell.column]);
      });
    }
    /** @param {string} svg */
    show(svg) {
      if (this.svg === svg) return;
      this.svg = svg;
      this.picture.innerHTML = svg;
      this.tip.hidden = true;
      this.menu.update();
      showHighlights(this.root);
    }
    /** @param {PointerEvent} event */
    showTip(event) {
      const { root, tip } = this;
      const cell = cellAt(event);
      tip.hidden = !cell;
      if (!cell) return;
      const { words = "" } = cell.area.dataset;
      tip.textContent = words.replace("{row}", nameOf(cell.area, cell.row)).replace("{column}", nameOf(cell.area, cell.column)).replace("{value}", cell.value);
      const [box, zoom] = [root.getBoundingClientRect(), zoomOf(root)];
      const left = (event.clientX - box.left) / zoom + 14;
      tip.style.left = `${Math.max(0, Math.min(left, box.width / zoom - tip.offsetWidth))}px`;
      tip.style.top = `${Math.max(0, (event.clientY - box.top) / zoom - 34)}px`;
    }
  };
  function cellAt(event) {
    const area = (
      /** @type {HTMLElement | null} */
      targetOf(event).closest?.(".read")
    );
    if (!area) return void 0;
    const values = valuesOf(area);
    const across = Number(area.dataset.across);
    const box = area.getBoundingClientRect();
    const place = (share, count) => Math.max(0, Math.min(Math.floor(share * count), count - 1));
    const column = place((event.clientX - box.left) / box.width, across);
    const row = place((event.clientY - box.top) / box.height, values.length / across);
    return { area, row, column, value: values[row * across + column] };
  }
  function rowsOf(picture) {
    const rows = [["figure", "area", "row", "column", "value"]];
    for (const svg of picture.querySelectorAll("svg[role=img]")) {
      const title = svg.getAttribute("aria-label") ?? "";
      svg.querySelectorAll(".read").forEach((found, at) => {
        const area = (
          /** @type {HTMLElement} */
          found
        );
        const across = Number(area.dataset.across);
        valuesOf(area).forEach((value, k) => {
          const [row, column] = [Math.floor(k / across), k % across].map((place) => nameOf(area, place));
          rows.push([title, at + 1, row, column, value]);
        });
      });
      for (const curve of svg.querySelectorAll(".series")) {
        const { name = "", x = "", y = "" } = (
          /** @type {SVGElement} */
          curve.dataset
        );
        const values = y.split(" ");
        x.split(" ").forEach((at, k) => rows.push([title, name, "", at, values[k]]));
      }
    }
    return rows;
  }
  function nameOf({ dataset }, at) {
    return dataset.numbers?.split(" ")[at] ?? withMinus(Number(dataset.origin) + at * Number(dataset.step));
  }
  var parsed = /* @__PURE__ */ new WeakMap();
  function valuesOf(area) {
    const values = parsed.get(area) ?? (area.dataset.values ?? "").split(" ");
    parsed.set(area, values);
    return values;
  }
  var drawing_default = defineComponent(
    (parent) => new Drawing(parent),
    (drawing, { data, setTriggerValue }) => {
      drawing.pick = (place) => setTriggerValue?.("picked", place);
      drawing.show(data);
    },
    (drawing) => drawing.stop()
  );

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

  // shared/figure-dialog.js
  var FigureDialog = class {
    /**
     * @param {HTMLElement} parent
     * @param {() => string} draw returns the figure as SVG
     * @param {() => (string | number)[][]} rowsOf its data
     * @param {() => () => void} [hold] called when the dialog opens; returns a function that is called when it closes
     */
    constructor(parent, draw, rowsOf3, hold = () => () => {
    }) {
      this.draw = draw;
      this.hold = hold;
      this.release = () => {
      };
      this.dialog = make("dialog", "figure-dialog");
      this.picture = make("div");
      this.menu = new FigureMenu(this.picture, rowsOf3);
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
  function addFigureButton(root, title, rowsOf3) {
    const dialog = new FigureDialog(root, () => captureSvg(root, title), rowsOf3);
    const button2 = makeButton("figure-open", "Figure");
    button2.title = "Zoom into the pictures and download them as SVG or PNG, with their data";
    button2.addEventListener("click", () => dialog.open());
    root.style.position = "relative";
    root.append(button2);
  }

  // shared/arrays.js
  var TYPES = { F32: Float32Array, I32: Int32Array, I8: Int8Array, U8: Uint8Array };
  var LENGTH_BYTES = 8;
  function readMetadata(bytes) {
    return parseMetadata(readHeader(bytes).header);
  }
  function readArrays(bytes) {
    const { header, data } = readHeader(bytes);
    const arrays = {};
    for (const [name, entry] of Object.entries(header))
      if (name !== "__metadata__") arrays[name] = { values: readValues(name, entry, data), shape: entry.shape };
    return { metadata: parseMetadata(header), arrays };
  }
  function readHeader(bytes) {
    if (bytes.length < LENGTH_BYTES) throw new Error(`arrays need at least ${LENGTH_BYTES} bytes; got ${bytes.length}`);
    const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
    const start = LENGTH_BYTES + length;
    if (start > bytes.length) throw new Error(`the header needs ${start} bytes; got ${bytes.length}`);
    const text = new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, start));
    return { header: JSON.parse(text), data: bytes.subarray(start) };
  }
  function parseMetadata(header) {
    const entries = Object.entries(header.__metadata__ ?? {});
    return Object.fromEntries(entries.map(([name, text]) => [name, JSON.parse(text)]));
  }
  function readValues(name, { dtype, shape, data_offsets: [start, end] }, data) {
    const Type = TYPES[
      /** @type {keyof typeof TYPES} */
      dtype
    ];
    if (!Type) throw new Error(`${name} must have one of the types ${Object.keys(TYPES).join(", ")}; got ${dtype}`);
    const count = shape.reduce((product, size2) => product * size2, 1);
    const size = count * Type.BYTES_PER_ELEMENT;
    if (end - start !== size || end > data.length)
      throw new Error(`${name} needs ${size} bytes; got bytes ${start} to ${end} of ${data.length}`);
    const part = data.subarray(start, end);
    const aligned = part.byteOffset % Type.BYTES_PER_ELEMENT === 0 ? part : part.slice();
    return new Type(
      /** @type {ArrayBuffer} */
      aligned.buffer,
      aligned.byteOffset,
      count
    );
  }

  // turning/orbit.js
  var page2 = (
    /** @type {{ __iaTurn?: TurningState }} */
    /** @type {unknown} */
    window
  );
  var turning = page2.__iaTurn ??= { current: void 0, at: 0, listeners: /* @__PURE__ */ new Set() };
  function readKey(bytes) {
    return readMetadata(bytes).key;
  }
  function readOrbit(bytes) {
    const { metadata, arrays } = readArrays(bytes.slice());
    return (
      /** @type {Orbit} */
      { ...metadata, arrays }
    );
  }
  function sliceOf({ values, shape }, at) {
    const size = shape.slice(1).reduce((product, n) => product * n, 1);
    return values.subarray(at * size, (at + 1) * size);
  }
  function tabulateAngles(orbit) {
    if (!orbit) return [];
    const { degrees, rows, classes, arrays } = orbit;
    const table = degrees.flatMap((angle, at) => rows.flatMap(({ title, says, sure, views }) => views.map(({ name, error }) => [angle, title, name, arrays[error].values[at], classes[arrays[says].values[at]], arrays[sure].values[at]])));
    return [["rotation [deg]", "network", "map", "relative error", "prediction", "probability"], ...table];
  }
  function tabulateLayers(orbit) {
    if (!orbit) return [];
    const { degrees, elements, layers, arrays } = orbit;
    const rows = layers.flatMap(({ name, side, heat, error, low, high }) => degrees.flatMap((angle, at) => {
      const maps = sliceOf(arrays[heat], at);
      return elements.map((element, h) => {
        const values = Array.from(maps.subarray(h * side * side, (h + 1) * side * side), (byte) => low + byte / 255 * (high - low));
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        return [angle, name, element, mean, Math.min(...values), Math.max(...values), arrays[error].values[at]];
      });
    }));
    return [["rotation [deg]", "layer", "pose h", "mean of the map", "least", "largest", "relative error"], ...rows];
  }
  function showAngle(at) {
    const count = turning.current?.degrees.length ?? 1;
    const wanted = (at % count + count) % count;
    if (wanted === turning.at) return;
    turning.at = wanted;
    notify();
  }
  function notify() {
    for (const listener of turning.listeners) listener();
  }
  function nearestAngle(degrees) {
    const count = turning.current?.degrees.length ?? 1;
    return (Math.round(degrees / 360 * count) % count + count) % count;
  }
  function formatError(error) {
    if (error === 0) return "0";
    if (error >= 1e-3) return error.toFixed(error >= 0.1 ? 2 : 3);
    const power = Math.floor(Math.log10(error));
    return `${(error / 10 ** power).toFixed(0)}·10⁻${superscript(-power)}`;
  }
  function formatValue(value) {
    return Math.abs(value) < 5e-4 ? "0" : significant(value, 2);
  }

  // shared/colours.js
  var MAP_SIZE = 256;
  var GROUPS = ["#2a78c8", "#c2570c", "#0f8f88", "#8020f5", "#92774d", "#d513c3", "#6ea33b", "#f73c89", "#c37bbe", "#8f22d3", "#df53f5", "#8f5091"];
  var ROW_COLOUR = [255, 148, 38];
  var COLUMN_COLOUR = [0, 107, 217];
  function oklch(lightness, chroma, hue) {
    const angle = hue * Math.PI / 180;
    return oklab(lightness, chroma * Math.cos(angle), chroma * Math.sin(angle));
  }
  function oklab(L, a, b) {
    const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
    return [
      toByte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
      toByte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
      toByte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
    ];
  }
  function toByte(linear) {
    const x = Math.min(1, Math.max(0, linear));
    return Math.round(255 * (x <= 31308e-7 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
  }
  function mapColour(t, dark) {
    const light = dark ? t : 1 - t;
    return oklch(0.22 + 0.72 * light, 0.03 + 0.1 * Math.sin(Math.PI * (0.12 + 0.76 * light)), 285 - 185 * light);
  }
  function toWord([r, g, b]) {
    return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
  }
  function makeColourMap(dark) {
    return Uint32Array.from({ length: MAP_SIZE }, (_, at) => toWord(mapColour(at / (MAP_SIZE - 1), dark)));
  }
  function mapGradient(dark) {
    const stops = Array.from({ length: 17 }, (_, at) => toCss(mapColour(at / 16, dark)));
    return `linear-gradient(to right, ${stops.join(", ")})`;
  }
  function groupColour(group) {
    const colour = parseInt(GROUPS[group % GROUPS.length].slice(1), 16);
    return toCss([colour >> 16, colour >> 8 & 255, colour & 255]);
  }
  function toCss([r, g, b]) {
    return `rgb(${r} ${g} ${b} / 1)`;
  }
  function readTheme(element) {
    const style = getComputedStyle(element);
    const value = (name, otherwise) => style.getPropertyValue(`--st-${name}`).trim() || otherwise;
    const background = value("background-color", "#ffffff");
    return {
      background,
      text: value("text-color", "#31333f"),
      border: value("border-color", "#cccccc"),
      dark: luminance(background) < 0.4
    };
  }
  function luminance(colour) {
    const canvas = document.createElement("canvas");
    const context = (
      /** @type {CanvasRenderingContext2D} */
      canvas.getContext("2d")
    );
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
    return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
  }

  // turning/maps.js
  var FLAT = 1e-6;
  var MIN_SPAN = 0.01;
  var MIN_ARROW = 0.08;
  var tables = /* @__PURE__ */ new Map();
  function readLook(element) {
    const theme = readTheme(element);
    const { dark } = theme;
    const known = tables.get(dark) ?? {
      dark,
      map: makeColourMap(dark),
      signed: makeSignedMap(dark),
      grey: Uint32Array.from({ length: 256 }, (_, at) => toWord([at, at, at]))
    };
    tables.set(dark, known);
    return { ...theme, ...known };
  }
  function makeSignedMap(dark) {
    return Uint32Array.from({ length: 256 }, (_, at) => {
      const t = Math.max(-1, (at - 128) / 127);
      const depth = Math.abs(t) ** 0.8;
      const lightness = dark ? 0.22 + 0.6 * depth : 0.975 - 0.5 * depth;
      return toWord(oklch(lightness, 0.17 * depth, t < 0 ? 255 : 48));
    });
  }
  function paintValues(canvas, values, [height, width], table) {
    resizeCanvas(canvas, width, height);
    const image = new ImageData(width, height);
    const words = new Uint32Array(image.data.buffer);
    const zero = values instanceof Int8Array ? 128 : 0;
    for (let at = 0; at < words.length; at++) words[at] = table[values[at] + zero];
    contextOf(canvas).putImageData(image, 0, 0);
  }
  function paintArrows(canvas, arrows, cells, colour) {
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const side = Math.round(canvas.clientWidth * ratio) || 2;
    resizeCanvas(canvas, side, side);
    const context = contextOf(canvas);
    context.clearRect(0, 0, side, side);
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = 1.3 * ratio;
    const cell = side / cells;
    for (let at = 0; at < cells * cells; at++) {
      const [p, q] = [arrows[2 * at] / 127, arrows[2 * at + 1] / 127];
      if (Math.hypot(p, q) < MIN_ARROW) continue;
      const [y, x] = [(Math.floor(at / cells) + 0.5) * cell, (at % cells + 0.5) * cell];
      drawArrow(context, x, y, q * cell * 1.05, p * cell * 1.05);
    }
  }
  function drawArrow(context, x, y, dx, dy) {
    const [fromX, fromY, toX, toY] = [x - dx / 2, y - dy / 2, x + dx / 2, y + dy / 2];
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
    context.moveTo(toX - 0.42 * dx + 0.22 * dy, toY - 0.42 * dy - 0.22 * dx);
    context.lineTo(toX, toY);
    context.lineTo(toX - 0.42 * dx - 0.22 * dy, toY - 0.42 * dy + 0.22 * dx);
    context.stroke();
  }
  function subtractMaps(a, b, side) {
    const middle = (side - 1) / 2;
    return Int8Array.from(a, (value, at) => {
      const [p, q] = [Math.floor(at / side) % side - middle, at % side - middle];
      const inside = p * p + q * q <= side * side / 4;
      return inside ? Math.max(-127, Math.min(127, value - b[at])) : 0;
    });
  }
  function widenScale(low, high) {
    if (high - low >= MIN_SPAN) return [low, high];
    const start = Math.min(Math.max((low + high - MIN_SPAN) / 2, 0), 1 - MIN_SPAN);
    return [start, start + MIN_SPAN];
  }
  function renderName(text) {
    return text.split(/(_[A-Z]+)/).map((part) => /^_[A-Z]/.test(part) ? make("sub", "", part.slice(1)) : document.createTextNode(part));
  }
  function plainName(text) {
    return text.replace(/_(?=[A-Z])/g, "");
  }
  function makeScale() {
    const scale = make("div", "scale");
    scale.append(make("span"), make("i"), make("span"));
    return scale;
  }
  function showScale(scale, low, high, look) {
    const [least, bar, most] = [...scale.children].map((child) => (
      /** @type {HTMLElement} */
      child
    ));
    least.textContent = formatValue(low);
    most.textContent = formatValue(high);
    bar.style.background = mapGradient(look.dark);
  }
  function makeMap(label2) {
    const canvas = make("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", label2);
    return canvas;
  }

  // layers/layers.js
  var chosen = { layer: 0, channel: 0, request: void 0 };
  var ARROWS = ["↑", "←", "↓", "→"];
  var [PLACES, CHANNELS, MINUS, PLUS] = ["α_X", "α_C", "α⁻ = α_X · α_C", "α⁺ = 1 − α⁻"];
  var [BACK, DIFFERENCE] = ["α_X rotated back", "difference"];
  var LINES = [
    [PLACES, "of positions, at (x, h) [no unit]"],
    [CHANNELS, "of channels, at h: choose one"],
    [MINUS, "removed from channel c"],
    [PLUS, "kept of channel c"],
    [BACK, "in the plane and in h"],
    [DIFFERENCE, "from α_X of the upright picture, doubled"]
  ];
  var CHANNEL_LINES = [CHANNELS, MINUS, PLUS];
  var LayersView = class {
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
      this.orbit = void 0;
      this.degrees = void 0;
      this.lines = [];
      this.layer = this.channel = 0;
      this.onTurn = () => this.renew();
      turning.listeners.add(this.onTurn);
    }
    /** Shows a layer and an angle if they were requested after the last change. @param {Wish} wish */
    ask({ layer, angle, request }) {
      if (request !== chosen.request) {
        if (request || chosen.request === void 0) chosen.layer = layer - 1;
        if (angle && Number.isFinite(Number(angle))) this.degrees = Number(angle);
        chosen.request = request;
        this.orbit = void 0;
      }
      this.renew();
    }
    renew() {
      const orbit = turning.current;
      if (!orbit) return;
      const { degrees } = this;
      this.degrees = void 0;
      if (degrees !== void 0) showAngle(nearestAngle(degrees));
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
      const button2 = makeButton("", `${layer.name}: ${layer.side}²`);
      button2.addEventListener("click", () => {
        this.layer = chosen.layer = at;
        this.layOut(orbit);
        this.render(orbit);
      });
      return button2;
    }
    /** The table of the chosen layer: a label and a map for every pose, line by line. @param {Orbit} orbit */
    layOut(orbit) {
      const { elements, layers } = orbit;
      const { channels, spread, side } = layers[this.layer];
      const attendsToPlaces = spread > FLAT;
      this.channel = Math.min(chosen.channel, Math.max(0, channels - 1));
      [...this.buttons.children].forEach((button2, at) => button2.setAttribute("aria-pressed", String(at === this.layer)));
      this.lines = LINES.filter(([name]) => attendsToPlaces || CHANNEL_LINES.includes(name)).map(([name, about]) => {
        const label2 = make("div", "label");
        const scale = [CHANNELS, DIFFERENCE].includes(name) ? make("div", "scale") : makeScale();
        const head = make("b");
        head.append(...renderName(name));
        label2.append(head, make("span", "", about), scale);
        const cells = elements.map((element) => name === CHANNELS ? this.channelStrip(orbit, channels, element) : mapCell(name, element));
        return { name, label: label2, scale, cells };
      });
      const heads = elements.map((element, h) => make("div", "head", `h = ${element} ${elements.length > 1 ? ARROWS[h % 4] : ""}`));
      const corner = make("div", "head label");
      corner.append(...renderName(attendsToPlaces ? `Layer reads ${side} × ${side} px` : "α_X = 1 everywhere"));
      this.grid.replaceChildren(corner, ...heads, ...this.lines.flatMap(({ label: label2, cells }) => [label2, ...cells]));
    }
    /** A button for each channel. @param {Orbit} orbit @param {number} channels @param {string} element */
    channelStrip(orbit, channels, element) {
      const strip = make("div", "strip");
      strip.append(...Array.from({ length: channels }, (_, c) => {
        const button2 = makeButton("");
        button2.dataset.what = `channel ${c + 1}, h = ${element}`;
        button2.addEventListener("click", () => {
          this.channel = chosen.channel = c;
          this.render(orbit);
        });
        return button2;
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
        const button2 = (
          /** @type {HTMLButtonElement} */
          child
        );
        const value = (alpha?.[c * poses + h] ?? 0) / 255;
        button2.style.setProperty("--tall", `${100 * value}%`);
        button2.title = `${button2.dataset.what}: weight ${value.toFixed(2)}`;
        button2.setAttribute("aria-label", button2.title);
        button2.setAttribute("aria-pressed", String(c === this.channel));
      }));
      scale.textContent = `c = ${this.channel + 1} of ${channels}, 0 to 1`;
    }
    remove() {
      turning.listeners.delete(this.onTurn);
      this.root.remove();
    }
  };
  function mapsOf(orbit, layer, at, channel) {
    const [, poses, side] = orbit.arrays[layer.heat].shape;
    const { low, high, channels } = layer;
    const back = sliceOf(orbit.arrays[layer.back], at);
    const minus = channels ? multiply(orbit, layer, channel, at) : void 0;
    return {
      alpha: channels ? sliceOf(orbit.arrays[layer.channel], at) : void 0,
      poses,
      side,
      error: orbit.arrays[layer.error].values[at],
      maps: {
        [PLACES]: { values: sliceOf(orbit.arrays[layer.heat], at), low, high },
        [MINUS]: minus,
        [PLUS]: minus && { values: minus.values.map((byte) => 255 - byte), low: 1 - minus.high, high: 1 - minus.low },
        [BACK]: { values: back, low, high },
        [DIFFERENCE]: { values: subtractMaps(back, orbit.arrays[layer.upright].values, side) }
      }
    };
  }
  function multiply(orbit, layer, channel, at) {
    const valuesAt = (number) => productOf(orbit, layer, channel, number);
    const scales = layer.scales ??= [];
    if (!scales[channel]) {
      const ends = orbit.degrees.map((_, number) => endsOf(valuesAt(number)));
      scales[channel] = widenScale(Math.min(...ends.map(([least]) => least)), Math.max(...ends.map(([, most]) => most)));
    }
    const [low, high] = scales[channel];
    const values = Uint8Array.from(valuesAt(at), (x) => 255 * (x - low) / Math.max(high - low, 1e-9));
    return { values, low, high };
  }
  function productOf(orbit, layer, channel, at) {
    const [, poses, side] = orbit.arrays[layer.heat].shape;
    const places = sliceOf(orbit.arrays[layer.heat], at);
    const alpha = sliceOf(orbit.arrays[layer.channel], at);
    const step = (layer.high - layer.low) / 255;
    return Float32Array.from(places, (byte, place) => {
      const h = Math.floor(place / (side * side));
      return (layer.low + byte * step) * alpha[channel * poses + h] / 255;
    });
  }
  function endsOf(values) {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
    return [low, high];
  }
  function showLine({ name, cells, scale }, { maps, side, error }, look) {
    const map = maps[name];
    if (!map) return;
    const { values, low, high } = map;
    const isSigned = low === void 0 || high === void 0;
    cells.forEach((cell, h) => {
      const part = values.subarray(h * side * side, (h + 1) * side * side);
      paintValues(
        /** @type {HTMLCanvasElement} */
        cell.firstChild,
        part,
        [side, side],
        isSigned ? look.signed : look.map
      );
    });
    if (isSigned) scale.textContent = `relative error ${formatError(error)}`;
    else showScale(scale, low, high, look);
  }
  function mapCell(name, element) {
    const cell = make("div", name === BACK || name === DIFFERENCE ? "map disc" : "map");
    cell.append(makeMap(`${name}, h = ${element}`));
    return cell;
  }

  // layers/index.js
  var layers_default = defineComponent(
    (parent) => {
      const view = new LayersView(parent);
      addFigureButton(view.root, "Maps of the attention layers", () => tabulateLayers(view.orbit));
      return view;
    },
    (view, { data }) => view.ask(data),
    (view) => view.remove()
  );

  // shared/frame_store.js
  var page3 = (
    /** @type {{ __ia?: Store }} */
    /** @type {unknown} */
    window
  );
  var store = page3.__ia ??= { frames: /* @__PURE__ */ new Map(), listeners: /* @__PURE__ */ new Set(), memory: /* @__PURE__ */ new Map(), count: 0 };
  function readFrame(bytes) {
    const { metadata, arrays } = readArrays(bytes);
    const frame = { id: ++store.count, k: metadata.k, shapes: {}, bytes };
    for (const [name, { values, shape }] of Object.entries(arrays)) {
      frame[name] = values;
      frame.shapes[name] = shape;
    }
    frame.n = frame.shapes.d2[0];
    frame.pending = Number.isNaN(frame.d2[0]);
    frame.x ??= frame.d2;
    return { run: metadata.run, frame: (
      /** @type {Frame} */
      frame
    ) };
  }
  function sameBytes(a, b) {
    if (a.length !== b.length) return false;
    const words = Math.floor(a.length / 4);
    const [left, right] = [a, b].map(({ buffer, byteOffset }) => new Uint32Array(buffer, byteOffset, words));
    for (let at = 0; at < words; at++) if (left[at] !== right[at]) return false;
    for (let at = 4 * words; at < a.length; at++) if (a[at] !== b[at]) return false;
    return true;
  }
  function storeFrame(bytes) {
    const { run, frame } = readFrame(bytes.slice());
    const frames = store.frames.get(run) ?? /* @__PURE__ */ new Map();
    store.frames.set(run, frames);
    const known = frames.get(frame.k);
    const stored = known && sameBytes(known.bytes, frame.bytes) ? known : frame;
    frames.set(stored.k, stored);
    stored.holders = (stored.holders ?? 0) + 1;
    if (stored !== known) notify2(run);
    return () => releaseFrame(run, stored);
  }
  function releaseFrame(run, frame) {
    frame.holders = (frame.holders ?? 0) - 1;
    const frames = store.frames.get(run);
    if (frame.holders > 0 || frames?.get(frame.k) !== frame) return;
    frames.delete(frame.k);
    if (!frames.size) store.frames.delete(run);
    notify2(run);
  }
  function notify2(run) {
    for (const listener of store.listeners) listener(run);
  }
  function framesOf(run) {
    const frames = store.frames.get(run) ?? /* @__PURE__ */ new Map();
    const inOrder = [];
    while (frames.get(inOrder.length)?.n) inOrder.push(frames.get(inOrder.length));
    return inOrder;
  }

  // mean_film/summaries.js
  function storeSummary(run, summary) {
    const runs = store.summaries ??= /* @__PURE__ */ new Map();
    const steps = runs.get(run) ?? /* @__PURE__ */ new Map();
    runs.set(run, steps.set(summary.at, summary));
  }
  function tabulateSteps(steps) {
    const names = ["k", "objective", "sharpness", "sigma [px]", "image", "theta [deg]", "shift down [px]", "shift right [px]"];
    const rows = steps.flatMap(({ k, objective, sharpness, sigma, poses }) => poses.map((pose, i) => [k, objective, sharpness, sigma, i + 1, ...pose]));
    return [names, ...rows];
  }
  function summariesOf(run, count) {
    const known = store.summaries?.get(run);
    return Array.from({ length: count }, (_, at) => known?.get(at));
  }

  // mean_film/feeder.js
  function storeStep(bytes) {
    const { run, summary } = readMetadata(bytes);
    if (summary) storeSummary(run, summary);
    return storeFrame(bytes);
  }
  var feeder_default = defineFeeder(storeStep);

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
  function writeFormula(element, text) {
    if (element.dataset.formula === text) return;
    element.dataset.formula = text;
    element.replaceChildren(...renderScripts(text));
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

  // shared/icons.js
  var PATHS = {
    play: "M7 5v14l12-7z",
    pause: "M6 5h4v14H6zM14 5h4v14h-4z",
    back: "M6 5h3v14H6zM19 5v14l-9-7z",
    forward: "M15 5h3v14h-3zM5 5v14l9-7z",
    loop: "M12 4V1L8 5l4 4V6a6 6 0 0 1 5.3 8.8l1.5 1.5A8 8 0 0 0 12 4zM6.7 9.2 5.2 7.7A8 8 0 0 0 12 20v3l4-4-4-4v3a6 6 0 0 1-5.3-8.8z"
  };
  function showIcon(button2, name, title) {
    if (button2.dataset.shows === name) return;
    button2.dataset.shows = name;
    button2.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;
    button2.title = title;
    setLabel(button2, title);
  }

  // mean_film/svg.js
  function makeSvg(width, height) {
    return svgElement("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "No iteration yet" });
  }
  function svgElement(name, attributes) {
    return setSvg(document.createElementNS("http://www.w3.org/2000/svg", name), attributes);
  }
  function setSvg(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    return element;
  }
  function makeLine(attributes) {
    return svgElement("line", attributes);
  }
  function makeText(x, y, words, anchor, className = "") {
    const element = svgElement("text", { x, y, "text-anchor": anchor, class: className });
    element.textContent = words;
    return element;
  }
  function linearScale([low, high], [from, to]) {
    return (value) => from + (value - low) / (high - low) * (to - from);
  }
  function rangeAround(values, least) {
    const [low, high] = [Math.min(...values, 0), Math.max(...values, 0)];
    const margin = Math.max(0.06 * (high - low), least / 2);
    return [low - margin, high + margin];
  }
  function axisTicks(low, high, about) {
    const rough = (high - low) / about;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * ([1, 2, 5].find((factor) => power * factor >= rough * 0.999) ?? 10);
    const first = Math.ceil(low / step - 1e-9);
    const count = Math.floor(high / step + 1e-9) - first + 1;
    return Array.from({ length: count }, (_, k) => Number(((first + k) * step).toPrecision(6)));
  }

  // mean_film/charts.js
  var CURVES = { left: 46, right: 8, width: 420, height: 336 };
  var PANELS = [
    { name: "f", kind: "f", title: "objective f [no unit]", top: 24, bottom: 116, read: (step) => step.objective, least: 1e-9 },
    { name: "sharpness", kind: "s", title: "sharpness of μ [no unit]", top: 148, bottom: 216, read: (step) => step.sharpness, least: 1e-9 },
    { name: "σ", kind: "sigma", title: "σ chosen [px]", top: 248, bottom: 292, read: (step) => step.sigma, least: 1 }
  ];
  var SPREAD = { top: 24, bottom: 286, height: 336, width: 420 };
  var SIDES = [
    { axis: 1, left: 46, right: 222, title: "translation down [px]" },
    { axis: 2, left: 240, right: 416, title: "translation right [px]" }
  ];
  var MAX_NUMBERED = 20;
  var Charts = class {
    /** @param {HTMLElement} place @param {(at: number) => void} goTo @param {(i: number) => void} pick */
    constructor(place, goTo, pick) {
      this.curves = makeSvg(CURVES.width, CURVES.height);
      this.spread = makeSvg(SPREAD.width, SPREAD.height);
      this.steps = [];
      this.data = void 0;
      this.key = void 0;
      this.x = linearScale([0, 1], [0, 1]);
      this.panels = [];
      this.paths = [];
      this.cursor = makeLine({ class: "cursor" });
      place.append(
        makeFigure("Objective, sharpness and σ", this.curves, "f"),
        makeFigure("Rotation and translation of every image", this.spread, "tau")
      );
      this.spread.addEventListener("click", ({ target }) => {
        const end = (
          /** @type {SVGElement | null} */
          /** @type {Element} */
          target.closest(".end")
        );
        if (end) pick(Number(end.dataset.i));
      });
      const seek = (event) => {
        if (event.buttons && this.steps.length) goTo(this.stepAt(event));
      };
      this.curves.addEventListener("pointerdown", seek);
      this.curves.addEventListener("pointermove", seek);
    }
    /** Draws the charts again when steps are added; `show` moves only the parts that depend on the step. @param {Summary[]} steps @param {FilmData} data */
    update(steps, data) {
      const key = `${data.run} ${steps.length}`;
      if (this.key === key || !steps.length) return;
      Object.assign(this, { key, steps, data });
      this.drawCurves(data);
      this.drawPaths(data);
    }
    /** @param {number} at @param {[number, number] | null} pair */
    show(at, pair) {
      const step = this.steps[at];
      if (!step) return;
      const x = this.x(step.k);
      setSvg(this.cursor, { x1: x, x2: x });
      for (const { dot, y, panel } of this.panels) setSvg(dot, { cx: x, cy: y(panel.read(step)) });
      const words = PANELS.map((panel) => `${panel.name} ${significant(panel.read(step))}`).join(", ");
      this.curves.setAttribute("aria-label", `Curves over the iterations; at iteration ${step.k}: ${words}`);
      this.spread.setAttribute("aria-label", `Rotations and translations of ${step.poses.length} images from iteration 0 to ${step.k}`);
      for (const { line, end, title, points, i, axis } of this.paths) {
        for (const part of [line, end]) {
          part.classList.toggle("own", i === pair?.[0]);
          part.classList.toggle("other", i === pair?.[1] && i !== pair[0]);
        }
        if (i === pair?.[0] && end.nextSibling) this.spread.append(end);
        line.setAttribute("d", pathOf(points, at));
        setSvg(end, { transform: `translate(${points[at][0].toFixed(1)} ${points[at][1].toFixed(1)})` });
        title.textContent = `image ${i + 1}: θ = ${significant(step.poses[i][0])}°, b = ${significant(step.poses[i][axis])} px`;
      }
    }
    /** @param {FilmData} data */
    drawCurves(data) {
      const { left, right, width } = CURVES;
      const last = Math.max(data.expected, 1);
      this.x = linearScale([0, last], [left, width - right]);
      this.curves.replaceChildren();
      this.panels = PANELS.map((panel) => this.drawPanel(panel, data));
      const { bottom } = PANELS[PANELS.length - 1];
      for (const k of axisTicks(0, last, 5)) this.curves.append(makeText(this.x(k), bottom + 20, String(k), "middle"));
      this.curves.append(makeText((left + width) / 2, bottom + 40, "iteration k", "middle"));
      setSvg(this.cursor, { y1: PANELS[0].top, y2: bottom });
      this.curves.append(this.cursor, ...this.panels.map(({ dot }) => dot));
    }
    /** @param {Panel} panel @param {FilmData} data */
    drawPanel(panel, data) {
      const { kind, title, top, bottom, read, least } = panel;
      const values = this.steps.map(read);
      const plain = kind === "s" ? data.plainSharpness : void 0;
      const most = Math.max(...values, plain ?? 0, least);
      const y = linearScale([0, most], [bottom, top]);
      const { left, right, width } = CURVES;
      const level = (value, className) => makeLine({ x1: left, x2: width - right, y1: y(value), y2: y(value), class: className });
      this.curves.append(makeText(left, top - 8, title, "start", "title"));
      for (const value of axisTicks(0, most, 3))
        this.curves.append(level(value, "grid"), makeText(left - 6, y(value) + 5, String(value), "end"));
      if (plain !== void 0)
        this.curves.append(level(plain, "plain"), makeText(width - right, y(plain) - 5, "plain average", "end"));
      const points = kind === "sigma" ? this.stairs(values, y) : this.steps.map((step, at) => (
        /** @type {Point} */
        [this.x(step.k), y(values[at])]
      ));
      this.curves.append(svgElement("path", { d: pathOf(points, points.length - 1), class: `curve of-${kind}` }));
      return { y, panel, dot: svgElement("circle", { r: 5, class: "dot" }) };
    }
    /** Steps of a value that was chosen for each iteration; there is none at iteration 0. @param {number[]} values @param {Scale} y @returns {Point[]} */
    stairs(values, y) {
      return this.steps.flatMap((step, at) => step.k === 0 ? [] : (
        /** @type {Point[]} */
        [[this.x(this.steps[at - 1].k), y(values[at])], [this.x(step.k), y(values[at])]]
      ));
    }
    /** @param {FilmData} data */
    drawPaths(data) {
      this.spread.replaceChildren();
      const valuesOf2 = (axis) => this.steps.flatMap((step) => step.poses.map((pose) => pose[axis]));
      const theta = rangeAround(valuesOf2(0), 10);
      const y = linearScale(theta, [SPREAD.bottom, SPREAD.top]);
      this.spread.append(makeText(0, SPREAD.top - 8, "rotation θ [°]", "start", "title"));
      this.paths = SIDES.flatMap(({ axis, left, right, title }) => {
        const range = rangeAround(valuesOf2(axis), 2);
        const x = linearScale(range, [left, right]);
        for (const value of axisTicks(...theta, 5)) {
          this.spread.append(makeLine({ x1: left, x2: right, y1: y(value), y2: y(value), class: "grid" }));
          if (axis === 1) this.spread.append(makeText(left - 6, y(value) + 5, withMinus(value), "end"));
        }
        for (const value of axisTicks(...range, 4))
          this.spread.append(makeText(x(value), SPREAD.bottom + 20, withMinus(value), "middle"));
        this.spread.append(makeText((left + right) / 2, SPREAD.bottom + 40, title, "middle"));
        return this.steps[0].poses.map((_, i) => this.drawPath(i, axis, x, y, data.colours));
      });
      this.spread.append(...this.paths.map((path) => path.line), ...this.paths.map((path) => path.end));
    }
    /** @param {number} i @param {1 | 2} axis @param {Scale} x @param {Scale} y @param {string[]} colours */
    drawPath(i, axis, x, y, colours) {
      const colour = colours[i % colours.length];
      const points = this.steps.map(({ poses }) => (
        /** @type {Point} */
        [x(poses[i][axis]), y(poses[i][0]), poses[i][0]]
      ));
      const numbered = this.steps[0].poses.length <= MAX_NUMBERED;
      const end = svgElement("g", { class: "end", "data-i": i });
      const title = svgElement("title", {});
      end.append(title, svgElement("circle", { r: numbered ? 8 : 5, fill: colour }));
      if (numbered) end.append(makeText(0, 4, String(i + 1), "middle"));
      return { i, axis, points, end, title, line: svgElement("path", { stroke: colour, class: "way" }) };
    }
    /** The step nearest to the pointer. @param {PointerEvent} event */
    stepAt(event) {
      const box = this.curves.getBoundingClientRect();
      const at = (event.clientX - box.left) / box.width * CURVES.width;
      const distances = this.steps.map((step) => Math.abs(this.x(step.k) - at));
      return distances.indexOf(Math.min(...distances));
    }
  };
  function makeFigure(title, chart, term) {
    const figure = make("figure");
    figure.dataset.term = term;
    figure.append(make("b", "", title), chart);
    return figure;
  }
  function pathOf(points, last) {
    return points.slice(0, last + 1).map(([x, y, theta = 0], at) => {
      const jumps = at > 0 && Math.abs(theta - (points[at - 1][2] ?? 0)) > 180;
      return `${at > 0 && !jumps ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
    }).join("");
  }

  // mean_film/elements.js
  var TITLES = { play: "Play", pause: "Pause", back: "One iteration back", forward: "One iteration forward", loop: "Restart at the end" };
  var SPEEDS = [0.25, 0.5, 1, 2];
  var HTML = `
  <div class="bar">
    ${["back", "play", "forward"].map((name) => `<button type="button" data-do="${name}"></button>`).join("")}
    <input type="range" min="0" max="1" step="1" value="0" aria-label="Iteration k">
    <output></output>
    <button type="button" data-do="loop"></button>
    <label>speed <select>${SPEEDS.map((speed) => `<option value="${speed}"${speed === 1 ? " selected" : ""}>${speed}×</option>`).join("")}</select></label>
  </div>
  <div class="stage">
    <figure data-term="mu"><canvas class="mean"></canvas><figcaption></figcaption></figure>
    <figure><canvas class="plain"></canvas><figcaption></figcaption></figure>
    <figure data-term="laid"><canvas class="laid"></canvas><figcaption></figcaption></figure>
    <figure data-term="v"><canvas class="given"></canvas><figcaption></figcaption></figure>
  </div>
  <p class="math formula"></p>
  <div class="strip" role="group" aria-label="The animation at a few iterations"></div>
  <div class="charts"></div>`;
  function buildFilm() {
    const root = Object.assign(make("div", "film"), { tabIndex: 0, innerHTML: HTML });
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", "Animation of the mean: Space plays; arrow keys step");
    const button2 = (name) => findButton(root, `[data-do=${name}]`);
    const parts = {
      slider: findInput(root, "input"),
      count: find(root, "output"),
      strip: find(root, ".strip"),
      formula: find(root, ".formula"),
      speed: findSelect(root, "select"),
      play: button2("play"),
      back: button2("back"),
      forward: button2("forward"),
      loop: button2("loop")
    };
    const pictures = {
      mean: findCanvas(root, ".mean"),
      plain: findCanvas(root, ".plain"),
      aligned: findCanvas(root, ".laid"),
      given: findCanvas(root, ".given")
    };
    showIcon(parts.play, "play", TITLES.play);
    showIcon(parts.back, "back", TITLES.back);
    showIcon(parts.forward, "forward", TITLES.forward);
    showIcon(parts.loop, "loop", TITLES.loop);
    return { root, parts, pictures };
  }
  function meanTerms(step, n) {
    const share = `1/${n}`;
    const [mean, aligned] = ["μ: the mean of the aligned images", "U(τ_i)v_i: image i, rotated and translated by its pose"];
    return [
      ["τ_i", "tau", "τ_i: the pose of image i, changed so that f decreases"],
      [" ← argmin_τ ‖"],
      ["U(τ)v_i", "laid", aligned],
      [" − "],
      ["μ", "mu", mean],
      ["‖²,   "],
      ["μ", "mu", mean],
      [" ← Σ_i "],
      [share, "v", `W_i = ${share}: all ${n} images have the same weight`],
      [" "],
      ["U(τ_i)v_i", "laid", aligned],
      [",   "],
      [`f = Σ_i ${share} ‖U(τ_i)v_i − μ‖² = ${significant(step.objective)}`, "f", `the objective (2.3) at iteration ${step.k}; no unit`]
    ];
  }
  function writeCaption(canvas, title, text) {
    const caption = (
      /** @type {HTMLElement} */
      canvas.nextElementSibling
    );
    const words = `${title}
${text}`;
    if (caption.dataset.words === words) return;
    caption.dataset.words = words;
    caption.replaceChildren(make("b", "", title), ` ${text}`);
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

  // mean_film/pictures.js
  var FEW = 20;
  var MAX_COLUMNS = 4;
  var SMALL = 48;
  var layouts = /* @__PURE__ */ new WeakMap();
  function paintImages(canvas, frame, from, to, about, pair = null) {
    const key = `${frame.id} ${from} ${pair}`;
    if (layouts.get(canvas)?.key === key) return;
    const [height, width, channels] = frame.shapes.images.slice(1);
    const count = to - from;
    const columns = Math.min(Math.ceil(Math.sqrt(count)), count > FEW ? count : MAX_COLUMNS);
    const gap = count === 1 ? 0 : width < SMALL ? 1 : 2;
    const [pitchX, pitchY] = [width + gap, height + gap];
    resizeCanvas(canvas, columns * pitchX - gap, Math.ceil(count / columns) * pitchY - gap);
    const context = contextOf(canvas);
    const cornerOf = (i) => ({ x: i % columns * pitchX, y: Math.floor(i / columns) * pitchY });
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (let i = 0; i < count; i++) {
      const start = (from + i) * height * width * channels;
      const { x, y } = cornerOf(i);
      context.putImageData(toImageData(frame.images ?? [], start, [height, width, channels]), x, y);
    }
    if (pair) {
      frameImage(context, cornerOf(pair[1]), width, height, "#006bd9");
      frameImage(context, cornerOf(pair[0]), width, height, "#ff9426");
    }
    layouts.set(canvas, { columns, pitch: [pitchX, pitchY], width, count, key });
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", pair ? `${about}; image ${pair[0] + 1} is marked` : about);
  }
  function frameImage(context, { x, y }, width, height, colour) {
    const thick = Math.max(2, Math.round(width / 20));
    context.strokeStyle = colour;
    context.lineWidth = thick;
    context.strokeRect(x + thick / 2, y + thick / 2, width - thick, height - thick);
  }
  function imageAt(canvas, event) {
    const layout = layouts.get(canvas);
    if (!layout) return -1;
    const { columns, pitch, count } = layout;
    const scale = Math.max(canvas.width / canvas.clientWidth, canvas.height / canvas.clientHeight) / zoomOf(canvas);
    const [column, row] = [event.offsetX, event.offsetY].map((at, axis) => Math.floor(at * scale / pitch[axis]));
    const i = row * columns + column;
    return column < columns && i < count ? i : -1;
  }
  function widthOfImage(canvas) {
    const layout = layouts.get(canvas);
    return layout ? layout.width / canvas.width * canvas.getBoundingClientRect().width : 0;
  }
  function makePicture(frame, i, about) {
    const canvas = newCanvas(0, 0);
    paintImages(canvas, frame, i, i + 1, about);
    return canvas;
  }

  // mean_film/film.js
  var MAX_STEPS_PER_S = 12;
  var MIN_STEPS_PER_S = 2;
  var FULL_FILM_S = 4;
  var END_PAUSE_S = 1.5;
  var STEP_PAUSE_MS = 600;
  var STRIP = [0, 0.1, 0.2, 0.5, 1];
  var MeanFilm = class {
    /** @param {HTMLElement} parent */
    constructor(parent) {
      const { root, parts, pictures } = buildFilm();
      this.root = root;
      this.parts = parts;
      this.pictures = pictures;
      parent.append(root);
      this.charts = new Charts(find(root, ".charts"), (at) => this.goTo(at), (i) => this.pick(i));
      this.data = void 0;
      this.frames = [];
      this.steps = [];
      this.plain = void 0;
      this.pair = null;
      this.start = null;
      this.at = 0;
      this.jump = 0;
      this.playing = false;
      this.loop = true;
      this.speed = 1;
      this.stripKey = void 0;
      this.timer = void 0;
      this.stepTimer = void 0;
      this.answerStep = (_) => {
      };
      this.answerPicked = (_) => {
      };
      this.onFrames = (run) => {
        if (this.data && [this.data.run, this.data.plain].includes(run)) this.receiveFrames(this.data);
      };
      store.listeners.add(this.onFrames);
      this.unshare = shareHighlights(this.root);
      this.listen();
      const state = () => ({ at: this.at, last: this.last(), playing: this.playing, pair: this.pair });
      Object.assign(this.root, { __film: { state, tiles: () => [this.pictures.aligned, this.pictures.given].map(widthOfImage) } });
    }
    /** The position and the playing state are kept when Streamlit replaces the element. @param {FilmData} data */
    update(data) {
      if (this.data?.run !== data.run || this.jump !== data.jump) {
        const known = store.memory.get(data.key);
        const fresh = { at: 0, start: data.start, jump: data.jump, playing: data.autoplay && !prefersStillness(), loop: true, speed: 1 };
        Object.assign(this, known?.run === data.run && known.jump === data.jump ? known.state : fresh);
      }
      this.data = data;
      this.pair = data.pair;
      this.receiveFrames(data);
    }
    /** @param {FilmData} data */
    receiveFrames(data) {
      this.frames = framesOf(data.run);
      this.steps = summariesOf(data.run, this.frames.length);
      this.plain = framesOf(data.plain)[0];
      this.goToStart();
      this.showStrip(data);
      this.charts.update(this.steps, data);
      this.render();
      this.schedule();
    }
    goToStart() {
      const { start } = this;
      if (start === null) return;
      const at = this.steps.findIndex((step) => step?.k >= start);
      if (at < 0) return;
      this.at = at;
      this.start = null;
    }
    last() {
      return this.frames.length - 1;
    }
    listen() {
      const { slider, play, back, forward, loop, speed } = this.parts;
      slider.addEventListener("input", () => this.goTo(Number(slider.value)));
      play.addEventListener("click", () => this.toggle());
      back.addEventListener("click", () => this.goTo(this.at - 1));
      forward.addEventListener("click", () => this.goTo(this.at + 1));
      loop.addEventListener("click", () => {
        this.loop = !this.loop;
        this.render();
      });
      speed.addEventListener("change", () => {
        this.speed = Number(speed.value);
        this.render();
      });
      this.root.addEventListener("keydown", (event) => this.onKey(event));
      for (const canvas of [this.pictures.aligned, this.pictures.given]) {
        canvas.tabIndex = 0;
        canvas.addEventListener("click", (event) => this.pick(imageAt(canvas, event)));
        canvas.addEventListener("keydown", (event) => this.onPictureKey(event));
      }
    }
    /** Chooses an image, which is marked wherever it is drawn. @param {number} i */
    pick(i) {
      if (!this.plain || !(i >= 0 && i < this.plain.n - 1)) return;
      this.pair = [i, i];
      this.render();
      this.answerPicked(i);
    }
    /** Arrow keys choose the next image while the pictures have the focus. @param {KeyboardEvent} event */
    onPictureKey(event) {
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
      this.pick(this.pair ? this.pair[0] + step : 0);
      event.preventDefault();
      event.stopPropagation();
    }
    /** @param {KeyboardEvent} event */
    onKey(event) {
      const target = targetOf(event);
      if (event.ctrlKey || event.metaKey || event.altKey || target.matches("select")) return;
      if (event.key === " " && target.matches("button")) return;
      if (target.matches(".term") && /^Arrow/.test(event.key)) return;
      const at = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last() }[event.key];
      if (event.key === " ") this.toggle();
      else if (at !== void 0) this.goTo(at);
      else return;
      event.preventDefault();
      event.stopPropagation();
    }
    toggle() {
      this.playing = !this.playing;
      if (this.playing && this.at >= this.last() && !this.data?.running) this.at = 0;
      this.render();
      this.schedule();
      if (!this.playing) this.settle();
    }
    /** @param {number} at */
    goTo(at) {
      this.playing = false;
      this.at = Math.max(0, Math.min(at, this.last()));
      this.render();
      this.settle();
    }
    /** After a pause, the step is sent to Python. */
    settle() {
      clearTimeout(this.stepTimer);
      this.stepTimer = setTimeout(() => {
        const step = this.steps[this.at];
        if (step && !this.playing) this.answerStep(step.k);
      }, STEP_PAUSE_MS);
    }
    /** Shows the next step while the animation plays. At the end, it waits for a running run, or restarts. */
    schedule() {
      if (!this.playing || this.timer !== void 0) return;
      const atEnd = this.at >= this.last();
      if (atEnd && this.data?.running) return;
      if (atEnd && !this.loop) {
        this.toggle();
        return;
      }
      const pace = Math.min(MAX_STEPS_PER_S, Math.max(MIN_STEPS_PER_S, this.frames.length / FULL_FILM_S));
      const seconds = (atEnd ? END_PAUSE_S : 1 / pace) / this.speed;
      this.timer = setTimeout(() => {
        this.timer = void 0;
        if (!this.playing) return;
        const end = this.at >= this.last();
        if (!end || !this.data?.running) this.at = end ? 0 : this.at + 1;
        this.render();
        this.schedule();
      }, 1e3 * seconds);
    }
    render() {
      const { data, at, pictures, plain } = this;
      if (!data) return;
      this.remember(data);
      const place = Math.max(0, Math.min(at, this.last()));
      const step = this.steps[place];
      this.showBar(data, step);
      this.charts.show(place, this.pair);
      if (step) this.showStep(this.frames[place], step);
      if (!plain) return;
      paintImages(pictures.plain, plain, 0, 1, "Plain average");
      paintImages(pictures.given, plain, 1, plain.n, "Original images", this.pair);
      writeCaption(pictures.plain, "Plain average", `of the same images: sharpness ${significant(data.plainSharpness)}`);
      writeCaption(pictures.given, "Originals", `vᵢ, i = 1 to ${plain.n - 1}`);
    }
    /** @param {FilmData} data */
    remember({ key, run, jump }) {
      const { at, playing, loop, speed } = this;
      store.memory.set(key, { run, jump, state: { at, jump, playing, loop, speed } });
    }
    /** @param {FilmData} data @param {Summary | undefined} step */
    showBar(data, step) {
      const { slider, count, play, loop, speed, strip } = this.parts;
      slider.max = String(Math.max(data.places - 1, 1));
      slider.value = String(this.at);
      slider.disabled = this.last() < 1;
      slider.setAttribute("aria-valuetext", `iteration ${step?.k ?? 0} of ${data.expected}`);
      count.textContent = step ? `iteration ${step.k} of ${data.expected}` : "no iteration yet";
      const name = this.playing ? "pause" : "play";
      showIcon(play, name, TITLES[name]);
      loop.setAttribute("aria-pressed", String(this.loop));
      speed.value = String(this.speed);
      for (const other of strip.children)
        other.setAttribute("aria-pressed", String(
          /** @type {HTMLElement} */
          other.dataset.at === String(this.at)
        ));
    }
    /** @param {Frame} frame @param {Summary} step */
    showStep(frame, step) {
      const { pictures, parts } = this;
      paintImages(pictures.mean, frame, 0, 1, `μ at iteration ${step.k}`);
      paintImages(pictures.aligned, frame, 1, frame.n, `Images aligned at iteration ${step.k}`, this.pair);
      writeTerms(parts.formula, meanTerms(step, step.poses.length));
      writeCaption(pictures.mean, "Invariant mean μ", `k = ${step.k}: objective f = ${significant(step.objective)}, sharpness ${significant(step.sharpness)}, σ = ${significant(step.sigma)} px`);
      writeCaption(pictures.aligned, "Aligned", `each image rotated and translated, U(τᵢ)vᵢ, at k = ${step.k}`);
    }
    /** Shows a few steps at once, as in Figure 5; a click on a step goes to it. @param {FilmData} data */
    showStrip({ run, places: count }) {
      const last = count - 1;
      const places = [...new Set(STRIP.map((part) => Math.round(part * last)))].filter((at) => at < this.frames.length);
      const key = `${run} ${places}`;
      if (this.stripKey === key) return;
      this.stripKey = key;
      this.parts.strip.replaceChildren(...places.map((at) => {
        const { k, sharpness } = this.steps[at];
        const button2 = makeButton("");
        button2.dataset.at = String(at);
        const words = make("span");
        words.append(`k = ${k}`, make("br"), `sharpness ${significant(sharpness)}`);
        button2.append(makePicture(this.frames[at], 0, `μ at iteration ${k}`), words);
        button2.addEventListener("click", () => this.goTo(at));
        return button2;
      }));
    }
    remove() {
      clearTimeout(this.timer);
      clearTimeout(this.stepTimer);
      this.unshare();
      this.playing = false;
      store.listeners.delete(this.onFrames);
      this.root.remove();
    }
  };

  // mean_film/index.js
  var mean_film_default = defineComponent(
    (parent) => {
      const film = new MeanFilm(parent);
      addFigureButton(film.root, "Invariant mean", () => tabulateSteps(film.steps));
      return film;
    },
    (film, { data, setStateValue, setTriggerValue }) => {
      film.answerStep = (k) => setStateValue("step", k);
      film.answerPicked = (i) => setTriggerValue?.("picked", i);
      film.update(data);
    },
    (film) => film.remove()
  );

  // player/advice.js
  function storeAdvice(sent) {
    const name = nameOf2(sent.key);
    store.memory.set(name, sent);
    notify3(sent.key);
    return () => {
      if (store.memory.get(name) !== sent) return;
      store.memory.delete(name);
      notify3(sent.key);
    };
  }
  var nameOf2 = (key) => `${key}: advice`;
  function notify3(key) {
    for (const listener of store.listeners) listener(key);
  }
  function adviceOn(key, run) {
    return store.memory.get(nameOf2(key))?.runs[run];
  }
  function stopOf(betas, beta) {
    const next = betas.findIndex((stop) => stop >= beta);
    if (next <= 0) return next < 0 ? betas.length - 1 : 0;
    const [low, high] = [betas[next - 1], betas[next]];
    return next - 1 + Math.log(beta / low) / Math.log(high / low);
  }
  function valueAt(values, stop) {
    const low = Math.floor(stop);
    const high = Math.min(low + 1, values.length - 1);
    return values[low] + (stop - low) * (values[high] - values[low]);
  }
  var AdviceView = class {
    /** @param {HTMLElement} element @param {(beta: number) => void} choose */
    constructor(element, choose) {
      this.element = element;
      this.choose = choose;
      this.advice = void 0;
      this.curve = make("div", "curve");
      this.curve.dataset.term = "beta";
      this.text = make("p", "advice-text");
      this.buttons = make("div", "advice-buttons");
      element.append(this.text, this.curve, this.buttons);
    }
    /**
     * Shows the advice on the run; until it has been computed, the previous advice stays, in pale
     * colours.
     * @param {string} key
     * @param {string} run
     * @param {number} beta on the slider
     * @param {boolean} isExpected true if Python computes advice on this run
     */
    show(key, run, beta, isExpected) {
      const advice = isExpected ? adviceOn(key, run) : void 0;
      this.element.hidden = !isExpected;
      this.element.classList.toggle("earlier", !advice);
      if (advice && advice !== this.advice) this.draw(advice);
      if (this.advice && isExpected) this.mark(this.advice, beta);
    }
    /** @param {Advice} advice */
    draw(advice) {
      this.advice = advice;
      this.curve.innerHTML = advice.curve;
      setText(this.text, advice.sentence);
      this.text.title = advice.sentence;
      this.buttons.replaceChildren(...advice.choices.map((beta) => {
        const button2 = makeButton("", `Use β = ${formatNumber(beta)}`);
        button2.title = "Sets the slider and computes the result with this β";
        button2.addEventListener("click", () => this.choose(beta));
        return button2;
      }));
    }
    /** Moves the mark on the curve to the slider's β. @param {Advice} advice @param {number} beta */
    mark({ betas, averaged, n }, beta) {
      const points = (this.curve.querySelector("polyline")?.getAttribute("points") ?? "").match(/[\d.]+/g)?.map(Number) ?? [];
      const stop = stopOf(betas, beta);
      const mark = this.curve.querySelector(".mark");
      mark?.setAttribute("cx", String(valueAt(points.filter((_, at) => at % 2 === 0), stop)));
      mark?.setAttribute("cy", String(valueAt(points.filter((_, at) => at % 2 === 1), stop)));
      const count = formatNumber(Number(valueAt(averaged, stop).toPrecision(2)));
      const words = this.curve.querySelector("text");
      if (words) setText(
        /** @type {any} */
        words,
        `averages ${count} of ${n} images`
      );
      this.curve.querySelector("svg")?.setAttribute("aria-label", `At β = ${formatNumber(beta)}, a mean averages ${count} of ${n} images; fewer at a larger β`);
      for (const button2 of this.buttons.children) button2.hidden = button2.textContent === `Use β = ${formatNumber(beta)}`;
    }
  };

  // player/feeder.js
  var feeder_default2 = defineFeeder((data) => data instanceof Uint8Array ? storeFrame(data) : storeAdvice(data));

  // player/clock.js
  var HOLD_AT_END = 1.4;
  var STILL = 0.45;
  var FIRST_S = 4;
  var MOVE = [0.1, 0.62];
  var STAGGER = 0.5;
  var COMMON = "common";
  var ALIGNING = "aligning";
  function advance(clock, seconds, last, growing, aligning = false) {
    clock.position += seconds * clock.speed / (aligning && clock.position < 1 ? FIRST_S : 1);
    if (clock.position <= last) return;
    if (growing) clock.position = last;
    else if (!clock.loop) Object.assign(clock, { position: last, playing: false });
    else if (clock.position > last + HOLD_AT_END) clock.position = 0;
  }
  function blend(position, last, still, aligning = false) {
    const place = Math.max(0, Math.min(position, last));
    const k = Math.floor(place);
    const start = aligning && k === 0 ? MOVE[1] : STILL;
    const part = Math.max(0, (place - k - start) / (1 - start));
    return { k, t: still ? 0 : smooth(part) };
  }
  function wayAt(poses, position, still) {
    if (poses === COMMON) return 1;
    if (poses !== ALIGNING) return 0;
    if (still) return position < 1 ? 0 : 1;
    return Math.max(0, Math.min(1, (position - MOVE[0]) / (MOVE[1] - MOVE[0])));
  }
  function partOf(part, group, groups) {
    const delay = STAGGER / Math.max(1, (groups - 1) / 2);
    return smooth(Math.max(0, Math.min(1, part * (1 + delay * (groups - 1)) - delay * group)));
  }
  function smooth(part) {
    return part * part * (3 - 2 * part);
  }
  function shownStep({ k, t }) {
    return t >= 0.5 ? k + 1 : k;
  }

  // shared/weights.js
  function interpolateKernel({ first, per_octave, values }, u) {
    const node = (k2) => 2 ** (first + k2 / per_octave);
    if (!(u > 0)) return u <= 0 ? 1 : 0;
    if (u === Infinity) return 0;
    const k = Math.floor((Math.log2(u) - first) * per_octave);
    if (k < 0) return 1 + (values[0] - 1) * (u / node(0));
    if (k >= values.length - 1) return values[values.length - 1];
    const share = (u - node(k)) / (node(k + 1) - node(k));
    return values[k] + (values[k + 1] - values[k]) * Math.min(1, Math.max(0, share));
  }
  function computeWeights(d2, n, beta, kernel) {
    const least = new Float64Array(n).fill(Infinity);
    const total = new Float64Array(n);
    const W = new Float64Array(n * n);
    for (let at = 0, i = 0; i < n; i++)
      for (let j = 0; j < n; j++, at++) if (d2[at] < least[j]) least[j] = d2[at];
    for (let at = 0, i = 0; i < n; i++)
      for (let j = 0; j < n; j++, at++) {
        const kappa = kernel ? interpolateKernel(kernel, beta * d2[at]) : Math.exp(-beta * (d2[at] - least[j]));
        total[j] += W[at] = kappa >= 0 ? kappa : 0;
      }
    for (let at = 0, i = 0; i < n; i++)
      for (let j = 0; j < n; j++, at++) W[at] = total[j] > 0 ? W[at] / total[j] : 0;
    return W;
  }
  function sumColumn(d2, n, beta, j, kernel) {
    let sum = 0;
    for (let at = j; at < n * n; at += n)
      if (d2[at] >= 0) sum += kernel ? interpolateKernel(kernel, beta * d2[at]) : Math.exp(-beta * d2[at]);
    return sum;
  }
  function blockMass(W, n, groups, count) {
    const within = new Float64Array(count);
    const all = new Float64Array(count);
    for (let at = 0, i = 0; i < n; i++)
      for (let j = 0; j < n; j++, at++) {
        if (i === j) continue;
        all[groups[j]] += W[at];
        if (groups[i] === groups[j]) within[groups[j]] += W[at];
      }
    const sum = (values) => values.reduce((a, b) => a + b, 0);
    const share = (part, whole) => whole > 0 ? part / whole : NaN;
    return { total: share(sum(within), sum(all)), each: Array.from(within, (w, g) => share(w, all[g])) };
  }
  function meanOfDiagonal(W, n) {
    let sum = 0;
    for (let at = 0; at < n * n; at += n + 1) sum += W[at];
    return sum / n;
  }
  function largestOffDiagonal(W, n) {
    let largest = 0;
    for (let at = 0, i = 0; i < n; i++)
      for (let j = 0; j < n; j++, at++) if (i !== j && W[at] > largest) largest = W[at];
    return largest;
  }
  function roundUp(x) {
    let nice = 1;
    for (let step = 0; step < 18; step++) {
      const next = nice / (step % 3 === 1 ? 2.5 : 2);
      if (next < x * (1 - 1e-9)) break;
      nice = next;
    }
    return nice;
  }
  function orderBy(groups) {
    return Array.from(groups, (_, i) => i).sort((a, b) => groups[a] - groups[b] || a - b);
  }

  // player/colour-scale.js
  var SLICE_MS = 25;
  var ColourScale = class {
    /** @param {(ceiling: number) => void} onFound called when the end is known for all frames */
    constructor(onFound) {
      this.onFound = onFound;
      this.measured = [];
      this.frames = [];
      this.timer = void 0;
    }
    /** Frames that were measured with the same β and kernel are not measured again, unless frames were replaced. @param {number[]} betas @param {Kernel[]} kernels @param {Frame[][]} frames */
    measure(betas, kernels, frames) {
      this.measured = betas.map((beta, at) => {
        const known = this.measured[at];
        const kernel = kernels[at] ?? null;
        const ids = new Set(frames[at].map(({ id }) => id));
        const holds = known?.beta === beta && JSON.stringify(known.kernel) === JSON.stringify(kernel) && [...known.seen].every((id) => ids.has(id));
        return holds ? known : { beta, kernel, seen: /* @__PURE__ */ new Set(), largest: 0 };
      });
      this.frames = frames;
      this.stop();
      this.work();
    }
    work() {
      const until = performance.now() + SLICE_MS;
      for (const [measured, frame] of this.unmeasured()) {
        if (performance.now() > until) {
          this.timer = setTimeout(() => this.work());
          return;
        }
        measured.seen.add(frame.id);
        const largest = largestOffDiagonal(computeWeights(frame.x, frame.n, measured.beta, measured.kernel), frame.n);
        measured.largest = Math.max(measured.largest, largest);
      }
      this.onFound(roundUp(Math.max(...this.measured.map(({ largest }) => largest)) || 1));
    }
    /** @returns {[Measured, Frame][]} */
    unmeasured() {
      return this.measured.flatMap((measured, at) => this.frames[at].filter(({ id }) => !measured.seen.has(id)).map((frame) => (
        /** @type {[Measured, Frame]} */
        [measured, frame]
      )));
    }
    stop() {
      clearTimeout(this.timer);
    }
  };

  // player/elements.js
  var ICONS = {
    back: "M5 4h3v16H5zM20 4v16L9 12z",
    play: "M6 3l15 9-15 9z",
    pause: "M5 4h5v16H5zM14 4h5v16h-5z",
    forward: "M16 4h3v16h-3zM4 4v16l11-8z",
    loop: "M12 4V1L7.5 5.5 12 10V7a5 5 0 0 1 4.6 7l2 1.4A7.5 7.5 0 0 0 12 4zM12 17a5 5 0 0 1-4.6-7l-2-1.4A7.5 7.5 0 0 0 12 20v3l4.5-4.5L12 14z"
  };
  var SPEEDS2 = [0.25, 0.5, 1, 2, 4];
  function icon(name) {
    return `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
  }
  function button(action, label2) {
    return `<button type="button" data-do="${action}" aria-label="${label2}" title="${label2}">${icon(action)}</button>`;
  }
  var PLAYER_HTML = `
  <div class="bar">
    <div class="buttons">
      ${button("back", "One step back")}${button("play", "Play")}${button("forward", "One step forward")}
    </div>
    <div class="scrub">
      <input class="position" type="range" min="0" max="1" step="any" value="0" aria-label="Iteration">
      <div class="ticks" aria-hidden="true"></div>
    </div>
    <div class="count"></div>
    ${button("loop", "Loop")}
    <div class="legend"><span class="symbol">W</span><span class="low"></span><span class="colour-map" role="img"></span><span class="high"></span></div>
    <label class="field">speed <select class="speed">${SPEEDS2.map((s) => `<option value="${s}">${s}×</option>`).join("")}</select></label>
  </div>
  <div class="same" hidden>
    <label title="The slider of each method then sets both"><input type="checkbox" class="same-beta"> same β for both</label>
    <span class="same-why"></span>
  </div>
  <div class="runs"></div>
  <div class="bar knobs">
    <label class="field">order <select class="order"></select></label>
    <label class="field" title="Linear: the scale of W stays the same when β changes. Adapted: it ends at the largest weight off the diagonal">colours <select class="scale"><option value="linear">linear</option><option value="adapted">linear, adapted</option><option value="log">logarithmic</option></select></label>
    <label class="field" title="The common pose of a cluster is arbitrary; “common” aligns every image with the first of its cluster">poses <select class="poses"><option value="own">own</option><option value="common">common</option><option value="aligning">own, then common</option></select></label>
    <ul class="groups" aria-label="Groups"></ul>
  </div>
  <p class="unseen" aria-live="polite"></p>`;
  var RUN_HTML = `
  <div class="head"><h3></h3><span class="status"></span>
    <div class="turn" data-term="beta">
      <label class="field" title="Bandwidth β: a larger β is more selective"><span class="symbol">β</span>
        <input class="beta" type="range" min="0" max="1000" step="1"></label>
      <output class="beta-value"></output>
    </div>
  </div>
  <div class="wait"><span class="spinner" aria-hidden="true"></span><span class="wait-text"></span></div>
  <div class="pictures">
    <figure><div class="box weights" data-term="W sum"><canvas class="matrix" tabindex="0" role="img"></canvas></div>
      <figcaption><span class="matrix-caption"></span> <button type="button" class="enlarge" title="Zoom into W and download it as SVG, PNG or CSV">Figure</button></figcaption></figure>
    <figure><div class="box images" data-term="mean"><canvas class="gallery" tabindex="0" role="img"></canvas></div>
      <figcaption><span class="gallery-caption" title="All tiles and all steps share one brightness scale. At least three quarters of the images of the data stay below white; brighter pixels are clipped"></span><span class="stale" role="status"></span></figcaption></figure>
    <div class="means" role="group" aria-label="Mean of each class"></div>
    <div class="before" hidden>
      <canvas class="before-matrix" role="img"></canvas><canvas class="before-gallery" role="img"></canvas>
      <p class="before-text"></p>
      <button type="button" class="hide-before">Hide</button>
    </div>
  </div>
  <div class="advice" hidden></div>
  <div class="pair">
    <p class="hint">Point at a cell of W: image i is its row, mean j its column. Click to pin the pair.</p>
    <p class="sentence"></p>
    <div class="pair-pictures" data-term="d2 kappa">
      <figure class="row"><canvas class="own" role="img"></canvas><figcaption class="math">v<sub>i</sub></figcaption></figure>
      <figure class="column"><canvas class="other" role="img"></canvas><figcaption class="math">v<sub>j</sub></figcaption></figure>
      <figure><canvas class="both" role="img"></canvas><figcaption class="math both-caption"></figcaption></figure>
    </div>
    <div class="pair-text">
      <p class="math pair-distance" data-term="d2"></p>
      <p class="math pair-weight"></p>
      <p class="pinned"></p>
    </div>
  </div>
  <div class="formulas">
    <p class="math formula"></p>
    <p class="math values"><span class="of-step" title="p: number of times that every image has been replaced by its mean"></span><span class="of-sigma" title="σ: the images are compared after a Gaussian blur of this width"></span><span class="of-mass" title="Share of the weight off the diagonal of W that stays within a group: Σ W_ij over i ≠ j of one group, divided by Σ W_ij over i ≠ j"></span><span class="of-own" title="The mean of W_jj, the weight of an image in its own mean; at 100 % no images are averaged"></span></p>
  </div>`;
  function buildPlayer() {
    const element = Object.assign(make("div", "player"), { innerHTML: PLAYER_HTML, tabIndex: 0 });
    element.setAttribute("role", "group");
    element.setAttribute("aria-label", "Player of the iterations. Space plays; arrow keys step.");
    const action = (name) => findButton(element, `[data-do=${name}]`);
    return {
      element,
      position: findInput(element, ".position"),
      ticks: find(element, ".ticks"),
      count: find(element, ".count"),
      speed: findSelect(element, ".speed"),
      order: findSelect(element, ".order"),
      scale: findSelect(element, ".scale"),
      poses: findSelect(element, ".poses"),
      posesField: (
        /** @type {HTMLElement} */
        find(element, ".poses").parentElement
      ),
      low: find(element, ".low"),
      high: find(element, ".high"),
      colourMap: find(element, ".colour-map"),
      groups: find(element, ".groups"),
      same: find(element, ".same"),
      sameWhy: find(element, ".same-why"),
      sameBeta: findInput(element, ".same-beta"),
      runs: find(element, ".runs"),
      announced: find(element, ".unseen"),
      back: action("back"),
      play: action("play"),
      forward: action("forward"),
      loop: action("loop")
    };
  }
  function buildRun() {
    const element = Object.assign(make("section", "run"), { innerHTML: RUN_HTML });
    const part = (name) => find(element, `.${name}`);
    return {
      element,
      title: find(element, "h3"),
      status: part("status"),
      beta: findInput(element, ".beta"),
      turn: part("turn"),
      betaValue: part("beta-value"),
      advice: part("advice"),
      ofSigma: part("of-sigma"),
      waitText: part("wait-text"),
      pictures: part("pictures"),
      matrix: findCanvas(element, ".matrix"),
      matrixBox: part("weights"),
      means: part("means"),
      matrixCaption: part("matrix-caption"),
      enlarge: findButton(element, ".enlarge"),
      gallery: findCanvas(element, ".gallery"),
      galleryFigure: (
        /** @type {HTMLElement} */
        part("gallery").closest("figure")
      ),
      galleryCaption: part("gallery-caption"),
      stale: part("stale"),
      before: part("before"),
      beforeMatrix: findCanvas(element, ".before-matrix"),
      beforeGallery: findCanvas(element, ".before-gallery"),
      beforeText: part("before-text"),
      hideBefore: findButton(element, ".hide-before"),
      formula: part("formula"),
      ofStep: part("of-step"),
      ofMass: part("of-mass"),
      ofOwn: part("of-own"),
      pair: part("pair"),
      pairPictures: part("pair-pictures"),
      own: findCanvas(element, ".own"),
      other: findCanvas(element, ".other"),
      both: findCanvas(element, ".both"),
      bothCaption: part("both-caption"),
      sentence: part("sentence"),
      pairDistance: part("pair-distance"),
      pairWeight: part("pair-weight"),
      pinned: part("pinned")
    };
  }
  function setOptions(select, names, value) {
    const text = names.join("\n");
    if (select.dataset.names !== text) {
      select.dataset.names = text;
      select.replaceChildren(...names.map((name) => new Option(name, name)));
    }
    select.value = names.includes(value) ? value : names[0];
  }

  // player/words.js
  var MAX_GROUPS = 6;
  function numberOf(header, i) {
    return header.numbers?.[i] ?? i + 1;
  }
  function nameOf3(header, i) {
    return header.names[i] ?? `image ${numberOf(header, i)}`;
  }
  function titleOf2(header, i) {
    const group = header.classes[header.labels[i]];
    return group && !nameOf3(header, i).toLowerCase().includes(group.toLowerCase()) ? `${nameOf3(header, i)} (${group})` : nameOf3(header, i);
  }
  var ABOUT = {
    W: "the weight of image i in mean j; every column adds up to 1",
    kappa: "the kernel κ: the similarity of two images, 1 if their distance is 0",
    beta: "the bandwidth β: the larger it is, the more the weight is concentrated on the nearest images",
    d2: "the squared distance between images i and j; every image has norm 1, so it is dimensionless",
    sum: "the sum of the kernel values in column j, over all images k",
    mean: "image j is replaced by the mean of all images, each with its weight"
  };
  function opening(kernel) {
    return kernel ? "κ(" : "exp(−";
  }
  function weightTerms(beta, x, more, moved, kernel) {
    const value = formatNumber(beta);
    return [
      ["W_{ij}", "W", ABOUT.W],
      [" = "],
      [opening(kernel), "kappa", ABOUT.kappa],
      [value, "beta", `${ABOUT.beta}; now ${value}`],
      [" "],
      [`${x}_{ij}`, "d2", ABOUT.d2],
      [")", "kappa", ABOUT.kappa],
      [" / "],
      [`Σ_k ${opening(kernel)}${value} ${x}_{kj})`, "sum", ABOUT.sum],
      [",  "],
      [`v_j ← Σ_i W_{ij} ${moved}`, "mean", ABOUT.mean],
      [more ? ",  " : ""],
      [more.replaceAll(" ", " ")]
    ];
  }
  function pairTerms(pair, beta, d2, sum, weight, kernel) {
    return [
      [`W_{${pair}}`, "W", ABOUT.W],
      [" = "],
      [opening(kernel), "kappa", ABOUT.kappa],
      [formatNumber(beta), "beta", ABOUT.beta],
      [" · "],
      [formatNumber(d2), "d2", ABOUT.d2],
      [")", "kappa", ABOUT.kappa],
      [" / "],
      [formatNumber(sum), "sum", ABOUT.sum],
      [" = "],
      [formatNumber(weight), "W", ABOUT.W]
    ];
  }
  function pairSentence(header, i, j) {
    if (i === j) return `Weight of ${titleOf2(header, i)} in its own mean`;
    return `Weight of ${titleOf2(header, i)} in the mean of ${titleOf2(header, j)}`;
  }
  function clustersOf({ assignments }, i, j) {
    if (!assignments) return "";
    const [own, other] = [assignments[i] + 1, assignments[j] + 1];
    return own === other ? `Cluster ${own}. ` : `Clusters ${own} and ${other}. `;
  }
  function groupSentence(mass, groups) {
    if (!groups || !Number.isFinite(mass.total)) return "no classes are known";
    const each = mass.each.slice(0, MAX_GROUPS).map((share, g) => `${groups.names[g]} ${formatPercent(share)}`);
    const more = mass.each.length > MAX_GROUPS ? ", ..." : "";
    return `${formatPercent(mass.total)} of the weight off the diagonal is within ${groups.kind}: ${each.join(", ")}${more}`;
  }
  function matrixSentence(title, step, beta, mass, groups) {
    return `Weight matrix of ${title} at iteration ${step}, β = ${formatNumber(beta)}. ${capitalise(groupSentence(mass, groups))}. Arrow keys move a cell cursor; Enter pins the pair.`;
  }
  function gallerySentence(title, step, shown, all, points, pose) {
    const what = points ? "points" : "images";
    const count = shown < all ? `${shown} of ${all.toLocaleString("en")}` : all;
    return `${count} ${what} of ${title} at iteration ${step}${pose}. Arrow keys move to the next one; Enter pins it.`;
  }
  var PENDING = "not available until the means have been compared";
  function staleness(step, beta, made, pending, preview = false) {
    if (step === 0 || beta === made) return "";
    if (preview) return `preview with β = ${formatNumber(beta)}, poses not refined${pending ? ": exact means are being computed" : ""}`;
    return `computed with β = ${formatNumber(made)}, not ${formatNumber(beta)}${pending ? ": new means are being computed" : ""}`;
  }
  function outdated(settings) {
    return settings && `previous result: recomputing with ${settings}`;
  }
  function poseSentence(poses) {
    if (poses === COMMON) return "Every image is aligned with the first of its group.";
    if (poses === ALIGNING) return "Every image is in its own pose at iteration 0, and aligned with the first of its group from iteration 1.";
    return "Every image is in its own pose.";
  }
  function capitalise(text) {
    return text[0].toUpperCase() + text.slice(1);
  }

  // player/controls.js
  var BETA_STEPS = 1e3;
  var THUMB = 20;
  var MAX_TICKS = 10;
  var MAX_NAMED_GROUPS = 12;
  function betaOf(value, [low, high], pixel = 1) {
    const beta = low * (high / low) ** (value / BETA_STEPS);
    const unit = 10 ** Math.floor(Math.log10(beta)) / 2;
    const distanceTo = (round) => Math.abs(sliderOf(round, [low, high]) - value);
    const half = Number((unit * Math.round(beta / unit)).toPrecision(2));
    if (distanceTo(half) <= pixel / 2) return half;
    const short = Number(beta.toPrecision(2));
    return distanceTo(short) <= 0.5 ? short : Number(beta.toPrecision(3));
  }
  function sliderOf(beta, [low, high]) {
    return BETA_STEPS * Math.log(beta / low) / Math.log(high / low);
  }
  function listen(player) {
    const on = (element, type, action) => element.addEventListener(type, action, { signal: player.stop.signal });
    listenToTime(player, on);
    listenToKnobs(player, on);
    listenToPointer(player, on);
    on(player.elements.element, "keydown", (event) => onKey(player, event));
    on(document, "keydown", (event) => onPageKey(player, event));
    on(player.stillness, "change", () => player.invalidate());
  }
  function listenToTime(player, on) {
    const { elements } = player;
    on(elements.play, "click", () => player.toggle());
    on(elements.back, "click", () => player.step(-1));
    on(elements.forward, "click", () => player.step(1));
    on(elements.loop, "click", () => {
      player.memory.clock.loop = !player.memory.clock.loop;
      player.invalidate();
    });
    on(elements.speed, "change", () => player.memory.clock.speed = Number(elements.speed.value));
    on(elements.position, "input", () => player.goTo(Number(elements.position.value)));
    on(elements.position, "change", () => player.goTo(Math.round(Number(elements.position.value))));
  }
  function listenToKnobs(player, on) {
    const { elements } = player;
    let pixel = 1;
    on(elements.runs, "pointerdown", ({ target }) => {
      pixel = target.matches(".beta") ? Math.max(1, BETA_STEPS / (target.clientWidth - THUMB)) : 1;
    });
    on(elements.runs, "keydown", () => pixel = 1);
    on(elements.runs, "input", ({ target, timeStamp }) => {
      const at = player.views.findIndex((view) => view.elements.beta === target);
      player.setBeta(at, betaOf(Number(target.value), player.header.beta_range, pixel), timeStamp);
    });
    on(elements.runs, "change", () => {
      pixel = 1;
      player.releaseBeta();
    });
    on(elements.order, "change", () => {
      player.memory.order = elements.order.value;
      player.invalidate();
    });
    on(elements.scale, "change", () => player.setScale(elements.scale.value));
    on(elements.sameBeta, "change", () => shareBeta(player, elements.sameBeta.checked));
    on(elements.poses, "change", () => player.setPoses(elements.poses.value));
  }
  function shareBeta(player, same) {
    const { memory } = player;
    if (same) memory.apart = memory.betas;
    memory.same = same;
    memory.betas = same ? memory.betas.map(() => memory.betas[0]) : memory.apart ?? memory.betas;
    player.announce(same ? "All methods have the β of the first." : "Every method has its own β.");
    player.releaseBeta();
  }
  function listenToPointer(player, on) {
    const { runs } = player.elements;
    on(runs, "pointermove", (event) => player.hover(pairUnder(player, event)));
    on(runs, "pointerleave", () => player.hover(void 0));
    on(runs, "click", (event) => {
      if (targetOf(event).matches(".hide-before")) player.hideGhost();
      const cell = pairUnder(player, event);
      if (cell) player.pin(cell);
    });
  }
  function viewOf(player, canvas) {
    return player.views.find(({ elements }) => elements.matrix === canvas || elements.gallery === canvas);
  }
  function pairUnder(player, event) {
    const zoom = zoomOf(targetOf(event));
    return viewOf(player, event.target)?.pairAt(event.target, event.offsetX / zoom, event.offsetY / zoom);
  }
  var ARROWS2 = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  function onKey(player, event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!onPictureKey(player, event) && !onOtherKey(player, targetOf(event), event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }
  function onPictureKey(player, { key, target }) {
    const view = viewOf(player, target);
    const cell = player.hovered ?? player.memory.pinned;
    if (!view) return false;
    if (key === "Enter" && cell) player.pin(cell);
    else if (ARROWS2[key] && view.frame) player.hover(view.pairBeside(target, cell, ...ARROWS2[key]));
    else return false;
    player.render();
    player.announcePair();
    return true;
  }
  function onOtherKey(player, target, key) {
    if (key === "Escape") return clearPair(player);
    if (target.matches("select, .beta") || key === " " && target.matches("button")) return false;
    if (target.matches(".term") && /^Arrow(Left|Right)$/.test(key)) return false;
    if (/^Arrow(Up|Down)$/.test(key) && !target.matches(".position")) return false;
    const actions = {
      " ": () => player.toggle(),
      ArrowLeft: () => player.step(-1),
      ArrowDown: () => player.step(-1),
      ArrowRight: () => player.step(1),
      ArrowUp: () => player.step(1),
      Home: () => player.goTo(0),
      End: () => player.goTo(player.last())
    };
    actions[key]?.();
    return key in actions;
  }
  var USES_SPACE = "input, textarea, select, button, a, summary, iframe, [contenteditable], [role], [data-testid=stBidiComponentIsolated]";
  function onPageKey(player, event) {
    const { key, repeat, defaultPrevented, ctrlKey, metaKey, altKey } = event;
    if (key !== " " || repeat || defaultPrevented || ctrlKey || metaKey || altKey) return;
    if (document.activeElement?.matches(USES_SPACE) || !player.elements.element.checkVisibility?.()) return;
    event.preventDefault();
    player.toggle();
  }
  function clearPair(player) {
    const had = player.hovered ?? player.memory.pinned;
    player.hovered = void 0;
    if (player.memory.pinned) player.pin(void 0);
    player.invalidate();
    return Boolean(had);
  }
  function showControls(player) {
    showTime(player);
    showKnobs(player);
    showLegend(player);
  }
  function showTime(player) {
    const { elements, memory } = player;
    const [last, step] = [player.last(), player.currentStep()];
    const place = Math.min(memory.clock.position, last);
    const { position } = elements;
    position.max = String(Math.max(last, 1));
    position.value = String(place);
    position.disabled = last === 0;
    position.style.setProperty("--fill", String(last ? place / last : 0));
    position.setAttribute("aria-valuetext", `iteration ${step} of ${last}`);
    const ready = player.frames.some((frames) => frames.length);
    setText(elements.count, ready ? `iteration ${step} of ${last}` : "no steps yet");
    showTicks(elements.ticks, last, step);
    showPlaying(player, last);
  }
  function showPlaying({ elements, memory }, last) {
    const name = memory.clock.playing ? "pause" : "play";
    const { play, back, forward, loop, speed } = elements;
    if (play.dataset.shows !== name) {
      play.dataset.shows = name;
      play.innerHTML = icon(name);
      play.title = capitalise(name);
      setLabel(play, capitalise(name));
    }
    for (const button2 of [play, back, forward]) button2.disabled = last === 0;
    loop.setAttribute("aria-pressed", String(memory.clock.loop));
    speed.value = String(memory.clock.speed);
  }
  function showTicks(ticks, last, step) {
    const every = Math.max(1, Math.ceil(last / MAX_TICKS));
    const key = `${last} ${step}`;
    if (ticks.dataset.key === key) return;
    ticks.dataset.key = key;
    const places = Array.from({ length: last + 1 }, (_, at) => at).filter((at) => at % every === 0 || at === last);
    ticks.replaceChildren(...places.map((at) => {
      const tick = make("span", "", String(at));
      tick.style.setProperty("--at", String(last ? at / last : 0));
      tick.classList.toggle("now", at === step);
      return tick;
    }));
  }
  function showKnobs({ elements, memory, header, orders, views }) {
    views.forEach(({ elements: own }, at) => {
      own.turn.hidden = !header.has_sliders;
      showBeta(own, header.runs[at].title, memory.betas[at], header.beta_range);
    });
    elements.same.hidden = !header.has_sliders || header.advises || header.runs.length < 2;
    const [first, second] = memory.betas;
    setText(elements.sameWhy, explainBetas(header.runs.map(({ beta }) => beta), first === second));
    elements.sameBeta.checked = Boolean(memory.same);
    setOptions(elements.order, [...orders.keys()], memory.order);
    elements.scale.value = memory.log ? "log" : memory.adapts ? "adapted" : "linear";
    elements.poses.value = memory.poses ?? "";
    elements.posesField.hidden = !views.some((view) => view.hasPoses());
  }
  function explainBetas([first, second], same) {
    if (!(second < first)) return "";
    const [own, other] = [first, second].map((beta) => formatNumber(beta));
    if (same) return "Both methods have the same β: images that are not aligned are far apart, so more of each mean is the image itself.";
    return `Images that are not aligned are all far apart: with β = ${own} each would stay as it is, so kernel attention has β = ${other}.`;
  }
  function showBeta({ beta: slider, betaValue }, title, beta, range) {
    const place = sliderOf(beta, range);
    if (Math.abs(place - Number(slider.value)) > 2) slider.value = String(place);
    slider.style.setProperty("--fill", String(Math.max(0, Math.min(1, place / BETA_STEPS))));
    slider.setAttribute("aria-valuetext", `β = ${formatNumber(beta)}`);
    setLabel(slider, `β of ${title}: the bandwidth; a larger β is more selective`);
    setText(betaValue, formatNumber(beta));
  }
  function showLegend({ elements, look, groups, memory }) {
    const [low, high] = look.log ? ["10⁻⁴", "1"] : ["0", formatNumber(look.ceiling ?? 1)];
    setText(elements.low, look.log ? `≤ ${low}` : low);
    setText(elements.high, look.log || look.ceiling === 1 ? high : `≥ ${high}`);
    setLabel(elements.colourMap, `Colours of W from ${low} to ${high}, ${look.log ? "logarithmic" : "linear"}, the same at every step${look.log || memory.adapts ? "" : " and every β"}`);
    const names = groups && groups.names.length <= MAX_NAMED_GROUPS ? groups.names : [];
    const key = names.join("\n");
    if (elements.groups.dataset.key === key) return;
    elements.groups.dataset.key = key;
    elements.groups.hidden = !names.length;
    elements.groups.replaceChildren(...names.map((name, group) => {
      const item = make("li", "", name);
      item.style.setProperty("--colour", groupColour(group));
      return item;
    }));
  }

  // player/delayed-answers.js
  var BETA_PAUSE_MS = 400;
  var STEP_PAUSE_MS2 = 700;
  var DelayedAnswers = class {
    /** @param {Player} player */
    constructor(player) {
      this.player = player;
      this.betasSentAt = -Infinity;
      this.betaTimer = void 0;
      this.stepTimer = void 0;
    }
    /** Sends the first β at once, and then the last β of a quick series, such as key presses. */
    sendBetas() {
      clearTimeout(this.betaTimer);
      const soon = performance.now() - this.betasSentAt < BETA_PAUSE_MS;
      this.betasSentAt = performance.now();
      const send = () => {
        this.betaTimer = void 0;
        const { link, memory } = this.player;
        link.answer("betas", memory.betas, memory.turns += 1);
      };
      if (soon) this.betaTimer = setTimeout(send, BETA_PAUSE_MS);
      else send();
    }
    /** Sends the step to Python, and a sentence to screen readers. */
    sendStep() {
      clearTimeout(this.stepTimer);
      this.stepTimer = setTimeout(() => {
        this.stepTimer = void 0;
        const { player } = this;
        const { clock } = player.memory;
        if (clock.playing || clock.position > player.last()) return;
        const step = player.currentStep();
        player.announce(`Iteration ${step}. ${player.views.map((view) => view.sentence).join(" ")}`);
        player.link.answer("step", step);
      }, STEP_PAUSE_MS2);
    }
    /** Stops sending; returns the names of the answers that have not been sent. */
    stop() {
      clearTimeout(this.betaTimer);
      clearTimeout(this.stepTimer);
      const unsent = [];
      if (this.betaTimer !== void 0) unsent.push("betas");
      if (this.stepTimer !== void 0) unsent.push("step");
      return unsent;
    }
  };

  // player/exchange.js
  function newMemory(order) {
    return {
      clock: { position: 0, playing: false, speed: 1, loop: true },
      given: {},
      answers: {},
      pairs: 0,
      betas: [],
      sentBetas: [],
      unsent: [],
      turns: 0,
      swing: 0,
      log: false,
      adapts: false,
      released: [],
      order
    };
  }
  var Exchange = class {
    /** @param {Header} header @param {(name: string, value: unknown) => void} send @param {boolean} isNew the player is new */
    constructor(header, send, isNew) {
      this.memory = store.memory.get(header.key) ?? newMemory(header.order);
      this.header = header;
      this.send = send;
      if ((isNew || !header.playing_reported) && this.memory.answers.step?.[0] === null) delete this.memory.answers.step;
      store.memory.set(header.key, this.memory);
    }
    /**
     * Applies only the values of the header that have changed.
     * @param {boolean} followed true if the last header's run was followed
     * @returns {{ follows: boolean, changed: boolean, resend: AnswerName[] }} `follows` is true if the run replaces another, `changed` if the runs
     *   are different ones; `resend` lists the answers to send again
     */
    adoptHeader(followed) {
      const { memory, header } = this;
      const given = this.givenValues();
      const { betas } = given;
      const changed = (name) => JSON.stringify(memory.given[name]) !== JSON.stringify(given[name]);
      const isOther = changed("runs");
      const follows = isOther ? header.replaces !== "" && this.shows(header.replaces) : followed;
      if (changed("runs") && !follows) memory.sentBetas = [];
      const kept = (beta, at) => beta === memory.given.betas?.[at] || this.wasSent(beta, at);
      memory.betas = betas.map((beta, at) => kept(beta, at) ? memory.betas[at] : beta);
      if (!header.has_sliders) memory.betas = header.runs.map((run) => run.weights_beta);
      if (changed("poses")) memory.poses = header.poses;
      if (changed("pair") && (header.pairs_received === null || header.pairs_received === memory.pairs))
        memory.pinned = header.pair ? { i: header.pair[0], j: header.pair[1] } : void 0;
      if (changed("runs") ? !follows : changed("start")) this.restart();
      const resend = [];
      if (memory.betas.some((beta, at) => beta !== betas[at] && this.wasSent(betas[at], at))) resend.push("betas");
      if (changed("betas")) this.forgetSentBetas(betas);
      if (changed("runs") && follows && memory.answers.step) resend.push("step");
      memory.given = given;
      return { follows, changed: isOther, resend };
    }
    givenValues() {
      const { header } = this;
      const runs = header.runs.map(({ run }) => run);
      return {
        betas: header.runs.map(({ beta }) => beta),
        pair: header.pair,
        poses: header.poses,
        runs,
        start: [header.start, header.jump],
        step: [runs, header.jump]
      };
    }
    restart() {
      const { memory, header } = this;
      Object.assign(memory.clock, { position: header.start, playing: false, loop: header.loop });
      memory.waiting = header.autoplay;
    }
    /** True if a given β was sent by this player. The slider may have moved since, and is not set back. @param {number} beta @param {number} at */
    wasSent(beta, at) {
      return this.memory.sentBetas.some((betas) => betas[at] === beta);
    }
    /** Forgets earlier values, because Python has returned these values or has different ones. @param {number[]} betas */
    forgetSentBetas(betas) {
      const { memory } = this;
      const answered = memory.sentBetas.findLastIndex((sent) => String(sent) === String(betas));
      memory.sentBetas = answered < 0 ? [] : memory.sentBetas.slice(answered + 1);
      delete memory.answers.betas;
    }
    /** True if this is the first run, with any method. @param {string} run */
    shows(run) {
      return this.memory.given.runs?.[0]?.startsWith(`${run}.`) ?? false;
    }
    /**
     * An answer contains the header's value that it replaces, so that Python can detect outdated answers.
     * @param {AnswerName} name
     * @param {unknown} value
     * @param {unknown[]} more
     */
    answer(name, value, ...more) {
      const { memory } = this;
      const answer = [value, memory.given[name], ...more];
      if (JSON.stringify(answer) === JSON.stringify(memory.answers[name])) return;
      memory.answers[name] = answer;
      if (name === "betas") memory.sentBetas.push(
        /** @type {number[]} */
        value
      );
      this.send(name, answer);
    }
    /** Reports once that the player starts to play, if Python shows its step, which will change. */
    answerPlaying() {
      if (this.header.reports_playing && this.memory.clock.playing) this.answer("step", null);
    }
  };

  // player/groups.js
  var AS_GIVEN = "as given";
  function groupsOf(header, runs) {
    const n = countImages(runs);
    if (n && header.labels.length === n) {
      const count = Math.max(...header.labels) + 1;
      const names2 = Array.from({ length: count }, (_, g) => header.classes[g] ?? `class ${g}`);
      return { ids: header.labels, names: names2, kind: "classes", key: "labels" };
    }
    const found = findClusters(runs);
    if (!found) return void 0;
    const names = Array.from({ length: Math.max(...found.assignments) + 1 }, (_, g) => `cluster ${g + 1}`);
    return { ids: found.assignments, names, kind: "clusters", key: `clusters ${found.id}` };
  }
  function countImages(runs) {
    return runs.find((frames) => frames.length)?.[0].n ?? 0;
  }
  function findClusters(runs) {
    for (const frames of runs) {
      const { assignments, id } = frames.findLast((frame) => frame.assignments) ?? {};
      if (assignments) return { assignments, id };
    }
    return void 0;
  }
  function ordersOf(header, runs, groups) {
    const n = countImages(runs);
    const orders = /* @__PURE__ */ new Map([[AS_GIVEN, { indices: Array.from({ length: n }, (_, i) => i), key: AS_GIVEN }]]);
    if (groups?.kind === "classes") orders.set("by class", { indices: orderBy(groups.ids), key: "class" });
    const found = findClusters(runs);
    if (found) orders.set("by cluster", { indices: orderBy(found.assignments), key: `cluster ${found.id}` });
    for (const [name, indices] of Object.entries(header.orders))
      if (indices.length === n) orders.set(name, { indices, key: name });
    return orders;
  }

  // player/matrix.js
  var STRIP2 = 7;
  var STRIP_GAP = 3;
  var LOG_DECADES = 4;
  function matrixEdge(groups) {
    return groups ? STRIP2 + STRIP_GAP : 0;
  }
  function mapIndex(weight, ceiling, log) {
    const t = log ? 1 + Math.log10(weight) / LOG_DECADES : weight / ceiling;
    return t > 0 ? Math.min(MAP_SIZE - 1, Math.floor(t * MAP_SIZE)) : 0;
  }
  function colourCells(W, n, order, look) {
    const image = new ImageData(n, n);
    const words = new Uint32Array(image.data.buffer);
    const ceiling = look.ceiling ?? NaN;
    for (let at = 0, row = 0; row < n; row++)
      for (let column = 0; column < n; column++, at++)
        words[at] = look.map[mapIndex(W[order[row] * n + order[column]], ceiling, look.log)];
    return image;
  }
  function paintMatrix(W, n, order, groups, look, size, ratio) {
    const cells = newCanvas(n, n);
    contextOf(cells).putImageData(colourCells(W, n, order, look), 0, 0);
    const bitmap = newCanvas(size, size);
    const context = contextOf(bitmap);
    const edge = Math.round(matrixEdge(groups) * ratio);
    context.imageSmoothingEnabled = n > size - edge;
    context.drawImage(cells, edge, edge, size - edge, size - edge);
    if (groups) paintStrips(context, n, order, groups, size, ratio);
    return bitmap;
  }
  function paintStrips(context, n, order, groups, size, ratio) {
    const edge = Math.round(matrixEdge(true) * ratio);
    const width = Math.round(STRIP2 * ratio);
    const cell = (size - edge) / n;
    for (const [from, to] of blocksOf(order, groups)) {
      context.fillStyle = groupColour(groups[order[from]]);
      const start = edge + from * cell;
      const length = Math.max(1, (to - from) * cell - (n > 60 ? 0 : ratio));
      context.fillRect(0, start, width, length);
      context.fillRect(start, 0, length, width);
    }
  }
  function blocksOf(order, groups) {
    const blocks = [];
    for (let at = 0; at < order.length; at++) {
      const current = blocks.at(-1);
      if (current && groups[order[at]] === groups[order[current[0]]]) current[1] = at + 1;
      else blocks.push([at, at + 1]);
    }
    return blocks;
  }
  function markCell(context, row, column, n, edge, size, ratio) {
    const cell = (size - edge) / n;
    const thick = Math.max(1.5 * ratio, Math.min(3 * ratio, cell / 4));
    const [x, y] = [edge + column * cell, edge + row * cell];
    context.lineWidth = thick;
    context.strokeStyle = toCss(ROW_COLOUR);
    context.strokeRect(edge, y, size - edge, cell);
    context.strokeStyle = toCss(COLUMN_COLOUR);
    context.strokeRect(x, edge, cell, size - edge);
    const grow = Math.max(0, 5 * ratio - cell / 2);
    context.lineWidth = thick + 2 * ratio;
    context.strokeStyle = "#000";
    context.strokeRect(x - grow, y - grow, cell + 2 * grow, cell + 2 * grow);
    context.lineWidth = thick;
    context.strokeStyle = "#fff";
    context.strokeRect(x - grow, y - grow, cell + 2 * grow, cell + 2 * grow);
  }
  function dimOtherCells(context, { row, column, rows }, n, edge, size, background) {
    const cell = (size - edge) / n;
    const path = new Path2D();
    path.rect(edge, edge, size - edge, size - edge);
    path.rect(edge + column * cell, edge + row * cell, cell, rows * cell);
    context.globalAlpha = 0.7;
    context.fillStyle = background;
    context.fill(path, "evenodd");
    context.globalAlpha = 1;
  }
  function cellAt2(x, y, n, edge, size) {
    const cell = (size - edge) / n;
    const [row, column] = [Math.floor((y - edge) / cell), Math.floor((x - edge) / cell)];
    const inside = row >= 0 && column >= 0 && row < n && column < n;
    return inside ? { row, column } : void 0;
  }

  // player/gallery.js
  var MAX_SHOWN = 400;
  var MIN_EVEN_WIDTH = 0.75;
  function chooseShown(order) {
    const n = order.length;
    if (n <= MAX_SHOWN) return order;
    return Array.from({ length: MAX_SHOWN }, (_, at) => order[Math.floor(at * n / MAX_SHOWN)]);
  }
  function layTiles(count, [, imageHeight, imageWidth], width, height, ratio, block = NaN) {
    let best = { columns: 1, gap: 0, bar: 0, width: 0, height: 0, pitchX: 0, pitchY: 0 };
    let even = best;
    for (let columns = 1; columns <= count; columns++) {
      const tile = tileOf(columns, imageHeight / imageWidth, width, ratio);
      if (Math.ceil(count / columns) * tile.pitchY > height + tile.gap) continue;
      if (tile.width > best.width) best = tile;
      if (tile.width > even.width && (block % columns === 0 || columns % block === 0)) even = tile;
    }
    return even.width > MIN_EVEN_WIDTH * best.width ? even : best;
  }
  function tileOf(columns, aspect, width, ratio) {
    const pitchX = Math.floor(width / columns);
    const gap = Math.max(1, Math.round(pitchX * 0.02));
    const bar = Math.max(1, Math.round(Math.min(pitchX * 0.05, 3.5 * ratio)));
    const height = Math.floor((pitchX - gap) * aspect);
    return { columns, gap, bar, width: pitchX - gap, height, pitchX, pitchY: height + bar + gap };
  }
  function blockLength(order, groups) {
    const lengths = new Set(blocksOf(order, groups).map(([from, to]) => to - from));
    return lengths.size === 1 ? [...lengths][0] : void 0;
  }
  function tilePlace(tiles, at) {
    return [at % tiles.columns * tiles.pitchX, Math.floor(at / tiles.columns) * tiles.pitchY];
  }
  function fadeTiles(context, bitmap, tiles, shown, opacity) {
    const [width, height] = [tiles.width, tiles.height + tiles.bar];
    shown.forEach((i, at) => {
      const [x, y] = tilePlace(tiles, at);
      context.globalAlpha = opacity(i);
      if (context.globalAlpha > 0) context.drawImage(bitmap, x, y, width, height, x, y, width, height);
    });
    context.globalAlpha = 1;
  }
  function filledHeight(tiles, count) {
    return Math.ceil(count / tiles.columns) * tiles.pitchY;
  }
  function makeSheet(images, [n, height, width, channels], across) {
    const image = new ImageData(across * width, Math.ceil(n / across) * height);
    const words = new Uint32Array(image.data.buffer);
    const [green, blue] = channels === 3 ? [1, 2] : [0, 0];
    for (let from = 0, i = 0; i < n; i++) {
      const corner = Math.floor(i / across) * height * image.width + i % across * width;
      for (let y = 0; y < height; y++)
        for (let to = corner + y * image.width, end = to + width; to < end; to++, from += channels)
          words[to] = 255 << 24 | images[from + blue] << 16 | images[from + green] << 8 | images[from];
    }
    const sheet = newCanvas(image.width, image.height);
    contextOf(sheet).putImageData(image, 0, 0);
    return sheet;
  }
  function paintMosaic(images, shape, shown, tiles, groups, width, height) {
    const [n, imageHeight, imageWidth] = shape;
    const across = Math.ceil(Math.sqrt(n));
    const sheet = makeSheet(images, shape, across);
    const bitmap = newCanvas(width, height);
    const context = contextOf(bitmap);
    context.imageSmoothingEnabled = tiles.width < 3 * imageWidth;
    context.imageSmoothingQuality = "high";
    shown.forEach((i, at) => {
      const [x, y] = tilePlace(tiles, at);
      const [left, top] = [i % across * imageWidth, Math.floor(i / across) * imageHeight];
      context.drawImage(sheet, left, top, imageWidth, imageHeight, x, y, tiles.width, tiles.height);
      if (!groups) return;
      context.fillStyle = groupColour(groups[i]);
      context.fillRect(x, y + tiles.height, tiles.width, tiles.bar);
    });
    return bitmap;
  }
  function dimOtherTiles(context, tiles, shown, images, background) {
    context.globalAlpha = 0.7;
    context.fillStyle = background;
    shown.forEach((i, at) => {
      if (!images.includes(i)) context.fillRect(...tilePlace(tiles, at), tiles.width, tiles.height + tiles.bar);
    });
    context.globalAlpha = 1;
  }
  function markTile(context, tiles, at, colour, ratio, inset) {
    const [x, y] = tilePlace(tiles, at);
    const thick = Math.max(2 * ratio, Math.min(4 * ratio, tiles.width * 0.07));
    context.lineWidth = thick;
    context.strokeStyle = colour;
    const shift = thick / 2 + inset * thick;
    context.strokeRect(x + shift, y + shift, tiles.width - 2 * shift, tiles.height - 2 * shift);
  }
  function tileAt(x, y, tiles, count) {
    const [column, row] = [Math.floor(x / tiles.pitchX), Math.floor(y / tiles.pitchY)];
    const at = row * tiles.columns + column;
    const inside = column >= 0 && column < tiles.columns && row >= 0 && at < count;
    return inside ? at : void 0;
  }

  // player/ghost.js
  var SIZE = 96;
  function shownBy(key) {
    const name = `${key}: shown`;
    const shown = store.memory.get(name) ?? { frames: [] };
    store.memory.set(name, shown);
    return shown;
  }
  function ghostOf({ header: before, frames }, header) {
    if (before?.runs.length !== header.runs.length || !frames.every((own) => own.length)) return void 0;
    const betas = before.runs.map(({ beta }) => beta);
    const kernels = before.runs.map(({ kernel }) => kernel);
    return { frames, betas, kernels, settings: header.replaced_settings };
  }
  function showGhost(view, lane) {
    const { elements, order, groups, shown } = view;
    const { frame, scene } = view.current();
    const ghost = scene.ghost;
    const own = ghost?.frames[lane];
    const old = own?.[Math.min(view.step, own.length - 1)];
    elements.before.hidden = !ghost || !old || old.n !== frame.n || old.pending;
    if (!ghost || !old || elements.before.hidden) return;
    const beta = ghost.betas[lane];
    const key = [old.id, beta, view.styleKey(), scene.look.log, scene.look.ceiling, shown.length].join(" ");
    if (view.ghostKey === key) return;
    view.ghostKey = key;
    const size = Math.round(SIZE * view.ratio);
    const { beforeMatrix, beforeGallery, beforeText } = elements;
    for (const canvas of [beforeMatrix, beforeGallery]) resizeCanvas(canvas, size, size);
    const W = computeWeights(old.x, old.n, beta, ghost.kernels[lane]);
    contextOf(beforeMatrix).drawImage(paintMatrix(W, old.n, order, groups, scene.look, size, view.ratio), 0, 0);
    beforeGallery.hidden = !old.images;
    if (old.images) {
      const block = groups && blockLength(shown, groups);
      const tiles = layTiles(shown.length, old.shapes.images, size, size, view.ratio, block);
      const context = contextOf(beforeGallery);
      context.clearRect(0, 0, size, size);
      context.drawImage(paintMosaic(old.images, old.shapes.images, shown, tiles, groups, size, size), 0, 0);
    }
    const step = Math.min(view.step, own.length - 1);
    setText(beforeText, `Previous result at iteration ${step}: ${ghost.settings || `β = ${formatNumber(beta)}`}`);
    setLabel(beforeMatrix, `W of the previous result at iteration ${step}`);
    setLabel(beforeGallery, `Images of the previous result at iteration ${step}`);
  }

  // player/inspect.js
  function exposeState(player) {
    const weights = (run, k) => {
      const { x, n } = player.frames[run][k];
      return computeWeights(x, n, player.memory.betas[run], player.header.runs[run].kernel);
    };
    const distances = (run, k) => player.frames[run][k].d2;
    const tiles = () => player.views.flatMap(({ elements: { gallery }, tiles: laid }) => laid ? [laid.width / gallery.width * gallery.getBoundingClientRect().width] : []);
    Object.assign(player.elements.element, { __player: { weights, distances, tiles, state: () => stateOf(player) } });
  }
  function stateOf(player) {
    const { memory, paints } = player;
    const { pinned, clock } = memory;
    return {
      ...structuredClone(memory),
      pinned: pinned && [pinned.i, pinned.j],
      position: clock.position,
      step: player.currentStep(),
      last: player.last(),
      complete: player.header.runs.every(({ sent }, at) => player.frames[at].length >= sent),
      arrived: player.header.runs.every(({ run, sent }) => framesOf(run).length >= sent),
      paints
    };
  }

  // shared/cache.js
  function cached(cache, key, size, compute) {
    const value = cache.get(key) ?? compute();
    cache.delete(key);
    cache.set(key, value);
    trim(cache, size);
    return value;
  }
  function trim(cache, size) {
    for (const oldest of cache.keys()) {
      if (cache.size <= size) return;
      cache.delete(oldest);
    }
  }

  // shared/warp.js
  var NEAREST_HORIZON = 0.05;
  function matrixOf(frame, i, j) {
    const at = 9 * (i * frame.n + j);
    return (
      /** @type {Float32Array} */
      frame.matrices.subarray(at, at + 9)
    );
  }
  function warp(v, [height, width, channels], M, out, [rows, columns] = [height, width]) {
    const cp = (height - 1) / 2;
    const cq = (width - 1) / 2;
    const [down, right] = [height / rows, width / columns];
    for (let to = 0, row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++, to += channels) {
        const p = (row + 0.5) * down - 0.5 - cp;
        const q = (column + 0.5) * right - 0.5 - cq;
        const depth = Math.max(NEAREST_HORIZON, M[6] * p + M[7] * q + M[8]);
        const y = (M[0] * p + M[1] * q + M[2]) / depth + cp;
        const x = (M[3] * p + M[4] * q + M[5]) / depth + cq;
        if (y <= -1 || x <= -1 || y >= height || x >= width) continue;
        for (let c = 0; c < channels; c++) out[to + c] = readBetween(v, [height, width, channels], y, x, c);
      }
  }
  function readBetween(v, [height, width, channels], y, x, c) {
    const top = Math.floor(y);
    const left = Math.floor(x);
    const at = (top * width + left) * channels + c;
    const next = at + width * channels;
    const hasLeft = left >= 0;
    const hasRight = left + 1 < width;
    const upperLeft = top >= 0 && hasLeft ? v[at] : 0;
    const upperRight = top >= 0 && hasRight ? v[at + channels] : 0;
    const lowerLeft = top + 1 < height && hasLeft ? v[next] : 0;
    const lowerRight = top + 1 < height && hasRight ? v[next + channels] : 0;
    const upper = upperLeft + (x - left) * (upperRight - upperLeft);
    const lower = lowerLeft + (x - left) * (lowerRight - lowerLeft);
    return upper + (y - top) * (lower - upper);
  }
  function firstOfGroups(frame, labels) {
    const groups = labels.length === frame.n ? labels : frame.assignments;
    if (!frame.matrices || !groups) return void 0;
    const first = /* @__PURE__ */ new Map();
    Array.from(groups, (group, i) => first.has(group) || first.set(group, i));
    return Array.from(groups, (group) => first.get(group) ?? 0);
  }
  function warpImages(frame, targets, partOf2, [rows, columns]) {
    const images = (
      /** @type {Uint8Array} */
      frame.images
    );
    const [height, width, channels] = frame.shapes.images.slice(1);
    const size = height * width * channels;
    const outSize = rows * columns * channels;
    const warped = new Uint8ClampedArray(frame.n * outSize);
    targets.forEach((target, i) => {
      const image = images.subarray(i * size, (i + 1) * size);
      const out = warped.subarray(i * outSize, (i + 1) * outSize);
      warp(image, [height, width, channels], partialMatrix(matrixOf(frame, i, target), partOf2(i)), out, [rows, columns]);
    });
    return warped;
  }
  function partialMatrix(M, part) {
    if (part === 1) return M;
    const angle = Math.atan2(M[3] - M[1], M[0] + M[4]);
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const mix2 = (from, to) => from + part * (to - from);
    const [a, b] = [mix2(1, cos * M[0] + sin * M[3]), mix2(0, cos * M[1] + sin * M[4])];
    const [c, d] = [mix2(0, cos * M[3] - sin * M[0]), mix2(1, cos * M[4] - sin * M[1])];
    const [turnCos, turnSin] = [Math.cos(part * angle), Math.sin(part * angle)];
    return [
      ...[turnCos * a - turnSin * c, turnCos * b - turnSin * d, part * M[2]],
      ...[turnSin * a + turnCos * c, turnSin * b + turnCos * d, part * M[5]],
      ...[part * M[6], part * M[7], mix2(1, M[8])]
    ];
  }

  // player/class-means.js
  var MAX_MEANS = 12;
  var MAX_MOVING = 100;
  var MAX_KEPT = 24;
  function averageGroups(images, [n, height, width, channels], groups, count) {
    const size = height * width * channels;
    const sums = new Float32Array(count * size);
    const members = new Float32Array(count);
    for (let i = 0; i < n; i++) {
      members[groups[i]] += 1;
      for (let from = i * size, to = groups[i] * size, end = from + size; from < end; from++, to++) sums[to] += images[from];
    }
    return sums.map((sum, at) => sum / Math.max(1, members[Math.floor(at / size)]));
  }
  function mix(from, to, part) {
    return part === 0 ? from : Float32Array.from(from, (value, at) => value + part * (to[at] - value));
  }
  var ClassMeans = class {
    /** @param {HTMLElement} element */
    constructor(element) {
      this.element = element;
      this.known = /* @__PURE__ */ new Map();
      this.key = "";
      this.canvases = [];
      this.painted = "";
    }
    clear() {
      this.known.clear();
      this.painted = "";
    }
    /**
     * The means of a frame whose images are moved by this part of the way onto the first of their group.
     * @param {Frame} frame
     * @param {Groups} groups
     * @param {number} aligned
     */
    of(frame, groups, aligned) {
      const count = groups.names.length;
      const { shapes: { images: shape }, images } = frame;
      const targets = aligned > 0 ? firstOfGroups(frame, groups.ids) : void 0;
      const whole = frame.n > MAX_MOVING ? Math.round(aligned) : aligned;
      const [, height, width] = shape;
      const average = () => {
        const moved = targets && whole > 0 ? warpImages(frame, targets, (i) => partOf(whole, groups.ids[i], count), [height, width]) : images ?? [];
        return averageGroups(moved, shape, groups.ids, count);
      };
      if (targets && whole > 0 && whole < 1) return average();
      return cached(this.known, `${frame.id} ${targets ? whole : 0}`, MAX_KEPT, average);
    }
    /**
     * @param {Frame} from
     * @param {Frame | undefined} to the next step, which is `part` visible
     * @param {number} part
     * @param {Groups} groups
     * @param {[from: number, to: number]} aligned
     * @param {string} about
     */
    show(from, to, part, groups, aligned, about) {
      this.build(groups);
      const key = [from.id, to?.id, part, ...aligned, about].join(" ");
      if (key === this.painted) return;
      this.painted = key;
      const [, height, width, channels] = from.shapes.images;
      const size = height * width * channels;
      const [before, after] = [this.of(from, groups, aligned[0]), to && this.of(to, groups, aligned[1])];
      this.canvases.forEach((canvas, g) => {
        const own = before.subarray(g * size, (g + 1) * size);
        const share = to ? partOf(part, g, groups.names.length) : 0;
        const shown = after ? mix(own, after.subarray(g * size, (g + 1) * size), share) : own;
        resizeCanvas(canvas, width, height);
        contextOf(canvas).putImageData(toImageData(shown, 0, [height, width, channels]), 0, 0);
        setLabel(canvas, `${about} ${groups.names[g]}`);
      });
    }
    /** @param {Groups} groups */
    build({ names }) {
      const key = names.join("\n");
      if (key === this.key) return;
      this.key = key;
      this.painted = "";
      this.canvases = names.map(() => Object.assign(make("canvas", "mean"), { role: "img" }));
      this.element.replaceChildren(...names.map((name, g) => {
        const figure = make("div", "class-mean");
        figure.style.setProperty("--colour", groupColour(g));
        const label2 = make("span", "class-name");
        setText(label2, name);
        label2.setAttribute("aria-hidden", "true");
        figure.append(this.canvases[g], label2);
        return figure;
      }));
    }
  };

  // player/layout.js
  var LEAST_TILE = 72;
  var LEAST_TILE_NARROW = 48;
  var NARROW = 400;
  var MAX_HEIGHT = 0.56;
  var MAX_ROWS = 5;
  var FEW2 = 24;
  var LEAST_MEAN = 110;
  var LEAST_SIDE = 96;
  var LEAST_SIDE_LARGE = 200;
  var LOWEST_SIDE = 200;
  var MAX_SIDE = 460;
  var GAP2 = 6;
  function spaceFor(pictures) {
    const root = pictures.getRootNode();
    const scroller = root instanceof ShadowRoot ? root.host.closest("[data-testid=stMain]") : null;
    const zoom = zoomOf(pictures);
    const top = pictures.getBoundingClientRect().top + (scroller ? scroller.scrollTop : scrollY);
    const height = scroller ? scroller.getBoundingClientRect().bottom : innerHeight;
    const scale = Number(getComputedStyle(pictures).getPropertyValue("--picture-scale")) || 1;
    return { width: pictures.clientWidth, room: (height - top) / zoom, scale: scale / zoom };
  }
  function isNarrow({ width }) {
    return width < NARROW;
  }
  function leastTile(space) {
    return isNarrow(space) ? LEAST_TILE_NARROW : LEAST_TILE * space.scale;
  }
  function meanWidth(space) {
    return isNarrow(space) ? Math.floor((space.width - 2 * GAP2) / 3) : Math.ceil(LEAST_MEAN * space.scale);
  }
  function layGallery(count, shape, space, ratio, block) {
    const width = Math.round(space.width * ratio);
    const least = Math.ceil(leastTile(space) * ratio);
    const height = Math.min(MAX_HEIGHT * width, MAX_ROWS * least);
    const tiles = layTiles(count, shape, width, height, ratio, block);
    if (tiles.width >= least || count > FEW2) return tiles;
    for (let columns = count; columns >= 1; columns--) {
      const tile = tileOf(columns, shape[1] / shape[2], width, ratio);
      if (tile.width >= least) return tile;
    }
    return tiles;
  }
  function sideOfMatrix(groups, galleryHeight, space) {
    const { width } = space;
    if (isNarrow(space)) return width;
    const room = space.room - galleryHeight - GAP2;
    if (!groups) return Math.min(width, MAX_SIDE, Math.max(room, LOWEST_SIDE));
    const pitch = meanWidth(space) + GAP2;
    let best = { side: 0, height: Infinity };
    for (let columns = 1; columns <= groups; columns++) {
      const side = Math.min(width - columns * pitch, MAX_SIDE);
      if (side < (space.scale > 1 ? LEAST_SIDE_LARGE : LEAST_SIDE)) break;
      const height = Math.ceil(groups / columns) * pitch;
      const fitted = Math.min(side, Math.max(room, LOWEST_SIDE, height));
      const one = { side: fitted, height: Math.max(fitted, height) };
      const fits = one.height <= room;
      if (fits ? best.height > room || one.side > best.side : one.height < best.height) best = one;
    }
    return Math.floor(best.side || Math.min(width, MAX_SIDE));
  }

  // player/matrix-figure.js
  var SIDE = 560;
  var LEFT = 40;
  var TOP = 76;
  var ROW = 22;
  var STOPS = 16;
  var MAX_GROUPS2 = 24;
  function write(x, y, text, more = "") {
    return `<text x="${x}" y="${y}" ${more}>${escapeXml(text)}</text>`;
  }
  function drawFigure(view) {
    const { run, frame, scene } = view.current();
    const { look, groups, beta } = scene;
    const ratio = 2;
    const bitmap = paintMatrix(view.weights(frame), frame.n, view.order, view.groups, look, SIDE * ratio, ratio);
    const title = `Weights W of ${run.title.toLowerCase()}, iteration ${view.step}`;
    const settings = `β = ${formatNumber(beta)}, σ = ${formatNumber(run.sigma)} px, n = ${frame.n} images`;
    const [low, high] = look.log ? ["≤ 10⁻⁴", "1"] : ["0", `${look.ceiling === 1 ? "" : "≥ "}${formatNumber(look.ceiling ?? 1)}`];
    const colourAt = (share) => toCss(mapColour(share, look.dark));
    const gradient = Array.from({ length: STOPS + 1 }, (_, at) => `<stop offset="${at / STOPS}" stop-color="${colourAt(at / STOPS)}"/>`).join("");
    const right = LEFT + SIDE + 24;
    const names = view.groups && groups ? groups.names.slice(0, MAX_GROUPS2) : [];
    const legend = names.map((name, at) => `<rect x="${right}" y="${TOP + 110 + at * ROW}" width="14" height="14" fill="${groupColour(at)}"/>${write(right + 22, TOP + 122 + at * ROW, name)}`);
    const [width, height] = [right + 210, TOP + SIDE + 24];
    const about = `${title}; ${settings}`;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(about)}" fill="currentColor" font-size="15">
    <defs><linearGradient id="weights">${gradient}</linearGradient></defs>
    ${write(LEFT, 24, title, 'class="title" font-size="20" font-weight="600"')}${write(LEFT, 46, settings)}
    ${write(LEFT + SIDE / 2, TOP - 8, "mean j", 'text-anchor="middle"')}
    ${write(0, 0, "image i", `text-anchor="middle" transform="translate(${LEFT - 12} ${TOP + SIDE / 2}) rotate(-90)"`)}
    <image x="${LEFT}" y="${TOP}" width="${SIDE}" height="${SIDE}" style="image-rendering:pixelated" href="${bitmap.toDataURL()}"/>
    ${write(right, TOP + 14, "weight W (no unit;")}${write(right, TOP + 34, "columns add up to 1)")}
    <rect x="${right}" y="${TOP + 46}" width="180" height="16" fill="url(#weights)" stroke="currentColor" stroke-opacity="0.35"/>
    ${write(right, TOP + 80, low)}${write(right + 180, TOP + 80, high, 'text-anchor="end"')}
    ${legend.join("")}</svg>`;
  }
  function rowsOf2(view) {
    const { frame, scene: { header } } = view.current();
    const W = view.weights(frame);
    const rows = [["image i", "mean j", "W", "d²"]];
    for (let i = 0; i < frame.n; i++)
      for (let j = 0; j < frame.n; j++) rows.push([titleOf2(header, i), titleOf2(header, j), W[i * frame.n + j], frame.d2[i * frame.n + j]]);
    return rows;
  }
  function makeMatrixFigure(view, hold) {
    return new FigureDialog(view.elements.element, () => drawFigure(view), () => rowsOf2(view), hold);
  }

  // player/preview.js
  var MAX_READS = 6e6;
  var MIN_SHARE = 1e-3;
  function canPreview({ images, shapes, n }) {
    if (!images) return false;
    const [, height, width, channels] = shapes.images;
    return n * n * height * width * channels <= MAX_READS;
  }
  function previewMeans(frame, W) {
    const { n } = frame;
    const images = (
      /** @type {Uint8Array} */
      frame.images
    );
    const [height, width, channels] = frame.shapes.images.slice(1);
    const size = height * width * channels;
    const means = new Uint8ClampedArray(n * size);
    const [sum, warped] = [new Float32Array(size), new Float32Array(size)];
    for (let j = 0; j < n; j++) {
      sum.fill(0);
      for (let i = 0; i < n; i++) {
        const weight = W[i * n + j];
        if (weight * n < MIN_SHARE) continue;
        const image = images.subarray(i * size, (i + 1) * size);
        if (!frame.matrices || i === j) {
          for (let at = 0; at < size; at++) sum[at] += weight * image[at];
          continue;
        }
        const M = matrixOf(frame, i, j);
        const factor = weight * Math.sqrt(Math.abs(M[0] * M[4] - M[1] * M[3]));
        warped.fill(0);
        warp(image, [height, width, channels], M, warped);
        for (let at = 0; at < size; at++) sum[at] += factor * warped[at];
      }
      means.set(sum, j * size);
    }
    return means;
  }

  // player/scatter.js
  function pointsOf(frame) {
    return (
      /** @type {Float32Array} */
      frame.points
    );
  }
  function fitAxes(frames, width, height) {
    const low = [Infinity, Infinity];
    const high = [-Infinity, -Infinity];
    for (const frame of frames)
      pointsOf(frame).forEach((value, at) => {
        low[at % 2] = Math.min(low[at % 2], value);
        high[at % 2] = Math.max(high[at % 2], value);
      });
    const margin = 0.06 * Math.min(width, height);
    const spans = [high[0] - low[0] || 1, high[1] - low[1] || 1];
    const scale = Math.min((width - 2 * margin) / spans[0], (height - 2 * margin) / spans[1]);
    const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    return {
      width,
      height,
      middle,
      scale,
      x: (value) => width / 2 + (value - middle[0]) * scale,
      y: (value) => height / 2 - (value - middle[1]) * scale
    };
  }
  function drawAxes(context, axes, colour, ratio) {
    const step = roundStep(axes.width / axes.scale / 4);
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = Math.max(1, Math.round(ratio));
    context.font = `${12 * ratio}px sans-serif`;
    for (const value of gridValues(axes.middle[0], axes.width / axes.scale, step)) {
      drawGridLine(context, [axes.x(value), 0], [axes.x(value), axes.height]);
      context.fillText(formatNumber(value), axes.x(value) + 3 * ratio, axes.height - 4 * ratio);
    }
    for (const value of gridValues(axes.middle[1], axes.height / axes.scale, step)) {
      drawGridLine(context, [0, axes.y(value)], [axes.width, axes.y(value)]);
      context.fillText(formatNumber(value), 4 * ratio, axes.y(value) - 3 * ratio);
    }
  }
  function drawGridLine(context, from, to) {
    context.globalAlpha = 0.14;
    context.beginPath();
    context.moveTo(...from);
    context.lineTo(...to);
    context.stroke();
    context.globalAlpha = 0.7;
  }
  function gridValues(middle, span, step) {
    const first = Math.ceil((middle - span / 2) / step);
    const last = Math.floor((middle + span / 2) / step);
    return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
  }
  function roundStep(x) {
    const decade = 10 ** Math.floor(Math.log10(x));
    return decade * ([1, 2, 5].find((digit) => digit * decade >= x * (1 - 1e-9)) ?? 10);
  }
  function placePoints(frames, { k, t }, axes) {
    const from = pointsOf(frames[k]);
    const to = pointsOf(frames[k + 1] ?? frames[k]);
    return Array.from(from, (value, at) => {
      const mixed = value + t * (to[at] - value);
      return at % 2 ? axes.y(mixed) : axes.x(mixed);
    });
  }
  function drawScatter(context, frames, moment, axes, groups, colour, ratio) {
    const places = placePoints(frames, moment, axes);
    const n = places.length / 2;
    const byGroup = /* @__PURE__ */ new Map();
    for (let i = 0; i < n; i++) {
      const group = groups ? groups[i] : 0;
      byGroup.set(group, [...byGroup.get(group) ?? [], i]);
    }
    drawAxes(context, axes, colour, ratio);
    context.globalAlpha = 1;
    const radius = ratio * (n > 300 ? 2.5 : n > 80 ? 3.5 : 5);
    for (const [group, members] of byGroup) {
      drawTrails(context, frames, moment.k, axes, members, places, groupColour(group), ratio);
      drawDots(context, places, members, radius, groupColour(group));
    }
    return places;
  }
  function drawTrails(context, frames, k, axes, members, places, colour, ratio) {
    context.strokeStyle = colour;
    context.lineWidth = 1.5 * ratio;
    for (let step = 0; step <= k; step++) {
      const points = pointsOf(frames[step]);
      const next = frames[step + 1]?.points;
      context.globalAlpha = 0.15 + 0.45 * ((step + 1) / (k + 1));
      context.beginPath();
      for (const i of members) {
        context.moveTo(axes.x(points[2 * i]), axes.y(points[2 * i + 1]));
        if (step === k || !next) context.lineTo(places[2 * i], places[2 * i + 1]);
        else context.lineTo(axes.x(next[2 * i]), axes.y(next[2 * i + 1]));
      }
      context.stroke();
    }
    context.globalAlpha = 1;
  }
  function drawDots(context, places, members, radius, colour) {
    context.fillStyle = colour;
    context.beginPath();
    for (const i of members) {
      context.moveTo(places[2 * i] + radius, places[2 * i + 1]);
      context.arc(places[2 * i], places[2 * i + 1], radius, 0, 2 * Math.PI);
    }
    context.fill();
  }
  function markPoint(context, places, i, colour, ratio, grow) {
    context.strokeStyle = colour;
    context.lineWidth = 2.5 * ratio;
    context.beginPath();
    context.arc(places[2 * i], places[2 * i + 1], (8 + 4 * grow) * ratio, 0, 2 * Math.PI);
    context.stroke();
  }
  function pointAt(x, y, places, reach) {
    let best = { distance: reach, i: void 0 };
    for (let i = 0; i < places.length / 2; i++) {
      const distance = Math.hypot(places[2 * i] - x, places[2 * i + 1] - y);
      if (distance < best.distance) best = { distance, i };
    }
    return best.i;
  }

  // player/pair.js
  function pixelsOf(frame, i) {
    const [height, width, channels] = frame.shapes.images.slice(1);
    const size = height * width * channels;
    return (
      /** @type {Uint8Array} */
      frame.images.subarray(i * size, (i + 1) * size)
    );
  }
  function luminances(frame, i) {
    const [, height, width, channels] = frame.shapes.images;
    const pixels = pixelsOf(frame, i);
    if (channels === 1) return Float32Array.from(pixels);
    return Float32Array.from({ length: height * width }, (_, at) => {
      const [r, g, b] = pixels.subarray(3 * at, 3 * at + 3);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    });
  }
  function overlayPair(frame, i, j) {
    const [, height, width] = frame.shapes.images;
    const own = luminances(frame, i);
    const a = new Float32Array(own.length);
    if (frame.matrices) warp(own, [height, width, 1], matrixOf(frame, i, j), a);
    else a.set(own);
    const b = luminances(frame, j);
    const image = new ImageData(width, height);
    a.forEach((value, at) => {
      for (let c = 0; c < 3; c++)
        image.data[4 * at + c] = (value * ROW_COLOUR[c] + b[at] * COLUMN_COLOUR[c]) / 255;
      image.data[4 * at + 3] = 255;
    });
    return image;
  }
  function imageOf(frame, i) {
    const [height, width, channels] = frame.shapes.images.slice(1);
    return toImageData(pixelsOf(frame, i), 0, [height, width, channels]);
  }

  // player/run-text.js
  function showFormulas(view) {
    const { elements, step } = view;
    const { run, frame, scene } = view.current();
    const { header, beta, groups } = scene;
    const key = [frame.id, beta, groups?.key, run.sigma, header.means_pending, header.settings_pending, Boolean(view.previewOf(step)), scene.aligned > 0.5, run.title, run.formula, run.beta].join(" ");
    if (view.formulasKey === key) return;
    view.formulasKey = key;
    const mass = view.groups && groups ? blockMass(view.weights(frame), frame.n, view.groups, groups.names.length) : { total: NaN, each: [] };
    const [x, moved] = [frame.x === frame.d2 ? "d²" : "x", frame.matrices ? "v_i∘τ_{ij}" : "v_i"];
    writeTerms(elements.formula, weightTerms(beta, x, run.formula, moved, run.kernel));
    writeFormula(elements.ofSigma, `σ = ${formatNumber(run.sigma)} px`);
    writeFormula(elements.ofStep, `p = ${step}`);
    const note = staleness(step, beta, run.beta, header.means_pending, Boolean(view.previewOf(step)));
    setText(elements.stale, outdated(header.settings_pending) || note);
    elements.element.classList.toggle("outdated", Boolean(header.settings_pending));
    setText(elements.ofMass, Number.isFinite(mass.total) ? `within ${groups?.kind}: ${formatPercent(mass.total)}` : "");
    setText(elements.ofOwn, frame.pending ? "" : `on the diagonal: ${formatPercent(meanOfDiagonal(view.weights(frame), frame.n))}`);
    setLabel(elements.matrix, frame.pending ? `Weights of ${run.title} at iteration ${step}: ${PENDING}` : matrixSentence(run.title, step, beta, mass, groups));
    view.sentence = `${run.title}: ${frame.pending ? PENDING : groupSentence(mass, groups)}.`;
    showCaptions(view);
  }
  function showCaptions(view) {
    const { elements, step, shown } = view;
    const { run, frame, scene } = view.current();
    const all = Math.max(scene.header.total, frame.n);
    const ofAll = (count) => `${count} of ${all.toLocaleString("en")}`;
    if (frame.pending) setText(elements.matrixCaption, `W: ${PENDING}`);
    else setText(elements.matrixCaption, `W: row, image i; column, mean j${frame.n < all ? ` (${ofAll(frame.n)})` : ""}`);
    if (!shown.length) return;
    const part = shown.length < all ? `${ofAll(shown.length)} shown: ` : "";
    const pose = scene.aligned > 0.5 && view.hasPoses() ? ", common pose" : "";
    setText(elements.galleryCaption, part + (step === 0 ? "the data" : `after ${step} averaging step${step > 1 ? "s" : ""}`) + pose);
    setLabel(elements.gallery, gallerySentence(run.title, step, shown.length, all, frame.points, pose));
  }
  function showPair(view) {
    const { elements } = view;
    const { frame, scene } = view.current();
    const cell = view.cell();
    const key = cell ? [cell.i, cell.j, frame.id, scene.beta, scene.isPinned].join(" ") : "";
    if (view.pairKey === key) return;
    view.pairKey = key;
    elements.pair.classList.toggle("chosen", Boolean(cell));
    if (!cell) return;
    const { i, j } = cell;
    setText(elements.sentence, pairSentence(scene.header, i, j));
    showNumbers(view, i, j);
    setText(elements.pinned, `${clustersOf(frame, i, j)}${scene.isPinned ? "Pinned; press Escape to unpin." : ""}`);
    showPictures(view, i, j);
  }
  function showNumbers(view, i, j) {
    const { elements } = view;
    const { run: { kernel }, frame, scene: { header, beta } } = view.current();
    elements.pairWeight.hidden = frame.pending;
    if (frame.pending) return writeFormula(elements.pairDistance, `d² and W: ${PENDING}`);
    const at = i * frame.n + j;
    const pair = `${numberOf(header, i)}, ${numberOf(header, j)}`;
    writeFormula(elements.pairDistance, `d²_{${pair}} = ${formatNumber(frame.d2[at])}`);
    const sum = sumColumn(frame.x, frame.n, beta, j, kernel);
    return writeTerms(elements.pairWeight, pairTerms(pair, beta, frame.x[at], sum, view.weights(frame)[at], kernel));
  }
  function showPictures(view, i, j) {
    const { elements } = view;
    const { frame, scene: { header } } = view.current();
    elements.pairPictures.hidden = !frame.images;
    if (!frame.images) return;
    showImage(elements.own, imageOf(frame, i));
    showImage(elements.other, imageOf(frame, j));
    showImage(elements.both, overlayPair(frame, i, j));
    writeFormula(elements.bothCaption, frame.matrices ? "v_i∘τ on v_j" : "v_i on v_j");
    setLabel(elements.own, `Image i: ${titleOf2(header, i)}`);
    setLabel(elements.other, `Image j: ${titleOf2(header, j)}`);
    setLabel(elements.both, `${frame.matrices ? "Image i aligned with" : "Image i over"} image j: orange and blue, white where they agree`);
  }

  // player/run-view.js
  var MAX_PIXELS = 12e6;
  var MAX_MATRIX_PIXELS = 1e3;
  var MAX_GALLERY_PIXELS = 1600;
  var RunView = class {
    /** @param {import("./player.js").Player} player */
    constructor(player) {
      this.elements = buildRun();
      this.advice = new AdviceView(this.elements.advice, (beta) => player.chooseBeta(this.lane, beta));
      this.matrices = /* @__PURE__ */ new Map();
      this.mosaics = /* @__PURE__ */ new Map();
      this.weighted = /* @__PURE__ */ new Map();
      this.frames = [];
      this.previews = /* @__PURE__ */ new Map();
      this.ghostKey = void 0;
      this.lane = 0;
      this.shown = [];
      this.tiles = void 0;
      this.places = [];
      this.order = [];
      this.groups = void 0;
      this.means = new ClassMeans(this.elements.means);
      this.size = this.ratio = this.pixels = this.edge = this.step = 0;
      this.fitted = "";
      this.mosaic = { width: 0, height: 0, ratio: 1 };
      this.moment = { k: 0, t: 0 };
      this.sentence = "";
      this.formulasKey = void 0;
      this.pairKey = void 0;
      player.elements.runs.append(this.elements.element);
      this.figure = makeMatrixFigure(this, () => player.hold());
      this.elements.enlarge.addEventListener("click", () => this.figure.open());
    }
    /** @param {import("./types.js").RunHeader} run @param {Frame[]} frames @param {import("./types.js").Scene} scene @param {number} lane index of the run */
    show(run, frames, scene, lane) {
      this.lane = lane;
      this.run = run;
      this.frames = frames;
      this.scene = scene;
      const last = frames.length - 1;
      const { k, t } = scene.moment;
      this.moment = k < last ? { k, t } : { k: Math.max(last, 0), t: 0 };
      this.step = shownStep(this.moment);
      this.frame = frames[this.step];
      this.showStatus();
      this.advice.show(scene.header.key, run.run, scene.beta, Boolean(this.frame) && scene.header.advises);
      if (!this.frame) return;
      const { n } = this.frame;
      this.order = scene.order.length === n ? scene.order : Array.from({ length: n }, (_, i) => i);
      this.groups = scene.groups?.ids.length === n ? scene.groups.ids : void 0;
      this.fit();
      if (!this.pixels) return;
      this.paintMatrix();
      this.paintGallery();
      showFormulas(this);
      showPair(this);
      showGhost(this, lane);
      this.figure.update();
    }
    /** The values that are shown, available after `show`. */
    current() {
      const { run, frame, scene } = this;
      if (!run || !frame || !scene) throw new Error("nothing is shown yet");
      return { run, frame, scene };
    }
    showStatus() {
      const { elements, run, frames, scene } = this;
      if (!run || !scene) return;
      setText(elements.title, run.title);
      setLabel(elements.element, run.title);
      elements.element.classList.toggle("empty", !frames.length);
      elements.element.classList.toggle("running", run.running);
      setText(elements.waitText, run.sent ? "Loading the pictures" : run.running ? "Waiting for the first weights" : "There is nothing to show yet. Press Run");
      const done = frames.filter((frame) => !frame.pending).length;
      const part = `iteration ${done - 1} of ${run.expected - 1}`;
      const ended = scene.moment.k > frames.length - 1 ? `ends at iteration ${frames.length - 1}` : "";
      setText(elements.status, !frames.length ? "" : frames.length < run.sent ? "loading" : run.running ? `running, ${part}` : done < run.expected ? `stopped, ${part}` : ended);
    }
    /** The size of both pictures, read from the layout. */
    fit() {
      const { matrix, matrixBox, pictures } = this.elements;
      const { scene } = this.current();
      const key = [pictures.clientWidth, scene.places, scene.ratio, scene.orderKey, scene.groups?.key, this.frame?.n].join(" ");
      if (key !== this.fitted && pictures.clientWidth) this.arrange();
      this.fitted = key;
      this.size = matrixBox.clientWidth;
      this.ratio = Math.min(scene.ratio, MAX_MATRIX_PIXELS / Math.max(this.size, 1));
      this.pixels = Math.round(this.size * this.ratio);
      resizeCanvas(matrix, this.pixels, this.pixels);
      if (this.frame?.points) this.mosaic = { width: this.pixels, height: this.pixels, ratio: this.ratio };
      resizeCanvas(this.elements.gallery, this.mosaic.width, this.mosaic.height);
      this.edge = matrixEdge(this.groups);
    }
    /** Chooses the sizes of all pictures. */
    arrange() {
      const { pictures } = this.elements;
      const { frame, scene } = this.current();
      const space = spaceFor(pictures);
      const groups = this.meanGroups();
      pictures.classList.toggle("points", !frame.images);
      pictures.classList.toggle("meanless", !groups);
      if (!frame.images) return;
      this.shown = chooseShown(this.order);
      const ratio = Math.min(scene.ratio, MAX_GALLERY_PIXELS / space.width);
      const block = this.groups && blockLength(this.shown, this.groups);
      this.tiles = layGallery(this.shown.length, frame.shapes.images, space, ratio, block);
      const height = filledHeight(this.tiles, this.shown.length);
      this.mosaic = { width: Math.round(space.width * ratio), height, ratio };
      const side = sideOfMatrix(groups?.names.length ?? 0, height / ratio, space);
      pictures.style.setProperty("--side", `${side}px`);
      pictures.style.setProperty("--mean", `${meanWidth(space)}px`);
      pictures.classList.toggle("stacked", side + meanWidth(space) > space.width);
    }
    /** The groups whose means are shown, if they are few. */
    meanGroups() {
      const { groups } = this.current().scene;
      return this.frame?.images && this.groups && groups && groups.names.length <= MAX_MEANS ? groups : void 0;
    }
    /** Discards all bitmaps, so that everything is painted again with a new header or theme. */
    clearCaches() {
      this.matrices.clear();
      this.mosaics.clear();
      this.means.clear();
      this.formulasKey = this.pairKey = this.ghostKey = void 0;
    }
    /** The step with means for the released β, until the exact ones arrive; undefined for all other steps. @param {number} step @returns {Frame | undefined} */
    previewOf(step) {
      const { run, scene } = this.current();
      const [data, means] = this.frames;
      const { beta } = scene;
      if (step !== 1 || !means?.images || beta === run.beta || beta !== scene.released[this.lane]) return void 0;
      if (scene.header.settings_pending || !canPreview(data)) return void 0;
      return cached(this.previews, `${data.id} ${beta}`, 2, () => {
        const images = previewMeans(data, this.weights(data));
        return { ...means, id: ++store.count, images: new Uint8Array(images.buffer) };
      });
    }
    /** @param {Frame} frame */
    weights(frame) {
      const { run: { kernel }, scene: { beta } } = this.current();
      return cached(this.weighted, `${frame.id} ${beta}`, 3, () => computeWeights(frame.x, frame.n, beta, kernel));
    }
    /** All values that determine a bitmap, except the frame. */
    styleKey() {
      const { look, orderKey, groups } = this.current().scene;
      return [this.pixels, this.mosaic.width, this.mosaic.height, orderKey, groups?.key, look.dark, look.background].join(" ");
    }
    /** @param {Frame} frame */
    matrixBitmap(frame) {
      const { look, beta } = this.current().scene;
      const key = [frame.id, beta, look.log, look.log || look.ceiling, this.styleKey()].join(" ");
      return cached(this.matrices, key, this.maxBitmaps(), () => paintMatrix(this.weights(frame), frame.n, this.order, this.groups, look, this.pixels, this.ratio));
    }
    /** The mosaic in the images' own poses, in the common pose, or in between (not cached). @param {Frame} step */
    mosaicBitmap(step) {
      const frame = this.previewOf(this.frames.indexOf(step)) ?? step;
      const { header, aligned } = this.current().scene;
      const targets = aligned > 0 ? firstOfGroups(frame, header.labels) : void 0;
      if (targets && aligned < 1) return this.paintAligned(frame, targets, aligned, this.tiles);
      return cached(this.mosaics, `${frame.id} ${targets ? 1 : 0} ${this.styleKey()}`, this.maxBitmaps(), () => targets ? this.paintAligned(frame, targets, 1) : this.paintMosaic(frame.images ?? [], frame.shapes.images));
    }
    /**
     * Warps the images, with no more pixels than the tiles if they are given, which is enough during a movement.
     * @param {Frame} frame
     * @param {number[]} targets
     * @param {number} part
     * @param {{ height: number, width: number }} [tiles]
     */
    paintAligned(frame, targets, part, tiles = { height: Infinity, width: Infinity }) {
      const [n, height, width, channels] = frame.shapes.images;
      const [rows, columns] = [Math.min(height, tiles.height), Math.min(width, tiles.width)];
      const parts = (i) => this.partOf(part, i);
      return this.paintMosaic(warpImages(frame, targets, parts, [rows, columns]), [n, rows, columns, channels]);
    }
    /** The part of a movement that image i has made, group by group. @param {number} part @param {number} i */
    partOf(part, i) {
      return partOf(part, this.groups?.[i] ?? 0, this.current().scene.groups?.names.length ?? 1);
    }
    /** @param {ArrayLike<number>} images @param {number[]} shape */
    paintMosaic(images, shape) {
      return paintMosaic(images, shape, this.shown, this.layOut(), this.groups, this.mosaic.width, this.mosaic.height);
    }
    layOut() {
      if (!this.tiles) throw new Error("the gallery has no tiles yet");
      return this.tiles;
    }
    /** True if the images of the run can be warped onto one another. */
    hasPoses() {
      return Boolean(this.frame?.images && firstOfGroups(this.frame, this.current().scene.header.labels));
    }
    maxBitmaps() {
      return Math.max(3, Math.floor(MAX_PIXELS / Math.max(1, this.pixels ** 2)));
    }
    /** Tasks that paint the bitmaps of a step in advance. @param {number} k */
    preparations(k) {
      const frame = this.frames[k];
      if (!frame || !this.pixels) return [];
      return [() => this.matrixBitmap(frame), () => frame.images && this.tiles && this.mosaicBitmap(frame)];
    }
    /** @param {HTMLCanvasElement} canvas @param {(frame: Frame) => HTMLCanvasElement} bitmapOf */
    crossFade(canvas, bitmapOf) {
      const context = contextOf(canvas);
      const { k, t } = this.moment;
      context.globalAlpha = 1;
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.drawImage(bitmapOf(this.frames[k]), 0, 0);
      context.globalAlpha = t;
      if (t > 0) context.drawImage(bitmapOf(this.frames[k + 1]), 0, 0);
      context.globalAlpha = 1;
      return context;
    }
    paintMatrix() {
      const context = this.crossFade(this.elements.matrix, (frame2) => this.matrixBitmap(frame2));
      const cell = this.cell();
      if (!cell) return;
      const { frame, scene } = this.current();
      const [row, column] = [this.order.indexOf(cell.i), this.order.indexOf(cell.j)];
      const edge = Math.round(this.edge * this.ratio);
      const dim = (from, rows) => dimOtherCells(context, { row: from, column, rows }, frame.n, edge, this.pixels, scene.look.background);
      if (scene.lit.includes("sum")) dim(0, frame.n);
      else if (["W", "kappa"].some((name) => scene.lit.includes(name))) dim(row, 1);
      markCell(context, row, column, frame.n, edge, this.pixels, this.ratio);
    }
    paintGallery() {
      const { frame } = this.current();
      if (frame.points) this.paintPoints();
      else if (frame.images) this.paintTiles();
      this.elements.galleryFigure.hidden = !frame.points && !frame.images;
    }
    paintTiles() {
      const { scene } = this.current();
      const tiles = this.layOut();
      const context = this.meltTiles(tiles);
      this.showMeans();
      const cell = this.cell();
      if (!cell) return;
      const meant = scene.lit.includes("d2") ? [cell.i, cell.j] : scene.lit.includes("mean") ? [cell.j] : [];
      if (meant.length) dimOtherTiles(context, tiles, this.shown, meant, scene.look.background);
      const mark = (i, colour, inset) => this.shown.includes(i) && markTile(context, tiles, this.shown.indexOf(i), toCss(colour), this.mosaic.ratio, inset);
      mark(cell.i, ROW_COLOUR, 0);
      mark(cell.j, COLUMN_COLOUR, cell.i === cell.j ? 1 : 0);
    }
    /** Draws the mosaic; if the images have just moved onto one another, they melt group by group. @param {import("./gallery.js").Tiles} tiles */
    meltTiles(tiles) {
      const { k, t } = this.moment;
      const melts = k === 0 && t > 0 && this.hasPoses();
      if (!melts) return this.crossFade(this.elements.gallery, (one) => this.mosaicBitmap(one));
      const context = contextOf(this.elements.gallery);
      context.clearRect(0, 0, this.mosaic.width, this.mosaic.height);
      context.drawImage(this.mosaicBitmap(this.frames[0]), 0, 0);
      fadeTiles(context, this.mosaicBitmap(this.frames[1]), tiles, this.shown, (i) => this.partOf(t, i));
      return context;
    }
    /** At iteration 0, the means are those of the images in the gallery; later, the images are aligned. */
    showMeans() {
      const groups = this.meanGroups();
      this.elements.means.hidden = !groups;
      if (!groups) return;
      const { run, scene: { aligned } } = this.current();
      const { k, t } = this.moment;
      const [from, to] = [this.frames[k], t > 0 ? this.frames[k + 1] : void 0].map((one, at) => one && (this.previewOf(k + at) ?? one));
      if (from?.images && (!to || to.images)) this.means.show(from, to, t, groups, [k ? 1 : aligned, 1], `${run.title}, iteration ${this.step}: mean of`);
    }
    paintPoints() {
      const { gallery } = this.elements;
      this.shown = this.order;
      const context = contextOf(gallery);
      context.clearRect(0, 0, gallery.width, gallery.height);
      const axes = fitAxes(this.frames, gallery.width, gallery.height);
      this.places = drawScatter(context, this.frames, this.moment, axes, this.groups, this.current().scene.look.text, this.ratio);
      const cell = this.cell();
      if (!cell) return;
      markPoint(context, this.places, cell.i, toCss(ROW_COLOUR), this.ratio, 0);
      markPoint(context, this.places, cell.j, toCss(COLUMN_COLOUR), this.ratio, cell.i === cell.j ? 1 : 0);
    }
    /** The chosen cell, if this run has it. */
    cell() {
      const { frame, scene: { cell } } = this.current();
      return cell && cell.i < frame.n && cell.j < frame.n ? cell : void 0;
    }
    /** The pair under the pointer [css px of the canvas]. @param {EventTarget | null} canvas @param {number} x @param {number} y @returns {Pair | undefined} */
    pairAt(canvas, x, y) {
      if (!this.frame) return void 0;
      if (canvas === this.elements.matrix) {
        const cell = cellAt2(x, y, this.frame.n, this.edge, this.size);
        return cell && { i: this.order[cell.row], j: this.order[cell.column] };
      }
      const [px, py] = [x * this.mosaic.ratio, y * this.mosaic.ratio];
      if (this.frame.points) return ownPair(pointAt(px, py, this.places, 14 * this.ratio));
      const at = this.tiles && tileAt(px, py, this.tiles, this.shown.length);
      return at === void 0 ? void 0 : ownPair(this.shown[at]);
    }
    /**
     * The pair one key press away; the first press chooses the first cell.
     * @param {EventTarget | null} canvas
     * @param {Pair | undefined} pair
     * @param {number} right
     * @param {number} down
     */
    pairBeside(canvas, pair, right, down) {
      const { order, shown } = this;
      const clamp = (at2, length) => Math.max(0, Math.min(length - 1, at2));
      if (canvas === this.elements.matrix) {
        if (!pair) return { i: order[0], j: order[0] };
        const move = (i, by) => order[clamp(order.indexOf(i) + by, order.length)];
        return { i: move(pair.i, down), j: move(pair.j, right) };
      }
      const columns = this.frame?.points ? 1 : this.tiles?.columns ?? 1;
      const at = pair ? shown.indexOf(pair.i) + right + down * columns : 0;
      return ownPair(shown[clamp(at, shown.length)]);
    }
    remove() {
      this.elements.element.remove();
    }
  };
  function ownPair(i) {
    return i === void 0 ? void 0 : { i, j: i };
  }

  // player/player.js
  var SWING_S = 0.7;
  var Player = class {
    /** @param {HTMLElement} parent */
    constructor(parent) {
      this.elements = buildPlayer();
      this.views = [];
      this.frames = [];
      this.shown = { frames: [] };
      this.groups = void 0;
      this.orders = /* @__PURE__ */ new Map();
      this.look = { background: "", text: "", border: "", dark: false, log: false, map: makeColourMap(false) };
      this.exchange = void 0;
      this.hovered = void 0;
      this.paints = 0;
      this.follows = false;
      this.preparing = false;
      this.prepared = void 0;
      this.betaSince = void 0;
      this.previousTick = void 0;
      this.delayed = new DelayedAnswers(this);
      this.request = void 0;
      this.stillness = matchMedia("(prefers-reduced-motion: reduce)");
      this.stop = new AbortController();
      this.places = 0;
      this.resized = new ResizeObserver(() => this.place());
      this.scale = new ColourScale((ceiling) => {
        this.memory.ceiling = ceiling;
        this.invalidate();
      });
      this.onFrames = (name) => name === this.exchange?.header.key ? this.invalidate() : this.receiveFrames(name);
      this.onHighlight = () => this.invalidate();
      parent.append(this.elements.element);
      this.resized.observe(this.elements.element);
      window.addEventListener("resize", () => this.place(), { signal: this.stop.signal });
      store.listeners.add(this.onFrames);
      listen(this);
      this.unshare = shareHighlights(this.elements.element);
      highlights.listeners.add(this.onHighlight);
      exposeState(this);
    }
    /** The exchange with Python, available after `update`. */
    get link() {
      if (!this.exchange) throw new Error("the player has no header yet");
      return this.exchange;
    }
    get memory() {
      return this.link.memory;
    }
    get header() {
      return this.link.header;
    }
    /** Receives a new header, or the old header in a new theme; the user's choices are kept. @param {Header} header @param {(name: string, value: unknown) => void} send */
    update(header, send) {
      this.shown = shownBy(header.key);
      this.exchange = new Exchange(header, send, !this.exchange);
      const { follows, changed, resend } = this.exchange.adoptHeader(this.follows);
      this.follows = follows;
      if (changed) this.shown.ghost = follows ? ghostOf(this.shown, header) : void 0;
      if (changed && !follows) delete this.memory.ceiling;
      this.shown.header = header;
      if (resend.includes("step")) this.delayed.sendStep();
      if (resend.includes("betas")) this.releaseBeta();
      this.link.answerPlaying();
      this.look = { ...this.look, ...readTheme(this.elements.element), log: this.memory.log };
      this.look.map = makeColourMap(this.look.dark);
      this.elements.colourMap.style.backgroundImage = mapGradient(this.look.dark);
      while (this.views.length > header.runs.length) this.views.pop()?.remove();
      while (this.views.length < header.runs.length) this.views.push(new RunView(this));
      for (const view of this.views) view.clearCaches();
      this.place();
      this.elements.element.classList.toggle("one", header.runs.length === 1);
      this.receiveFrames(header.runs[0]?.run);
      const unsent = this.memory.unsent.splice(0);
      if (unsent.includes("betas")) this.releaseBeta();
      else if (unsent.includes("step")) this.delayed.sendStep();
    }
    /** @param {string} run */
    receiveFrames(run) {
      if (!this.exchange?.header.runs.some((one) => one.run === run)) return;
      this.frames = this.header.runs.map((one, at) => this.framesFor(one, at));
      this.shown.frames = this.frames;
      this.groups = groupsOf(this.header, this.frames);
      this.orders = ordersOf(this.header, this.frames, this.groups);
      if (this.memory.waiting && this.last() > 0) this.start();
      this.measureScale();
      this.invalidate();
    }
    /**
     * A run that replaces another shows the old steps until all of its own steps have arrived.
     * @param {import("./types.js").RunHeader} run
     * @param {number} at
     */
    framesFor({ run, sent }, at) {
      const arrived = framesOf(run);
      const previous = this.follows && this.shown.frames[at];
      return previous && arrived.length < sent ? previous : arrived;
    }
    /** Unless the scale adapts to β, it stays that of the first run and its β. */
    measureScale() {
      const { memory, header } = this;
      if (this.frames.length !== memory.betas.length) return;
      const key = [header.runs.map(({ run }) => run), memory.betas].join(" ");
      if (memory.ceiling === void 0 || memory.adapts) memory.scaleKey = key;
      if (memory.scaleKey === key) this.scale.measure(memory.betas, header.runs.map(({ kernel }) => kernel), this.frames);
    }
    /** @param {string} scale "linear", "adapted" or "log" */
    setScale(scale) {
      this.memory.log = scale === "log";
      if (scale !== "log") this.memory.adapts = scale === "adapted";
      this.measureScale();
      this.invalidate();
    }
    start() {
      this.memory.waiting = false;
      this.memory.clock.playing = !this.stillness.matches;
      this.link.answerPlaying();
    }
    last() {
      return Math.max(0, ...this.frames.map((frames) => frames.length - 1));
    }
    growing() {
      return this.header.runs.some((run) => run.running);
    }
    // --- Time -------------------------------------------------------------------------------------
    /** Measures the space for the pictures again. */
    place() {
      this.places += 1;
      this.invalidate();
    }
    invalidate() {
      if (this.exchange) this.request ??= requestAnimationFrame((now) => this.tick(now));
    }
    /** @param {number} now */
    tick(now) {
      this.request = void 0;
      const { clock } = this.memory;
      const seconds = this.previousTick ? Math.min(0.25, (now - this.previousTick) / 1e3) : 0;
      if (clock.playing) {
        advance(clock, seconds, this.last(), this.growing(), this.aligns());
        if (!clock.playing) this.delayed.sendStep();
      }
      const swinging = this.swing(seconds);
      const moving = clock.playing || swinging;
      this.previousTick = moving ? now : void 0;
      this.render();
      if (moving) this.invalidate();
    }
    /** Moves the images towards the requested poses; false if they have arrived or no poses are known. @param {number} seconds */
    swing(seconds) {
      const { memory } = this;
      if (!this.frames.some(([first]) => first?.matrices)) return false;
      const still = this.stillness.matches;
      const position = Math.min(memory.clock.position, this.last());
      const wanted = wayAt(memory.poses, still ? Math.floor(position) : position, still);
      const way = wanted - memory.swing;
      const follows = memory.poses === ALIGNING && !Number.isInteger(position);
      const reach = still || follows ? 1 : seconds / SWING_S;
      memory.swing += Math.sign(way) * Math.min(Math.abs(way), reach);
      return memory.swing !== wanted;
    }
    /** True if the images move onto one another during the first step. */
    aligns() {
      return this.memory.poses === ALIGNING && this.frames.some(([first]) => Boolean(first?.matrices));
    }
    moment() {
      return blend(this.memory.clock.position, this.last(), this.stillness.matches, this.aligns());
    }
    /** One step forward or back, from the step nearest to the position. @param {number} by */
    step(by) {
      const at = Math.min(this.memory.clock.position, this.last());
      this.goTo(by > 0 ? Math.floor(at + 1e-6) + by : Math.ceil(at - 1e-6) + by);
    }
    /** @param {number} position */
    goTo(position) {
      this.memory.waiting = false;
      Object.assign(this.memory.clock, { playing: false, position: Math.max(0, Math.min(position, this.last())) });
      this.delayed.sendStep();
      this.invalidate();
    }
    /** Stops while a dialog is open. @returns {() => void} continues if the player was playing */
    hold() {
      const { clock } = this.memory;
      if (!clock.playing) return () => {
      };
      this.toggle();
      const { position } = clock;
      return () => {
        if (!this.stop.signal.aborted && !clock.playing && clock.position === position) this.toggle();
      };
    }
    toggle() {
      const { clock } = this.memory;
      clock.playing = !clock.playing;
      this.memory.waiting = false;
      if (clock.playing && clock.position >= this.last() && !this.growing()) clock.position = 0;
      if (!clock.playing) this.goTo(shownStep(this.moment()));
      this.link.answerPlaying();
      this.invalidate();
    }
    // --- Picture ----------------------------------------------------------------------------------
    render() {
      const moment = this.moment();
      this.look = { ...this.look, ceiling: this.memory.ceiling, log: this.memory.log };
      const scene = this.scene(moment);
      this.views.forEach((view, at) => view.show(this.header.runs[at], this.frames[at], { ...scene, beta: this.memory.betas[at] }, at));
      showControls(this);
      this.paints += 1;
      if (this.memory.clock.playing) this.prepare(moment.k + 1);
      if (this.betaSince !== void 0) this.measureDelay(this.betaSince);
    }
    /** @param {import("./clock.js").Moment} moment */
    scene(moment) {
      const { header, memory, groups, look } = this;
      const { pinned } = memory;
      const cell = this.hovered ?? pinned;
      const isPinned = pinned !== void 0 && cell?.i === pinned.i && cell.j === pinned.j;
      const name = this.orders.has(memory.order) ? memory.order : AS_GIVEN;
      const order = this.orders.get(name) ?? { indices: [], key: AS_GIVEN };
      const ratio = Math.min(2, devicePixelRatio || 1);
      const lit = highlights.isTerm ? highlights.term.split(" ") : [];
      const { released } = memory;
      const { ghost } = this.shown;
      return { header, moment, places: this.places, groups, look, cell, isPinned, order: order.indices, orderKey: order.key, aligned: memory.swing, ratio, lit, ghost, released };
    }
    /** Paints the next step's bitmaps one at a time, between animation frames. @param {number} k */
    prepare(k) {
      if (this.prepared === k || this.preparing) return;
      this.preparing = true;
      const rest = this.views.flatMap((view) => view.preparations(k));
      const next = () => {
        rest.shift()?.();
        if (rest.length && !this.stop.signal.aborted) {
          setTimeout(next);
          return;
        }
        this.preparing = false;
        this.prepared = k;
      };
      setTimeout(next);
    }
    /** Measures the time from the event on the β slider until the picture is painted. @param {number} start */
    measureDelay(start) {
      this.betaSince = void 0;
      setTimeout(() => {
        performance.clearMeasures("ia:beta");
        performance.measure("ia:beta", { start, end: performance.now() });
      });
    }
    // --- Choices ----------------------------------------------------------------------------------
    /** @param {number} at @param {number} beta @param {number} since */
    setBeta(at, beta, since) {
      this.memory.betas = this.memory.same ? this.memory.betas.map(() => beta) : this.memory.betas.with(at, beta);
      this.betaSince = since;
      this.invalidate();
    }
    /** Sets the slider of a run, as if the user had released it there. @param {number} at @param {number} beta */
    chooseBeta(at, beta) {
      this.setBeta(at, beta, performance.now());
      this.releaseBeta();
    }
    releaseBeta() {
      this.measureScale();
      this.preview();
      this.delayed.sendStep();
      this.delayed.sendBetas();
    }
    /** Shows a preview of the means, after the weights have been painted. */
    preview() {
      setTimeout(() => {
        if (this.stop.signal.aborted) return;
        this.memory.released = [...this.memory.betas];
        this.invalidate();
      });
    }
    hideGhost() {
      this.shown.ghost = void 0;
      this.invalidate();
    }
    /** @param {string} poses */
    setPoses(poses) {
      this.memory.poses = poses;
      this.announce(poseSentence(poses));
      this.invalidate();
    }
    /** @param {Pair | undefined} cell */
    hover(cell) {
      if (cell?.i === this.hovered?.i && cell?.j === this.hovered?.j) return;
      this.hovered = cell;
      this.invalidate();
    }
    /** Pins a pair, or unpins it if it is pinned. @param {Pair | undefined} cell */
    pin(cell) {
      const { memory } = this;
      const again = memory.pinned && cell && memory.pinned.i === cell.i && memory.pinned.j === cell.j;
      memory.pinned = again ? void 0 : cell;
      if (!memory.pinned) this.hovered = void 0;
      memory.pairs += 1;
      this.link.answer("pair", memory.pinned ? [memory.pinned.i, memory.pinned.j] : null, memory.pairs);
      this.invalidate();
    }
    currentStep() {
      return shownStep(this.moment());
    }
    /** For screen readers. @param {string} text */
    announce(text) {
      setText(this.elements.announced, text);
    }
    announcePair() {
      const sentence = this.views[0].elements.sentence.textContent;
      const weights = this.views.map(({ run, elements }) => `${run?.title}, ${elements.pairWeight.textContent}`);
      this.announce(`${sentence}: ${weights.join("; ")}`);
    }
    remove() {
      this.stop.abort();
      this.resized.disconnect();
      this.unshare();
      highlights.listeners.delete(this.onHighlight);
      store.listeners.delete(this.onFrames);
      if (this.request !== void 0) cancelAnimationFrame(this.request);
      this.scale.stop();
      const unsent = this.delayed.stop();
      if (this.exchange) this.memory.unsent = unsent;
      this.elements.element.remove();
    }
  };

  // player/index.js
  var player_default = defineComponent(
    (parent) => new Player(parent),
    (player, call) => player.update(call.data, call.setStateValue),
    (player) => player.remove()
  );

  // prototypes/store.js
  var page4 = (
    /** @type {{ __iaClusters?: ClusterStore }} */
    /** @type {unknown} */
    window
  );
  var store2 = page4.__iaClusters ??= { runs: /* @__PURE__ */ new Map(), listeners: /* @__PURE__ */ new Set(), memory: /* @__PURE__ */ new Map() };
  function storePictures(data) {
    const { metadata, arrays } = readArrays(data.slice());
    const { run, first } = metadata;
    const [count, k, h, w, c] = arrays.pixels.shape;
    const piece = { count, k, h, w, c, pixels: arrays.pixels.values };
    const pieces = store2.runs.get(run) ?? /* @__PURE__ */ new Map();
    store2.runs.set(run, pieces.set(first, piece));
    for (const listener of store2.listeners) listener(run);
    return () => {
      const current = store2.runs.get(run);
      if (current?.get(first) !== piece) return;
      current.delete(first);
      if (!current.size) store2.runs.delete(run);
    };
  }
  function findPicture(run, at, last) {
    const pieces = store2.runs.get(run);
    if (!pieces) return void 0;
    const newest = pieces.get(-1);
    if (at >= last && newest) return { piece: newest, start: 0 };
    for (const [first, piece] of pieces) {
      if (first < 0 || at < first || at >= first + piece.count) continue;
      return { piece, start: (at - first) * piece.k * piece.h * piece.w * piece.c };
    }
    return newest && { piece: newest, start: 0 };
  }

  // prototypes/feeder.js
  var feeder_default3 = defineFeeder(storePictures);

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
  var [LEFT2, RIGHT, ROW2, BOTTOM] = [58, 44, 19, 44];
  var LETTER = 8;
  var GAP3 = 6;
  var AXIS_NAMES = { loss: 104, acc: 60 };
  function drawChart(data) {
    const last = data.seconds.at(-1) ?? 0;
    const end = last > 1.02 * data.budget ? last : Math.max(data.budget, 0.1);
    const x = (seconds) => LEFT2 + (CHART_WIDTH - LEFT2 - RIGHT) * Math.min(seconds, end) / end;
    const hasAcc = data.acc.some((acc) => acc !== null);
    const marks = placeMarks(marksOf(data), x, hasAcc);
    const top = 17 + ROW2 * (1 + Math.max(0, ...marks.map(({ row }) => row)));
    const height = top + PLOT_HEIGHT + BOTTOM;
    const base = height - BOTTOM;
    const losses = data.losses.filter((loss) => loss !== null);
    const [low, high] = losses.length ? [Math.min(...losses), Math.max(...losses)] : [0, 1];
    const margin = Math.max((high - low) * 0.08, 1e-9);
    const lossY = (loss) => top + PLOT_HEIGHT * (high + margin - loss) / (high - low + 2 * margin);
    const accY = (acc) => top + PLOT_HEIGHT * (1 - acc);
    const parts = [`<path class="axis" d="M${LEFT2} ${top}V${base}H${CHART_WIDTH - RIGHT}V${top}"/>`];
    for (const value of [0, end / 2, end]) parts.push(label(x(value), base + 20, significant(value), "middle"));
    parts.push(label((LEFT2 + CHART_WIDTH - RIGHT) / 2, height - 4, "computing time [CPU s]", "middle"));
    if (losses.length > 1) {
      for (const value of [low, high]) parts.push(label(LEFT2 - 6, lossY(value) + 5, significant(value, 2), "end", "loss"));
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
  function tabulateSteps2({ seconds, iterations, losses, acc, nmi, sizes, k }) {
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
        const free = sides.find(({ from }) => !taken.some(([a, b]) => from < b + GAP3 && a < from + width + GAP3));
        if (!free) continue;
        taken.push([free.from, free.from + width]);
        return { at, place: free.place, anchor: free.anchor, row, words, about };
      }
    });
  }
  function drawMarks(marks, base) {
    return marks.flatMap(({ at, place, anchor, row, words, about }) => {
      const y = 20 + ROW2 * row;
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

  // prototypes/elements.js
  var TITLES2 = { play: "Play", pause: "Pause the animation", back: "One picture back", forward: "One picture forward" };
  var HTML2 = `
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
  function buildFilm2() {
    const root = Object.assign(make("div", "clusters"), { innerHTML: HTML2 });
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
    showIcon(parts.play, "play", TITLES2.play);
    showIcon(parts.back, "back", TITLES2.back);
    showIcon(parts.forward, "forward", TITLES2.forward);
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

  // prototypes/strip.js
  var FRAMES = 8;
  var ASPECT = 2.2;
  function showStrip(film, data) {
    const last = film.last();
    const places = [...new Set(Array.from({ length: FRAMES }, (_, part) => Math.round(part * last / (FRAMES - 1))))];
    const key = `${data.run} ${places} ${store2.runs.get(data.run)?.size}`;
    const pictures = places.flatMap((at) => film.picture(at) ?? []);
    if (film.stripKey === key || pictures.length < places.length) return;
    film.stripKey = key;
    film.parts.strip.replaceChildren(...places.map((at, number) => {
      const button2 = makeButton("frame");
      const seconds = numberOrDash(data.seconds[at]);
      button2.dataset.at = String(at);
      button2.append(makeMosaic(pictures[number]), make("span", "", `${seconds} s`));
      button2.setAttribute("aria-label", `The prototypes after ${seconds} seconds`);
      button2.addEventListener("click", () => film.goTo(at));
      return button2;
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
  var MAX_STEPS_PER_S2 = 14;
  var MIN_STEPS_PER_S2 = 4;
  var FULL_FILM_S2 = 5;
  var END_PAUSE_S2 = 1.6;
  var PrototypeFilm = class {
    /** @param {HTMLElement} parent */
    constructor(parent) {
      const { root, parts } = buildFilm2();
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
      store2.listeners.add(this.onPictures);
      this.listen();
      this.expose();
    }
    /** The position and the playing state are kept when Streamlit replaces the element. @param {FilmData} data */
    update(data) {
      if (this.data?.run !== data.run) {
        const known = store2.memory.get(data.key);
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
      const pace = Math.min(MAX_STEPS_PER_S2, Math.max(MIN_STEPS_PER_S2, this.last() / FULL_FILM_S2));
      const seconds = this.at >= this.last() && !this.data?.running ? END_PAUSE_S2 : 1 / pace;
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
      store2.memory.set(data.key, { run: data.run, state: { at, playing, follow } });
      const name = playing ? "pause" : "play";
      showIcon(parts.play, name, TITLES2[name]);
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
      store2.listeners.delete(this.onPictures);
      this.root.remove();
    }
  };

  // prototypes/index.js
  var prototypes_default = defineComponent(
    (parent) => {
      const film = new PrototypeFilm(parent);
      addFigureButton(film.root, "Prototypes of the clusters", () => film.data ? tabulateSteps2(film.data) : []);
      return film;
    },
    (film, { data, setStateValue }) => {
      film.choose = (cluster) => setStateValue("chosen", [cluster, data.run]);
      film.update(data);
    },
    (film) => film.remove()
  );

  // turning/ring.js
  var RING = 15;
  var Ring = class {
    /** @param {(at: number) => void} onTurn */
    constructor(onTurn) {
      this.canvas = makeMap("The picture, rotated");
      this.canvas.className = "ring";
      this.picture = make("canvas");
      this.onTurn = onTurn;
      this.degrees = 0;
      this.held = void 0;
      this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
      this.canvas.addEventListener("pointermove", (event) => this.drag(event));
      for (const type of ["pointerup", "pointercancel"])
        this.canvas.addEventListener(type, () => this.held = void 0);
    }
    /** @param {PointerEvent} event */
    grab(event) {
      this.canvas.setPointerCapture(event.pointerId);
      this.held = this.angleAt(event) - this.degrees;
    }
    /** @param {PointerEvent} event */
    drag(event) {
      if (this.held !== void 0) this.onTurn(nearestAngle(this.angleAt(event) - this.held));
    }
    /** Degrees, anticlockwise from the right. @param {PointerEvent} event */
    angleAt(event) {
      const { left, top, width, height } = this.canvas.getBoundingClientRect();
      const [x, y] = [event.clientX - left - width / 2, event.clientY - top - height / 2];
      return Math.atan2(-y, x) * 180 / Math.PI;
    }
    /** @param {Orbit} orbit @param {number} at @param {Look} look */
    show(orbit, at, look) {
      const [, height, width] = orbit.arrays.images.shape;
      this.degrees = orbit.degrees[at];
      paintValues(this.picture, sliceOf(orbit.arrays.images, at), [height, width], look.grey);
      const ratio = Math.min(2, window.devicePixelRatio || 1);
      const side = Math.round(this.canvas.clientWidth * ratio) || 2;
      resizeCanvas(this.canvas, side, side);
      const context = contextOf(this.canvas);
      const edge = RING * ratio;
      context.clearRect(0, 0, side, side);
      context.save();
      context.beginPath();
      context.arc(side / 2, side / 2, side / 2 - edge, 0, 2 * Math.PI);
      context.fillStyle = "#000";
      context.fill();
      context.clip();
      context.imageSmoothingEnabled = false;
      context.drawImage(this.picture, edge, edge, side - 2 * edge, side - 2 * edge);
      context.restore();
      this.drawRing(context, side, edge, orbit, look);
    }
    /** @param {CanvasRenderingContext2D} context @param {number} side @param {number} edge @param {Orbit} orbit @param {Look} look */
    drawRing(context, side, edge, orbit, look) {
      const [centre, radius] = [side / 2, side / 2 - edge / 2];
      const drawDot = (degrees, size) => {
        const angle = -(degrees + 90) * Math.PI / 180;
        context.beginPath();
        context.arc(centre + radius * Math.cos(angle), centre + radius * Math.sin(angle), size, 0, 2 * Math.PI);
        context.fill();
      };
      context.lineWidth = edge * 0.55;
      context.strokeStyle = look.border;
      context.beginPath();
      context.arc(centre, centre, radius, 0, 2 * Math.PI);
      context.stroke();
      context.fillStyle = look.text;
      for (const degrees of orbit.exact) drawDot(degrees, edge * 0.2);
      context.fillStyle = getComputedStyle(this.canvas).getPropertyValue("--strong") || "#0b5fa5";
      drawDot(this.degrees, edge * 0.48);
    }
  };

  // turning/row.js
  var EXACT = 1e-4;
  var Row = class {
    /** @param {import("./orbit.js").NetworkRow} row @param {number} number @param {() => void} onView called when another map is chosen */
    constructor(row, number, onView) {
      this.row = row;
      this.at = Math.max(0, row.views.findIndex(({ spread }) => spread > FLAT));
      const description = make("div", "network");
      this.error = make("b", "error");
      this.verdict = make("span", "verdict");
      this.prediction = make("div", "prediction");
      this.scale = makeScale();
      const name = make("div", `name line-${number}`);
      name.append(...renderName(row.title));
      description.append(name, this.makeButtons(onView), this.error, this.verdict, this.prediction, this.scale);
      this.maps = ["map", "map rotated back", "difference"].map((what) => makeMap(`${plainName(row.title)}: ${what}`));
      this.arrows = make("canvas", "arrows");
      this.arrows.setAttribute("aria-hidden", "true");
      const frames = this.maps.map((canvas, at) => {
        const frame = make("div", at ? "map disc" : "map");
        frame.append(canvas);
        return frame;
      });
      frames[0].append(this.arrows);
      this.cells = [description, ...frames];
    }
    get view() {
      return this.row.views[this.at];
    }
    /** Buttons to choose one of the row's maps, if there are several. @param {() => void} onView */
    makeButtons(onView) {
      const group = make("div", "choose");
      if (this.row.views.length < 2) return group;
      group.setAttribute("role", "group");
      group.setAttribute("aria-label", `Which map of ${plainName(this.row.title)}`);
      const buttons = this.row.views.map(({ name, about }) => Object.assign(makeButton("", name), { title: about }));
      const mark = () => buttons.forEach((button2, at) => button2.setAttribute("aria-pressed", String(at === this.at)));
      buttons.forEach((button2, at) => button2.addEventListener("click", () => {
        this.at = at;
        mark();
        onView();
      }));
      mark();
      group.append(...buttons);
      return group;
    }
    /** @param {Orbit} orbit */
    errors(orbit) {
      return orbit.arrays[this.view.error].values;
    }
    /** @param {Orbit} orbit @param {number} at @param {Look} look */
    show(orbit, at, look) {
      const { view } = this;
      const { arrays } = orbit;
      const size = arrays[view.heat].shape.slice(1);
      const back = sliceOf(arrays[view.back], at);
      this.arrows.hidden = !view.arrows;
      showScale(this.scale, view.low, view.high, look);
      this.scale.title = view.about;
      paintValues(this.maps[0], sliceOf(arrays[view.heat], at), size, look.map);
      paintValues(this.maps[1], back, size, look.map);
      paintValues(this.maps[2], subtractMaps(back, arrays[view.upright].values, size[1]), size, look.signed);
      if (view.arrows) {
        const arrows = arrays[view.arrows];
        paintArrows(this.arrows, sliceOf(arrows, at), arrows.shape[1], look.dark ? "#ff9d5c" : "#c2410c");
      }
      this.describe(orbit, at);
    }
    /** @param {Orbit} orbit @param {number} at */
    describe(orbit, at) {
      const error = this.errors(orbit)[at];
      this.error.textContent = formatError(error);
      const [words, kind] = verdictOf(orbit, at, error);
      this.verdict.textContent = words;
      this.verdict.className = `verdict ${kind}`;
      const [label2, sure] = [orbit.arrays[this.row.says].values[at], orbit.arrays[this.row.sure].values[at]];
      this.prediction.textContent = `says ${orbit.classes[label2]}, ${Math.round(100 * sure)} %`;
    }
  };
  function verdictOf(orbit, at, error) {
    if (at === 0 && !orbit.mirrored) return ["upright", ""];
    if (error < EXACT) return ["exact", "good"];
    return orbit.exact.includes(orbit.degrees[at]) ? ["not exact", "bad"] : ["in between", ""];
  }

  // turning/track.js
  var [TRACK_HEIGHT, TRACK_TOP, THUMB2] = [92, 8, 18];
  var MIN_WIDTH = 240;
  var STROKES = [
    ["var(--first)", ""],
    ["var(--second)", "7 5"]
  ];
  var Track = class {
    /** @param {(at: number) => void} onTurn */
    constructor(onTurn) {
      this.root = make("div", "track");
      this.plot = make("div", "plot");
      this.slider = makeSlider({ min: 0, step: 1 });
      this.slider.setAttribute("aria-label", "Rotation of the picture");
      this.marks = make("div", "marks");
      this.axis = make("div", "axis");
      this.place = () => 0;
      this.root.append(this.axis, this.plot, this.slider, this.marks);
      this.slider.addEventListener("input", () => onTurn(Number(this.slider.value)));
    }
    /** Draws one curve for each row, at the measured width, so that letters keep their size. @param {Orbit} orbit @param {ArrayLike<number>[]} errors */
    draw(orbit, errors) {
      const width = Math.max(MIN_WIDTH, this.root.clientWidth);
      const count = orbit.degrees.length;
      const top = Math.max(0.1, ...errors.flatMap((error) => [...Array.from(error)]));
      const x = (at) => THUMB2 / 2 + at / count * (width - THUMB2);
      const y = (value) => TRACK_TOP + (1 - value / top) * (TRACK_HEIGHT - TRACK_TOP - 4);
      const points = (error) => [...Array.from(error), error[0]].map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
      const exact = [...orbit.exact, 360].map((degrees) => degrees / 360 * count);
      const curves = errors.map((error, row) => {
        const [colour, dash] = STROKES[row % 2];
        const look = `fill="none" stroke="${colour}" stroke-width="2.5" stroke-dasharray="${dash}"`;
        const dots = exact.map((at) => `<circle cx="${x(at)}" cy="${y(error[at % count])}" r="4" fill="${colour}"/>`);
        return `<polyline points="${points(error)}" ${look}/>${dots.join("")}`;
      });
      const lines = exact.map((at) => `<line x1="${x(at)}" x2="${x(at)}" y1="0" y2="${TRACK_HEIGHT}" class="exact"/>`);
      this.plot.innerHTML = `<svg width="${width}" height="${TRACK_HEIGHT}" role="img"
      aria-label="Relative error against the angle; the first row falls to 0 at 0, 90, 180 and 270 degrees">
      ${lines.join("")}${curves.join("")}<line class="now" y1="0" y2="${TRACK_HEIGHT}"/></svg>`;
      this.axis.textContent = `relative error [no unit], 0 to ${top.toFixed(2)}, against the angle [°]`;
      this.place = x;
      this.showMarks(orbit, (degrees) => x(degrees / 360 * count));
      this.slider.max = String(count);
    }
    /** @param {Orbit} orbit @param {Place} x */
    showMarks(orbit, x) {
      this.marks.replaceChildren(...[...orbit.exact, 360].map((degrees) => {
        const mark = make("span", "", `${degrees}°`);
        mark.style.left = `${x(degrees)}px`;
        return mark;
      }));
    }
    /** @param {Orbit} orbit @param {number} at */
    show(orbit, at) {
      const line = this.plot.querySelector(".now");
      for (const end of ["x1", "x2"]) line?.setAttribute(end, String(this.place(at)));
      if (Number(this.slider.value) % orbit.degrees.length !== at) this.slider.value = String(at);
      this.slider.setAttribute("aria-valuetext", `${orbit.degrees[at]} degrees anticlockwise`);
    }
  };

  // turning/view.js
  var ANGLE_MS = 45;
  var EXACT_MS = 1e3;
  var AUTOPLAY_TURNS = 1.25;
  var ANGLE_PAUSE_MS = 600;
  var HEADS = ["", "map [no unit]", "rotated back", "minus the upright map"];
  var TurningView = class {
    /** @param {HTMLElement} parent */
    constructor(parent) {
      this.root = make("div", "turning");
      this.ring = new Ring((at) => this.turnTo(at));
      this.track = new Track((at) => this.turnTo(at));
      this.angle = make("output");
      this.table = make("div", "rows");
      this.play = makeButton("play");
      const [stage, left, bar] = [make("div", "stage"), make("div", "left"), make("div", "bar")];
      bar.append(this.play, this.angle);
      left.append(this.ring.canvas, bar);
      stage.append(left, this.table);
      this.root.append(stage, this.track.root);
      parent.append(this.root);
      this.rows = [];
      this.key = void 0;
      this.look = void 0;
      this.timer = void 0;
      this.answerTimer = void 0;
      this.answerAngle = (_) => {
      };
      this.onTurn = () => this.render();
      this.resized = new ResizeObserver(() => this.layOut());
      this.play.addEventListener("click", () => this.timer === void 0 ? this.start() : this.pause());
      this.root.addEventListener("keydown", (event) => this.onKey(event));
      turning.listeners.add(this.onTurn);
      this.resized.observe(this.root);
      const state = () => ({ at: turning.at, key: this.key, playing: this.timer !== void 0 });
      Object.assign(this.root, { __turning: { state } });
    }
    /** The angle is kept when the picture or the element is replaced. @param {Uint8Array} data */
    update(data) {
      const look = readLook(this.root);
      const isThemed = this.look?.dark !== look.dark;
      this.look = look;
      if (this.key !== readKey(data)) this.showOrbit(readOrbit(data));
      else if (isThemed) this.layOut();
    }
    /** @param {Orbit} orbit */
    showOrbit(orbit) {
      const isFirst = turning.current === void 0;
      this.key = orbit.key;
      turning.current = orbit;
      if (isFirst) turning.at = nearestAngle(orbit.start);
      this.rows = orbit.rows.map((row, number) => new Row(row, number, () => this.layOut()));
      const heads = HEADS.map((words) => make("div", "head", words));
      this.table.replaceChildren(...heads, ...this.rows.flatMap((row) => row.cells));
      this.layOut();
      notify();
      if (isFirst && orbit.autoplay && !prefersStillness()) this.start(Math.round(AUTOPLAY_TURNS * orbit.degrees.length));
    }
    layOut() {
      const orbit = turning.current;
      if (!orbit || !this.root.clientWidth) return;
      this.track.draw(orbit, this.rows.map((row) => row.errors(orbit)));
      this.render();
    }
    render() {
      const { current: orbit, at } = turning;
      const { look } = this;
      if (!orbit || !look) return;
      this.ring.show(orbit, at, look);
      this.track.show(orbit, at);
      for (const row of this.rows) row.show(orbit, at, look);
      this.angle.textContent = `${orbit.mirrored ? "⇋ " : ""}${orbit.degrees[at]}°`;
      this.root.dataset.at = String(at);
      this.showPlaying();
    }
    /** @param {number} at */
    turnTo(at) {
      this.pause();
      showAngle(at);
      clearTimeout(this.answerTimer);
      this.answerTimer = setTimeout(() => {
        if (turning.current) this.answerAngle(turning.current.degrees[turning.at]);
      }, ANGLE_PAUSE_MS);
    }
    /** Rotates automatically, with a pause where everything is exact, for a number of angles. @param {number} [angles] */
    start(angles = Infinity) {
      const { current: orbit, at } = turning;
      if (!orbit) return;
      this.timer = setTimeout(() => {
        showAngle(turning.at + 1);
        if (angles > 1) this.start(angles - 1);
        else this.pause();
      }, orbit.exact.includes(orbit.degrees[at]) ? EXACT_MS : ANGLE_MS);
      this.showPlaying();
    }
    pause() {
      clearTimeout(this.timer);
      this.timer = void 0;
      this.showPlaying();
    }
    /** @param {KeyboardEvent} event */
    onKey(event) {
      if (event.key !== " " || event.target === this.play) return;
      event.preventDefault();
      this.play.click();
    }
    showPlaying() {
      if (this.timer === void 0) showIcon(this.play, "play", "Rotate");
      else showIcon(this.play, "pause", "Pause the rotation");
    }
    remove() {
      this.pause();
      clearTimeout(this.answerTimer);
      turning.listeners.delete(this.onTurn);
      this.resized.disconnect();
      this.root.remove();
    }
  };

  // turning/index.js
  var turning_default = defineComponent(
    (parent) => {
      const view = new TurningView(parent);
      addFigureButton(view.root, "Maps of two networks for a rotated picture", () => tabulateAngles(turning.current));
      return view;
    },
    (view, { data, setStateValue }) => {
      view.answerAngle = (degrees) => setStateValue("angle", degrees);
      view.update(data);
    },
    (view) => view.remove()
  );

  // site/stage.js
  var COMPONENTS = {
    drawing: { show: drawing_default },
    layers: { show: layers_default },
    mean_film: { show: mean_film_default, feed: feeder_default },
    player: { show: player_default, feed: feeder_default2 },
    prototypes: { show: prototypes_default, feed: feeder_default3 },
    turning: { show: turning_default }
  };
  var DARK = matchMedia("(prefers-color-scheme: dark)");
  var Stage = class {
    /** @param {HTMLElement} element */
    constructor(element) {
      this.element = element;
      this.wanted = "";
      this.removals = [];
      this.draws = [];
      DARK.addEventListener("change", () => this.draws.forEach((draw) => draw()));
    }
    /** @param {string} name @param {Settings} settings */
    async show(name, settings) {
      const wanted = JSON.stringify([name, settings]);
      if (this.wanted === wanted) return;
      this.wanted = wanted;
      this.element.setAttribute("aria-busy", "true");
      try {
        const parts = await loadFilm(name);
        if (this.wanted !== wanted) return;
        this.clear();
        await Promise.all(parts.map((part) => this.mount(part, name, settings)));
      } catch (error) {
        if (this.wanted !== wanted) return;
        this.wanted = "";
        this.element.setAttribute("aria-busy", "false");
        this.clear();
        this.element.append(make("p", "failed", `This animation cannot be shown: ${error}. Reload the page; if that does not help, update your browser.`));
      }
      if (this.wanted === wanted) this.element.setAttribute("aria-busy", "false");
    }
    clear() {
      for (const remove of this.removals.splice(0)) remove();
      this.draws = [];
      this.element.replaceChildren();
    }
    /** @param {Part} part @param {string} name @param {Settings} settings */
    async mount({ component, data, pieces }, name, settings) {
      const host = make("div", component);
      const inner = make("div");
      const style = Object.assign(make("link"), { rel: "stylesheet", href: `files/${component}.css` });
      const styled = new Promise((done) => ["load", "error"].forEach((type) => style.addEventListener(type, done)));
      host.attachShadow({ mode: "open" }).append(style, inner);
      this.element.append(host);
      await styled;
      if (!host.isConnected) return;
      const { show, feed } = COMPONENTS[component];
      if (feed) for (const piece of pieces) this.removals.push(feed({ data: piece, parentElement: make("div") }));
      let chosen2 = data?.chosen;
      const setStateValue = (answer, value) => {
        if (answer !== "chosen") return;
        chosen2 = value[0];
        draw();
      };
      const draw = () => {
        const received = data ? { ...data, key: name, ...settings, chosen: chosen2 } : component === "drawing" ? readDrawing(pieces) : pieces[0];
        remove = show({ data: received, parentElement: inner, setStateValue, setTriggerValue: () => {
        } });
      };
      let remove = () => {
      };
      draw();
      this.draws.push(draw);
      this.removals.push(() => remove());
    }
  };
  function readDrawing([light, dark]) {
    return new TextDecoder().decode(DARK.matches && dark ? dark : light);
  }
  var stages = /* @__PURE__ */ new WeakMap();
  function showFilm(element, name, settings = {}) {
    const stage = stages.get(element) ?? new Stage(element);
    stages.set(element, stage);
    return stage.show(name, settings);
  }
  function removeFilm(element) {
    const stage = stages.get(element);
    stage?.clear();
    if (stage) stage.wanted = "";
  }

  // site/pages.js
  var KEYS = { PageDown: ".next", PageUp: ".back" };
  var LAST = "last";
  var ANSWERED = "answered";
  function openLesson() {
    const lesson = document.querySelector(".lesson");
    if (!lesson) return;
    const captions = [...lesson.querySelectorAll(".caption")].map((caption) => (
      /** @type {HTMLElement} */
      caption
    ));
    let shown = 0;
    const show = () => showCaption(lesson, captions, shown = indexIn(location.hash, captions.length) ?? shown);
    addEventListener("hashchange", show);
    lesson.addEventListener(ANSWERED, show);
    document.addEventListener("keydown", (event) => onKey2(event, lesson), { capture: true });
    show();
  }
  function showCaption(lesson, captions, at) {
    captions.forEach((caption, index) => caption.hidden = index !== at);
    const isAsked = captions[at].querySelector(".question:not([data-answered])") !== null;
    const { film = "", settings = "{}", asked = "", back = "", next = "", where = "" } = captions[at].dataset;
    const begins = isAsked ? asked : settings;
    const steps = { ".back": back, ".next": next };
    for (const [name, address] of Object.entries(steps)) setLink(
      /** @type {HTMLAnchorElement} */
      find(lesson, name),
      address
    );
    find(lesson, ".where").textContent = where;
    find(captions[at], ".told").hidden = isAsked;
    const stage = find(lesson, ".stage");
    stage.hidden = !film || !begins;
    if (stage.hidden) removeFilm(stage);
    else showFilm(stage, film, JSON.parse(begins));
    find(lesson, ".captions").scrollTop = 0;
    scrollTo(0, 0);
  }
  function setLink(link, address) {
    if (address) link.href = address;
    else link.removeAttribute("href");
    link.setAttribute("aria-disabled", String(!address));
  }
  function onKey2(event, lesson) {
    const name = KEYS[
      /** @type {keyof typeof KEYS} */
      event.key
    ];
    const inDialog = event.composedPath().some((element) => element instanceof HTMLDialogElement);
    if (!name || event.ctrlKey || event.metaKey || event.altKey || inDialog) return;
    event.preventDefault();
    event.stopPropagation();
    find(lesson, name).click();
  }
  function indexIn(hash, count) {
    const name = hash.slice(1);
    if (name === LAST) return count - 1;
    return /^\d+$/.test(name) ? Math.max(1, Math.min(Number(name), count)) - 1 : void 0;
  }
  function openGallery() {
    const gallery = document.querySelector(".gallery-page");
    if (!gallery) return;
    const links = [...gallery.querySelectorAll("a.choice")].map((link) => (
      /** @type {HTMLAnchorElement} */
      link
    ));
    const show = (moves) => {
      const link = links.find(({ hash }) => hash === location.hash) ?? (moves ? void 0 : links[0]);
      if (!link) return;
      for (const one of links) {
        if (one === link) one.setAttribute("aria-current", "true");
        else one.removeAttribute("aria-current");
      }
      find(gallery, ".film-title").textContent = find(link, "b").textContent;
      find(gallery, ".film-about").textContent = find(link, ".about").textContent;
      showFilm(find(gallery, ".stage"), link.hash.slice(1), { autoplay: true });
      if (moves) find(gallery, ".film").scrollIntoView();
    };
    addEventListener("hashchange", () => show(true));
    show(false);
  }
  function openQuiz() {
    const questions = [...document.querySelectorAll(".question")];
    for (const question of questions) {
      question.hidden = false;
      for (const answer of question.querySelectorAll(".answer"))
        find(answer, "button").addEventListener("click", () => {
          reveal(question, answer);
          countRight(questions);
        });
    }
  }
  function reveal(question, chosen2) {
    for (const answer of question.querySelectorAll(".answer")) {
      find(answer, "button").setAttribute("aria-pressed", String(answer === chosen2));
      find(answer, ".why").hidden = answer !== chosen2;
    }
    question.setAttribute("data-answered", String(chosen2.hasAttribute("data-right")));
    question.dispatchEvent(new Event(ANSWERED, { bubbles: true }));
  }
  function countRight(questions) {
    const score = document.querySelector(".score");
    const right = questions.filter((question) => question.getAttribute("data-answered") === "true").length;
    const answered = questions.filter((question) => question.hasAttribute("data-answered")).length;
    if (score) score.textContent = `${answered} of ${questions.length} questions answered, ${right} of them right.`;
  }

  // site/file.js
  function open() {
    document.documentElement.classList.add("scripted");
    openLesson();
    openGallery();
    openQuiz();
    for (const element of document.querySelectorAll(".stage[data-film]"))
      showFilm(
        /** @type {HTMLElement} */
        element,
        String(element.getAttribute("data-film")),
        { autoplay: true }
      );
  }
  return __toCommonJS(file_exports);
})();
