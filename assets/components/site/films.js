// The films of the site. Each is a script, because a page that was opened from a folder may load
// scripts but may not fetch files. The script calls `storeFilm` with the parts of the film.

import { decode } from "../shared/exported.js";
import { make } from "../shared/dom.js";

/**
 * @typedef {object} PackedPart a component with its data
 * @property {string} component
 * @property {any} data the header of the component; null if its only piece is its data
 * @property {number[]} sizes of the pieces [bytes]
 * @property {string} packed all pieces, compressed with gzip, in base64
 */
/** @typedef {{ component: string, data: any, pieces: Uint8Array[] }} Part */

/** @type {Map<string, Promise<Part[]>>} */
const films = new Map();
/** @type {Map<string, (parts: PackedPart[]) => void>} */
const waiting = new Map();

/** The parts of a film; its script is loaded once. @param {string} name */
export function loadFilm(name) {
  const known = films.get(name);
  if (known) return known;
  /** @type {Promise<PackedPart[]>} */
  const loaded = new Promise((resolve, reject) => {
    waiting.set(name, resolve);
    const script = Object.assign(make("script"), { src: `films/${name}.js` });
    script.addEventListener("error", () => reject(new Error(`films/${name}.js cannot be read`)));
    document.head.append(script);
  });
  const film = loaded.then((parts) => Promise.all(parts.map(unpack)));
  film.catch(() => films.delete(name)); // so that the next attempt loads it again
  films.set(name, film);
  return film;
}

/** Called by the script of a film. @param {string} name @param {PackedPart[]} parts */
export function storeFilm(name, parts) {
  waiting.get(name)?.(parts);
  waiting.delete(name);
}

/** @param {PackedPart} part @returns {Promise<Part>} */
async function unpack({ component, data, sizes, packed }) {
  const stream = new Blob([decode(packed)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let end = 0;
  const pieces = sizes.map((size) => bytes.slice(end, (end += size)));
  return { component, data, pieces };
}
