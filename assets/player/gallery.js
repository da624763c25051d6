// The gallery: every image of a step in one mosaic, painted once per step, then only copied.

const MOST_SHOWN = 400;
const EVEN_WORTH = 0.75; // of a tile's width, for rows of one group each

// The images that are shown, in order; where there are too many, evenly spaced ones.
function chosen(order) {
  const n = order.length;
  if (n <= MOST_SHOWN) return order;
  return Array.from({ length: MOST_SHOWN }, (_, at) => order[Math.floor((at * n) / MOST_SHOWN)]);
}

// The largest tiles of the images' shape that fit so often into width × height [device px]; somewhat
// smaller ones if every row then belongs to one group, or to several whole ones.
function layTiles(count, [, imageHeight, imageWidth], width, height, ratio, block) {
  let best = { columns: 1, width: 0, height: 0 };
  let even = best;
  for (let columns = 1; columns <= count; columns++) {
    const tile = tileOf(columns, imageHeight / imageWidth, width, ratio);
    if (Math.ceil(count / columns) * tile.pitchY > height + tile.gap) continue;
    if (tile.width > best.width) best = tile;
    if (tile.width > even.width && (block % columns === 0 || columns % block === 0)) even = tile;
  }
  return even.width > EVEN_WORTH * best.width ? even : best;
}

function tileOf(columns, aspect, width, ratio) {
  const pitchX = Math.floor(width / columns);
  const gap = Math.max(1, Math.round(pitchX * 0.06));
  const bar = Math.max(1, Math.round(Math.min(pitchX * 0.05, 3.5 * ratio)));
  const height = Math.floor((pitchX - gap) * aspect);
  return { columns, gap, bar, width: pitchX - gap, height, pitchX, pitchY: height + bar + gap };
}

// The length of the blocks of groups, if all are equally long.
function blockLength(order, groups) {
  const lengths = new Set(blocksOf(order, groups).map(([from, to]) => to - from));
  return lengths.size === 1 ? [...lengths][0] : undefined;
}

function tilePlace(tiles, at) {
  return [(at % tiles.columns) * tiles.pitchX, Math.floor(at / tiles.columns) * tiles.pitchY];
}

function filledHeight(tiles, count) {
  return Math.ceil(count / tiles.columns) * tiles.pitchY;
}

// All images side by side, pixel by pixel: a sheet that tiles are cut from.
function makeSheet(images, [n, height, width, channels], across) {
  const image = new ImageData(across * width, Math.ceil(n / across) * height);
  const words = new Uint32Array(image.data.buffer);
  const [green, blue] = channels === 3 ? [1, 2] : [0, 0];
  for (let from = 0, i = 0; i < n; i++) {
    const corner = Math.floor(i / across) * height * image.width + (i % across) * width;
    for (let y = 0; y < height; y++)
      for (let to = corner + y * image.width, end = to + width; to < end; to++, from += channels) {
        words[to] = (255 << 24) | (images[from + blue] << 16) | (images[from + green] << 8) | images[from];
      }
  }
  const sheet = newCanvas(image.width, image.height);
  sheet.getContext("2d").putImageData(image, 0, 0);
  return sheet;
}

function paintMosaic(images, shape, shown, tiles, groups, width, height) {
  const [n, imageHeight, imageWidth] = shape;
  const across = Math.ceil(Math.sqrt(n));
  const sheet = makeSheet(images, shape, across);
  const bitmap = newCanvas(width, height);
  const context = bitmap.getContext("2d");
  context.imageSmoothingEnabled = tiles.width < 3 * imageWidth; // few pixels are shown as they are
  context.imageSmoothingQuality = "high";
  const colours = groups && Array.from({ length: Math.max(...groups) + 1 }, (_, group) => groupColour(group));
  shown.forEach((i, at) => {
    const [x, y] = tilePlace(tiles, at);
    const [left, top] = [(i % across) * imageWidth, Math.floor(i / across) * imageHeight];
    context.drawImage(sheet, left, top, imageWidth, imageHeight, x, y, tiles.width, tiles.height);
    if (!groups) return;
    context.fillStyle = colours[groups[i]];
    context.fillRect(x, y + tiles.height, tiles.width, tiles.bar);
  });
  return bitmap;
}

// Dims all tiles but those of these images.
function dimTiles(context, tiles, shown, images, look) {
  context.globalAlpha = 0.7;
  context.fillStyle = look.background;
  shown.forEach((i, at) => {
    if (!images.includes(i)) context.fillRect(...tilePlace(tiles, at), tiles.width, tiles.height + tiles.bar);
  });
  context.globalAlpha = 1;
}

function markTile(context, tiles, at, colour, ratio, inset) {
  const [x, y] = tilePlace(tiles, at);
  const thick = Math.max(2 * ratio, Math.min(4 * ratio, tiles.width * 0.07));
  context.lineWidth = thick;
  context.strokeStyle = colour;
  const shift = thick / 2 + inset * thick;
  context.strokeRect(x + shift, y + shift, tiles.width - 2 * shift, tiles.height - 2 * shift);
}

// The place in the gallery under a point [device px]; undefined beside the tiles.
function tileAt(x, y, tiles, count) {
  const [column, row] = [Math.floor(x / tiles.pitchX), Math.floor(y / tiles.pitchY)];
  const at = row * tiles.columns + column;
  const inside = column >= 0 && column < tiles.columns && row >= 0 && at < count;
  return inside ? at : undefined;
}
