// One network of the first view: its map, the map turned back, what is left, and what it says.

class Row {
  constructor(row, number, onView) {
    const telling = row.views.findIndex(({ spread }) => spread > FLAT); // not the same everywhere
    Object.assign(this, { row, view: Math.max(0, telling) });
    this.told = make("div", "told");
    this.error = make("b", "error");
    this.verdict = make("span", "verdict");
    this.says = make("div", "says");
    this.scale = makeScale();
    const name = make("div", `name line-${number}`);
    name.append(...writeName(row.title));
    const plain = plainName(row.title);
    this.told.append(name, this.choose(onView), this.error, this.verdict, this.says, this.scale);
    this.maps = ["map", "map turned back", "difference"].map((what) => makeMap(`${plain}: ${what}`));
    this.arrows = make("canvas", "arrows");
    this.arrows.setAttribute("aria-hidden", "true");
    const frames = this.maps.map((canvas) => make("div", "map"));
    frames.forEach((frame, k) => frame.append(this.maps[k]));
    frames[0].append(this.arrows);
    for (const frame of frames.slice(1)) frame.classList.add("disc");
    this.cells = [this.told, ...frames];
  }

  // Which of the row's maps is shown, where there are several.
  choose(onView) {
    const group = make("div", "choose");
    if (this.row.views.length < 2) return group;
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", `Which map of ${plainName(this.row.title)}`);
    const buttons = this.row.views.map((view, at) => {
      const button = Object.assign(make("button", "", view.name), { type: "button", title: view.about });
      button.addEventListener("click", () => {
        this.view = at;
        mark();
        this.onView?.() ?? onView();
      });
      return button;
    });
    const mark = () => buttons.forEach((button, at) => button.setAttribute("aria-pressed", at === this.view));
    mark();
    group.append(...buttons);
    return group;
  }

  errors(orbit) {
    return orbit.arrays[this.row.views[this.view].error].values;
  }

  show(orbit, at, look) {
    const view = this.row.views[this.view];
    const { arrays } = orbit;
    const size = arrays[view.heat].shape.slice(1);
    const back = sliceOf(arrays[view.back], at);
    this.arrows.hidden = !view.arrows;
    this.tellScale(view, look);
    paintValues(this.maps[0], sliceOf(arrays[view.heat], at), size, look.ramp);
    paintValues(this.maps[1], back, size, look.ramp);
    paintValues(this.maps[2], subtract(back, arrays[view.upright].values, size[1]), size, look.signed);
    if (view.arrows) {
      const { shape } = arrays[view.arrows];
      paintArrows(this.arrows, sliceOf(arrays[view.arrows], at), shape[1], look.dark ? "#ff9d5c" : "#c2410c");
    }
    this.tell(orbit, at, arrays[view.error].values[at]);
  }

  tellScale(view, look) {
    tellEnds(this.scale, view, look);
    this.scale.title = view.about;
  }

  tell(orbit, at, error) {
    this.error.textContent = writeError(error);
    const isExact = orbit.exact.includes(orbit.degrees[at]);
    const [words, kind] = at === 0 && !orbit.mirrored ? ["upright", ""] : error < 1e-4 ? ["exact", "good"] : isExact ? ["not exact", "bad"] : ["in between", ""];
    this.verdict.textContent = words;
    this.verdict.className = `verdict ${kind}`;
    const [label, sure] = [orbit.arrays[this.row.says].values[at], orbit.arrays[this.row.sure].values[at]];
    this.says.textContent = `says ${orbit.classes[label]}, ${Math.round(100 * sure)} %`;
  }
}
