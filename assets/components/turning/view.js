// The first view: a picture that is rotated, the maps that rotate with it, and those that do not.

import { make, makeButton, prefersStillness } from "../shared/dom.js";
import { showIcon } from "../shared/icons.js";
import { readLook } from "./maps.js";
import { nearestAngle, notify, readKey, showAngle, turning, readOrbit } from "./orbit.js";
import { Ring } from "./ring.js";
import { Row } from "./row.js";
import { Track } from "./track.js";

/** @typedef {import("./orbit.js").Orbit} Orbit */

const ANGLE_MS = 45; // from one angle to the next
const EXACT_MS = 1000; // at an angle where everything is exact
const AUTOPLAY_TURNS = 1.25;
const ANGLE_PAUSE_MS = 600; // without a change of the angle, before it is sent to Python
const HEADS = ["", "map [no unit]", "rotated back", "minus the upright map"];

export class TurningView {
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
    /** @type {Row[]} */
    this.rows = [];
    /** @type {string | undefined} */
    this.key = undefined;
    /** @type {import("./maps.js").Look | undefined} */
    this.look = undefined;
    /** @type {number | undefined} while it rotates automatically */
    this.timer = undefined;
    /** @type {number | undefined} */
    this.answerTimer = undefined;
    this.answerAngle = (/** @type {number} */ _) => {};
    this.onTurn = () => this.render();
    this.resized = new ResizeObserver(() => this.layOut());
    this.play.addEventListener("click", () => (this.timer === undefined ? this.start() : this.pause()));
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    turning.listeners.add(this.onTurn);
    this.resized.observe(this.root);
    const state = () => ({ at: turning.at, key: this.key, playing: this.timer !== undefined });
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
    const isFirst = turning.current === undefined;
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
    this.timer = undefined;
    this.showPlaying();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key !== " " || event.target === this.play) return;
    event.preventDefault();
    this.play.click();
  }

  showPlaying() {
    if (this.timer === undefined) showIcon(this.play, "play", "Rotate");
    else showIcon(this.play, "pause", "Pause the rotation");
  }

  remove() {
    this.pause();
    clearTimeout(this.answerTimer);
    turning.listeners.delete(this.onTurn);
    this.resized.disconnect();
    this.root.remove();
  }
}
