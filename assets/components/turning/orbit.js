// Values that all views of a rotating picture share: the arrays of every angle, and the angle that is shown.
// They are on the window, since each component has its own bundle.

import { readArrays, readMetadata } from "../shared/arrays.js";
import { significant, superscript } from "../shared/numbers.js";

/** @typedef {import("../shared/arrays.js").Values} Values */
/** @typedef {import("../shared/arrays.js").ShapedArray} ShapedArray */
/** @typedef {{ name: string, about: string, heat: string, back: string, upright: string, error: string, arrows?: string, low: number, high: number, spread: number }} MapView names of arrays, and the scale */
/** @typedef {{ title: string, says: string, sure: string, views: MapView[] }} NetworkRow */
/** @typedef {{ name: string, side: number, channels: number, heat: string, back: string, upright: string, channel: string, error: string, low: number, high: number, spread: number, scales?: [number, number][] }} Layer */
/**
 * @typedef {object} Orbit
 * @property {string} key
 * @property {string} title
 * @property {number[]} degrees
 * @property {number[]} exact angles at which everything is exact [degrees]
 * @property {number} start [degrees]
 * @property {boolean} autoplay
 * @property {boolean} mirrored
 * @property {string[]} classes
 * @property {string[]} elements the poses h
 * @property {NetworkRow[]} rows
 * @property {Layer[]} layers
 * @property {Record<string, ShapedArray>} arrays
 */
/**
 * @typedef {object} TurningState
 * @property {Orbit | undefined} current the orbit on the page
 * @property {number} at number of the angle that is shown
 * @property {Set<() => void>} listeners called when the orbit or the angle has changed
 */

const page = /** @type {{ __iaTurn?: TurningState }} */ (/** @type {unknown} */ (window));

/** @type {TurningState} */
export const turning = (page.__iaTurn ??= { current: undefined, at: 0, listeners: new Set() });

/** The key of the orbit in these bytes. @param {Uint8Array} bytes @returns {string} */
export function readKey(bytes) {
  return readMetadata(bytes).key;
}

/** @param {Uint8Array} bytes */
export function readOrbit(bytes) {
  const { metadata, arrays } = readArrays(bytes.slice()); // aligned, and independent of the message that contains it
  return /** @type {Orbit} */ ({ ...metadata, arrays });
}

/** The part of an array that belongs to one angle. @param {ShapedArray} array @param {number} at @returns {Values} */
export function sliceOf({ values, shape }, at) {
  const size = shape.slice(1).reduce((product, n) => product * n, 1);
  return values.subarray(at * size, (at + 1) * size);
}

/** One row for each angle, network and map: the error of the map, and the prediction. @param {Orbit | undefined} orbit @returns {(string | number)[][]} */
export function tabulateAngles(orbit) {
  if (!orbit) return [];
  const { degrees, rows, classes, arrays } = orbit;
  const table = degrees.flatMap((angle, at) => rows.flatMap(({ title, says, sure, views }) =>
    views.map(({ name, error }) => [angle, title, name, arrays[error].values[at], classes[arrays[says].values[at]], arrays[sure].values[at]])));
  return [["rotation [deg]", "network", "map", "relative error", "prediction", "probability"], ...table];
}

/** The mean, the least and the largest value of the attention to positions, for each layer, angle and pose. @param {Orbit | undefined} orbit @returns {(string | number)[][]} */
export function tabulateLayers(orbit) {
  if (!orbit) return [];
  const { degrees, elements, layers, arrays } = orbit;
  const rows = layers.flatMap(({ name, side, heat, error, low, high }) => degrees.flatMap((angle, at) => {
    const maps = sliceOf(arrays[heat], at);
    return elements.map((element, h) => {
      const values = Array.from(maps.subarray(h * side * side, (h + 1) * side * side), (byte) => low + (byte / 255) * (high - low));
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return [angle, name, element, mean, Math.min(...values), Math.max(...values), arrays[error].values[at]];
    });
  }));
  return [["rotation [deg]", "layer", "pose h", "mean of the map", "least", "largest", "relative error"], ...rows];
}

/** @param {number} at */
export function showAngle(at) {
  const count = turning.current?.degrees.length ?? 1;
  const wanted = ((at % count) + count) % count;
  if (wanted === turning.at) return;
  turning.at = wanted;
  notify();
}

export function notify() {
  for (const listener of turning.listeners) listener();
}

/** The number of the angle nearest to an angle in degrees. @param {number} degrees */
export function nearestAngle(degrees) {
  const count = turning.current?.degrees.length ?? 1;
  return ((Math.round((degrees / 360) * count) % count) + count) % count;
}

/** @param {number} error */
export function formatError(error) {
  if (error === 0) return "0";
  if (error >= 0.001) return error.toFixed(error >= 0.1 ? 2 : 3);
  const power = Math.floor(Math.log10(error));
  return `${(error / 10 ** power).toFixed(0)}·10⁻${superscript(-power)}`;
}

/** Two digits; a value that is negligible beside 1 is written as 0. @param {number} value */
export function formatValue(value) {
  return Math.abs(value) < 5e-4 ? "0" : significant(value, 2);
}
