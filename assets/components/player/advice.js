// The advice on β, below the slider of a run: the curve of the number of averaged images, one or two
// sentences, and buttons that set the slider.

import { make, makeButton, setText } from "../shared/dom.js";
import { store } from "../shared/frame_store.js";
import { formatNumber } from "../shared/numbers.js";

/**
 * @typedef {object} Advice
 * @property {string} curve a drawing of ia_engine/figures/advice.py
 * @property {number[]} betas the stops of the curve
 * @property {number[]} averaged number of images that a mean averages at each stop
 * @property {number} n number of images
 * @property {string} sentence
 * @property {number[]} choices values of β, each with a button
 */
/** @typedef {{ key: string, runs: Record<string, Advice> }} Sent the advice of each run of the player with this key */

/** Stores the advice until the returned function is called. @param {Sent} sent */
export function storeAdvice(sent) {
  const name = nameOf(sent.key);
  store.memory.set(name, sent);
  notify(sent.key);
  return () => {
    if (store.memory.get(name) !== sent) return;
    store.memory.delete(name);
    notify(sent.key);
  };
}

/** @param {string} key */
const nameOf = (key) => `${key}: advice`;

/** @param {string} key */
function notify(key) {
  for (const listener of store.listeners) listener(key);
}

/** The advice on a run; undefined until it has been computed. @param {string} key @param {string} run @returns {Advice | undefined} */
export function adviceOn(key, run) {
  return store.memory.get(nameOf(key))?.runs[run];
}

/** The stop of the curve at a β, which may lie between two stops. @param {number[]} betas @param {number} beta */
export function stopOf(betas, beta) {
  const next = betas.findIndex((stop) => stop >= beta);
  if (next <= 0) return next < 0 ? betas.length - 1 : 0;
  const [low, high] = [betas[next - 1], betas[next]];
  return next - 1 + Math.log(beta / low) / Math.log(high / low);
}

/** A value between two entries of a list. @param {number[]} values @param {number} stop */
export function valueAt(values, stop) {
  const low = Math.floor(stop);
  const high = Math.min(low + 1, values.length - 1);
  return values[low] + (stop - low) * (values[high] - values[low]);
}

export class AdviceView {
  /** @param {HTMLElement} element @param {(beta: number) => void} choose */
  constructor(element, choose) {
    this.element = element;
    this.choose = choose;
    /** @type {Advice | undefined} */
    this.advice = undefined;
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
    const advice = isExpected ? adviceOn(key, run) : undefined;
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
      const button = makeButton("", `Use β = ${formatNumber(beta)}`);
      button.title = "Sets the slider and computes the result with this β";
      button.addEventListener("click", () => this.choose(beta));
      return button;
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
    if (words) setText(/** @type {any} */ (words), `averages ${count} of ${n} images`);
    this.curve.querySelector("svg")?.setAttribute("aria-label", `At β = ${formatNumber(beta)}, a mean averages ${count} of ${n} images; fewer at a larger β`);
    for (const button of this.buttons.children) /** @type {HTMLElement} */ (button).hidden = button.textContent === `Use β = ${formatNumber(beta)}`;
  }
}
