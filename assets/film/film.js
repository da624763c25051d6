// The film of a mean: μ, the images laid on it, the plain average; played and stepped in the browser.
//
// data: {key, run, plain, expected, places, running, autoplay, start, jump, pair, plainSharpness, colours}
// It tells the image that is picked, and the iteration on which a hand has left it.

const PACE = 12; // steps a second
const PAUSE = 1.5; // seconds at the end before it begins again
const films = new WeakMap(); // the element -> its film
const PATHS = {
  play: "M7 5v14l12-7z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  back: "M6 5h3v14H6zM19 5v14l-9-7z",
  forward: "M15 5h3v14h-3zM5 5v14l9-7z",
  loop: "M12 4V1L8 5l4 4V6a6 6 0 0 1 5.3 8.8l1.5 1.5A8 8 0 0 0 12 4zM6.7 9.2 5.2 7.7A8 8 0 0 0 12 20v3l4-4-4-4v3a6 6 0 0 1-5.3-8.8z",
};
const NAMES = { play: "Play", pause: "Pause", back: "One iteration back", forward: "One iteration forward", loop: "Begin again at the end" };
const SPEEDS = [0.25, 0.5, 1, 2];
const STRIP = [0, 0.1, 0.2, 0.5, 1]; // Figure 5 shows the first, the middle and the last
const SETTLED = 600; // ms after which a hand rests
const HTML = `
  <div class="bar">
    ${["back", "play", "forward"].map((name) => `<button type="button" data-do="${name}"></button>`).join("")}
    <input type="range" min="0" max="1" step="1" value="0" aria-label="Iteration k">
    <output></output>
    <button type="button" data-do="loop"></button>
    <label>speed <select>${SPEEDS.map((speed) => `<option value="${speed}"${speed === 1 ? " selected" : ""}>${speed}×</option>`).join("")}</select></label>
  </div>
  <div class="stage">
    <figure data-term="mu"><canvas class="mean"></canvas><figcaption></figcaption></figure>
    <figure><canvas class="plain"></canvas><figcaption></figcaption></figure>
    <figure data-term="laid"><canvas class="laid"></canvas><figcaption></figcaption></figure>
    <figure data-term="v"><canvas class="given"></canvas><figcaption></figcaption></figure>
  </div>
  <p class="math formula"></p>
  <div class="strip" role="group" aria-label="The film at a few iterations"></div>
  <div class="charts"></div>`;

export default function mount({ data, parentElement, setStateValue, setTriggerValue = () => {} }) {
  const film = films.get(parentElement) ?? new MeanFilm(parentElement);
  films.set(parentElement, film);
  film.tell = { step: (k) => setStateValue("step", k), picked: (i) => setTriggerValue("picked", i) };
  film.update(data);
  const turn = (film.turn = (film.turn ?? 0) + 1);
  return () => {
    if (film.turn !== turn) return;
    films.delete(parentElement);
    film.remove();
  };
}

class MeanFilm {
  constructor(parent) {
    this.root = Object.assign(document.createElement("div"), { className: "film", tabIndex: 0, innerHTML: HTML });
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", "Film of the mean: space plays, arrow keys step");
    parent.append(this.root);
    const find = (name) => this.root.querySelector(name);
    this.parts = { slider: find("input"), count: find("output"), strip: find(".strip"), formula: find(".formula"), play: find("[data-do=play]"), loop: find("[data-do=loop]"), speed: find("select") };
    this.pictures = Object.fromEntries(["mean", "plain", "laid", "given"].map((name) => [name, find(`.${name}`)]));
    for (const name of ["back", "play", "forward", "loop"]) dress(find(`[data-do=${name}]`), name);
    this.charts = new Charts(find(".charts"), (at) => this.goTo(at), (i) => this.pick(i));
    this.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.frames = [];
    this.tell = { step() {}, picked() {} }; // in a file nobody listens
    this.onFrames = (run) => run !== this.data?.run && run !== this.data?.plain ? undefined : this.framesCame();
    store.listeners.add(this.onFrames);
    this.unshare = shareLights(this.root);
    this.listen();
    this.root.__film = { state: () => ({ at: this.at, last: this.frames.length - 1, playing: this.playing, pair: this.pair }) };
  }

