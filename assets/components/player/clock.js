// Time: a position between the steps 0..last, moved by a clock, by a step or by the user.

const HOLD_AT_END = 1.4; // duration of the end before the loop restarts, in steps
const STILL = 0.45; // part of a step during which nothing moves

/** @typedef {{ position: number, playing: boolean, speed: number, loop: boolean }} Clock */
/** @typedef {{ k: number, t: number }} Moment step k, and the part t of step k+1 drawn over it */

/**
 * Advances the position. It waits at the end if more steps are expected.
 * @param {Clock} clock
 * @param {number} seconds
 * @param {number} last
 * @param {boolean} growing
 */
export function advance(clock, seconds, last, growing) {
  clock.position += seconds * clock.speed;
  if (clock.position <= last) return;
  if (growing) clock.position = last;
  else if (!clock.loop) Object.assign(clock, { position: last, playing: false });
  else if (clock.position > last + HOLD_AT_END) clock.position = 0;
}

/** @param {number} position @param {number} last @param {boolean} still @returns {Moment} */
export function blend(position, last, still) {
  const place = Math.max(0, Math.min(position, last));
  const k = Math.floor(place);
  const part = Math.max(0, (place - k - STILL) / (1 - STILL));
  return { k, t: still ? 0 : smooth(part) };
}

/** From 0 to 1, with slope 0 at both ends. @param {number} part */
export function smooth(part) {
  return part * part * (3 - 2 * part);
}

/** The step that numbers and labels refer to. @param {Moment} moment */
export function shownStep({ k, t }) {
  return t >= 0.5 ? k + 1 : k;
}
