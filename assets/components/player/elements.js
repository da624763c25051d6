// The elements of the player, without their behaviour.

import { find, findButton, findCanvas, findInput, findSelect, make } from "../shared/dom.js";

const ICONS = {
  back: "M5 4h3v16H5zM20 4v16L9 12z",
  play: "M6 3l15 9-15 9z",
  pause: "M5 4h5v16H5zM14 4h5v16h-5z",
  forward: "M16 4h3v16h-3zM4 4v16l11-8z",
  loop: "M12 4V1L7.5 5.5 12 10V7a5 5 0 0 1 4.6 7l2 1.4A7.5 7.5 0 0 0 12 4zM12 17a5 5 0 0 1-4.6-7l-2-1.4A7.5 7.5 0 0 0 12 20v3l4.5-4.5L12 14z",
};
const SPEEDS = [0.25, 0.5, 1, 2, 4];

/** @param {keyof typeof ICONS} name */
export function icon(name) {
  return `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
}

/** @param {keyof typeof ICONS} action @param {string} label */
function button(action, label) {
  return `<button type="button" data-do="${action}" aria-label="${label}" title="${label}">${icon(action)}</button>`;
}

const PLAYER_HTML = `
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
    <label class="field">speed <select class="speed">${SPEEDS.map((s) => `<option value="${s}">${s}×</option>`).join("")}</select></label>
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

const RUN_HTML = `
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

/** @typedef {ReturnType<typeof buildPlayer>} PlayerElements */
/** @typedef {ReturnType<typeof buildRun>} RunElements */

export function buildPlayer() {
  const element = Object.assign(make("div", "player"), { innerHTML: PLAYER_HTML, tabIndex: 0 });
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", "Player of the iterations. Space plays; arrow keys step.");
  const action = (/** @type {string} */ name) => findButton(element, `[data-do=${name}]`);
  return {
    element,
    position: findInput(element, ".position"),
    ticks: find(element, ".ticks"),
    count: find(element, ".count"),
    speed: findSelect(element, ".speed"),
    order: findSelect(element, ".order"),
    scale: findSelect(element, ".scale"),
    poses: findSelect(element, ".poses"),
    posesField: /** @type {HTMLElement} */ (find(element, ".poses").parentElement),
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
    loop: action("loop"),
  };
}

export function buildRun() {
  const element = Object.assign(make("section", "run"), { innerHTML: RUN_HTML });
  const part = (/** @type {string} */ name) => find(element, `.${name}`);
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
    galleryFigure: /** @type {HTMLElement} */ (part("gallery").closest("figure")),
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
    pinned: part("pinned"),
  };
}

/** @param {HTMLSelectElement} select @param {string[]} names @param {string} value */
export function setOptions(select, names, value) {
  const text = names.join("\n");
  if (select.dataset.names !== text) {
    select.dataset.names = text;
    select.replaceChildren(...names.map((name) => new Option(name, name)));
  }
  select.value = names.includes(value) ? value : names[0];
}
