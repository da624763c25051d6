// The end of the linear scale of W: over all steps of all lanes, so that it stands still in time.

const SLICE = 25; // ms of work at a time

class Scale {
  // `found` is called with the end whenever it is known for all that has been given.
  constructor(found) {
    this.found = found;
    this.heights = [];
  }

  // Takes the β and the frames of every lane; what has been seen under the same β is not seen again.
  measure(betas, frames) {
    const known = (beta, at) => this.heights[at]?.beta === beta && this.heights[at];
    this.heights = betas.map((beta, at) => known(beta, at) || { beta, seen: new Set(), largest: 0 });
    this.frames = frames;
    this.stop();
    this.go();
  }

  go() {
    const until = performance.now() + SLICE;
    for (const [height, frame] of this.unseen()) {
      if (performance.now() > until) {
        this.timer = setTimeout(() => this.go());
        return;
      }
      height.seen.add(frame.id);
      const largest = largestOffDiagonal(weigh(frame.x, frame.n, height.beta), frame.n);
      height.largest = Math.max(height.largest, largest);
    }
    this.found(roundUp(Math.max(...this.heights.map(({ largest }) => largest)) || 1));
  }

  unseen() {
    return this.heights.flatMap((height, at) =>
      this.frames[at].filter(({ id }) => !height.seen.has(id)).map((frame) => [height, frame]));
  }

  stop() {
    clearTimeout(this.timer);
  }
}
