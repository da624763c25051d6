// The film of a clustering: all prototypes of a moment, the strip of moments, loss and accuracy.
//
// data: the numbers of `ia_engine.runs.clustering.summary`, and {key, run, running, chosen, autoplay}.

const PACE = 14; // pictures a second
const REST = 1.6; // seconds at the end before it begins again
const films = new WeakMap(); // the element -> its film
const store = (window.__iaClusters ??= { runs: new Map(), listeners: new Set(), memory: new Map() });
const HTML = `
  <div class="bar">
    ${["back", "play", "forward"].map((name) => `<button type="button" data-do="${name}"></button>`).join("")}
    <div class="now"><b></b><span></span></div>
    <div class="chips" aria-label="Transformations that are on"></div>
    <div class="scores"></div>
  </div>
  <div class="tiles" role="group" aria-label="Prototypes"></div>
  <p class="news"></p>
  <div class="below">
    <div class="strip" role="group" aria-label="Film strip"></div>
    <svg class="chart" tabindex="0" role="slider" aria-label="Moment of the run"></svg>
  </div>`;

export default function mount({ data, parentElement, setStateValue }) {
  const film = films.get(parentElement) ?? new Film(parentElement);
  films.set(parentElement, film);
  film.update(data, setStateValue);
  const turn = (film.turn = (film.turn ?? 0) + 1);
  return () => {
    if (film.turn !== turn) return;
    films.delete(parentElement);
    film.remove();
  };
}

class Film {
  constructor(parent) {
    this.root = make("div", "clusters");
    this.root.innerHTML = HTML;
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", "Film of the prototypes: space plays, arrow keys step");
    parent.append(this.root);
    this.parts = Object.fromEntries(["tiles", "news", "chart", "strip", "chips", "scores"].map((name) => [name, this.root.querySelector(`.${name}`)]));
    this.parts.now = this.root.querySelector(".now b");
    this.parts.more = this.root.querySelector(".now span");
    this.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.paints = 0;
    this.seen = new Set(); // what the newest pictures were: for whoever asks how often they change
    this.onPictures = (run) => run === this.data?.run && this.refresh();
    store.listeners.add(this.onPictures);
    this.listen();
    this.root.__film = { state: () => ({ at: this.at, last: this.last, playing: this.playing, run: this.data?.run, k: this.data?.k, paints: this.paints, changes: this.seen.size, chosen: this.data?.chosen, acc: this.data?.acc.findLast((acc) => acc !== null) }) };
  }

  // The place, and whether it plays, outlive the element: Streamlit makes a new one now and then.
  update(data, send) {
    if (this.data?.run !== data.run) {
      const known = store.memory.get(data.key);
      const fresh = { at: data.autoplay ? 0 : data.seconds.length - 1, playing: Boolean(data.autoplay) && !this.still, follow: data.running };
      Object.assign(this, known?.run === data.run ? known : fresh);
      this.seen.clear();
    }
    const ended = this.data?.running && !data.running && this.data.run === data.run;
    Object.assign(this, { data, send });
    if (data.running && this.follow) this.at = this.last;
    if (ended && this.follow) [this.at, this.playing] = [this.last, false];
    this.refresh();
  }

  get last() {
    return this.data.seconds.length - 1;
  }

  refresh() {
    if (!this.data) return;
    makeTiles(this.parts.tiles, this.data.k, (at) => this.send("chosen", [at, this.data.run]));
    drawStrip(this);
    this.drawLines();
    this.render();
    this.go();
  }

  // Where the picture of a moment is: in a piece of the film, or the newest one.
  picture(at) {
    const pieces = store.runs.get(this.data.run);
    if (!pieces) return undefined;
    const newest = pieces.get(-1);
    if (at >= this.last && newest) return { piece: newest, start: 0 };
    for (const [first, piece] of pieces) {
      if (first < 0 || at < first || at >= first + piece.count) continue;
      return { piece, start: (at - first) * piece.k * piece.h * piece.w * piece.c };
    }
    return newest && { piece: newest, start: 0 };
  }

