// The animation of a clustering run in a page that was exported as one file.

import { decode, exportedMain } from "../shared/exported.js";
import { PrototypeFilm } from "./film.js";
import { storePictures } from "./store.js";

/** @param {string[]} pieces in base64 @param {import("./film.js").FilmData} header */
export function open(pieces, header) {
  for (const piece of pieces) storePictures(decode(piece));
  const film = new PrototypeFilm(exportedMain());
  const show = (/** @type {number} */ chosen) => {
    film.choose = (cluster) => show(cluster);
    film.update({ ...header, chosen });
  };
  show(header.chosen);
}
