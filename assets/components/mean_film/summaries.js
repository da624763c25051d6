// A summary of each step of a run: its objective, σ, sharpness and the pose of each image.

import { store } from "../shared/frame_store.js";

/** @typedef {[theta: number, down: number, right: number]} Pose */
/**
 * @typedef {object} Summary
 * @property {number} at number of the step in the animation
 * @property {number} k iteration
 * @property {number} objective
 * @property {number} sigma
 * @property {number} sharpness
 * @property {Pose[]} poses of each image
 */

/** @param {string} run @param {Summary} summary */
export function storeSummary(run, summary) {
  const runs = (store.summaries ??= new Map());
  const steps = runs.get(run) ?? new Map();
  runs.set(run, steps.set(summary.at, summary));
}

/** One row for each step and image. @param {Summary[]} steps @returns {(string | number)[][]} */
export function tabulateSteps(steps) {
  const names = ["k", "objective", "sharpness", "sigma [px]", "image", "theta [deg]", "shift down [px]", "shift right [px]"];
  const rows = steps.flatMap(({ k, objective, sharpness, sigma, poses }) =>
    poses.map((pose, i) => [k, objective, sharpness, sigma, i + 1, ...pose]));
  return [names, ...rows];
}

/** The first `count` summaries. @param {string} run @param {number} count @returns {Summary[]} */
export function summariesOf(run, count) {
  const known = store.summaries?.get(run);
  return Array.from({ length: count }, (_, at) => known?.get(at));
}
