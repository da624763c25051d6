// The bar of every page: its buttons, and the keys of a presenter.

import { make, makeButton } from "../shared/dom.js";
import { ExplanationDialog, ShareDialog } from "./dialogs.js";
import { isEmbedded, keepView } from "./embed.js";
import { canUndo, currentPlace, noteAction, noteAddress, undo } from "./history.js";
import { Overlay } from "./overlay.js";

const TYPED = "input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable=true], [role=combobox]";
const USES_PAGE_KEYS = "textarea, [contenteditable=true]"; // fields that use PageUp and PageDown themselves
const OPEN = "[data-testid=stPopoverBody], [role=dialog], [role=listbox], [role=menu]";
/** @type {Record<string, string[]>} the first words of the buttons that these keys press */
const CAPTION_BUTTONS = { PageDown: ["Next"], PageUp: ["Back", "Previous"] };
const SHOW_SETTINGS = "data-settings"; // attribute of the document
const LATE_MS = 10_000; // after leaving, an answer that was on its way may request the mode again
const CHECK_MS = 250;
const RESEND_MS = 1500; // without an answer from Python, before the end of the mode is sent again
const PARAMETER = "projector"; // in the URL
const LESSON_PARAMETER = "lesson"; // in the URL while a caption is open
const BUTTON_WAIT_MS = 5000; // a key waits for a button that is not drawn yet
const FILMS = ".player, .film, .clusters"; // roots of the components that go to their first step on Home

/** @typedef {{ on: boolean, explanation?: import("./dialogs.js").Explanation, defaults: Record<string, string> }} BarData */

let leftAt = -Infinity; // when the mode was left [ms]

