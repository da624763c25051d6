// Pictures of a frame: painted pixel by pixel, framed where they are selected, found by the pointer.

// The images from..to of a frame, pixel by pixel, in about a square; the page enlarges them.
function paint(canvas, frame, from, to, about, pair = null) {
  const key = `${frame.id} ${from} ${pair}`;
  if (canvas.dataset.key === key) return;
  canvas.dataset.key = key;
  const [, height, width, channels] = frame.shapes.images;
  const columns = Math.ceil(Math.sqrt(to - from));
  const rows = Math.ceil((to - from) / columns);
  const gap = to - from > 1 ? 2 : 0;
  Object.assign(canvas, { width: columns * (width + gap) - gap, height: rows * (height + gap) - gap });
  const context = canvas.getContext("2d");
  for (let i = from; i < to; i++) {
    const place = i - from;
    context.putImageData(imageOf(frame.images, i * height * width * channels, width, height, channels),
      (place % columns) * (width + gap), Math.floor(place / columns) * (height + gap));
  }
  const corner = (i) => [(i % columns) * (width + gap), Math.floor(i / columns) * (height + gap)];
  const frames = [[pair?.[1], "#006bd9"], [pair?.[0], "#ff9426"]]; // where both are one, the latter
  for (const [i, colour] of frames) if (i >= 0) frameTile(context, corner(i), width, height, colour);
  Object.assign(canvas, { tileOf: { columns, pitch: [width + gap, height + gap], count: to - from } });
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", pair ? `${about}; image ${pair[0] + 1} is marked` : about);
}

function frameTile(context, [x, y], width, height, colour) {
  const thick = Math.max(2, Math.round(width / 20));
  context.strokeStyle = colour;
  context.lineWidth = thick;
  context.strokeRect(x + thick / 2, y + thick / 2, width - thick, height - thick);
}

// Which of its images lies under the pointer: the canvas is shown whole, from its upper left corner.
function imageAt(canvas, event) {
  const { columns, pitch, count } = canvas.tileOf;
  const zoom = canvas.currentCSSZoom ?? 1; // an offset counts pixels of the screen
  const scale = Math.max(canvas.width / canvas.clientWidth, canvas.height / canvas.clientHeight) / zoom;
  const [column, row] = [event.offsetX, event.offsetY].map((at, axis) => Math.floor((at * scale) / pitch[axis]));
  const i = row * columns + column;
  return column < columns && i < count ? i : -1;
}

function imageOf(bytes, start, width, height, channels) {
  const image = new ImageData(width, height);
  for (let at = 0; at < width * height; at++)
    for (let part = 0; part < 4; part++)
      image.data[4 * at + part] = part === 3 ? 255 : bytes[start + at * channels + (channels === 3 ? part : 0)];
  return image;
}
