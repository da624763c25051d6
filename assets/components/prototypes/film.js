// The animation of a clustering run: all prototypes of a step, the strip of steps, loss and accuracy.

import { prefersStillness, setText, targetOf } from "../shared/dom.js";
import { showIcon } from "../shared/icons.js";
import { CHART_WIDTH, drawChart } from "./chart.js";
import { buildFilm, TITLES } from "./elements.js";
import { showModules, showReassignments, showScores } from "./scores.js";
import { findPicture, store } from "./store.js";
import { showStrip } from "./strip.js";
import { numberOrDash } from "./texts.js";
import { makeTiles, showTiles } from "./tiles.js";

/**
 * @typedef {object} FilmData the numbers of `ia_engine.runs.clustering.summary`, and how they are shown
 * @property {string} key
 * @property {string} run
 * @property {boolean} running
 * @property {boolean} autoplay
 * @property {number} chosen prototype
 * @property {number} k number of prototypes
 * @property {number} budget [CPU s]
 * @property {number[]} seconds [CPU s] at every step
 * @property {number[]} iterations
 * @property {(number | null)[]} losses
 * @property {(number | null)[]} acc
 * @property {(number | null)[]} nmi
 * @property {number[][]} sizes share of the images of each prototype
 * @property {string[]} named most frequent class of each prototype
 * @property {string[]} modules
 * @property {number[]} stages number of modules that are on
 * @property {boolean[]} cooling true if the learning rate is divided by 10
 * @property {[seconds: number, pairs: [k: number, from: number][]][]} events reassignments
 * @property {string} rule of accuracy
 * @property {number} seen images that accuracy is computed from
 * @property {number} total
 */

const MAX_STEPS_PER_S = 14;
const MIN_STEPS_PER_S = 4;
const FULL_FILM_S = 5; // shorter animations play more slowly
const END_PAUSE_S = 1.6;

export class PrototypeFilm {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    const { root, parts } = buildFilm();
    this.root = root;
    this.parts = parts;
    parent.append(root);
    /** @type {FilmData | undefined} */
    this.data = undefined;
    /** @type {ReturnType<typeof drawChart> | undefined} */
    this.chart = undefined;
    this.at = 0;
    this.playing = false;
    this.follow = false; // the newest step of a run that is running
    /** @type {string | undefined} */
    this.stripKey = undefined;
    /** @type {string | undefined} */
    this.modulesKey = undefined;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.choose = (/** @type {number} */ _) => {};
    this.paints = 0;
    this.checksums = new Set(); // of the pictures painted while the run is running, for tests
    this.onPictures = (/** @type {string} */ run) => {
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
      chart.addEventListener(type, (event) => this.seek(/** @type {PointerEvent} */ (event)));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && targetOf(event).matches("button")) return;
    const at = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last() }[event.key];
    if (event.key === " ") this.toggle();
    else if (at !== undefined) this.goTo(at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Goes to the step nearest to the pointer on the chart. @param {PointerEvent} event */
  seek(event) {
    const { data, chart } = this;
    if (!event.buttons || !data || !chart) return;
    const box = this.parts.chart.getBoundingClientRect();
    const place = ((event.clientX - box.left) / box.width) * CHART_WIDTH;
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
    if (!this.playing || this.timer !== undefined) return;
    const pace = Math.min(MAX_STEPS_PER_S, Math.max(MIN_STEPS_PER_S, this.last() / FULL_FILM_S));
    const seconds = this.at >= this.last() && !this.data?.running ? END_PAUSE_S : 1 / pace;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (!this.playing) return;
      if (this.at < this.last()) this.at += 1;
      else if (this.data?.running) [this.playing, this.follow] = [false, true];
      else this.at = 0;
      this.render();
      this.schedule();
    }, 1000 * seconds);
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
      frame.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (frame).dataset.at === String(at)));
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
    for (let at = start; at < start + k * h * w * c; at += 7) sum = (sum * 31 + pixels[at]) | 0;
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
      acc: this.data?.acc.findLast((acc) => acc !== null),
    });
    Object.assign(this.root, { __film: { state } });
  }

  remove() {
    clearTimeout(this.timer);
    this.playing = false;
    store.listeners.delete(this.onPictures);
    this.root.remove();
  }
}
