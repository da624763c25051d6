// The player: its picture at each moment, and the effects of the user's choices.

import { makeColourMap, mapGradient, readTheme } from "../shared/colours.js";
import { setText } from "../shared/dom.js";
import { framesOf, store } from "../shared/frame_store.js";
import { highlights, shareHighlights } from "../shared/highlights.js";
import { advance, ALIGNING, blend, shownStep, wayAt } from "./clock.js";
import { ColourScale } from "./colour-scale.js";
import { listen, showControls } from "./controls.js";
import { DelayedAnswers } from "./delayed-answers.js";
import { buildPlayer } from "./elements.js";
import { Exchange } from "./exchange.js";
import { AS_GIVEN, groupsOf, ordersOf } from "./groups.js";
import { ghostOf, shownBy } from "./ghost.js";
import { exposeState } from "./inspect.js";
import { RunView } from "./run-view.js";
import { poseSentence } from "./words.js";

/** @typedef {import("../shared/frame_store.js").Frame} Frame */
/** @typedef {import("./types.js").Header} Header */
/** @typedef {import("./types.js").Pair} Pair */

const SWING_S = 0.7; // duration of the animation from each image's own pose to the common pose

export class Player {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.elements = buildPlayer();
    /** @type {RunView[]} */
    this.views = [];
    /** @type {Frame[][]} */
    this.frames = [];
    /** @type {import("./ghost.js").Shown} */
    this.shown = { frames: [] };
    /** @type {import("./types.js").Groups | undefined} */
    this.groups = undefined;
    /** @type {Map<string, import("./types.js").Order>} */
    this.orders = new Map();
    /** @type {import("./types.js").Look} */
    this.look = { background: "", text: "", border: "", dark: false, log: false, map: makeColourMap(false) };
    /** @type {Exchange | undefined} */
    this.exchange = undefined;
    /** @type {Pair | undefined} */
    this.hovered = undefined;
    this.paints = 0;
    this.follows = false; // true if the run has replaced another
    this.preparing = false;
    /** @type {number | undefined} */
    this.prepared = undefined;
    /** @type {number | undefined} time of the event that changed β [ms] */
    this.betaSince = undefined;
    /** @type {number | undefined} time of the last animation frame [ms] */
    this.previousTick = undefined;
    this.delayed = new DelayedAnswers(this);
    /** @type {number | undefined} */
    this.request = undefined;
    this.stillness = matchMedia("(prefers-reduced-motion: reduce)");
    this.stop = new AbortController();
    this.places = 0; // number of times that the player may have moved on the page
    this.resized = new ResizeObserver(() => this.place());
    this.scale = new ColourScale((ceiling) => {
      this.memory.ceiling = ceiling;
      this.invalidate();
    });
    this.onFrames = (/** @type {string} */ name) => (name === this.exchange?.header.key ? this.invalidate() : this.receiveFrames(name));
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
    if (changed) this.shown.ghost = follows ? ghostOf(this.shown, header) : undefined;
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
    if (memory.ceiling === undefined || memory.adapts) memory.scaleKey = key;
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
    this.request = undefined;
    const { clock } = this.memory;
    const seconds = this.previousTick ? Math.min(0.25, (now - this.previousTick) / 1000) : 0;
    if (clock.playing) {
      advance(clock, seconds, this.last(), this.growing(), this.aligns());
      if (!clock.playing) this.delayed.sendStep(); // at the end
    }
    const swinging = this.swing(seconds);
    const moving = clock.playing || swinging;
    this.previousTick = moving ? now : undefined;
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
    if (!clock.playing) return () => {};
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
    if (this.betaSince !== undefined) this.measureDelay(this.betaSince);
  }

  /** @param {import("./clock.js").Moment} moment */
  scene(moment) {
    const { header, memory, groups, look } = this;
    const { pinned } = memory;
    const cell = this.hovered ?? pinned;
    const isPinned = pinned !== undefined && cell?.i === pinned.i && cell.j === pinned.j;
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
    this.betaSince = undefined;
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
    this.shown.ghost = undefined;
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
    memory.pinned = again ? undefined : cell;
    if (!memory.pinned) this.hovered = undefined;
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
    if (this.request !== undefined) cancelAnimationFrame(this.request);
    this.scale.stop();
    // The next player with this memory sends the unsent answers, because Python ignores a removed player.
    const unsent = this.delayed.stop();
    if (this.exchange) this.memory.unsent = unsent;
    this.elements.element.remove();
  }
}
