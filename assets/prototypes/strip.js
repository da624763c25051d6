// The film strip: all prototypes at eight moments of the run.

const FRAMES = 8;

function drawStrip(film) {
  const { data, last, parts } = film;
  const places = [...new Set(Array.from({ length: FRAMES }, (_, part) => Math.round((part * last) / (FRAMES - 1))))];
  const key = `${data.run} ${places} ${store.runs.get(data.run)?.size}`;
  if (film.stripKey === key || places.some((at) => !film.picture(at))) return;
  film.stripKey = key;
  parts.strip.replaceChildren(...places.map((at) => {
    const button = make("button", "frame");
    button.type = "button";
    button.dataset.at = at;
    button.append(mosaic(film.picture(at)), make("span", "", `${three(data.seconds[at])} s`));
    button.setAttribute("aria-label", `The prototypes after ${three(data.seconds[at])} seconds`);
    button.addEventListener("click", () => film.goTo(at));
    return button;
  }));
}

// All prototypes of a moment in one small picture.
function mosaic({ piece, start }) {
  const { k, h, w, c, pixels } = piece;
  const columns = Math.ceil(k / Math.max(1, Math.round(Math.sqrt(k / 2.2))));
  const canvas = make("canvas");
  Object.assign(canvas, { width: columns * (w + 1) - 1, height: Math.ceil(k / columns) * (h + 1) - 1 });
  const context = canvas.getContext("2d");
  for (let at = 0; at < k; at++) {
    const image = imageOf(pixels, start + at * h * w * c, h, w, c);
    context.putImageData(image, (at % columns) * (w + 1), Math.floor(at / columns) * (h + 1));
  }
  return canvas;
}
