// The elements and text of the animation.

import { find, findButton, findCanvas, findInput, findSelect, make } from "../shared/dom.js";
import { showIcon } from "../shared/icons.js";
import { significant } from "../shared/numbers.js";

/** @typedef {import("./summaries.js").Summary} Summary */

export const TITLES = { play: "Play", pause: "Pause", back: "One iteration back", forward: "One iteration forward", loop: "Restart at the end" };
const SPEEDS = [0.25, 0.5, 1, 2];
const HTML = `
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

export function buildFilm() {
  const root = Object.assign(make("div", "film"), { tabIndex: 0, innerHTML: HTML });
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", "Animation of the mean: Space plays; arrow keys step");
  const button = (/** @type {keyof typeof TITLES} */ name) => findButton(root, `[data-do=${name}]`);
  const parts = {
    slider: findInput(root, "input"),
    count: find(root, "output"),
    strip: find(root, ".strip"),
    formula: find(root, ".formula"),
    speed: findSelect(root, "select"),
    play: button("play"),
    back: button("back"),
    forward: button("forward"),
    loop: button("loop"),
  };
  const pictures = {
    mean: findCanvas(root, ".mean"),
    plain: findCanvas(root, ".plain"),
    aligned: findCanvas(root, ".laid"),
    given: findCanvas(root, ".given"),
  };
  showIcon(parts.play, "play", TITLES.play);
  showIcon(parts.back, "back", TITLES.back);
  showIcon(parts.forward, "forward", TITLES.forward);
  showIcon(parts.loop, "loop", TITLES.loop);
  return { root, parts, pictures };
}

/** Algorithm 1's update with the numbers of an iteration: the poses, and then the mean. @param {Summary} step @param {number} n @returns {import("../shared/formula.js").Part[]} */
export function meanTerms(step, n) {
  const share = `1/${n}`;
  const [mean, aligned] = ["μ: the mean of the aligned images", "U(τ_i)v_i: image i, rotated and translated by its pose"];
  return [
    ["τ_i", "tau", "τ_i: the pose of image i, changed so that f decreases"], [" ← argmin_τ ‖"], ["U(τ)v_i", "laid", aligned], [" − "], ["μ", "mu", mean], ["‖²,   "],
    ["μ", "mu", mean], [" ← Σ_i "], [share, "v", `W_i = ${share}: all ${n} images have the same weight`], [" "], ["U(τ_i)v_i", "laid", aligned], [",   "],
    [`f = Σ_i ${share} ‖U(τ_i)v_i − μ‖² = ${significant(step.objective)}`, "f", `the objective (2.3) at iteration ${step.k}; no unit`],
  ];
}

/** @param {HTMLCanvasElement} canvas @param {string} title @param {string} text */
export function writeCaption(canvas, title, text) {
  const caption = /** @type {HTMLElement} */ (canvas.nextElementSibling);
  const words = `${title}\n${text}`;
  if (caption.dataset.words === words) return;
  caption.dataset.words = words;
  caption.replaceChildren(make("b", "", title), ` ${text}`);
}
