// The gallery: every image of a step in one mosaic, painted once per step, then only copied.

import { groupColour } from "../shared/colours.js";
import { contextOf, newCanvas } from "../shared/dom.js";
import { blocksOf } from "./matrix.js";

/** @typedef {ArrayLike<number>} Numbers */
/** @typedef {CanvasRenderingContext2D} Context */
/** @typedef {{ columns: number, gap: number, bar: number, width: number, height: number, pitchX: number, pitchY: number }} Tiles */

const MAX_SHOWN = 400;
const MIN_EVEN_WIDTH = 0.75; // of the largest tile's width, for rows of one group each

/** The images that are shown, in order; evenly spaced images if there are too many. @param {number[]} order */
export function chooseShown(order) {
  const n = order.length;
  if (n <= MAX_SHOWN) return order;
  return Array.from({ length: MAX_SHOWN }, (_, at) => order[Math.floor((at * n) / MAX_SHOWN)]);
}

/**
 * The largest tiles at which `count` images fit into width × height [device px]; somewhat smaller
 * ones if every row then belongs to one group, or to several complete groups.
 * @param {number} count
 * @param {number[]} shape of the images, [n h w c]
 * @param {number} width
 * @param {number} height
 * @param {number} ratio
 * @param {number} [block] number of images in each group, if all groups have the same
 * @returns {Tiles}
 */
export function layTiles(count, [, imageHeight, imageWidth], width, height, ratio, block = NaN) {
  let best = { columns: 1, gap: 0, bar: 0, width: 0, height: 0, pitchX: 0, pitchY: 0 };
  let even = best;
  for (let columns = 1; columns <= count; columns++) {
    const tile = tileOf(columns, imageHeight / imageWidth, width, ratio);
    if (Math.ceil(count / columns) * tile.pitchY > height + tile.gap) continue;
    if (tile.width > best.width) best = tile;
    if (tile.width > even.width && (block % columns === 0 || columns % block === 0)) even = tile;
  }
  return even.width > MIN_EVEN_WIDTH * best.width ? even : best;
}

/** @param {number} columns @param {number} aspect @param {number} width @param {number} ratio @returns {Tiles} */
export function tileOf(columns, aspect, width, ratio) {
  const pitchX = Math.floor(width / columns);
  const gap = Math.max(1, Math.round(pitchX * 0.02));
  const bar = Math.max(1, Math.round(Math.min(pitchX * 0.05, 3.5 * ratio)));
  const height = Math.floor((pitchX - gap) * aspect);
  return { columns, gap, bar, width: pitchX - gap, height, pitchX, pitchY: height + bar + gap };
}

/** The number of images in each group, if all groups have the same. @param {number[]} order @param {Numbers} groups */
export function blockLength(order, groups) {
  const lengths = new Set(blocksOf(order, groups).map(([from, to]) => to - from));
  return lengths.size === 1 ? [...lengths][0] : undefined;
}

/** @param {Tiles} tiles @param {number} at @returns {[x: number, y: number]} */
function tilePlace(tiles, at) {
  return [(at % tiles.columns) * tiles.pitchX, Math.floor(at / tiles.columns) * tiles.pitchY];
}

/**
 * Draws the tiles of one bitmap over another, each with its opacity.
 * @param {Context} context
 * @param {HTMLCanvasElement} bitmap
 * @param {Tiles} tiles
 * @param {number[]} shown
 * @param {(i: number) => number} opacity of image i
 */
export function fadeTiles(context, bitmap, tiles, shown, opacity) {
  const [width, height] = [tiles.width, tiles.height + tiles.bar];
  shown.forEach((i, at) => {
    const [x, y] = tilePlace(tiles, at);
    context.globalAlpha = opacity(i);
    if (context.globalAlpha > 0) context.drawImage(bitmap, x, y, width, height, x, y, width, height);
  });
  context.globalAlpha = 1;
}

