// The animation of a mean in a page that was exported as one file.

import { decode, exportedMain } from "../shared/exported.js";
import { storeStep } from "./feeder.js";
import { MeanFilm } from "./film.js";

/** @param {string[]} steps in base64 @param {import("./film.js").FilmData} header */
export function open(steps, header) {
  for (const step of steps) storeStep(decode(step));
  new MeanFilm(exportedMain()).update(header);
}
