// The controls of the player: buttons, sliders, keys and pointer, and their appearance.

import { groupColour } from "../shared/colours.js";
import { make, setLabel, setText, targetOf, zoomOf } from "../shared/dom.js";
import { formatNumber } from "../shared/numbers.js";
import { icon, setOptions } from "./elements.js";
import { capitalise } from "./words.js";

/** @typedef {import("./player.js").Player} Player */
/** @typedef {[low: number, high: number]} Range */
/** @typedef {(element: EventTarget, type: string, action: (event: any) => unknown) => void} On */

const BETA_STEPS = 1000; // number of slider positions
const THUMB = 20; // width of the handle [px]
const MAX_TICKS = 10;
const MAX_NAMED_GROUPS = 12;

/**
 * The β at a position of the slider. A round number is preferred within half a step, or half a pixel of a
 * pointer, so that values such as 5 can be set exactly.
 * @param {number} value
 * @param {Range} range
 * @param {number} [pixel] number of positions per pixel
 */
export function betaOf(value, [low, high], pixel = 1) {
  const beta = low * (high / low) ** (value / BETA_STEPS);
  const unit = 10 ** Math.floor(Math.log10(beta)) / 2;
  const distanceTo = (/** @type {number} */ round) => Math.abs(sliderOf(round, [low, high]) - value);
  const half = Number((unit * Math.round(beta / unit)).toPrecision(2)); // 1, 1.5, 2, ..., 9.5, 10, 15, ...
  if (distanceTo(half) <= pixel / 2) return half;
  const short = Number(beta.toPrecision(2));
  return distanceTo(short) <= 0.5 ? short : Number(beta.toPrecision(3)); // the value used is exactly the one displayed
}

/** @param {number} beta @param {Range} range */
export function sliderOf(beta, [low, high]) {
  return (BETA_STEPS * Math.log(beta / low)) / Math.log(high / low);
}

/** @param {Player} player */
export function listen(player) {
  /** @type {On} */
  const on = (element, type, action) => element.addEventListener(type, action, { signal: player.stop.signal });
  listenToTime(player, on);
  listenToKnobs(player, on);
  listenToPointer(player, on);
  on(player.elements.element, "keydown", (event) => onKey(player, event));
  on(document, "keydown", (event) => onPageKey(player, event));
  on(player.stillness, "change", () => player.invalidate());
}

/** @param {Player} player @param {On} on */
function listenToTime(player, on) {
  const { elements } = player;
  on(elements.play, "click", () => player.toggle());
  on(elements.back, "click", () => player.step(-1));
  on(elements.forward, "click", () => player.step(1));
  on(elements.loop, "click", () => {
    player.memory.clock.loop = !player.memory.clock.loop;
    player.invalidate();
  });
  on(elements.speed, "change", () => (player.memory.clock.speed = Number(elements.speed.value)));
  on(elements.position, "input", () => player.goTo(Number(elements.position.value)));
  on(elements.position, "change", () => player.goTo(Math.round(Number(elements.position.value))));
}

/** @param {Player} player @param {On} on */
function listenToKnobs(player, on) {
  const { elements } = player;
  let pixel = 1; // positions per pixel while a pointer drags the slider
  on(elements.runs, "pointerdown", ({ target }) => {
    pixel = target.matches(".beta") ? Math.max(1, BETA_STEPS / (target.clientWidth - THUMB)) : 1;
  });
  on(elements.runs, "keydown", () => (pixel = 1));
  on(elements.runs, "input", ({ target, timeStamp }) => {
    const at = player.views.findIndex((view) => view.elements.beta === target);
    player.setBeta(at, betaOf(Number(target.value), player.header.beta_range, pixel), timeStamp);
  });
  on(elements.runs, "change", () => {
    pixel = 1;
    player.releaseBeta();
  });
  on(elements.order, "change", () => {
    player.memory.order = elements.order.value;
    player.invalidate();
  });
  on(elements.scale, "change", () => player.setScale(elements.scale.value));
  on(elements.sameBeta, "change", () => shareBeta(player, elements.sameBeta.checked));
  on(elements.poses, "change", () => player.setPoses(elements.poses.value));
}

/** Gives all runs the β of the first, or their own β again. @param {Player} player @param {boolean} same */
function shareBeta(player, same) {
  const { memory } = player;
  if (same) memory.apart = memory.betas;
  memory.same = same;
  memory.betas = same ? memory.betas.map(() => memory.betas[0]) : memory.apart ?? memory.betas;
  player.announce(same ? "All methods have the β of the first." : "Every method has its own β.");
  player.releaseBeta();
}

