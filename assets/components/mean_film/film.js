// The animation of a mean (μ, the aligned images and the plain average), played and stepped in the browser.

import { find, make, makeButton, prefersStillness, targetOf } from "../shared/dom.js";
import { writeTerms } from "../shared/formula.js";
import { framesOf, store } from "../shared/frame_store.js";
import { shareHighlights } from "../shared/highlights.js";
import { showIcon } from "../shared/icons.js";
import { significant } from "../shared/numbers.js";
import { Charts } from "./charts.js";
import { buildFilm, meanTerms, TITLES, writeCaption } from "./elements.js";
import { imageAt, makePicture, paintImages, widthOfImage } from "./pictures.js";
import { summariesOf } from "./summaries.js";

/** @typedef {import("../shared/frame_store.js").Frame} Frame */
/** @typedef {import("./summaries.js").Summary} Summary */
/**
 * @typedef {object} FilmData
 * @property {string} key
 * @property {string} run
 * @property {string} plain the run whose only frame is the plain average
 * @property {number} expected number of iterations
 * @property {number} places number of steps of the animation
 * @property {boolean} running
 * @property {boolean} autoplay
 * @property {number | null} start iteration at which the animation starts
 * @property {number} jump
 * @property {[number, number] | null} pair
 * @property {number} plainSharpness
 * @property {string[]} colours
 */

const MAX_STEPS_PER_S = 12;
const MIN_STEPS_PER_S = 2;
const FULL_FILM_S = 4; // shorter animations play more slowly
const END_PAUSE_S = 1.5;
const STEP_PAUSE_MS = 600; // without a change of the step, before it is sent to Python
const STRIP = [0, 0.1, 0.2, 0.5, 1]; // Figure 5 shows the first, the middle and the last

export class MeanFilm {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    const { root, parts, pictures } = buildFilm();
    this.root = root;
    this.parts = parts;
    this.pictures = pictures;
    parent.append(root);
    this.charts = new Charts(find(root, ".charts"), (at) => this.goTo(at), (i) => this.pick(i));
    /** @type {FilmData | undefined} */
    this.data = undefined;
    /** @type {Frame[]} */
    this.frames = [];
    /** @type {Summary[]} */
    this.steps = [];
    /** @type {Frame | undefined} the plain average and the images */
    this.plain = undefined;
    /** @type {[number, number] | null} */
    this.pair = null;
    /** @type {number | null} iteration at which the animation starts, until it has arrived */
    this.start = null;
    this.at = 0;
    this.jump = 0;
    this.playing = false;
    this.loop = true;
    this.speed = 1;
    /** @type {string | undefined} */
    this.stripKey = undefined;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {number | undefined} */
    this.stepTimer = undefined;
    this.answerStep = (/** @type {number} */ _) => {};
    this.answerPicked = (/** @type {number} */ _) => {};
    this.onFrames = (/** @type {string} */ run) => {
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
    if (target.matches(".term") && /^Arrow/.test(event.key)) return; // these keys move along the formula
    const at = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last() }[event.key];
    if (event.key === " ") this.toggle();
    else if (at !== undefined) this.goTo(at);
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
    if (!this.playing || this.timer !== undefined) return;
    const atEnd = this.at >= this.last();
    if (atEnd && this.data?.running) return;
    if (atEnd && !this.loop) {
      this.toggle();
      return;
    }
    const pace = Math.min(MAX_STEPS_PER_S, Math.max(MIN_STEPS_PER_S, this.frames.length / FULL_FILM_S));
    const seconds = (atEnd ? END_PAUSE_S : 1 / pace) / this.speed;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (!this.playing) return;
      const end = this.at >= this.last();
      if (!end || !this.data?.running) this.at = end ? 0 : this.at + 1;
      this.render();
      this.schedule();
    }, 1000 * seconds);
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
      other.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (other).dataset.at === String(this.at)));
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
      const button = makeButton("");
      button.dataset.at = String(at);
      const words = make("span");
      words.append(`k = ${k}`, make("br"), `sharpness ${significant(sharpness)}`);
      button.append(makePicture(this.frames[at], 0, `μ at iteration ${k}`), words);
      button.addEventListener("click", () => this.goTo(at));
      return button;
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
}
