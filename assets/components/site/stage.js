// A place on a page of the site that shows a film: the same components as in the app, each in its own
// shadow root with its own stylesheet.

import showDrawing from "../drawing/index.js";
import showLayers from "../layers/index.js";
import feedMean from "../mean_film/feeder.js";
import showMean from "../mean_film/index.js";
import feedPlayer from "../player/feeder.js";
import showPlayer from "../player/index.js";
import feedPrototypes from "../prototypes/feeder.js";
import showPrototypes from "../prototypes/index.js";
import { make } from "../shared/dom.js";
import showTurning from "../turning/index.js";
import { loadFilm } from "./films.js";

/** @typedef {import("./films.js").Part} Part */
/** @typedef {(call: any) => () => void} Show */
/** @typedef {{ key?: string, autoplay?: boolean } & Record<string, unknown>} Settings replace the values of a header */

/** @type {Record<string, { show: Show, feed?: Show }>} */
const COMPONENTS = {
  drawing: { show: showDrawing },
  layers: { show: showLayers },
  mean_film: { show: showMean, feed: feedMean },
  player: { show: showPlayer, feed: feedPlayer },
  prototypes: { show: showPrototypes, feed: feedPrototypes },
  turning: { show: showTurning },
};
const DARK = matchMedia("(prefers-color-scheme: dark)");

class Stage {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.wanted = "";
    /** @type {(() => void)[]} */
    this.removals = [];
    /** @type {(() => void)[]} */
    this.draws = [];
    DARK.addEventListener("change", () => this.draws.forEach((draw) => draw()));
  }

  /** @param {string} name @param {Settings} settings */
  async show(name, settings) {
    const wanted = JSON.stringify([name, settings]);
    if (this.wanted === wanted) return;
    this.wanted = wanted;
    this.element.setAttribute("aria-busy", "true");
    try {
      const parts = await loadFilm(name);
      if (this.wanted !== wanted) return;
      this.clear();
      await Promise.all(parts.map((part) => this.mount(part, name, settings)));
    } catch (error) {
      if (this.wanted !== wanted) return; // the error of a film that another one has replaced
      this.wanted = ""; // so that the film is loaded again when it is chosen again
      this.element.setAttribute("aria-busy", "false");
      this.clear();
      this.element.append(make("p", "failed", `This animation cannot be shown: ${error}. Reload the page; if that does not help, update your browser.`));
    }
    if (this.wanted === wanted) this.element.setAttribute("aria-busy", "false");
  }

  clear() {
    for (const remove of this.removals.splice(0)) remove();
    this.draws = [];
    this.element.replaceChildren();
  }

  /** @param {Part} part @param {string} name @param {Settings} settings */
  async mount({ component, data, pieces }, name, settings) {
    const host = make("div", component);
    const inner = make("div");
    const style = Object.assign(make("link"), { rel: "stylesheet", href: `files/${component}.css` });
    const styled = new Promise((done) => ["load", "error"].forEach((type) => style.addEventListener(type, done)));
    host.attachShadow({ mode: "open" }).append(style, inner);
    this.element.append(host);
    await styled;
    if (!host.isConnected) return;
    const { show, feed } = COMPONENTS[component];
    if (feed) for (const piece of pieces) this.removals.push(feed({ data: piece, parentElement: make("div") }));
    let chosen = data?.chosen;
    const setStateValue = (/** @type {string} */ answer, /** @type {any} */ value) => {
      if (answer !== "chosen") return; // only the app computes
      chosen = value[0];
      draw();
    };
    const draw = () => {
      const received = data ? { ...data, key: name, ...settings, chosen } : component === "drawing" ? readDrawing(pieces) : pieces[0];
      remove = show({ data: received, parentElement: inner, setStateValue, setTriggerValue: () => {} });
    };
    let remove = () => {};
    draw();
    this.draws.push(draw);
    this.removals.push(() => remove());
  }
}

/** A drawing whose colours depend on the theme has a second piece, for the dark theme. @param {Uint8Array[]} pieces */
function readDrawing([light, dark]) {
  return new TextDecoder().decode(DARK.matches && dark ? dark : light);
}

/** @type {WeakMap<HTMLElement, Stage>} */
const stages = new WeakMap();

/** Shows a film in an element, instead of the previous film. @param {HTMLElement} element @param {string} name @param {Settings} [settings] */
export function showFilm(element, name, settings = {}) {
  const stage = stages.get(element) ?? new Stage(element);
  stages.set(element, stage);
  return stage.show(name, settings);
}

/** Removes the film from an element. @param {HTMLElement} element */
export function removeFilm(element) {
  const stage = stages.get(element);
  stage?.clear();
  if (stage) stage.wanted = "";
}
