// The elements of the animation.

import { find, findButton, make } from "../shared/dom.js";
import { showIcon } from "../shared/icons.js";

export const TITLES = { play: "Play", pause: "Pause the animation", back: "One picture back", forward: "One picture forward" };
const HTML = `
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

export function buildFilm() {
  const root = Object.assign(make("div", "clusters"), { innerHTML: HTML });
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", "Animation of the prototypes: Space plays; arrow keys step");
  const part = (/** @type {string} */ selector) => find(root, selector);
  const parts = {
    tiles: part(".tiles"),
    reassigned: part(".reassigned"),
    chart: /** @type {Element} */ (part(".chart")),
    strip: part(".strip"),
    modules: part(".chips"),
    scores: part(".scores"),
    now: part(".now b"),
    iterations: part(".now span"),
    play: findButton(root, "[data-do=play]"),
    back: findButton(root, "[data-do=back]"),
    forward: findButton(root, "[data-do=forward]"),
  };
  showIcon(parts.play, "play", TITLES.play);
  showIcon(parts.back, "back", TITLES.back);
  showIcon(parts.forward, "forward", TITLES.forward);
  return { root, parts };
}