  // The place, and whether it plays, outlive the element: Streamlit makes a new one now and then.
  update(data) {
    if (this.data?.run !== data.run || this.jump !== data.jump) {
      const known = store.memory.get(data.key);
      const fresh = { run: data.run, at: 0, start: data.start, jump: data.jump, playing: data.autoplay && !this.still, loop: true, speed: 1 };
      Object.assign(this, known?.run === data.run && known.jump === data.jump ? known : fresh);
    }
    this.data = data;
    this.pair = data.pair;
    this.framesCame();
  }

  framesCame() {
    this.frames = framesOf(this.data.run);
    this.steps = toldOf(this.data.run, this.frames.length);
    this.plain = framesOf(this.data.plain)[0];
    this.begin();
    this.showStrip();
    this.charts.update(this.steps, this.data);
    this.render();
    this.go();
  }

  // Where a link begins, once its step has come.
  begin() {
    const at = this.steps.findIndex((step) => step?.k >= this.start);
    if (!Number.isInteger(this.start) || at < 0) return;
    [this.at, this.start] = [at, null];
  }

  listen() {
    const { slider, play, loop, speed } = this.parts;
    slider.addEventListener("input", () => this.goTo(Number(slider.value)));
    play.addEventListener("click", () => this.toggle());
    this.root.querySelector("[data-do=back]").addEventListener("click", () => this.goTo(this.at - 1));
    this.root.querySelector("[data-do=forward]").addEventListener("click", () => this.goTo(this.at + 1));
    loop.addEventListener("click", () => this.render((this.loop = !this.loop)));
    speed.addEventListener("change", () => this.render((this.speed = Number(speed.value))));
    this.root.addEventListener("keydown", (event) => this.pressed(event));
    for (const canvas of [this.pictures.laid, this.pictures.given]) {
      canvas.tabIndex = 0;
      canvas.addEventListener("click", (event) => this.pick(imageAt(canvas, event)));
      canvas.addEventListener("keydown", (event) => this.move(event));
    }
  }

  // An image of those that are laid on one another is marked wherever it is drawn.
  pick(i) {
    if (!(i >= 0 && i < this.plain?.n - 1)) return;
    this.pair = [i, i];
    this.render();
    this.tell.picked(i);
  }

  // Arrows move the mark while the pictures have the focus.
  move(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    this.pick(this.pair ? this.pair[0] + step : 0);
    event.preventDefault();
    event.stopPropagation();
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
    if (event.key === " " && event.target.matches("button")) return;
    if (event.target.matches(".term") && /^Arrow/.test(event.key)) return; // along the formula
    const last = this.frames.length - 1;
    const places = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: last };
    if (event.key === " ") this.toggle();
    else if (event.key in places) this.goTo(places[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.at >= this.frames.length - 1 && !this.data.running) this.at = 0;
    this.render();
    this.go();
    if (!this.playing) this.settle();
  }

  goTo(at) {
    this.playing = false;
    this.at = Math.max(0, Math.min(at, this.frames.length - 1));
    this.render();
    this.settle();
  }