/** @param {Tiles} tiles @param {number} count */
export function filledHeight(tiles, count) {
  return Math.ceil(count / tiles.columns) * tiles.pitchY;
}

/** All images side by side, pixel by pixel, from which tiles are cut. @param {Numbers} images @param {number[]} shape @param {number} across */
function makeSheet(images, [n, height, width, channels], across) {
  const image = new ImageData(across * width, Math.ceil(n / across) * height);
  const words = new Uint32Array(image.data.buffer);
  const [green, blue] = channels === 3 ? [1, 2] : [0, 0];
  for (let from = 0, i = 0; i < n; i++) {
    const corner = Math.floor(i / across) * height * image.width + (i % across) * width;
    for (let y = 0; y < height; y++)
      for (let to = corner + y * image.width, end = to + width; to < end; to++, from += channels)
        words[to] = (255 << 24) | (images[from + blue] << 16) | (images[from + green] << 8) | images[from];
  }
  const sheet = newCanvas(image.width, image.height);
  contextOf(sheet).putImageData(image, 0, 0);
  return sheet;
}

/**
 * @param {Numbers} images
 * @param {number[]} shape
 * @param {number[]} shown
 * @param {Tiles} tiles
 * @param {Numbers | undefined} groups
 * @param {number} width of the bitmap
 * @param {number} height
 */
export function paintMosaic(images, shape, shown, tiles, groups, width, height) {
  const [n, imageHeight, imageWidth] = shape;
  const across = Math.ceil(Math.sqrt(n));
  const sheet = makeSheet(images, shape, across);
  const bitmap = newCanvas(width, height);
  const context = contextOf(bitmap);
  context.imageSmoothingEnabled = tiles.width < 3 * imageWidth; // small images are not smoothed
  context.imageSmoothingQuality = "high";
  shown.forEach((i, at) => {
    const [x, y] = tilePlace(tiles, at);
    const [left, top] = [(i % across) * imageWidth, Math.floor(i / across) * imageHeight];
    context.drawImage(sheet, left, top, imageWidth, imageHeight, x, y, tiles.width, tiles.height);
    if (!groups) return;
    context.fillStyle = groupColour(groups[i]);
    context.fillRect(x, y + tiles.height, tiles.width, tiles.bar);
  });
  return bitmap;
}

/**
 * Dims the tiles of all other images.
 * @param {Context} context
 * @param {Tiles} tiles
 * @param {number[]} shown
 * @param {number[]} images
 * @param {string} background
 */
export function dimOtherTiles(context, tiles, shown, images, background) {
  context.globalAlpha = 0.7;
  context.fillStyle = background;
  shown.forEach((i, at) => {
    if (!images.includes(i)) context.fillRect(...tilePlace(tiles, at), tiles.width, tiles.height + tiles.bar);
  });
  context.globalAlpha = 1;
}

/**
 * @param {Context} context
 * @param {Tiles} tiles
 * @param {number} at
 * @param {string} colour
 * @param {number} ratio
 * @param {number} inset
 */
export function markTile(context, tiles, at, colour, ratio, inset) {
  const [x, y] = tilePlace(tiles, at);
  const thick = Math.max(2 * ratio, Math.min(4 * ratio, tiles.width * 0.07));
  context.lineWidth = thick;
  context.strokeStyle = colour;
  const shift = thick / 2 + inset * thick;
  context.strokeRect(x + shift, y + shift, tiles.width - 2 * shift, tiles.height - 2 * shift);
}

/** The tile under a point [device px]; undefined outside the tiles. @param {number} x @param {number} y @param {Tiles} tiles @param {number} count */
export function tileAt(x, y, tiles, count) {
  const [column, row] = [Math.floor(x / tiles.pitchX), Math.floor(y / tiles.pitchY)];
  const at = row * tiles.columns + column;
  const inside = column >= 0 && column < tiles.columns && row >= 0 && at < count;
  return inside ? at : undefined;
}
