// Answers to Python that wait for a pause, so that only the last value of a series of quick changes is sent.

/** @typedef {import("./player.js").Player} Player */

const BETA_PAUSE_MS = 400; // without a key press on β
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

  /** Sends the first β at once, and then the last β of a quick series, such as key presses. */
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

  /** Sends the step to Python, and a sentence to screen readers. */
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

  /** Stops sending; returns the names of the answers that have not been sent. */
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