  // Once the hand rests, the address hears of it.
  settle() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      const step = this.steps[this.at];
      if (step && !this.playing) this.tell.step(step.k);
    }, SETTLED);
  }

  // Plays at its pace; a run that is under way is followed, one that is over begins again.
  go() {
    if (!this.playing || this.timer) return;
    const atEnd = this.at >= this.frames.length - 1;
    if (atEnd && this.data.running) return;
    if (atEnd && !this.loop) return this.toggle();
    const pace = Math.min(PACE, Math.max(2, this.frames.length / 4));
    const wait = (atEnd ? PAUSE : 1 / pace) / this.speed;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (!this.playing) return;
      const end = this.at >= this.frames.length - 1;
      if (!end || !this.data.running) this.at = end ? 0 : this.at + 1;
      this.render();
      this.go();
    }, 1000 * wait);
  }

  render() {
    const { data, at, parts, pictures } = this;
    store.memory.set(data.key, { run: data.run, jump: data.jump, at, playing: this.playing, loop: this.loop, speed: this.speed });
    const last = this.frames.length - 1;
    const place = Math.max(0, Math.min(at, last));
    const [frame, step] = [this.frames[place], this.steps[place]];
    Object.assign(parts.slider, { max: Math.max(data.places - 1, 1), value: at, disabled: last < 1 });
    parts.slider.setAttribute("aria-valuetext", `iteration ${step?.k ?? 0} of ${data.expected}`);
    parts.count.textContent = step ? `iteration ${step.k} of ${data.expected}` : "no iteration yet";
    dress(parts.play, this.playing ? "pause" : "play");
    parts.loop.setAttribute("aria-pressed", this.loop);
    parts.speed.value = this.speed;
    for (const other of parts.strip.children) other.setAttribute("aria-pressed", Number(other.dataset.at) === at);
    this.charts.show(place, this.pair);
    if (step) {
      paint(pictures.mean, frame, 0, 1, `μ at iteration ${step.k}`);
      paint(pictures.laid, frame, 1, frame.n, `Images aligned at iteration ${step.k}`, this.pair);
      writeTerms(parts.formula, meanTerms(step, step.poses.length));
      caption(pictures.mean, "Invariant mean μ", `k = ${step.k}: objective f = ${three(step.objective)}, sharpness ${three(step.sharpness)}, σ = ${three(step.sigma)} px`);
      caption(pictures.laid, "Aligned", `each image turned and shifted, U(τᵢ)vᵢ, at k = ${step.k}`);
    }
    if (!this.plain) return;
    paint(pictures.plain, this.plain, 0, 1, "Plain average");
    paint(pictures.given, this.plain, 1, this.plain.n, "Images as they came", this.pair);
    caption(pictures.plain, "Plain average", `of the same images: sharpness ${three(data.plainSharpness)}`);
    caption(pictures.given, "Originals", `vᵢ, i = 1 to ${this.plain.n - 1}`);
  }

  // The strip of Figure 5: a few steps at once, each a way to it.
  showStrip() {
    const last = this.data.places - 1;
    const places = [...new Set(STRIP.map((part) => Math.round(part * last)))].filter((at) => at < this.frames.length);
    const key = `${this.data.run} ${places}`;
    if (this.stripKey === key) return;
    this.stripKey = key;
    this.parts.strip.replaceChildren(...places.map((at) => {
      const button = Object.assign(document.createElement("button"), { type: "button" });
      button.dataset.at = at;
      const canvas = document.createElement("canvas");
      const { k, sharpness } = this.steps[at];
      paint(canvas, this.frames[at], 0, 1, `μ at iteration ${k}`);
      const words = document.createElement("span");
      words.append(`k = ${k}`, document.createElement("br"), `sharpness ${three(sharpness)}`);
      button.append(canvas, words);
      button.addEventListener("click", () => this.goTo(at));
      return button;
    }));
  }

  remove() {
    clearTimeout(this.timer);
    clearTimeout(this.settling);
    this.unshare();
    this.playing = false;
    store.listeners.delete(this.onFrames);
    this.root.remove();
  }
}

// Algorithm 1's update with the numbers of an iteration: poses towards the mean, and then the mean.
function meanTerms(step, n) {
  const share = `1/${n}`;
  const [mean, laid] = ["μ: the mean of the images as they are laid on one another", "U(τ_i)v_i: image i, turned and shifted by its pose"];
  return [
    ["τ_i", "tau", "τ_i: the pose of image i, moved so that f falls"], [" ← argmin_τ ‖"], ["U(τ)v_i", "laid", laid], [" − "], ["μ", "mu", mean], ["‖²,   "],
    ["μ", "mu", mean], [" ← Σ_i "], [share, "v", `W_i = ${share}: every one of the ${n} images counts alike`], [" "], ["U(τ_i)v_i", "laid", laid], [",   "],
    [`f = Σ_i ${share} ‖U(τ_i)v_i − μ‖² = ${three(step.objective)}`, "f", `the objective (2.3) at iteration ${step.k}; no unit`],
  ];
}

function dress(button, name) {
  if (button.dataset.shows === name) return;
  button.dataset.shows = name;
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;
  button.title = NAMES[name];
  button.setAttribute("aria-label", button.title);
}

function caption(canvas, title, text) {
  const place = canvas.nextElementSibling;
  const words = `${title}\n${text}`;
  if (place.dataset.words === words) return;
  place.dataset.words = words;
  place.replaceChildren(Object.assign(document.createElement("b"), { textContent: title }), ` ${text}`);
}

function three(x) {
  return Number.isFinite(x) ? String(Number(x.toPrecision(3))) : "unknown";
}
