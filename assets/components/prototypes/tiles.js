// The prototypes of a step, the share of images of each, and marks on those that have just become copies.

import { find, make, makeButton, setText } from "../shared/dom.js";
import { showImage, toImageData } from "../shared/pixels.js";

/** @typedef {import("./film.js").FilmData} FilmData */

const COPY_SHOWN = 0.03; // a reassignment is marked for this part of the run
const MAX_LARGE = 30; // with more prototypes, the tiles have smaller letters

/** @param {HTMLElement} tiles @param {number} k @param {(cluster: number) => void} choose */
export function makeTiles(tiles, k, choose) {
  if (tiles.children.length === k) return;
  const columns = Math.ceil(k / Math.ceil(k / (k > 40 ? 20 : 12)));
  tiles.style.setProperty("--columns", String(columns));
  tiles.classList.toggle("many", k > MAX_LARGE);
  tiles.replaceChildren(...Array.from({ length: k }, (_, at) => makeTile(at, choose)));
}

/** @param {number} at @param {(cluster: number) => void} choose */
function makeTile(at, choose) {
  const tile = makeButton("tile");
  const bar = make("i", "size");
  bar.append(make("i"));
  tile.append(make("canvas"), make("b", "", String(at + 1)), bar, make("span"));
  tile.addEventListener("click", () => choose(at));
  return tile;
}

/** @param {HTMLElement} tiles @param {FilmData} data @param {number} at @param {import("./store.js").Picture} picture of the step */
export function showTiles(tiles, data, at, { piece: { k, h, w, c, pixels }, start }) {
  const most = Math.max(...data.sizes[at], 1e-9);
  const copied = copiesAt(data, at);
  [...tiles.children].slice(0, k).forEach((element, cluster) => {
    const tile = /** @type {HTMLElement} */ (element);
    const image = toImageData(pixels, start + cluster * h * w * c, [h, w, c]);
    showImage(/** @type {HTMLCanvasElement} */ (tile.firstChild), image);
    describe(tile, data, cluster, data.sizes[at][cluster], most, copied.get(cluster));
  });
}

/** @param {HTMLElement} tile @param {FilmData} data @param {number} cluster @param {number} share @param {number} most @param {number} [from] */
function describe(tile, data, cluster, share, most, from) {
  const name = data.named[cluster] ? ` “${data.named[cluster]}”` : "";
  const copy = from === undefined ? "" : `, just reassigned: a copy of ${from + 1}`;
  find(tile, ".size i").style.width = `${(100 * share) / most}%`;
  const text = from === undefined ? `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %${name}` : `▲ from ${from + 1}`;
  setText(find(tile, "span"), text);
  tile.classList.toggle("copied", Boolean(copy));
  tile.setAttribute("aria-pressed", String(data.chosen === cluster));
  const label = `Prototype ${cluster + 1}, ${(100 * share).toFixed(1)} % of the images${name && `, mostly${name}`}${copy}`;
  tile.setAttribute("aria-label", label);
  tile.title = label;
}

/** The prototype of which each became a copy, since the previous picture or within a small part of the run. @param {FilmData} data @param {number} at */
function copiesAt(data, at) {
  const now = data.seconds[at] + 0.01;
  const since = Math.min((data.seconds[at - 1] ?? -1) + 0.01, now - COPY_SHOWN * data.budget);
  return new Map(data.events.filter(([seconds]) => seconds > since && seconds <= now).flatMap(([, pairs]) => pairs));
}
