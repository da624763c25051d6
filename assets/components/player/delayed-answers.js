// Answers to Python that wait for a pause, so that a series of quick changes sends only its last value.

/** @typedef {import("./player.js").Player} Player */

const BETA_PAUSE_MS = 400; // without a key on β
const STEP_PAUSE_MS = 700; // without a change of the step

export class DelayedAnswers {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.betasSentAt = -Infinity;
    /** @type {number | undefined} */
    this.betaTimer = undefined;
    /** @type {number | undefined} */
    this.stepTimer = undefined;
  }

  /** The first β is sent at once, and the last of several that follow it closely, as keys do. */
  sendBetas() {
    clearTimeout(this.betaTimer);
    const soon = performance.now() - this.betasSentAt < BETA_PAUSE_MS;
    this.betasSentAt = performance.now();
    const send = () => {
      this.betaTimer = undefined;
      const { link, memory } = this.player;
      link.answer("betas", memory.betas, (memory.turns += 1));
    };
    if (soon) this.betaTimer = setTimeout(send, BETA_PAUSE_MS);
    else send();
  }

  /** The step for Python, and a sentence for screen readers. */
  sendStep() {
    clearTimeout(this.stepTimer);
    this.stepTimer = setTimeout(() => {
      this.stepTimer = undefined;
      const { player } = this;
      const { clock } = player.memory;
      if (clock.playing || clock.position > player.last()) return; // the step has not arrived yet
      const step = player.currentStep();
      player.announce(`Iteration ${step}. ${player.views.map((view) => view.sentence).join(" ")}`);
      player.link.answer("step", step);
    }, STEP_PAUSE_MS);
  }

  /** Sends nothing more; returns the names of the answers that were still to be sent. */
  stop() {
    clearTimeout(this.betaTimer);
    clearTimeout(this.stepTimer);
    /** @type {import("./exchange.js").AnswerName[]} */
    const unsent = [];
    if (this.betaTimer !== undefined) unsent.push("betas");
    if (this.stepTimer !== undefined) unsent.push("step");
    return unsent;
  }
}
