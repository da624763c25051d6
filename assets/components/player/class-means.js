// The mean of each group of images, as it is shown: the images move onto one another and melt into it.

import { contextOf, make, resizeCanvas, setLabel, setText } from "../shared/dom.js";
import { cached } from "../shared/cache.js";
import { groupColour } from "../shared/colours.js";
import { toImageData } from "../shared/pixels.js";
import { firstOfGroups, warpImages } from "../shared/warp.js";
import { partOf } from "./clock.js";

/** @typedef {import("../shared/frame_store.js").Frame} Frame */
/** @typedef {ArrayLike<number>} Numbers */
/** @typedef {{ ids: Numbers, names: string[] }} Groups */

export const MAX_MEANS = 12; // groups
const MAX_MOVING = 100; // images whose mean is computed again in every frame of a movement
const MAX_KEPT = 24; // steps

/**
 * The mean of the images of each group, pixel by pixel.
 * @param {Numbers} images
 * @param {number[]} shape [n h w c]
 * @param {Numbers} groups
 * @param {number} count number of groups
 */
export function averageGroups(images, [n, height, width, channels], groups, count) {
  const size = height * width * channels;
  const sums = new Float32Array(count * size);
  const members = new Float32Array(count);
  for (let i = 0; i < n; i++) {
    members[groups[i]] += 1;
    for (let from = i * size, to = groups[i] * size, end = from + size; from < end; from++, to++) sums[to] += images[from];
  }
  return sums.map((sum, at) => sum / Math.max(1, members[Math.floor(at / size)]));
}

/** The numbers between two lists. @param {Numbers} from @param {Numbers} to @param {number} part */
function mix(from, to, part) {
  return part === 0 ? from : Float32Array.from(from, (value, at) => value + part * (to[at] - value));
}

export class ClassMeans {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    /** @type {Map<string, Float32Array>} */
    this.known = new Map();
    this.key = "";
    /** @type {HTMLCanvasElement[]} */
    this.canvases = [];
    this.painted = "";
  }

  clear() {
    this.known.clear();
    this.painted = "";
  }

  /**
   * The means of a frame whose images are moved by this part of the way onto the first of their group.
   * @param {Frame} frame
   * @param {Groups} groups
   * @param {number} aligned
   */
  of(frame, groups, aligned) {
    const count = groups.names.length;
    const { shapes: { images: shape }, images } = frame;
    const targets = aligned > 0 ? firstOfGroups(frame, groups.ids) : undefined;
    const whole = frame.n > MAX_MOVING ? Math.round(aligned) : aligned;
    const [, height, width] = shape;
    const average = () => {
      const moved = targets && whole > 0 ? warpImages(frame, targets, (i) => partOf(whole, groups.ids[i], count), [height, width]) : images ?? [];
      return averageGroups(moved, shape, groups.ids, count);
    };
    if (targets && whole > 0 && whole < 1) return average();
    return cached(this.known, `${frame.id} ${targets ? whole : 0}`, MAX_KEPT, average);
  }

  /**
   * @param {Frame} from
   * @param {Frame | undefined} to the next step, which is `part` visible
   * @param {number} part
   * @param {Groups} groups
   * @param {[from: number, to: number]} aligned
   * @param {string} about
   */
  show(from, to, part, groups, aligned, about) {
    this.build(groups);
    const key = [from.id, to?.id, part, ...aligned, about].join(" ");
    if (key === this.painted) return;
    this.painted = key;
    const [, height, width, channels] = from.shapes.images;
    const size = height * width * channels;
    const [before, after] = [this.of(from, groups, aligned[0]), to && this.of(to, groups, aligned[1])];
    this.canvases.forEach((canvas, g) => {
      const own = before.subarray(g * size, (g + 1) * size);
      const share = to ? partOf(part, g, groups.names.length) : 0;
      const shown = after ? mix(own, after.subarray(g * size, (g + 1) * size), share) : own;
      resizeCanvas(canvas, width, height);
      contextOf(canvas).putImageData(toImageData(shown, 0, [height, width, channels]), 0, 0);
      setLabel(canvas, `${about} ${groups.names[g]}`);
    });
  }

  /** @param {Groups} groups */
  build({ names }) {
    const key = names.join("\n");
    if (key === this.key) return;
    this.key = key;
    this.painted = "";
    this.canvases = names.map(() => Object.assign(make("canvas", "mean"), { role: "img" }));
    this.element.replaceChildren(...names.map((name, g) => {
      const figure = make("div", "class-mean");
      figure.style.setProperty("--colour", groupColour(g));
      const label = make("span", "class-name");
      setText(label, name);
      label.setAttribute("aria-hidden", "true");
      figure.append(this.canvases[g], label);
      return figure;
    }));
  }
}
