// Time: a position between the steps 0..last, moved by a clock, by a step or by the user.

const HOLD_AT_END = 1.4; // duration of the end before the loop restarts, in steps
const STILL = 0.45; // part of a step during which nothing moves
const FIRST_S = 4; // duration of the first step while the images move into the common pose [s]
const MOVE = [0.1, 0.62]; // the part of the first step in which the images move; then they melt
const STAGGER = 0.5; // delay of every group after the one before it, as a part of its movement

export const OWN = "own";
export const COMMON = "common";
export const ALIGNING = "aligning"; // own poses at iteration 0, common poses from iteration 1

/** @typedef {{ position: number, playing: boolean, speed: number, loop: boolean }} Clock */
/** @typedef {{ k: number, t: number }} Moment step k, and the part t of step k+1 drawn over it */

/**
 * Advances the position. It waits at the end if more steps are expected.
 * @param {Clock} clock
 * @param {number} seconds
 * @param {number} last
 * @param {boolean} growing
 * @param {boolean} [aligning] true if the images move during the first step, which is then slower
 */
export function advance(clock, seconds, last, growing, aligning = false) {
  clock.position += (seconds * clock.speed) / (aligning && clock.position < 1 ? FIRST_S : 1);
  if (clock.position <= last) return;
  if (growing) clock.position = last;
  else if (!clock.loop) Object.assign(clock, { position: last, playing: false });
  else if (clock.position > last + HOLD_AT_END) clock.position = 0;
}

/** @param {number} position @param {number} last @param {boolean} still @param {boolean} [aligning] @returns {Moment} */
export function blend(position, last, still, aligning = false) {
  const place = Math.max(0, Math.min(position, last));
  const k = Math.floor(place);
  const start = aligning && k === 0 ? MOVE[1] : STILL;
  const part = Math.max(0, (place - k - start) / (1 - start));
  return { k, t: still ? 0 : smooth(part) };
}

/** The part of the way from the own poses (0) to the common poses (1) at a position. @param {string | undefined} poses @param {number} position @param {boolean} still */
export function wayAt(poses, position, still) {
  if (poses === COMMON) return 1;
  if (poses !== ALIGNING) return 0;
  if (still) return position < 1 ? 0 : 1;
  return Math.max(0, Math.min(1, (position - MOVE[0]) / (MOVE[1] - MOVE[0])));
}

/** The part of a movement that a group has made: one group after the other. @param {number} part of all groups @param {number} group @param {number} groups number of groups */
export function partOf(part, group, groups) {
  const delay = STAGGER / Math.max(1, (groups - 1) / 2);
  return smooth(Math.max(0, Math.min(1, part * (1 + delay * (groups - 1)) - delay * group)));
}

/** From 0 to 1, with slope 0 at both ends. @param {number} part */
export function smooth(part) {
  return part * part * (3 - 2 * part);
}

/** The step that numbers and labels refer to. @param {Moment} moment */
export function shownStep({ k, t }) {
  return t >= 0.5 ? k + 1 : k;
}
