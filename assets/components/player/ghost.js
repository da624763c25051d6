// The previous result, small and pale below the pictures of the run that has replaced it. It follows the
// position of the player, so that both results can be compared at every iteration.

import { contextOf, resizeCanvas, setLabel, setText } from "../shared/dom.js";
import { store } from "../shared/frame_store.js";
import { formatNumber } from "../shared/numbers.js";
import { computeWeights } from "../shared/weights.js";
import { blockLength, layTiles, paintMosaic } from "./gallery.js";
import { paintMatrix } from "./matrix.js";

/** @typedef {import("../shared/frame_store.js").Frame} Frame */
/** @typedef {{ frames: Frame[][], betas: number[], kernels: import("../shared/weights.js").Kernel[], settings: string }} Ghost the result that was replaced */
/** @typedef {{ header?: import("./types.js").Header, frames: Frame[][], ghost?: Ghost }} Shown what the player with a key shows */

const SIZE = 96; // of each picture [css px]

/** What the player with this key shows, or showed before Streamlit replaced its element. @param {string} key @returns {Shown} */
export function shownBy(key) {
  const name = `${key}: shown`;
  const shown = store.memory.get(name) ?? { frames: [] };
  store.memory.set(name, shown);
  return shown;
}

/**
 * The result that the header's runs replace, if it has the same images.
 * @param {Shown} shown
 * @param {import("./types.js").Header} header
 * @returns {Ghost | undefined}
 */
export function ghostOf({ header: before, frames }, header) {
  if (before?.runs.length !== header.runs.length || !frames.every((own) => own.length)) return undefined;
  const betas = before.runs.map(({ beta }) => beta);
  const kernels = before.runs.map(({ kernel }) => kernel);
  return { frames, betas, kernels, settings: header.replaced_settings };
}

/** @param {import("./run-view.js").RunView} view @param {number} lane */
export function showGhost(view, lane) {
  const { elements, order, groups, shown } = view;
  const { frame, scene } = view.current();
  const ghost = scene.ghost;
  const own = ghost?.frames[lane];
  const old = own?.[Math.min(view.step, own.length - 1)];
  elements.before.hidden = !ghost || !old || old.n !== frame.n || old.pending;
  if (!ghost || !old || elements.before.hidden) return;
  const beta = ghost.betas[lane];
  const key = [old.id, beta, view.styleKey(), scene.look.log, scene.look.ceiling, shown.length].join(" ");
  if (view.ghostKey === key) return;
  view.ghostKey = key;
  const size = Math.round(SIZE * view.ratio);
  const { beforeMatrix, beforeGallery, beforeText } = elements;
  for (const canvas of [beforeMatrix, beforeGallery]) resizeCanvas(canvas, size, size);
  const W = computeWeights(old.x, old.n, beta, ghost.kernels[lane]);
  contextOf(beforeMatrix).drawImage(paintMatrix(W, old.n, order, groups, scene.look, size, view.ratio), 0, 0);
  beforeGallery.hidden = !old.images;
  if (old.images) {
    const block = groups && blockLength(shown, groups);
    const tiles = layTiles(shown.length, old.shapes.images, size, size, view.ratio, block);
    const context = contextOf(beforeGallery);
    context.clearRect(0, 0, size, size);
    context.drawImage(paintMosaic(old.images, old.shapes.images, shown, tiles, groups, size, size), 0, 0);
  }
  const step = Math.min(view.step, own.length - 1);
  setText(beforeText, `Previous result at iteration ${step}: ${ghost.settings || `β = ${formatNumber(beta)}`}`);
  setLabel(beforeMatrix, `W of the previous result at iteration ${step}`);
  setLabel(beforeGallery, `Images of the previous result at iteration ${step}`);
}