/** Runs are added and removed, so their events are handled on the element around them. @param {Player} player @param {On} on */
function listenToPointer(player, on) {
  const { runs } = player.elements;
  on(runs, "pointermove", (event) => player.hover(pairUnder(player, event)));
  on(runs, "pointerleave", () => player.hover(undefined));
  on(runs, "click", (event) => {
    if (targetOf(event).matches(".hide-before")) player.hideGhost();
    const cell = pairUnder(player, event);
    if (cell) player.pin(cell);
  });
}

/** The run that this picture belongs to. @param {Player} player @param {EventTarget | null} canvas */
function viewOf(player, canvas) {
  return player.views.find(({ elements }) => elements.matrix === canvas || elements.gallery === canvas);
}

/** @param {Player} player @param {MouseEvent} event */
function pairUnder(player, event) {
  const zoom = zoomOf(targetOf(event));
  return viewOf(player, event.target)?.pairAt(event.target, event.offsetX / zoom, event.offsetY / zoom);
}

/** @type {Record<string, [right: number, down: number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {Player} player @param {KeyboardEvent} event */
function onKey(player, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!onPictureKey(player, event) && !onOtherKey(player, targetOf(event), event.key)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** @param {Player} player @param {KeyboardEvent} event */
function onPictureKey(player, { key, target }) {
  const view = viewOf(player, target);
  const cell = player.hovered ?? player.memory.pinned;
  if (!view) return false;
  if (key === "Enter" && cell) player.pin(cell);
  else if (ARROWS[key] && view.frame) player.hover(view.pairBeside(target, cell, ...ARROWS[key]));
  else return false;
  player.render();
  player.announcePair();
  return true;
}

/** Space and arrow keys act on a button, a select or a β slider while it has the focus. @param {Player} player @param {HTMLElement} target @param {string} key */
function onOtherKey(player, target, key) {
  if (key === "Escape") return clearPair(player);
  if (target.matches("select, .beta") || (key === " " && target.matches("button"))) return false;
  if (target.matches(".term") && /^Arrow(Left|Right)$/.test(key)) return false; // these keys move along the formula
  if (/^Arrow(Up|Down)$/.test(key) && !target.matches(".position")) return false; // these keys scroll
  /** @type {Record<string, () => void>} */
  const actions = {
    " ": () => player.toggle(),
    ArrowLeft: () => player.step(-1),
    ArrowDown: () => player.step(-1),
    ArrowRight: () => player.step(1),
    ArrowUp: () => player.step(1),
    Home: () => player.goTo(0),
    End: () => player.goTo(player.last()),
  };
  actions[key]?.();
  return key in actions;
}

// Elements that use Space themselves.
const USES_SPACE = "input, textarea, select, button, a, summary, iframe, [contenteditable], [role], [data-testid=stBidiComponentIsolated]";

/** Space acts on the first player unless another element uses it. @param {Player} player @param {KeyboardEvent} event */
function onPageKey(player, event) {
  const { key, repeat, defaultPrevented, ctrlKey, metaKey, altKey } = event;
  if (key !== " " || repeat || defaultPrevented || ctrlKey || metaKey || altKey) return;
  if (document.activeElement?.matches(USES_SPACE) || !player.elements.element.checkVisibility?.()) return;
  event.preventDefault();
  player.toggle();
}

/** True if there was a pair to clear. @param {Player} player */
function clearPair(player) {
  const had = player.hovered ?? player.memory.pinned;
  player.hovered = undefined;
  if (player.memory.pinned) player.pin(undefined);
  player.invalidate();
  return Boolean(had);
}

// --- Appearance of the controls -------------------------------------------------------------------

/** @param {Player} player */
export function showControls(player) {
  showTime(player);
  showKnobs(player);
  showLegend(player);
}

/** @param {Player} player */
function showTime(player) {
  const { elements, memory } = player;
  const [last, step] = [player.last(), player.currentStep()];
  const place = Math.min(memory.clock.position, last);
  const { position } = elements;
  position.max = String(Math.max(last, 1));
  position.value = String(place);
  position.disabled = last === 0;
  position.style.setProperty("--fill", String(last ? place / last : 0));
  position.setAttribute("aria-valuetext", `iteration ${step} of ${last}`);
  const ready = player.frames.some((frames) => frames.length);
  setText(elements.count, ready ? `iteration ${step} of ${last}` : "no steps yet");
  showTicks(elements.ticks, last, step);
  showPlaying(player, last);
}

/** @param {Player} player @param {number} last */
function showPlaying({ elements, memory }, last) {
  const name = memory.clock.playing ? "pause" : "play";
  const { play, back, forward, loop, speed } = elements;
  if (play.dataset.shows !== name) {
    play.dataset.shows = name;
    play.innerHTML = icon(name);
    play.title = capitalise(name);
    setLabel(play, capitalise(name));
  }
  for (const button of [play, back, forward]) button.disabled = last === 0;
  loop.setAttribute("aria-pressed", String(memory.clock.loop));
  speed.value = String(memory.clock.speed);
}

/** Writes the numbers under the slider, all of them if there is enough space. @param {HTMLElement} ticks @param {number} last @param {number} step */
function showTicks(ticks, last, step) {
  const every = Math.max(1, Math.ceil(last / MAX_TICKS));
  const key = `${last} ${step}`;
  if (ticks.dataset.key === key) return;
  ticks.dataset.key = key;
  const places = Array.from({ length: last + 1 }, (_, at) => at).filter((at) => at % every === 0 || at === last);
  ticks.replaceChildren(...places.map((at) => {
    const tick = make("span", "", String(at));
    tick.style.setProperty("--at", String(last ? at / last : 0));
    tick.classList.toggle("now", at === step);
    return tick;
  }));
}

/** @param {Player} player */
function showKnobs({ elements, memory, header, orders, views }) {
  views.forEach(({ elements: own }, at) => {
    own.turn.hidden = !header.has_sliders;
    showBeta(own, header.runs[at].title, memory.betas[at], header.beta_range);
  });
  elements.same.hidden = !header.has_sliders || header.advises || header.runs.length < 2;
  const [first, second] = memory.betas;
  setText(elements.sameWhy, explainBetas(header.runs.map(({ beta }) => beta), first === second));
  elements.sameBeta.checked = Boolean(memory.same);
  setOptions(elements.order, [...orders.keys()], memory.order);
  elements.scale.value = memory.log ? "log" : memory.adapts ? "adapted" : "linear";
  elements.poses.value = memory.poses ?? "";
  elements.posesField.hidden = !views.some((view) => view.hasPoses());
}

/** Why the two methods have a different β. @param {number[]} own @param {boolean} same true if the sliders have the same β */
function explainBetas([first, second], same) {
  if (!(second < first)) return "";
  const [own, other] = [first, second].map((beta) => formatNumber(beta));
  if (same) return "Both methods have the same β: images that are not aligned are far apart, so more of each mean is the image itself.";
  return `Images that are not aligned are all far apart: with β = ${own} each would stay as it is, so kernel attention has β = ${other}.`;
}

/** @param {import("./elements.js").RunElements} elements @param {string} title @param {number} beta @param {Range} range */
function showBeta({ beta: slider, betaValue }, title, beta, range) {
  const place = sliderOf(beta, range);
  if (Math.abs(place - Number(slider.value)) > 2) slider.value = String(place); // β is rounded, but the slider is not
  slider.style.setProperty("--fill", String(Math.max(0, Math.min(1, place / BETA_STEPS))));
  slider.setAttribute("aria-valuetext", `β = ${formatNumber(beta)}`);
  setLabel(slider, `β of ${title}: the bandwidth; a larger β is more selective`);
  setText(betaValue, formatNumber(beta));
}

/** @param {Player} player */
function showLegend({ elements, look, groups, memory }) {
  const [low, high] = look.log ? ["10⁻⁴", "1"] : ["0", formatNumber(look.ceiling ?? 1)];
  setText(elements.low, look.log ? `≤ ${low}` : low);
  setText(elements.high, look.log || look.ceiling === 1 ? high : `≥ ${high}`);
  setLabel(elements.colourMap, `Colours of W from ${low} to ${high}, ${look.log ? "logarithmic" : "linear"}, the same at every step${look.log || memory.adapts ? "" : " and every β"}`);
  const names = groups && groups.names.length <= MAX_NAMED_GROUPS ? groups.names : [];
  const key = names.join("\n");
  if (elements.groups.dataset.key === key) return;
  elements.groups.dataset.key = key;
  elements.groups.hidden = !names.length;
  elements.groups.replaceChildren(...names.map((name, group) => {
    const item = make("li", "", name);
    item.style.setProperty("--colour", groupColour(group));
    return item;
  }));
}
