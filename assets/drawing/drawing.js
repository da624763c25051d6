// A drawing in SVG that the server made; it is replaced whole, in the colours of the page's theme.
//
// Where one points at a `.read` area, the value there is told: data-values holds them row by row,
// data-across so many a row, and data-words what is said of {row}, {column} and {value}. Rows and
// columns count from data-origin by data-step, or are called as data-numbers says.

const drawn = new WeakMap(); // the element -> its drawing

export default function show({ data, parentElement, setTriggerValue }) {
  const drawing = drawn.get(parentElement) ?? build(parentElement);
  drawn.set(parentElement, drawing);
  drawing.pick = (place) => setTriggerValue("picked", place);
  if (drawing.data !== data) draw(drawing, data);
  const turn = (drawing.turn = (drawing.turn ?? 0) + 1);
  return () => {
    if (drawing.turn !== turn) return;
    drawn.delete(parentElement);
    drawing.stop();
  };
}

function draw(drawing, data) {
  drawing.data = data;
  drawing.picture.innerHTML = data;
  drawing.tip.hidden = true;
  showLights(drawing.root);
}

function build(parent) {
  const root = Object.assign(document.createElement("div"), { className: "drawing" });
  const picture = document.createElement("div");
  const tip = Object.assign(document.createElement("div"), { className: "tip", hidden: true });
  parent.querySelector(".drawing")?.remove();
  root.append(picture, tip);
  parent.append(root);
  const drawing = { root, picture, tip, stop: shareLights(root) };
  root.addEventListener("pointermove", (event) => tell(drawing, event));
  root.addEventListener("pointerleave", () => (tip.hidden = true));
  root.addEventListener("click", (event) => {
    const cell = cellAt(event);
    if (cell?.area.dataset.pick) drawing.pick([cell.row, cell.column]);
  });
  return drawing;
}

function cellAt(event) {
  const area = event.target.closest?.(".read");
  if (!area) return undefined;
  const values = (area.values ??= area.dataset.values.split(" "));
  const across = Number(area.dataset.across);
  const box = area.getBoundingClientRect();
  const place = (share, count) => Math.max(0, Math.min(Math.floor(share * count), count - 1));
  const column = place((event.clientX - box.left) / box.width, across);
  const row = place((event.clientY - box.top) / box.height, values.length / across);
  return { area, row, column, value: values[row * across + column] };
}

function tell({ root, tip }, event) {
  const cell = cellAt(event);
  tip.hidden = !cell;
  if (!cell) return;
  const { words, origin, step, numbers } = cell.area.dataset;
  const called = (cell.area.numbers ??= numbers?.split(" ") ?? []);
  const count = (at) => called[at] ?? String(Number(origin) + at * Number(step)).replace("-", "−");
  tip.textContent = words
    .replace("{row}", count(cell.row))
    .replace("{column}", count(cell.column))
    .replace("{value}", cell.value);
  const [box, zoom] = [root.getBoundingClientRect(), root.currentCSSZoom ?? 1];
  const left = (event.clientX - box.left) / zoom + 14;
  tip.style.left = `${Math.max(0, Math.min(left, box.width / zoom - tip.offsetWidth))}px`;
  tip.style.top = `${Math.max(0, (event.clientY - box.top) / zoom - 34)}px`;
}
