// The player: what it remembers, what it shows at which moment, and what it tells Python.
//
// header: {key, lanes: [{run, title, expected, running, formula, beta, sent}], names, numbers, labels, classes, orders,
//          order, beta_range, sigma, total, pair, heard, poses, start, jump, autoplay, loop, follows, awaited, minds, plays}

const BETA_RESTS = 400; // milliseconds without a key on β, until the means of the last one are asked for
const STEP_RESTS = 700; // milliseconds without a change of the step before it is sent to Python
const SWING = 0.7; // seconds from every image's own pose to the common one

const FRESH = {
  clock: { position: 0, playing: false, speed: 1, loop: true },
  given: {}, // the header's values that the reader's own choices rest upon
  told: {},
  pairs: 0, // so often one was pinned or let go
  betas: [], // of each lane
  sentBetas: [], // sent to Python and not yet given back by it, oldest first
  unsent: [], // what a player was about to send to Python when it was removed: "betas", "step"
  turns: 0, // so often β was let go
  swing: 0, // 0: every image in its own pose, 1: in the common one
  log: false,
};

class Player {
  constructor(parent) {
    this.view = buildPlayer();
    this.lanes = [];
    this.paints = 0;
    this.stillness = matchMedia("(prefers-reduced-motion: reduce)");
    parent.append(this.view.element);
    this.stop = new AbortController();
    this.resized = new ResizeObserver(() => this.invalidate());
    this.resized.observe(this.view.element);
    this.scale = new Scale((ceiling) => {
      this.look = { ...this.look, ceiling };
      this.invalidate();
    });
    this.onFrames = (run) => this.framesCame(run);
    store.listeners.add(this.onFrames);
    listen(this);
    this.unshare = shareLights(this.view.element);
    lights.listeners.add((this.onLight = () => this.invalidate()));
    this.expose();
  }

  // A new header, or the old one in a new theme; what the reader chose stays.
  update(header, send) {
    const { key } = header;
    this.memory = store.memory.get(key) ?? { ...structuredClone(FRESH), order: header.order };
    // By another player, or to a fragment that was gone when it arrived.
    if ((!this.header || !header.plays) && this.memory.told.step?.[0] === null) delete this.memory.told.step;
    store.memory.set(key, this.memory);
    Object.assign(this, { header, send });
    this.adopt();
    this.look = { ...this.look, ...readTheme(this.view.element), log: this.memory.log };
    this.look.ramp = makeRamp(this.look.dark);
    this.view.ramp.style.backgroundImage = rampGradient(this.look.dark);
    while (this.lanes.length > header.lanes.length) this.lanes.pop().remove();
    while (this.lanes.length < header.lanes.length) this.lanes.push(new Lane(this.view.lanes));
    for (const lane of this.lanes) lane.forget();
    this.view.element.classList.toggle("one", header.lanes.length === 1);
    this.framesCame(header.lanes[0]?.run);
    const unsent = this.memory.unsent.splice(0);
    if (unsent.includes("betas")) this.letGoOfBeta();
    else if (unsent.includes("step")) this.settle();
  }

  // Takes from the header what has changed in it, and nothing else.
  adopt() {
    const { memory, header } = this;
    const of = (name) => header.lanes.map((lane) => lane[name]);
    const given = { betas: of("beta"), pair: header.pair, poses: header.poses, runs: of("run"), start: [header.start, header.jump] };
    given.step = [given.runs, header.jump];
    const changed = (name) => JSON.stringify(memory.given[name]) !== JSON.stringify(given[name]);
    if (changed("runs")) this.follows = header.follows !== "" && this.shows(header.follows);
    if (changed("runs") && !this.follows) memory.sentBetas = []; // a run of its own answers nothing
    const kept = (beta, at) => beta === memory.given.betas?.[at] || this.answers(beta, at);
    memory.betas = given.betas.map((beta, at) => (kept(beta, at) ? memory.betas[at] : beta));
    if (changed("poses")) memory.poses = header.poses;
    if (changed("pair") && (header.heard === null || header.heard === memory.pairs)) memory.pinned = header.pair ? { i: header.pair[0], j: header.pair[1] } : undefined;
    if (changed("runs") ? !this.follows : changed("start")) {
      Object.assign(memory.clock, { position: header.start, playing: false });
      memory.waiting = header.autoplay;
      memory.clock.loop = header.loop;
    }
    const late = memory.betas.some((beta, at) => beta !== given.betas[at] && this.answers(given.betas[at], at));
    if (changed("betas")) this.forgetSentBetas(given.betas);
    // The step may have reached Python too late, when it no longer had the run that was left.
    if (changed("runs") && this.follows && memory.told.step) this.settle();
    memory.given = given;
    if (late) this.letGoOfBeta();
    this.tellPlaying();
  }

  // True if a given β was sent from here: the slider may have moved since, and is not set back.
  answers(beta, at) {
    return this.memory.sentBetas.some((betas) => betas[at] === beta);
  }

