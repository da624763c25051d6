// The memory of the player, and its exchange with Python: header in, answers out.
// The memory is stored on the page under the player's key. Streamlit sometimes replaces the player's
// element, and the next player continues with the memory.

import { store } from "../shared/frame_store.js";

/** @typedef {import("./types.js").Header} Header */
/** @typedef {import("./types.js").Pair} Pair */
/** @typedef {"betas" | "pair" | "step"} AnswerName */
/** @typedef {{ betas?: number[], pair?: [number, number] | null, poses?: string, runs?: string[], start?: number[], step?: unknown }} Given */
/**
 * @typedef {object} Memory
 * @property {import("./clock.js").Clock} clock
 * @property {Given} given values of the header that the user's choices replace
 * @property {Partial<Record<AnswerName, unknown[]>>} answers sent to Python
 * @property {number} pairs number of times that a pair was pinned or unpinned
 * @property {number[]} betas of each run
 * @property {number[][]} sentBetas sent to Python and not yet returned by it, oldest first
 * @property {AnswerName[]} unsent answers that a player had not sent yet when it was removed
 * @property {number} turns number of times that β was released
 * @property {number} swing 0: every image in its own pose, 1: in the common one
 * @property {boolean} log
 * @property {boolean} adapts true if the colour scale of W follows β
 * @property {number} [ceiling] the end of the linear colour scale of W
 * @property {string} [scaleKey] the runs and the values of β for which the ceiling was measured
 * @property {number[]} released the values of β when a slider was last released
 * @property {string} order
 * @property {boolean} [same] true if all runs have the same β
 * @property {number[]} [apart] the β of each run before they were the same
 * @property {string} [poses] the requested poses
 * @property {boolean} [waiting] true until autoplay has started
 * @property {Pair} [pinned]
 */

/** @param {string} order @returns {Memory} */
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
    order,
  };
}

export class Exchange {
  /** @param {Header} header @param {(name: string, value: unknown) => void} send @param {boolean} isNew the player is new */
  constructor(header, send, isNew) {
    /** @type {Memory} */
    this.memory = store.memory.get(header.key) ?? newMemory(header.order);
    this.header = header;
    this.send = send;
    // The previous player sent this answer, or a fragment that no longer existed received it.
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
    const changed = (/** @type {keyof Given} */ name) => JSON.stringify(memory.given[name]) !== JSON.stringify(given[name]);
    const isOther = changed("runs");
    const follows = isOther ? header.replaces !== "" && this.shows(header.replaces) : followed;
    if (changed("runs") && !follows) memory.sentBetas = []; // a newly chosen run does not return earlier values
    const kept = (/** @type {number} */ beta, /** @type {number} */ at) =>
      beta === memory.given.betas?.[at] || this.wasSent(beta, at);
    memory.betas = betas.map((beta, at) => (kept(beta, at) ? memory.betas[at] : beta));
    if (!header.has_sliders) memory.betas = header.runs.map((run) => run.weights_beta);
    if (changed("poses")) memory.poses = header.poses;
    if (changed("pair") && (header.pairs_received === null || header.pairs_received === memory.pairs))
      memory.pinned = header.pair ? { i: header.pair[0], j: header.pair[1] } : undefined;
    if (changed("runs") ? !follows : changed("start")) this.restart();
    /** @type {AnswerName[]} */
    const resend = [];
    if (memory.betas.some((beta, at) => beta !== betas[at] && this.wasSent(betas[at], at))) resend.push("betas");
    if (changed("betas")) this.forgetSentBetas(betas);
    // The step may have reached Python too late, when it no longer had the previous run.
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
      step: [runs, header.jump],
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
    if (name === "betas") memory.sentBetas.push(/** @type {number[]} */ (value));
    this.send(name, answer);
  }

  /** Reports once that the player starts to play, if Python shows its step, which will change. */
  answerPlaying() {
    if (this.header.reports_playing && this.memory.clock.playing) this.answer("step", null);
  }
}