export class ProjectorBar {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = make("div", "projector");
    this.stop = new AbortController();
    /** @type {boolean | undefined} */
    this.on = undefined;
    this.clicked = false; // true if the mouse was used after the Tab key
    this.open = false; // true if a menu or a dialog is open
    /** @type {{ words: string[], since: number } | undefined} a key that waits for its button */
    this.waiting = undefined;
    this.sentAt = -Infinity; // when "off" was sent last [ms]
    this.send = (/** @type {"on" | "off"} */ _) => {};
    this.sendReset = () => {};
    /** @type {Record<string, string>} of the controls, as in the URL */
    this.defaults = {};
    this.place = currentPlace();
    this.buttons = make("div", "buttons");
    this.overlay = new Overlay(this.root);
    this.explanation = new ExplanationDialog(this.root);
    this.share = new ShareDialog(this.root);
    this.undoButton = keyButton("Undo", "U", "U", () => this.undo());
    this.undoButton.title = "Restores the settings before the last change";
    this.resetButton = keyButton("Reset", "", "", () => this.reset());
    this.resetButton.title = "Sets all controls of this page or caption to their defaults, and the animation to its start";
    parent.querySelector(".projector")?.remove();
    this.root.append(this.buttons);
    parent.append(this.root);
    const { signal } = this.stop;
    window.addEventListener("pointerdown", () => {
      this.clicked = true;
      noteAction();
    }, { signal, capture: true });
    window.addEventListener("keydown", (event) => this.intercept(event), { signal, capture: true });
    document.addEventListener("keydown", (event) => this.onKey(event), { signal });
    document.addEventListener("fullscreenchange", () => {
      if (this.on && !document.fullscreenElement) this.leave();
    }, { signal });
    this.timer = setInterval(() => {
      this.stayOut();
      this.retryCaption();
      this.followPage();
    }, CHECK_MS);
    this.followPage();
  }

  /** @param {BarData} data */
  update({ on, explanation, defaults }) {
    this.explanation.explanation = explanation;
    this.defaults = defaults;
    if (this.on === on) return;
    this.on = on;
    this.root.classList.toggle("on", on);
    const buttons = on
      ? [
          keyButton("Play / pause", "Space", "Space", () => this.play()),
          keyButton("Settings", "S", "S", () => this.toggleSettings()),
          keyButton("Pen", "D", "D", () => this.overlay.toggle("pen")),
          keyButton("Blank", "B", "B", () => this.overlay.blank()),
          keyButton("Exit", "Esc", "Escape", () => this.leave()),
        ]
      : [
          keyButton("Explain this page", "?", "?", () => this.explanation.open()),
          this.undoButton,
          this.resetButton,
          keyButton("Share", "", "", () => this.share.open()),
          keyButton("Pen", "D", "D", () => this.overlay.toggle("pen")),
          keyButton("Projector", "P", "P", () => this.enter()),
        ];
    this.buttons.replaceChildren(...buttons);
    if (!on) document.documentElement.removeAttribute(SHOW_SETTINGS);
  }

  enter() {
    leftAt = -Infinity;
    document.documentElement.requestFullscreen?.().catch(() => {}); // not allowed everywhere, and not necessary
    this.send("on");
  }

  leave() {
    if (document.fullscreenElement) document.exitFullscreen();
    leftAt = performance.now();
    removeParameter();
    this.sendOff();
  }

  /**
   * Sends the end of the mode again if Python has since written the mode into the URL or still shows it,
   * because another request of the page at the same moment can discard the first one.
   */
  stayOut() {
    const now = performance.now();
    if (now - leftAt >= LATE_MS) return;
    const asked = new URL(location.href).searchParams.has(PARAMETER);
    if (asked || (this.on && now - this.sentAt > RESEND_MS)) this.sendOff();
  }

  sendOff() {
    this.sentAt = performance.now();
    this.send("off");
  }

  /** Presses the button of a key that was pressed while the page was being drawn. */
  retryCaption() {
    if (!this.waiting) return;
    const isLate = performance.now() - this.waiting.since > BUTTON_WAIT_MS;
    if (isLate || pressCaptionButton(this.waiting.words)) this.waiting = undefined;
  }

  /** Changes the caption; false if there is no lesson, so that the key scrolls the page as usual. @param {string[]} words */
  changeCaption(words) {
    if (pressCaptionButton(words)) this.waiting = undefined;
    else if (isCaptionAwaited()) this.waiting = { words, since: performance.now() };
    else return false;
    return true;
  }

  /** Follows the page, which may have changed its URL or drawn its view again. */
  followPage() {
    keepView();
    noteAddress(this.defaults);
    this.undoButton.disabled = !canUndo();
    const place = currentPlace();
    if (place !== this.place) this.overlay.erase(); // a drawing belongs to one page or caption
    this.place = place;
  }

  undo() {
    this.followPage();
    undo();
    this.followPage();
  }

  reset() {
    this.overlay.erase();
    for (const film of findInComponents(FILMS)) film.dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }));
    this.sendReset();
  }

  toggleSettings() {
    document.documentElement.toggleAttribute(SHOW_SETTINGS);
  }

  /** Presses the first play button of the page. */
  play() {
    const buttons = findInComponents("[data-do=play], button.play");
    const play = buttons.map((button) => /** @type {HTMLButtonElement} */ (button)).find((button) => button.checkVisibility() && !button.disabled);
    play?.click();
  }

  /**
   * Handles a presenter's keys before the element that has the focus, wherever the mouse was used last.
   * PageDown and PageUp change the caption, and Space plays unless the focus came from the keyboard.
   * @param {KeyboardEvent} event
   */
  intercept(event) {
    if (this.overlay.isBlank) {
      this.overlay.unblank();
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    noteAction();
    this.open = this.explanation.isOpen || this.share.isOpen || Boolean(document.querySelector(OPEN));
    this.clicked &&= event.key !== "Tab";
    if (this.open || isCombined(event)) return;
    const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
    const words = CAPTION_BUTTONS[event.key];
    const paged = words && !target.matches?.(USES_PAGE_KEYS) && this.changeCaption(words);
    const plays = event.key === " " && this.on && this.clicked && !target.matches?.(TYPED);
    if (plays) {
      this.play();
      target.blur?.(); // otherwise the button is pressed when the key is released
    }
    if (!paged && !plays) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** All other keys act first on the element that has the focus, such as a field, a button or a player. @param {KeyboardEvent} event */
  onKey(event) {
    const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
    if (event.defaultPrevented || this.open || target.matches?.(TYPED)) return;
    const undoes = event.key === "z" && (event.ctrlKey || event.metaKey) && !event.altKey;
    if (undoes) this.undo();
    else if (isCombined(event) || !this.act(event.key, target)) return;
    event.preventDefault();
  }

  /** Performs the action of a key; true if it has one. @param {string} key @param {HTMLElement} target */
  act(key, target) {
    const letter = key.toLowerCase();
    if (isEmbedded()) return false;
    if (this.actOver(key, letter)) return true;
    if (!this.on && letter === "p") this.enter();
    else if (!this.on) return false;
    else if (key === "Escape") this.leave();
    else if (letter === "s") this.toggleSettings();
    else if (key === " " && target === document.body) this.play();
    else return false;
    return true;
  }

  /** Performs the action of a key that works in both modes; true if it has one. @param {string} key @param {string} letter */
  actOver(key, letter) {
    const { overlay } = this;
    /** @type {Record<string, () => void>} */
    const actions = {
      d: () => overlay.toggle("pen"),
      l: () => overlay.toggle("pointer"),
      x: () => overlay.erase(),
      b: () => overlay.blank(),
      ".": () => overlay.blank(),
      u: () => this.undo(),
      "?": () => this.explanation.open(),
    };
    if (overlay.tool && key === "Escape") overlay.use(undefined);
    else if (Object.hasOwn(actions, letter)) actions[letter]();
    else return false;
    return true;
  }

  remove() {
    this.overlay.remove();
    clearInterval(this.timer);
    this.stop.abort();
    this.root.remove();
  }
}

/** Removes the parameter at once: a request sent before Python has answered must not restore the mode. */
function removeParameter() {
  const url = new URL(location.href);
  url.searchParams.delete(PARAMETER);
  history.replaceState(history.state, "", url);
}

/** Presses the button of a caption, or follows its link to another page; true if there is one. @param {string[]} words */
function pressCaptionButton(words) {
  const buttons = [...document.querySelectorAll(".st-key-lesson_steps :is(a, button:not(:disabled))")].map((element) => /** @type {HTMLElement} */ (element));
  const found = buttons.find((button) => words.some((word) => button.innerText.trim().startsWith(word)));
  found?.click();
  return Boolean(found);
}

/** True while a caption is open whose buttons are not drawn yet. */
function isCaptionAwaited() {
  return new URL(location.href).searchParams.has(LESSON_PARAMETER) && !document.querySelector(".st-key-lesson_steps :is(a, button)");
}

/** Elements inside the components of the page. @param {string} selector */
function findInComponents(selector) {
  const hosts = [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")];
  return hosts.flatMap(({ shadowRoot }) => [...(shadowRoot?.querySelectorAll(selector) ?? [])]);
}

/** @param {KeyboardEvent} event */
function isCombined({ repeat, ctrlKey, metaKey, altKey }) {
  return repeat || ctrlKey || metaKey || altKey;
}

/** @param {string} words @param {string} hint @param {string} shortcut @param {() => void} act */
function keyButton(words, hint, shortcut, act) {
  const button = makeButton("");
  button.append(words);
  if (hint) {
    const key = make("kbd", "", hint);
    key.setAttribute("aria-hidden", "true");
    button.append(key);
    button.setAttribute("aria-keyshortcuts", shortcut);
  }
  button.addEventListener("click", act);
  return button;
}
