// The text of the player.

import { formatNumber, formatPercent } from "../shared/numbers.js";
import { ALIGNING, COMMON } from "./clock.js";

/** @typedef {import("../shared/formula.js").Part} Part */
/** @typedef {import("../shared/frame_store.js").Frame} Frame */
/** @typedef {import("./types.js").Groups} Groups */
/** @typedef {import("./types.js").Header} Header */
/** @typedef {import("../shared/weights.js").Numbers} Numbers */
/** @typedef {import("../shared/weights.js").Kernel} Kernel */
/** @typedef {{ total: number, each: number[] }} Mass */

const MAX_GROUPS = 6; // whose shares are listed

/** On the screen, images are numbered from 1, in the order of the data set. @param {Header} header @param {number} i */
export function numberOf(header, i) {
  return header.numbers?.[i] ?? i + 1;
}

/** @param {Header} header @param {number} i */
function nameOf(header, i) {
  return header.names[i] ?? `image ${numberOf(header, i)}`;
}

/** @param {Header} header @param {number} i */
export function titleOf(header, i) {
  const group = header.classes[header.labels[i]];
  return group && !nameOf(header, i).toLowerCase().includes(group.toLowerCase())
    ? `${nameOf(header, i)} (${group})`
    : nameOf(header, i);
}

// Tooltips of the terms; β and W are named as in the papers.
const ABOUT = {
  W: "the weight of image i in mean j; every column adds up to 1",
  kappa: "the kernel κ: the similarity of two images, 1 if their distance is 0",
  beta: "the bandwidth β: the larger it is, the more the weight is concentrated on the nearest images",
  d2: "the squared distance between images i and j; every image has norm 1, so it is dimensionless",
  sum: "the sum of the kernel values in column j, over all images k",
  mean: "image j is replaced by the mean of all images, each with its weight",
};

/** The text before β in a kernel: κ( or, without a table, exp(−. @param {Kernel} kernel */
function opening(kernel) {
  return kernel ? "κ(" : "exp(−";
}

/**
 * W_ij = exp(−β d²_ij) / Σ_k exp(−β d²_kj), and the mean that results.
 * @param {number} beta
 * @param {string} x the symbol of the exponent, d² or x
 * @param {string} more an additional formula, shown beside it
 * @param {string} moved the symbol of an aligned image
 * @param {Kernel} [kernel]
 * @returns {Part[]}
 */
export function weightTerms(beta, x, more, moved, kernel) {
  const value = formatNumber(beta);
  return [
    ["W_{ij}", "W", ABOUT.W], [" = "],
    [opening(kernel), "kappa", ABOUT.kappa], [value, "beta", `${ABOUT.beta}; now ${value}`], ["\u00a0"],
    [`${x}_{ij}`, "d2", ABOUT.d2], [")", "kappa", ABOUT.kappa], [" / "],
    [`Σ_k ${opening(kernel)}${value}\u00a0${x}_{kj})`, "sum", ABOUT.sum], [",  "],
    [`v_j ← Σ_i W_{ij} ${moved}`, "mean", ABOUT.mean], [more ? ",  " : ""], [more.replaceAll(" ", "\u00a0")],
  ];
}

/**
 * The same for one pair, in numbers.
 * @param {string} pair
 * @param {number} beta
 * @param {number} d2
 * @param {number} sum
 * @param {number} weight
 * @param {Kernel} [kernel]
 * @returns {Part[]}
 */
export function pairTerms(pair, beta, d2, sum, weight, kernel) {
  return [
    [`W_{${pair}}`, "W", ABOUT.W], [" = "], [opening(kernel), "kappa", ABOUT.kappa],
    [formatNumber(beta), "beta", ABOUT.beta], ["\u00a0·\u00a0"], [formatNumber(d2), "d2", ABOUT.d2], [")", "kappa", ABOUT.kappa],
    [" /\u00a0"], [formatNumber(sum), "sum", ABOUT.sum], [" =\u00a0"], [formatNumber(weight), "W", ABOUT.W],
  ];
}

/** @param {Header} header @param {number} i @param {number} j */
export function pairSentence(header, i, j) {
  if (i === j) return `Weight of ${titleOf(header, i)} in its own mean`;
  return `Weight of ${titleOf(header, i)} in the mean of ${titleOf(header, j)}`;
}

/** The clusters of two images at this step, if they are known. @param {Frame} frame @param {number} i @param {number} j */
export function clustersOf({ assignments }, i, j) {
  if (!assignments) return "";
  const [own, other] = [assignments[i] + 1, assignments[j] + 1];
  return own === other ? `Cluster ${own}. ` : `Clusters ${own} and ${other}. `;
}

/** @param {Mass} mass @param {Groups | undefined} groups */
export function groupSentence(mass, groups) {
  if (!groups || !Number.isFinite(mass.total)) return "no classes are known";
  const each = mass.each.slice(0, MAX_GROUPS).map((share, g) => `${groups.names[g]} ${formatPercent(share)}`);
  const more = mass.each.length > MAX_GROUPS ? ", ..." : "";
  return `${formatPercent(mass.total)} of the weight off the diagonal is within ${groups.kind}: ${each.join(", ")}${more}`;
}

/** @param {string} title @param {number} step @param {number} beta @param {Mass} mass @param {Groups | undefined} groups */
export function matrixSentence(title, step, beta, mass, groups) {
  return `Weight matrix of ${title} at iteration ${step}, β = ${formatNumber(beta)}. ${capitalise(groupSentence(mass, groups))}. Arrow keys move a cell cursor; Enter pins the pair.`;
}

/**
 * @param {string} title
 * @param {number} step
 * @param {number} shown
 * @param {number} all
 * @param {unknown} points
 * @param {string} pose
 */
export function gallerySentence(title, step, shown, all, points, pose) {
  const what = points ? "points" : "images";
  const count = shown < all ? `${shown} of ${all.toLocaleString("en")}` : all;
  return `${count} ${what} of ${title} at iteration ${step}${pose}. Arrow keys move to the next one; Enter pins it.`;
}

export const PENDING = "not available until the means have been compared";

/**
 * The note on means that were computed with a β that differs from the β of W.
 * @param {number} step
 * @param {number} beta
 * @param {number} made
 * @param {boolean} pending
 * @param {boolean} [preview] true if a preview with the β of W is shown
 */
export function staleness(step, beta, made, pending, preview = false) {
  if (step === 0 || beta === made) return "";
  if (preview) return `preview with β = ${formatNumber(beta)}, poses not refined${pending ? ": exact means are being computed" : ""}`;
  return `computed with β = ${formatNumber(made)}, not ${formatNumber(beta)}${pending ? ": new means are being computed" : ""}`;
}

/** The note on a result whose settings have changed. @param {string} settings */
export function outdated(settings) {
  return settings && `previous result: recomputing with ${settings}`;
}

/** @param {string} poses */
export function poseSentence(poses) {
  if (poses === COMMON) return "Every image is aligned with the first of its group.";
  if (poses === ALIGNING) return "Every image is in its own pose at iteration 0, and aligned with the first of its group from iteration 1.";
  return "Every image is in its own pose.";
}

/** @param {string} text */
export function capitalise(text) {
  return text[0].toUpperCase() + text.slice(1);
}
