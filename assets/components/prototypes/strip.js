// The strip below the animation: all prototypes at eight steps of the run.

import { contextOf, make, makeButton, newCanvas } from "../shared/dom.js";
import { toImageData } from "../shared/pixels.js";
import { store } from "./store.js";
import { numberOrDash } from "./texts.js";

const FRAMES = 8;
const ASPECT = 2.2; // width of a frame / its height

/** @param {import("./film.js").PrototypeFilm} film @param {import("./film.js").FilmData} data */
export function showStrip(film, data) {
  const last = film.last();
  const places = [...new Set(Array.from({ length: FRAMES }, (_, part) => Math.round((part * last) / (FRAMES - 1))))];
  const key = `${data.run} ${places} ${store.runs.get(data.run)?.size}`;
  const pictures = places.flatMap((at) => film.picture(at) ?? []);
  if (film.stripKey === key || pictures.length < places.length) return;
  film.stripKey = key;
  film.parts.strip.replaceChildren(...places.map((at, number) => {
    const button = makeButton("frame");
    const seconds = numberOrDash(data.seconds[at]);
    button.dataset.at = String(at);
    button.append(makeMosaic(pictures[number]), make("span", "", `${seconds} s`));
    button.setAttribute("aria-label", `The prototypes after ${seconds} seconds`);
    button.addEventListener("click", () => film.goTo(at));
    return button;
  }));
}

/** All prototypes of a step in one small picture. @param {import("./store.js").Picture} picture */
function makeMosaic({ piece: { k, h, w, c, pixels }, start }) {
  const columns = Math.ceil(k / Math.max(1, Math.round(Math.sqrt(k / ASPECT))));
  const canvas = newCanvas(columns * (w + 1) - 1, Math.ceil(k / columns) * (h + 1) - 1);
  const context = contextOf(canvas);
  for (let at = 0; at < k; at++) {
    const image = toImageData(pixels, start + at * h * w * c, [h, w, c]);
    context.putImageData(image, (at % columns) * (w + 1), Math.floor(at / columns) * (h + 1));
  }
  return canvas;
}
