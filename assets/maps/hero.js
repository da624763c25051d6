// The first view: a picture that is turned, the maps that turn with it, and those that do not.
//
// data: bytes of {key, degrees, exact, start, autoplay, rows, classes, arrays: images [a y x], ...};
// a row: {title, about, says, sure, views: [{name, heat, back, arrows, error}]}, where names are arrays

const HEROES = new WeakMap(); // the element -> its hero
const PACE = 45; // milliseconds from one angle to the next
const DWELL = 1000; // at an angle where all is exact
const REST = 1.25; // turns after which a film that began by itself rests
const SIGNS = { play: "M7 5v14l12-7z", pause: "M6 5h4v14H6zM14 5h4v14h-4z" };
const HEADS = ["", "map", "turned back", "less the upright"];

export default function mount({ data, parentElement, setStateValue }) {
  const hero = HEROES.get(parentElement) ?? new Hero(parentElement);
  HEROES.set(parentElement, hero);
  hero.update(data, setStateValue);
  const call = (hero.call = (hero.call ?? 0) + 1);
  return () => {
    if (hero.call !== call) return;
    HEROES.delete(parentElement);
    hero.remove();
  };
}

class Hero {
  constructor(parent) {
    this.root = make("div", "turning");
    this.ring = new Ring((at) => this.turnTo(at));
    this.track = new Track((at) => this.turnTo(at));
    [this.angle, this.table] = [make("output"), make("div", "rows")];
    this.play = Object.assign(make("button", "play"), { type: "button" });
    const [stage, left, bar] = [make("div", "stage"), make("div", "left"), make("div", "bar")];
    bar.append(this.play, this.angle);
    left.append(this.ring.canvas, bar);
    stage.append(left, this.table);
    this.root.append(stage, this.track.root);
    parent.append(this.root);
    this.view = 0;
    this.listen();
  }

  listen() {
    this.play.addEventListener("click", () => (this.timer ? this.stop() : this.film()));
    this.root.addEventListener("keydown", (event) => this.pressed(event));
    this.onTurn = () => this.render();
    SHELF.listeners.add(this.onTurn);
    this.resized = new ResizeObserver(() => this.layOut());
    this.resized.observe(this.root);
    const state = () => ({ at: SHELF.at, key: this.key, playing: Boolean(this.timer) });
    this.root.__turning = { state };
  }

  // The angle outlives the picture, and the element.
  update(data, send) {
    const look = lookOf(this.root);
    const themed = this.look?.dark !== look.dark;
    Object.assign(this, { send, look });
    const { key } = readHead(data).header;
    if (this.key !== key) this.take(unpackOrbit(data));
    else if (themed) this.layOut();
  }

  take(orbit) {
    const begins = SHELF.current === undefined;
    this.key = orbit.key;
    SHELF.current = orbit;
    if (begins) SHELF.at = placeOf(orbit.start);
    this.build(orbit);
    this.layOut();
    tellViews();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (begins && orbit.autoplay && !still) this.film(Math.round(REST * orbit.degrees.length));
  }

  build(orbit) {
    this.rows = orbit.rows.map((row, number) => new Row(row, number, () => this.render()));
    const heads = HEADS.map((words) => make("div", "head", words));
    this.table.replaceChildren(...heads, ...this.rows.flatMap((row) => row.cells));
    for (const row of this.rows) row.onView = () => this.layOut();
  }

  layOut() {
    if (!SHELF.current || !this.root.clientWidth) return;
    this.track.draw(SHELF.current, this.rows.map((row) => row.errors(SHELF.current)));
    this.render();
  }

  render() {
    const { current: orbit, at } = SHELF;
    this.ring.show(orbit, at, this.look);
    this.track.show(orbit, at);
    for (const row of this.rows) row.show(orbit, at, this.look);
    this.angle.textContent = `${orbit.mirrored ? "⇋ " : ""}${orbit.degrees[at]}°`;
    this.root.dataset.at = at;
    this.dress();
  }

  turnTo(at) {
    this.stop();
    showAngle(at);
    this.settle();
  }

  // Turns by itself, and dwells where all is exact; after so many angles it rests.
  film(left = Infinity) {
    const { current: orbit, at } = SHELF;
    const wait = orbit.exact.includes(orbit.degrees[at]) ? DWELL : PACE;
    this.timer = setTimeout(() => {
      showAngle(SHELF.at + 1);
      if (left > 1) this.film(left - 1);
      else this.stop();
    }, wait);
    this.dress();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.dress();
  }

  // Once the hand rests, the address hears of it.
  settle() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.send("angle", SHELF.current.degrees[SHELF.at]), 600);
  }

  pressed(event) {
    if (event.key !== " " || event.target === this.play) return;
    event.preventDefault();
    this.play.click();
  }

  dress() {
    const name = this.timer ? "pause" : "play";
    if (this.play.dataset.shows === name) return;
    this.play.dataset.shows = name;
    this.play.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${SIGNS[name]}"/></svg>`;
    this.play.title = name === "play" ? "Turn it" : "Hold it";
    this.play.setAttribute("aria-label", this.play.title);
  }

  remove() {
    this.stop();
    clearTimeout(this.settling);
    SHELF.listeners.delete(this.onTurn);
    this.resized.disconnect();
    this.root.remove();
  }
}
