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
    parent.querySelector(".projector")?.remove();
    parent.append(this.root);
    const { signal } = this.stop;
    window.addEventListener("pointerdown", () => this.clicked = true, { signal, capture: true });
    window.addEventListener("keydown", (event) => this.intercept(event), { signal, capture: true });
    document.addEventListener("keydown", (event) => this.onKey(event), { signal });
    document.addEventListener("fullscreenchange", () => {
      if (this.on && !document.fullscreenElement) this.leave();
    }, { signal });
    this.timer = setInterval(() => {
      this.stayOut();
      this.retryCaption();
    }, CHECK_MS);
  }
  /** @param {boolean} on */
  update(on) {
    if (this.on === on) return;
    this.on = on;
    this.root.classList.toggle("on", on);
    const buttons = on ? [
      keyButton("Play / pause", "Space", "Space", () => this.play()),
      keyButton("Settings", "S", "S", () => this.toggleSettings()),
      keyButton("Exit", "Esc", "Escape", () => this.leave())
    ] : [keyButton("Projector", "P", "P", () => this.enter())];
    this.root.replaceChildren(...buttons);
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
  toggleSettings() {
    document.documentElement.toggleAttribute(SHOW_SETTINGS);
  }
  /** Presses the first play button of the page. */
  play() {
    const hosts = [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")];
    const buttons = hosts.flatMap(({ shadowRoot }) => [...shadowRoot?.querySelectorAll("[data-do=play], button.play") ?? []]);
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
    this.open = Boolean(document.querySelector(OPEN));
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
    if (event.defaultPrevented || this.open || isCombined(event)) return;
    const target = (
      /** @type {HTMLElement} */
      event.composedPath()[0]
    );
    if (!target.matches?.(TYPED) && this.act(event.key, target)) event.preventDefault();
  }
  /** Performs the action of a key; true if it has one. @param {string} key @param {HTMLElement} target */
  act(key, target) {
    const letter = key.toLowerCase();
    if (!this.on && letter === "p") this.enter();
    else if (!this.on) return false;
    else if (key === "Escape") this.leave();
    else if (letter === "s") this.toggleSettings();
    else if (key === " " && target === document.body) this.play();
    else return false;
    return true;
  }
  remove() {
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
function isCombined({ repeat, ctrlKey, metaKey, altKey }) {
  return repeat || ctrlKey || metaKey || altKey;
}
function keyButton(words, hint, shortcut, act) {
  const button = makeButton("");
  const key = make("kbd", "", hint);
  key.setAttribute("aria-hidden", "true");
  button.append(words, key);
  button.setAttribute("aria-keyshortcuts", shortcut);
  button.addEventListener("click", act);
  return button;
}

// projector/history.js
var PLACE_PARAMETERS = ["lesson", "entry"];
var TRANSIENT_MS = 1e3;
function placeOf(url) {
  const { pathname, searchParams } = new URL(url ?? "", location.href);
  const values = PLACE_PARAMETERS.map((name) => searchParams.get(name) ?? "");
  return { path: pathname, name: values.join("\n"), isEmpty: values.every((value) => !value) };
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
var SPACE = "http://www.w3.org/2000/svg";
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
  const whole = document.createElementNS(SPACE, "svg");
  const set = (element, values) => {
    for (const [name, value] of Object.entries(values)) element.setAttribute(name, String(value));
  };
  set(whole, { xmlns: SPACE, width, height, viewBox: `0 0 ${width} ${height}`, style: `font-family:${getComputedStyle(plot).fontFamily.replaceAll('"', "'")}` });
  const ground = document.createElementNS(SPACE, "rect");
  set(ground, { width, height, fill: getComputedStyle(document.body).getPropertyValue("--st-background-color").trim() || "#ffffff" });
  const title = document.createElementNS(SPACE, "title");
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
    const show = () => {
      const view = views.get(name);
      if (!view || !plot.isConnected || isShown(plot, view) || !tries--) return;
      isShowing = true;
      showView(plot, view);
      isShowing = false;
    };
    addPlotFiles(plot);
    plot.on("plotly_afterplot", () => {
      addPlotFiles(plot);
      setTimeout(show);
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
    bar.update(data.on);
  },
  (bar) => bar.remove()
);
export {
  projector_default as default
};
