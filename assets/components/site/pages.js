// What the pages of the site do: a lesson shows one caption at a time, the gallery one film, and a
// question explains the chosen answer. Nothing is stored.

import { find } from "../shared/dom.js";
import { removeFilm, showFilm } from "./stage.js";

const KEYS = { PageDown: ".next", PageUp: ".back" }; // as in the app
const LAST = "last"; // lesson-mush.html#last
const ANSWERED = "answered";

// --- Lessons --------------------------------------------------------------------------------------

export function openLesson() {
  const lesson = document.querySelector(".lesson");
  if (!lesson) return;
  const captions = [...lesson.querySelectorAll(".caption")].map((caption) => /** @type {HTMLElement} */ (caption));
  let shown = 0;
  const show = () => showCaption(lesson, captions, (shown = indexIn(location.hash, captions.length) ?? shown));
  addEventListener("hashchange", show);
  lesson.addEventListener(ANSWERED, show);
  document.addEventListener("keydown", (event) => onKey(event, lesson), { capture: true });
  show();
}

/** @param {Element} lesson @param {HTMLElement[]} captions @param {number} at */
function showCaption(lesson, captions, at) {
  captions.forEach((caption, index) => (caption.hidden = index !== at));
  const isAsked = captions[at].querySelector(".question:not([data-answered])") !== null;
  const { film = "", settings = "{}", asked = "", back = "", next = "", where = "" } = captions[at].dataset;
  const begins = isAsked ? asked : settings; // before the prediction, the film does not show the result
  const steps = { ".back": back, ".next": next };
  for (const [name, address] of Object.entries(steps)) setLink(/** @type {HTMLAnchorElement} */ (find(lesson, name)), address);
  find(lesson, ".where").textContent = where;
  find(captions[at], ".told").hidden = isAsked;
  const stage = find(lesson, ".stage");
  stage.hidden = !film || !begins;
  if (stage.hidden) removeFilm(stage);
  else showFilm(stage, film, JSON.parse(begins));
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
  const inDialog = event.composedPath().some((element) => element instanceof HTMLDialogElement);
  if (!name || event.ctrlKey || event.metaKey || event.altKey || inDialog) return;
  event.preventDefault();
  event.stopPropagation();
  find(lesson, name).click();
}

/** The caption that the address names, counted from 0; undefined if it names something else. @param {string} hash @param {number} count */
function indexIn(hash, count) {
  const name = hash.slice(1);
  if (name === LAST) return count - 1;
  return /^\d+$/.test(name) ? Math.max(1, Math.min(Number(name), count)) - 1 : undefined;
}

// --- The gallery ----------------------------------------------------------------------------------

export function openGallery() {
  const gallery = document.querySelector(".gallery-page");
  if (!gallery) return;
  const links = [...gallery.querySelectorAll("a.choice")].map((link) => /** @type {HTMLAnchorElement} */ (link));
  const show = (/** @type {boolean} */ moves) => {
    const link = links.find(({ hash }) => hash === location.hash) ?? (moves ? undefined : links[0]);
    if (!link) return; // the address names another part of the page
    for (const one of links) {
      if (one === link) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
    find(gallery, ".film-title").textContent = find(link, "b").textContent;
    find(gallery, ".film-about").textContent = find(link, ".about").textContent;
    showFilm(find(gallery, ".stage"), link.hash.slice(1), { autoplay: true });
    if (moves) find(gallery, ".film").scrollIntoView();
  };
  addEventListener("hashchange", () => show(true));
  show(false);
}

// --- Questions ------------------------------------------------------------------------------------

export function openQuiz() {
  const questions = [...document.querySelectorAll(".question")];
  for (const question of questions) {
    /** @type {HTMLElement} */ (question).hidden = false;
    for (const answer of question.querySelectorAll(".answer"))
      find(answer, "button").addEventListener("click", () => {
        reveal(question, answer);
        countRight(questions);
      });
  }
}

/** @param {Element} question @param {Element} chosen */
function reveal(question, chosen) {
  for (const answer of question.querySelectorAll(".answer")) {
    find(answer, "button").setAttribute("aria-pressed", String(answer === chosen));
    find(answer, ".why").hidden = answer !== chosen;
  }
  question.setAttribute("data-answered", String(chosen.hasAttribute("data-right")));
  question.dispatchEvent(new Event(ANSWERED, { bubbles: true }));
}

/** @param {Element[]} questions */
function countRight(questions) {
  const score = document.querySelector(".score");
  const right = questions.filter((question) => question.getAttribute("data-answered") === "true").length;
  const answered = questions.filter((question) => question.hasAttribute("data-answered")).length;
  if (score) score.textContent =
    `${answered} of ${questions.length} questions answered, ${right} of them right.`;
}
