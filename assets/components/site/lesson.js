// The captions of a lesson, one at a time, with the film of each. The keys are those of the app.

import { find } from "../shared/dom.js";
import { removeFilm, showFilm } from "./stage.js";

const KEYS = { PageDown: ".next", PageUp: ".back" };
const LAST = "last"; // lesson-mush.html#last

export function openLesson() {
  const lesson = document.querySelector(".lesson");
  if (!lesson) return;
  const captions = [...lesson.querySelectorAll(".caption")].map((caption) => /** @type {HTMLElement} */ (caption));
  const show = () => showCaption(lesson, captions, indexIn(location.hash, captions.length));
  addEventListener("hashchange", show);
  document.addEventListener("keydown", (event) => onKey(event, lesson), { capture: true });
  show();
}

/** The caption that the address names, counted from 0. @param {string} hash @param {number} count */
export function indexIn(hash, count) {
  const name = hash.slice(1);
  if (name === LAST) return count - 1;
  const number = /^\d+$/.test(name) ? Number(name) : 1;
  return Math.max(1, Math.min(number, count)) - 1;
}

/** @param {Element} lesson @param {HTMLElement[]} captions @param {number} at */
function showCaption(lesson, captions, at) {
  captions.forEach((caption, index) => (caption.hidden = index !== at));
  const { film = "", settings = "{}", back = "", next = "", where = "" } = captions[at].dataset;
  const steps = { ".back": back, ".next": next };
  for (const [name, address] of Object.entries(steps)) setLink(/** @type {HTMLAnchorElement} */ (find(lesson, name)), address);
  find(lesson, ".where").textContent = where;
  const stage = find(lesson, ".stage");
  stage.hidden = !film;
  if (film) showFilm(stage, film, JSON.parse(settings));
  else removeFilm(stage);
  find(lesson, ".captions").scrollTop = 0;
  scrollTo(0, 0);
}

/** A link without an address is shown, but cannot be used. @param {HTMLAnchorElement} link @param {string} address */
function setLink(link, address) {
  if (address) link.href = address;
  else link.removeAttribute("href");
  link.setAttribute("aria-disabled", String(!address));
}

/** @param {KeyboardEvent} event @param {Element} lesson */
function onKey(event, lesson) {
  const name = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
  if (!name || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  event.stopPropagation();
  find(lesson, name).click();
}
