// Gallery of a run on 2D points: a scatter plot with fixed axes and trails.

import { groupColour } from "../shared/colours.js";
import { formatNumber } from "../shared/numbers.js";

/** @typedef {import("../shared/frame_store.js").Frame} Frame */
/** @typedef {import("./clock.js").Moment} Moment */
/** @typedef {CanvasRenderingContext2D} Context */
/**
 * @typedef {object} Axes
 * @property {number} width
 * @property {number} height
 * @property {[number, number]} middle
 * @property {number} scale
 * @property {(value: number) => number} x
 * @property {(value: number) => number} y
 */

/** @param {Frame} frame */
function pointsOf(frame) {
  return /** @type {Float32Array} */ (frame.points);
}

/**
 * One scale for all steps and both axes, so that a shorter path is a shorter line.
 * @param {Frame[]} frames
 * @param {number} width
 * @param {number} height
 * @returns {Axes}
 */
export function fitAxes(frames, width, height) {
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  for (const frame of frames)
    pointsOf(frame).forEach((value, at) => {
      low[at % 2] = Math.min(low[at % 2], value);
      high[at % 2] = Math.max(high[at % 2], value);
    });
  const margin = 0.06 * Math.min(width, height);
  const spans = [high[0] - low[0] || 1, high[1] - low[1] || 1];
  const scale = Math.min((width - 2 * margin) / spans[0], (height - 2 * margin) / spans[1]);
  /** @type {[number, number]} */
  const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
  return {
    width,
    height,
    middle,
    scale,
    x: (value) => width / 2 + (value - middle[0]) * scale,
    y: (value) => height / 2 - (value - middle[1]) * scale,
  };
}

/** Draws a light grid at round numbers, with about four lines per side. @param {Context} context @param {Axes} axes @param {string} colour @param {number} ratio */
function drawAxes(context, axes, colour, ratio) {
  const step = roundStep(axes.width / axes.scale / 4);
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = Math.max(1, Math.round(ratio));
  context.font = `${12 * ratio}px sans-serif`;
  for (const value of gridValues(axes.middle[0], axes.width / axes.scale, step)) {
    drawGridLine(context, [axes.x(value), 0], [axes.x(value), axes.height]);
    context.fillText(formatNumber(value), axes.x(value) + 3 * ratio, axes.height - 4 * ratio);
  }
  for (const value of gridValues(axes.middle[1], axes.height / axes.scale, step)) {
    drawGridLine(context, [0, axes.y(value)], [axes.width, axes.y(value)]);
    context.fillText(formatNumber(value), 4 * ratio, axes.y(value) - 3 * ratio);
  }
}

/** @param {Context} context @param {[number, number]} from @param {[number, number]} to */
function drawGridLine(context, from, to) {
  context.globalAlpha = 0.14;
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
  context.globalAlpha = 0.7;
}

/** @param {number} middle @param {number} span @param {number} step */
function gridValues(middle, span, step) {
  const first = Math.ceil((middle - span / 2) / step);
  const last = Math.floor((middle + span / 2) / step);
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
}

/** The smallest number of the form 1, 2 or 5 × 10ⁿ that is at least x. @param {number} x */
export function roundStep(x) {
  const decade = 10 ** Math.floor(Math.log10(x));
  return decade * ([1, 2, 5].find((digit) => digit * decade >= x * (1 - 1e-9)) ?? 10);
}

/** The points between step k and k+1, as [x, y, x, y, ...] on the canvas. @param {Frame[]} frames @param {Moment} moment @param {Axes} axes */
function placePoints(frames, { k, t }, axes) {
  const from = pointsOf(frames[k]);
  const to = pointsOf(frames[k + 1] ?? frames[k]);
  return Array.from(from, (value, at) => {
    const mixed = value + t * (to[at] - value);
    return at % 2 ? axes.y(mixed) : axes.x(mixed);
  });
}

/**
 * Draws the points and returns their positions on the canvas.
 * @param {Context} context
 * @param {Frame[]} frames
 * @param {Moment} moment
 * @param {Axes} axes
 * @param {ArrayLike<number> | undefined} groups
 * @param {string} colour of the axes
 * @param {number} ratio
 */
export function drawScatter(context, frames, moment, axes, groups, colour, ratio) {
  const places = placePoints(frames, moment, axes);
  const n = places.length / 2;
  /** @type {Map<number, number[]>} */
  const byGroup = new Map();
  for (let i = 0; i < n; i++) {
    const group = groups ? groups[i] : 0;
    byGroup.set(group, [...(byGroup.get(group) ?? []), i]);
  }
  drawAxes(context, axes, colour, ratio);
  context.globalAlpha = 1;
  const radius = ratio * (n > 300 ? 2.5 : n > 80 ? 3.5 : 5);
  for (const [group, members] of byGroup) {
    drawTrails(context, frames, moment.k, axes, members, places, groupColour(group), ratio);
    drawDots(context, places, members, radius, groupColour(group));
  }
  return places;
}

/**
 * @param {Context} context
 * @param {Frame[]} frames
 * @param {number} k
 * @param {Axes} axes
 * @param {number[]} members
 * @param {number[]} places
 * @param {string} colour
 * @param {number} ratio
 */
function drawTrails(context, frames, k, axes, members, places, colour, ratio) {
  context.strokeStyle = colour;
  context.lineWidth = 1.5 * ratio;
  for (let step = 0; step <= k; step++) {
    const points = pointsOf(frames[step]);
    const next = frames[step + 1]?.points;
    context.globalAlpha = 0.15 + 0.45 * ((step + 1) / (k + 1));
    context.beginPath();
    for (const i of members) {
      context.moveTo(axes.x(points[2 * i]), axes.y(points[2 * i + 1]));
      if (step === k || !next) context.lineTo(places[2 * i], places[2 * i + 1]);
      else context.lineTo(axes.x(next[2 * i]), axes.y(next[2 * i + 1]));
    }
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** @param {Context} context @param {number[]} places @param {number[]} members @param {number} radius @param {string} colour */
function drawDots(context, places, members, radius, colour) {
  context.fillStyle = colour;
  context.beginPath();
  for (const i of members) {
    context.moveTo(places[2 * i] + radius, places[2 * i + 1]);
    context.arc(places[2 * i], places[2 * i + 1], radius, 0, 2 * Math.PI);
  }
  context.fill();
}

/** @param {Context} context @param {number[]} places @param {number} i @param {string} colour @param {number} ratio @param {number} grow */
export function markPoint(context, places, i, colour, ratio, grow) {
  context.strokeStyle = colour;
  context.lineWidth = 2.5 * ratio;
  context.beginPath();
  context.arc(places[2 * i], places[2 * i + 1], (8 + 4 * grow) * ratio, 0, 2 * Math.PI);
  context.stroke();
}

/** The point nearest to a position [device px], if one is within reach. @param {number} x @param {number} y @param {number[]} places @param {number} reach */
export function pointAt(x, y, places, reach) {
  /** @type {{ distance: number, i: number | undefined }} */
  let best = { distance: reach, i: undefined };
  for (let i = 0; i < places.length / 2; i++) {
    const distance = Math.hypot(places[2 * i] - x, places[2 * i + 1] - y);
    if (distance < best.distance) best = { distance, i };
  }
  return best.i;
}