  listen() {
    for (const name of ["back", "play", "forward"]) {
      const button = this.root.querySelector(`[data-do=${name}]`);
      dress(button, name);
      const act = { back: () => this.goTo(this.at - 1), forward: () => this.goTo(this.at + 1), play: () => this.toggle() };
      button.addEventListener("click", act[name]);
    }
    this.root.addEventListener("keydown", (event) => this.pressed(event));
    const scrub = (event) => event.buttons && this.goTo(this.nearest(event));
    this.parts.chart.addEventListener("pointerdown", scrub);
    this.parts.chart.addEventListener("pointermove", scrub);
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && event.target.matches("button")) return;
    const places = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last };
    if (event.key === " ") this.toggle();
    else if (event.key in places) this.goTo(places[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  nearest(event) {
    const box = this.parts.chart.getBoundingClientRect();
    const place = ((event.clientX - box.left) / box.width) * SIZE.width;
    const off = this.data.seconds.map((seconds) => Math.abs(this.chart.x(seconds) - place));
    return off.indexOf(Math.min(...off));
  }

  toggle() {
    this.playing = !this.playing;
    this.follow = false;
    if (this.playing && this.at >= this.last) this.at = 0;
    this.render();
    this.go();
  }

  goTo(at) {
    this.playing = false;
    this.at = Math.max(0, Math.min(at, this.last));
    this.follow = this.data.running && this.at === this.last;
    this.render();
  }

  // Plays at its pace; a run that is under way is then followed, one that is over begins again.
  go() {
    if (!this.playing || this.timer) return;
    const pace = Math.min(PACE, Math.max(4, this.last / 5));
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (!this.playing) return;
      if (this.at < this.last) this.at += 1;
      else if (this.data.running) [this.playing, this.follow] = [false, true];
      else this.at = 0;
      this.render();
      this.go();
    }, 1000 * (this.at >= this.last && !this.data.running ? REST : 1 / pace));
  }

  drawLines() {
    this.chart = drawChart(this.data);
    if (this.chartKey === this.chart.svg) return;
    this.chartKey = this.chart.svg;
    this.parts.chart.setAttribute("viewBox", `0 0 ${SIZE.width} ${this.chart.height}`);
    this.parts.chart.innerHTML = this.chart.svg;
  }

  render() {
    const { data, parts } = this;
    this.at = Math.max(0, Math.min(this.at, this.last));
    store.memory.set(data.key, { run: data.run, at: this.at, playing: this.playing, follow: this.follow });
    const seconds = data.seconds[this.at];
    dress(this.root.querySelector("[data-do=play]"), this.playing ? "pause" : "play");
    setText(parts.now, `${three(seconds)} of ${three(data.budget)} s`);
    setText(parts.more, `${data.iterations[this.at].toLocaleString("en")} steps`);
    parts.chart.querySelector(".cursor")?.setAttribute("transform", `translate(${this.chart.x(seconds)})`);
    parts.chart.setAttribute("aria-valuemin", 0);
    parts.chart.setAttribute("aria-valuemax", this.last);
    parts.chart.setAttribute("aria-valuenow", this.at);
    parts.chart.setAttribute("aria-valuetext", `${three(seconds)} seconds, loss ${three(data.losses[this.at])}`);
    for (const frame of parts.strip.children) frame.setAttribute("aria-pressed", Number(frame.dataset.at) === this.at);
    drawChips(this);
    drawScores(this);
    drawNews(this);
    const found = this.picture(this.at);
    if (!found) return;
    drawTiles(data, this.at, parts.tiles, found);
    this.count(found.piece, found.start);
  }

  count({ pixels, k, h, w, c }, start) {
    this.paints += 1;
    let sum = 0;
    for (let at = start; at < start + k * h * w * c; at += 7) sum = (sum * 31 + pixels[at]) | 0;
    if (this.data.running) this.seen.add(sum);
  }

  remove() {
    clearTimeout(this.timer);
    this.playing = false;
    store.listeners.delete(this.onPictures);
    this.root.remove();
  }
}
