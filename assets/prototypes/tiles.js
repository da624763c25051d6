// The prototypes of a moment, how many images each has, and which have just become copies.

const LATELY = 0.03; // of the run: for so long a reassignment is marked

function makeTiles(tiles, k, choose) {
  if (tiles.children.length === k) return;
  const columns = Math.ceil(k / Math.ceil(k / (k > 40 ? 20 : 12)));
  tiles.style.setProperty("--columns", columns);
  tiles.classList.toggle("many", k > 30);
  tiles.replaceChildren(...Array.from({ length: k }, (_, at) => makeTile(at, choose)));
}

function makeTile(at, choose) {
  const tile = make("button", "tile");
  tile.type = "button";
  const bar = make("i", "size");
  bar.append(make("i"));
  tile.append(make("canvas"), make("b", "", String(at + 1)), bar, make("span"));
  tile.addEventListener("click", () => choose(at));
  return tile;
}

// `found` is where the pictures of the moment `at` are.
function drawTiles(data, at, tiles, found) {
  const { k, h, w, c, pixels } = found.piece;
  const most = Math.max(...data.sizes[at], 1e-9);
  const copied = copiedLately(data, at);
  for (let tile = 0; tile < Math.min(k, tiles.children.length); tile++) {
    const element = tiles.children[tile];
    paint(element.firstChild, pixels, found.start + tile * h * w * c, h, w, c);
    describe(element, data, tile, data.sizes[at][tile], most, copied.get(tile));
  }
}

function describe(element, data, tile, share, most, from) {
  const name = data.named[tile] ? ` “${data.named[tile]}”` : "";
  const copy = from === undefined ? "" : `, just reassigned: a copy of ${from + 1}`;
  element.querySelector(".size i").style.width = `${(100 * share) / most}%`;
  setText(element.querySelector("span"), copy ? `▲ from ${from + 1}` : `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %${name}`);
  element.classList.toggle("copied", Boolean(copy));
  element.setAttribute("aria-pressed", data.chosen === tile);
  element.setAttribute("aria-label", `Prototype ${tile + 1}, ${(100 * share).toFixed(1)} % of the images${name && `, mostly${name}`}${copy}`);
  element.title = element.getAttribute("aria-label");
}

// cluster -> what it became a copy of, since the picture before or within a small part of the run.
function copiedLately(data, at) {
  const now = data.seconds[at] + 0.01;
  const since = Math.min((data.seconds[at - 1] ?? -1) + 0.01, now - LATELY * data.budget);
  return new Map(data.events.filter(([seconds]) => seconds > since && seconds <= now).flatMap(([, pairs]) => pairs));
}
