// A table of pictures that can be chosen: samples on their way, alignments, outliers.
//
// data: bytes with a header {key, size, columns, heads, sides, captions, about, marked, terms, picks}: what stands
// over the columns, beside the rows and under each picture, which are framed, and what a click says.

const tables = new WeakMap(); // the element -> {element, bytes}

export default function show({ data, parentElement, setStateValue }) {
  if (!data) return;
  let table = tables.get(parentElement);
  if (!table) {
    table = { root: make("div", "table") };
    table.stop = shareLights(table.root);
    tables.set(parentElement, table);
    const frame = make("div", "frame");
    frame.append(table.root);
    parentElement.append(frame);
  }
  table.send = setStateValue;
  if (!same(table.data, data)) {
    table.data = data.slice();
    fill(table, data);
  }
  const turn = (table.turn = (table.turn ?? 0) + 1);
  return () => {
    if (table.turn !== turn) return;
    tables.delete(parentElement);
    table.stop();
    table.root.parentElement.remove();
  };
}

function fill(table, data) {
  const length = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
  const pixels = data.subarray(4 + length);
  const { columns, heads, sides, shape, size } = header;
  const { root } = table;
  root.style.setProperty("--columns", columns);
  root.style.setProperty("--size", `${size}px`);
  root.classList.toggle("sided", sides.length > 0);
  root.classList.toggle("few", columns < 4);
  const parts = [];
  if (heads.length) {
    if (sides.length) parts.push(make("span"));
    parts.push(...heads.map((words) => make("span", "head", words)));
  }
  for (let at = 0; at < shape[0]; at++) {
    if (sides.length && at % columns === 0) parts.push(make("span", "side", sides[at / columns] ?? ""));
    parts.push(cell(table, header, pixels, at));
  }
  root.replaceChildren(...parts);
}

function cell(table, header, pixels, at) {
  const { shape, captions, about, marked, picks, key } = header;
  const [, h, w, c] = shape;
  const pick = picks[at] ?? null;
  const element = make(pick === null ? "div" : "button", "cell");
  const canvas = make("canvas");
  paint(canvas, pixels, at * h * w * c, h, w, c);
  element.append(canvas);
  if (captions[at]) element.append(make("span", "", captions[at]));
  if (marked.includes(at)) element.classList.add("marked");
  if (header.terms[at]) element.dataset.term = header.terms[at];
  if (pick === null) {
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", about[at] ?? "");
    element.title = about[at] ?? "";
    return element;
  }
  element.type = "button";
  element.title = about[at] ?? "";
  element.setAttribute("aria-label", about[at] ?? "");
  element.addEventListener("click", () => table.send("picked", [pick, key]));
  return element;
}

function same(a, b) {
  return a?.length === b.length && a.every((byte, at) => byte === b[at]);
}
