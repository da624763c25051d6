// The way into the projector mode and out of it, and what a presenter's keys do there.

const BARS = new WeakMap(); // the element -> its bar
const TYPED = "input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable=true], [role=combobox]";
const PAGED = "textarea, [contenteditable=true]"; // fields that use PageUp and PageDown themselves
const OPEN = "[data-testid=stPopoverBody], [role=dialog], [role=listbox], [role=menu]";
const STEPS = { PageDown: ["Next"], PageUp: ["Back", "Previous"] }; // the first words of their buttons
const SHOWN = "data-settings"; // of the document: the settings are wanted
const SETTLED = 10_000; // ms after leaving: an answer that was on its way may ask for the mode again
const LOOK = 250;
const NAME = "projector"; // in the address
const LESSON = "lesson"; // in the address, as long as a caption is open
const WAIT = 5_000; // ms for which a press waits for a button that is not drawn yet

let left = -Infinity; // when the mode was left

export default function mount({ data, parentElement, setTriggerValue }) {
  const bar = BARS.get(parentElement) ?? new Bar(parentElement);
  BARS.set(parentElement, bar);
  bar.update(data.on, setTriggerValue);
  const call = (bar.call = (bar.call ?? 0) + 1);
  return () => {
    if (bar.call !== call) return;
    BARS.delete(parentElement);
    bar.remove();
  };
}

class Bar {
  constructor(parent) {
    this.root = Object.assign(document.createElement("div"), { className: "projector" });
    this.stop = new AbortController();
    parent.querySelector(".projector")?.remove();
    parent.append(this.root);
    const on = (target, type, act, options) => target.addEventListener(type, act, { signal: this.stop.signal, ...options });
    on(window, "pointerdown", () => (this.clicked = true), { capture: true });
    on(window, "keydown", (event) => this.intercept(event), { capture: true });
    on(document, "keydown", (event) => this.pressed(event));
    on(document, "fullscreenchange", () => this.on && !document.fullscreenElement && this.leave());
    this.looks = setInterval(() => (this.stay(), this.retry()), LOOK);
  }

  update(on, send) {
    this.send = send;
    if (this.on === on) return;
    this.on = on;
    this.root.classList.toggle("on", on);
    const ways = on
      ? [["Play / pause", "Space", () => this.play()], ["Settings", "S", () => this.settings()], ["Exit", "Esc", () => this.leave()]]
      : [["Projector", "P", () => this.enter()]];
    this.root.replaceChildren(...ways.map(([word, key, act]) => button(word, key, act)));
    if (!on) document.documentElement.removeAttribute(SHOWN);
  }

  enter() {
    left = -Infinity;
    document.documentElement.requestFullscreen?.().catch(() => {}); // where it may not be, the rest holds
    this.send("wish", "on");
  }

  leave() {
    if (document.fullscreenElement) document.exitFullscreen();
    left = performance.now();
    forget();
    this.send("wish", "off");
  }

  // Out, though what Python wrote before it heard of that has brought the mode back into the address.
  stay() {
    const asked = new URL(location.href).searchParams.get(NAME);
    if (asked !== null && performance.now() - left < SETTLED) this.send("wish", "off");
  }

  // A key pressed while the page is being drawn presses the button once that is there.
  retry() {
    if (!this.awaited) return;
    const late = performance.now() - this.awaited.since > WAIT;
    if (late || turn(this.awaited.words)) this.awaited = undefined;
  }

  // False if there is no lesson, so that the key scrolls the page as usual.
  turn(words) {
    if (turn(words)) this.awaited = undefined;
    else if (isAwaited()) this.awaited = { words, since: performance.now() };
    else return false;
    return true;
  }

  settings() {
    document.documentElement.toggleAttribute(SHOWN);
  }

  // What plays on the page, wherever it is.
  play() {
    const roots = [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")].map((host) => host.shadowRoot);
    const found = roots.flatMap((root) => [...(root?.querySelectorAll("[data-do=play], button.play") ?? [])]);
    found.find((play) => play.checkVisibility() && !play.disabled)?.click();
  }

  // A presenter's keys work wherever the mouse was used last: before the element that has the focus,
  // PageDown and PageUp turn the captions, and Space plays unless the focus came from the keyboard.
  intercept(event) {
    this.open = Boolean(document.querySelector(OPEN));
    this.clicked &&= event.key !== "Tab";
    if (this.open || isCombined(event)) return;
    const target = event.composedPath()[0];
    const paged = STEPS[event.key] && !target.matches?.(PAGED) && this.turn(STEPS[event.key]);
    const played = event.key === " " && this.on && this.clicked && !target.matches?.(TYPED) && (this.play(), true);
    if (!paged && !played) return;
    if (played) target.blur?.(); // or the button is pressed when the key is released
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  // All other keys belong first to the element that has the focus: a field, a button, a player.
  pressed(event) {
    const { key, defaultPrevented } = event;
    if (defaultPrevented || this.open || isCombined(event)) return;
    const target = event.composedPath()[0];
    if (target.matches?.(TYPED)) return;
    if (this.act(key, target)) event.preventDefault();
  }

  act(key, target) {
    if (!this.on) return key.toLowerCase() === "p" && (this.enter(), true);
    if (key === "Escape") this.leave();
    else if (key.toLowerCase() === "s") this.settings();
    else if (key === " " && target === document.body) this.play();
    else return false;
    return true;
  }

  remove() {
    clearInterval(this.looks);
    this.stop.abort();
    this.root.remove();
  }
}

// At once: what the page asks before Python has answered must not ask for the mode again.
function forget() {
  const address = new URL(location.href);
  address.searchParams.delete(NAME);
  history.replaceState(history.state, "", address);
}

// Press the button of a caption, or follow its link where the caption is on another page.
function turn(words) {
  const ways = [...document.querySelectorAll(".st-key-lesson_steps :is(a, button:not(:disabled))")];
  const found = ways.find((way) => words.some((word) => way.innerText.trim().startsWith(word)));
  found?.click();
  return Boolean(found);
}

// True while a caption is open whose buttons are still to be drawn.
function isAwaited() {
  return new URL(location.href).searchParams.has(LESSON) && !document.querySelector(".st-key-lesson_steps :is(a, button)");
}

function isCombined({ repeat, ctrlKey, metaKey, altKey }) {
  return repeat || ctrlKey || metaKey || altKey;
}

function button(word, key, act) {
  const made = Object.assign(document.createElement("button"), { type: "button" });
  const hint = Object.assign(document.createElement("kbd"), { textContent: key });
  hint.setAttribute("aria-hidden", "true");
  made.append(word, hint);
  made.setAttribute("aria-keyshortcuts", { Esc: "Escape", Space: "Space" }[key] ?? key);
  made.addEventListener("click", act);
  return made;
}
