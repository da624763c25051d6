// Pictures of bytes on canvases, and small things that both components need.

// One picture [h w c] that begins at this place, on a canvas of its own size; the page enlarges it.
function paint(canvas, pixels, start, h, w, c) {
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  canvas.getContext("2d").putImageData(imageOf(pixels, start, h, w, c), 0, 0);
}

function imageOf(pixels, start, h, w, c) {
  const image = new ImageData(w, h);
  const out = image.data;
  for (let at = 0, from = start, to = 0; at < h * w; at++, from += c, to += 4) {
    out[to] = pixels[from];
    out[to + 1] = c === 3 ? pixels[from + 1] : pixels[from];
    out[to + 2] = c === 3 ? pixels[from + 2] : pixels[from];
    out[to + 3] = 255;
  }
  return image;
}

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function three(x) {
  return x === null || x === undefined || !Number.isFinite(x) ? "–" : String(Number(x.toPrecision(3)));
}

function percent(x) {
  return x === null || x === undefined ? "–" : `${(100 * x).toFixed(1)} %`;
}
