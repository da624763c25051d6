// The buttons that start and end the projector mode, and the keys of a presenter.

import { make, makeButton } from "../shared/dom.js";

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
    parent.querySelector(".projector")?.remove();
    parent.append(this.root);
    const { signal } = this.stop;
    window.addEventListener("pointerdown", () => (this.clicked = true), { signal, capture: true });
    window.addEventListener("keydown", (event) => this.intercept(event), { signal, capture: true });
    document.addEventListener("keydown", (event) => this.onKey(event), { signal });
    document.addEventListener("fullscreenchange", () => {
      if (this.on && !document.fullscreenElement) this.leave();
    }, { signal });
    this.timer = setInterval(() => {
      this.stayOut();
      this.retryCaption();
    }, CHECK_MS);
  }

  /** @param {boolean} on */
  update(on) {
    if (this.on === on) return;
    this.on = on;
    this.root.classList.toggle("on", on);
    const buttons = on
      ? [
          keyButton("Play / pause", "Space", "Space", () => this.play()),
          keyButton("Settings", "S", "S", () => this.toggleSettings()),
          keyButton("Exit", "Esc", "Escape", () => this.leave()),
        ]
      : [keyButton("Projector", "P", "P", () => this.enter())];
    this.root.replaceChildren(...buttons);
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

  toggleSettings() {
    document.documentElement.toggleAttribute(SHOW_SETTINGS);
  }

  /** Presses the first play button of the page. */
  play() {
    const hosts = [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")];
    const buttons = hosts.flatMap(({ shadowRoot }) => [...(shadowRoot?.querySelectorAll("[data-do=play], button.play") ?? [])]);
    const play = buttons.map((button) => /** @type {HTMLButtonElement} */ (button)).find((button) => button.checkVisibility() && !button.disabled);
    play?.click();
  }

  /**
   * Handles a presenter's keys before the element that has the focus, wherever the mouse was used last.
   * PageDown and PageUp change the caption, and Space plays unless the focus came from the keyboard.
   * @param {KeyboardEvent} event
   */
  intercept(event) {
    this.open = Boolean(document.querySelector(OPEN));
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
    if (event.defaultPrevented || this.open || isCombined(event)) return;
    const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
    if (!target.matches?.(TYPED) && this.act(event.key, target)) event.preventDefault();
  }

  /** Performs the action of a key; true if it has one. @param {string} key @param {HTMLElement} target */
  act(key, target) {
    const letter = key.toLowerCase();
    if (!this.on && letter === "p") this.enter();
    else if (!this.on) return false;
    else if (key === "Escape") this.leave();
    else if (letter === "s") this.toggleSettings();
    else if (key === " " && target === document.body) this.play();
    else return false;
    return true;
  }

  remove() {
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

/** @param {KeyboardEvent} event */
function isCombined({ repeat, ctrlKey, metaKey, altKey }) {
  return repeat || ctrlKey || metaKey || altKey;
}

/** @param {string} words @param {string} hint @param {string} shortcut @param {() => void} act */
function keyButton(words, hint, shortcut, act) {
  const button = makeButton("");
  const key = make("kbd", "", hint);
  key.setAttribute("aria-hidden", "true");
  button.append(words, key);
  button.setAttribute("aria-keyshortcuts", shortcut);
  button.addEventListener("click", act);
  return button;
}
