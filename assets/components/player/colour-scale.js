// The end of the linear colour scale of W, which is the same for all steps of all runs, so that colours
// can be compared over time.

import { computeWeights, largestOffDiagonal, roundUp } from "../shared/weights.js";

/** @typedef {import("../shared/frame_store.js").Frame} Frame */
/** @typedef {import("../shared/weights.js").Kernel} Kernel */
/** @typedef {{ beta: number, kernel: Kernel, seen: Set<number>, largest: number }} Measured */

const SLICE_MS = 25; // of work at a time

export class ColourScale {
  /** @param {(ceiling: number) => void} onFound called when the end is known for all frames */
  constructor(onFound) {
    this.onFound = onFound;
    /** @type {Measured[]} */
    this.measured = [];
    /** @type {Frame[][]} */
    this.frames = [];
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  /** Frames that were measured with the same β and kernel are not measured again, unless frames were replaced. @param {number[]} betas @param {Kernel[]} kernels @param {Frame[][]} frames */
  measure(betas, kernels, frames) {
    this.measured = betas.map((beta, at) => {
      const known = this.measured[at];
      const kernel = kernels[at] ?? null;
      const ids = new Set(frames[at].map(({ id }) => id));
      const holds = known?.beta === beta && JSON.stringify(known.kernel) === JSON.stringify(kernel) && [...known.seen].every((id) => ids.has(id));
      return holds ? known : { beta, kernel, seen: new Set(), largest: 0 };
    });
    this.frames = frames;
    this.stop();
    this.work();
  }

  work() {
    const until = performance.now() + SLICE_MS;
    for (const [measured, frame] of this.unmeasured()) {
      if (performance.now() > until) {
        this.timer = setTimeout(() => this.work());
        return;
      }
      measured.seen.add(frame.id);
      const largest = largestOffDiagonal(computeWeights(frame.x, frame.n, measured.beta, measured.kernel), frame.n);
      measured.largest = Math.max(measured.largest, largest);
    }
    this.onFound(roundUp(Math.max(...this.measured.map(({ largest }) => largest)) || 1));
  }

  /** @returns {[Measured, Frame][]} */
  unmeasured() {
    return this.measured.flatMap((measured, at) =>
      this.frames[at].filter(({ id }) => !measured.seen.has(id)).map((frame) => /** @type {[Measured, Frame]} */ ([measured, frame])));
  }

  stop() {
    clearTimeout(this.timer);
  }
}
