// The values of a player that tests and the console can read: `element.__player`.

import { framesOf } from "../shared/frame_store.js";
import { computeWeights } from "../shared/weights.js";

/** @typedef {import("./player.js").Player} Player */

/** @param {Player} player */
export function exposeState(player) {
  const weights = (/** @type {number} */ run, /** @type {number} */ k) => {
    const { x, n } = player.frames[run][k];
    return computeWeights(x, n, player.memory.betas[run], player.header.runs[run].kernel);
  };
  const distances = (/** @type {number} */ run, /** @type {number} */ k) => player.frames[run][k].d2;
  const tiles = () =>
    player.views.flatMap(({ elements: { gallery }, tiles: laid }) => (laid ? [(laid.width / gallery.width) * gallery.getBoundingClientRect().width] : []));
  Object.assign(player.elements.element, { __player: { weights, distances, tiles, state: () => stateOf(player) } });
}

/** @param {Player} player */
function stateOf(player) {
  const { memory, paints } = player;
  const { pinned, clock } = memory;
  return {
    ...structuredClone(memory),
    pinned: pinned && [pinned.i, pinned.j],
    position: clock.position,
    step: player.currentStep(),
    last: player.last(),
    complete: player.header.runs.every(({ sent }, at) => player.frames[at].length >= sent),
    arrived: player.header.runs.every(({ run, sent }) => framesOf(run).length >= sent),
    paints,
  };
}