  // Python has answered these values, or has others: what was sent before them is out of date.
  forgetSentBetas(betas) {
    const { memory } = this;
    const answered = memory.sentBetas.findLastIndex((sent) => String(sent) === String(betas));
    memory.sentBetas = answered < 0 ? [] : memory.sentBetas.slice(answered + 1);
    delete memory.told.betas;
  }

  // Whether the first lane shows this run, whichever its method.
  shows(run) {
    return this.memory.given.runs?.[0]?.startsWith(`${run}.`) ?? false;
  }

  framesCame(run) {
    if (!this.header?.lanes.some((lane) => lane.run === run)) return;
    this.frames = this.header.lanes.map((lane, at) => this.framesFor(lane, at));
    this.groups = groupsOf(this.header, this.frames);
    this.orders = ordersOf(this.header, this.frames, this.groups);
    if (this.memory.waiting && this.last() > 0) this.start();
    this.measureScale();
    this.invalidate();
  }

  // What a run shows that follows another: the old steps, until all of its own have come.
  framesFor({ run, sent }, at) {
    const came = framesOf(run);
    const before = this.follows && this.frames?.[at];
    return before && came.length < sent ? before : came;
  }

  measureScale() {
    this.scale.measure(this.memory.betas, this.frames);
  }

  start() {
    this.memory.waiting = false;
    this.memory.clock.playing = !this.stillness.matches;
    this.tellPlaying();
  }

  last() {
    return Math.max(0, ...this.frames.map((frames) => frames.length - 1));
  }

  growing() {
    return this.header.lanes.some((lane) => lane.running);
  }

  // --- Time -------------------------------------------------------------------------------------

  invalidate() {
    this.request ??= requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    this.request = undefined;
    const { clock } = this.memory;
    const seconds = this.before ? Math.min(0.25, (now - this.before) / 1000) : 0;
    if (clock.playing) {
      advance(clock, seconds, this.last(), this.growing());
      if (!clock.playing) this.settle(); // it has come to its end
    }
    const swinging = this.swing(seconds);
    const moving = clock.playing || swinging;
    this.before = moving ? now : undefined;
    this.render();
    if (moving) this.invalidate();
  }

  // Moves on towards the poses that are wanted; false once they are reached, or while none are known.
  swing(seconds) {
    const { memory } = this;
    if (!this.frames.some(([first]) => first?.matrices)) return false;
    const wanted = memory.poses === COMMON ? 1 : 0;
    const way = wanted - memory.swing;
    const reach = this.stillness.matches ? 1 : seconds / SWING;
    memory.swing += Math.sign(way) * Math.min(Math.abs(way), reach);
    return memory.swing !== wanted;
  }

  moment() {
    return blend(this.memory.clock.position, this.last(), this.stillness.matches);
  }

  // The step that is next to nothing away from the position, for keys and buttons.
  step(by) {
    const at = Math.min(this.memory.clock.position, this.last());
    this.goTo(by > 0 ? Math.floor(at + 1e-6) + by : Math.ceil(at - 1e-6) + by);
  }

  goTo(position) {
    this.memory.waiting = false;
    Object.assign(this.memory.clock, { playing: false, position: Math.max(0, Math.min(position, this.last())) });
    this.settle();
    this.invalidate();
  }

  toggle() {
    const { clock } = this.memory;
    clock.playing = !clock.playing;
    this.memory.waiting = false;
    if (clock.playing && clock.position >= this.last() && !this.growing()) clock.position = 0;
    if (!clock.playing) this.goTo(shownStep(this.moment()));
    this.tellPlaying();
    this.invalidate();
  }

  // --- Picture ----------------------------------------------------------------------------------

  render() {
    const moment = this.moment();
    const scene = this.scene(moment);
    this.lanes.forEach((lane, at) => lane.show(this.header.lanes[at], this.frames[at], { ...scene, beta: this.memory.betas[at] }));
    showControls(this);
    this.paints += 1;
    if (this.memory.clock.playing) this.prepare(moment.k + 1);
    if (this.betaSince !== undefined) this.measureDelay();
  }

  scene(moment) {
    const { header, memory, groups, look } = this;
    const cell = this.hovered ?? memory.pinned;
    const isPinned = Boolean(memory.pinned) && cell.i === memory.pinned.i && cell.j === memory.pinned.j;
    const orderKey = this.orders.has(memory.order) ? memory.order : AS_GIVEN;
    const order = this.orders.get(orderKey);
    const ratio = Math.min(2, devicePixelRatio || 1);
    const turned = smooth(memory.swing);
    const lit = lights.told ? lights.term.split(" ") : [];
    return { header, moment, groups, look, cell, isPinned, order: order.indices, orderKey: order.key, turned, ratio, lit };
  }

