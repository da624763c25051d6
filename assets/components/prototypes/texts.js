// Numbers of a clustering as text.

import { formatPercent, significant } from "../shared/numbers.js";

/** @param {number | null | undefined} x */
export function numberOrDash(x) {
  return x === null || x === undefined || !Number.isFinite(x) ? "–" : significant(x);
}

/** @param {number | null | undefined} x */
export function percentOrDash(x) {
  return x === null || x === undefined ? "–" : formatPercent(x, 1);
}

/** A text that lists the prototypes that were replaced by copies. @param {[k: number, from: number][]} pairs */
export function describeCopies(pairs) {
  return pairs.map(([k, from]) => `${k + 1} became a copy of ${from + 1}`).join(", ");
}