  // Paints the next step's bitmaps between two pictures, one at a time.
  prepare(k) {
    if (this.prepared === k || this.preparing) return;
    this.preparing = true;
    const rest = this.lanes.flatMap((lane) => lane.preparations(k));
    const next = () => {
      rest.shift()?.();
      if (rest.length && !this.stop.signal.aborted) return setTimeout(next);
      this.preparing = false;
      return (this.prepared = k);
    };
    setTimeout(next);
  }

  // From the event on the β slider until the picture is painted.
  measureDelay() {
    const start = this.betaSince;
    this.betaSince = undefined;
    setTimeout(() => {
      performance.clearMeasures("ia:beta");
      performance.measure("ia:beta", { start, end: performance.now() });
    });
  }

  // --- Choices ----------------------------------------------------------------------------------

  setBeta(at, beta, since) {
    this.memory.betas = this.memory.betas.with(at, beta);
    this.betaSince = since;
    this.invalidate();
  }

  // Python hears of the first at once, and of what follows it closely, as keys do, when that is over.
  letGoOfBeta() {
    this.measureScale();
    this.settle();
    clearTimeout(this.turning);
    const soon = performance.now() - (this.letGo ?? -Infinity) < BETA_RESTS;
    this.letGo = performance.now();
    const tell = () => {
      this.turning = undefined;
      this.tell("betas", this.memory.betas, (this.memory.turns += 1));
    };
    if (soon) this.turning = setTimeout(tell, BETA_RESTS);
    else tell();
  }

  setPoses(poses) {
    this.memory.poses = poses;
    this.say(poses === COMMON ? "Every image is turned onto the first of its group." : "Every image in its own pose.");
    this.invalidate();
  }

  hover(cell) {
    if (cell?.i === this.hovered?.i && cell?.j === this.hovered?.j) return;
    this.hovered = cell;
    this.invalidate();
  }

  pin(cell) {
    const { pinned } = this.memory;
    const again = pinned && cell && pinned.i === cell.i && pinned.j === cell.j;
    this.memory.pinned = again ? undefined : cell;
    if (again || !cell) this.hovered = undefined;
    this.memory.pairs += 1;
    this.tell("pair", this.memory.pinned ? [cell.i, cell.j] : null, this.memory.pairs);
    this.invalidate();
  }

  // An answer names the given value it departs from, so that Python knows when it is out of date.
  tell(name, value, ...more) {
    const answer = [value, this.memory.given[name], ...more];
    if (JSON.stringify(answer) === JSON.stringify(this.memory.told[name])) return;
    this.memory.told[name] = answer;
    if (name === "betas") this.memory.sentBetas.push(value);
    this.send(name, answer);
  }

  // Once the hand rests: the sentence for those who listen, the step for Python.
  settle() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      this.settling = undefined;
      if (this.memory.clock.playing || this.memory.clock.position > this.last()) return; // it is still to come
      this.say(`Iteration ${this.currentStep()}. ${this.lanes.map((lane) => lane.sentence ?? "").join(" ")}`);
      this.tell("step", this.currentStep());
    }, STEP_RESTS);
  }

  // Once, when it begins to play, where Python shows its step beside it: that one is left.
  tellPlaying() {
    if (this.header.minds && this.memory.clock.playing) this.tell("step", null);
  }

  currentStep() {
    return shownStep(this.moment());
  }

  say(text) {
    setText(this.view.unseen, text);
  }

  sayPair() {
    const { parts } = this.lanes[0];
    this.say(`${parts.sentence.textContent}: ${this.lanes.map((lane) => `${lane.lane.title}, ${lane.parts["pair-weight"].textContent}`).join("; ")}`);
  }

  // What tests and the console may look at.
  expose() {
    this.view.element.__player = {
      weights: (lane, k) => weigh(this.frames[lane][k].x, this.frames[lane][k].n, this.memory.betas[lane]),
      distances: (lane, k) => this.frames[lane][k].d2,
      state: () => this.state(),
    };
  }

  state() {
    const { memory, paints } = this;
    const { pinned, clock } = memory;
    return {
      ...structuredClone(memory),
      pinned: pinned && [pinned.i, pinned.j],
      position: clock.position,
      step: this.currentStep(),
      last: this.last(),
      complete: this.header.lanes.every(({ sent }, at) => this.frames[at].length >= sent),
      paints,
    };
  }

  remove() {
    this.stop.abort();
    this.resized.disconnect();
    this.unshare();
    lights.listeners.delete(this.onLight);
    store.listeners.delete(this.onFrames);
    cancelAnimationFrame(this.request);
    this.scale.stop();
    clearTimeout(this.settling);
    clearTimeout(this.turning);
    // The next player with this memory sends it: Python takes nothing from one that was removed.
    this.memory.unsent = [...(this.turning === undefined ? [] : ["betas"]), ...(this.settling === undefined ? [] : ["step"])];
    this.view.element.remove();
  }
}
