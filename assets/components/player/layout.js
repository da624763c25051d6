// The sizes of the pictures: images and means are large first, and W gets the rest of the space above the fold.

import { zoomOf } from "../shared/dom.js";
import { layTiles, tileOf } from "./gallery.js";

/** @typedef {import("./gallery.js").Tiles} Tiles */
/**
 * @typedef {object} Space
 * @property {number} width of the pictures [css px]
 * @property {number} room from the upper edge of the pictures to the lower edge of the window [css px]
 * @property {number} scale 1, or more in the projector mode
 */

const LEAST_TILE = 72; // width of an image on a screen [css px]
const LEAST_TILE_NARROW = 48; // the same on a phone
const NARROW = 400; // largest width of a phone's pictures [css px]
const MAX_HEIGHT = 0.56; // of the gallery, as a part of its width
const MAX_ROWS = 5; // of the gallery, in rows of images of the least width
const FEW = 24; // number of images that all have this size; more images share the space
const LEAST_MEAN = 110; // width of the mean of a group [css px]
const LEAST_SIDE = 96; // of W beside the means
const LEAST_SIDE_LARGE = 200; // the same in the projector mode
const LOWEST_SIDE = 200; // of W, even if it reaches below the fold
const MAX_SIDE = 460; // of W
export const GAP = 6; // between the pictures

/** The space below the upper edge of the pictures when the page is at its top. @param {HTMLElement} pictures @returns {Space} */
export function spaceFor(pictures) {
  const root = pictures.getRootNode();
  const scroller = root instanceof ShadowRoot ? root.host.closest("[data-testid=stMain]") : null;
  const zoom = zoomOf(pictures);
  const top = pictures.getBoundingClientRect().top + (scroller ? scroller.scrollTop : scrollY);
  const height = scroller ? scroller.getBoundingClientRect().bottom : innerHeight;
  const scale = Number(getComputedStyle(pictures).getPropertyValue("--picture-scale")) || 1;
  return { width: pictures.clientWidth, room: (height - top) / zoom, scale: scale / zoom };
}

/** @param {Space} space */
function isNarrow({ width }) {
  return width < NARROW;
}

/** The least width of an image [css px]. @param {Space} space */
function leastTile(space) {
  return isNarrow(space) ? LEAST_TILE_NARROW : LEAST_TILE * space.scale;
}

/** The width of a mean [css px]. @param {Space} space */
export function meanWidth(space) {
  return isNarrow(space) ? Math.floor((space.width - 2 * GAP) / 3) : Math.ceil(LEAST_MEAN * space.scale);
}

/**
 * The tiles of the gallery [device px]: as large as fits above W, and never smaller than the least width if the
 * images are few.
 * @param {number} count
 * @param {number[]} shape of the images, [n h w c]
 * @param {Space} space
 * @param {number} ratio device pixels per CSS pixel
 * @param {number} [block] number of images in each group, if all groups have the same
 * @returns {Tiles}
 */
export function layGallery(count, shape, space, ratio, block) {
  const width = Math.round(space.width * ratio);
  const least = Math.ceil(leastTile(space) * ratio);
  const height = Math.min(MAX_HEIGHT * width, MAX_ROWS * least);
  const tiles = layTiles(count, shape, width, height, ratio, block);
  if (tiles.width >= least || count > FEW) return tiles;
  for (let columns = count; columns >= 1; columns--) {
    const tile = tileOf(columns, shape[1] / shape[2], width, ratio);
    if (tile.width >= least) return tile;
  }
  return tiles;
}

/**
 * The side of W beside the means [css px]. The means are in as many columns as let all pictures end above the fold.
 * @param {number} groups
 * @param {number} galleryHeight
 * @param {Space} space
 */
export function sideOfMatrix(groups, galleryHeight, space) {
  const { width } = space;
  if (isNarrow(space)) return width;
  const room = space.room - galleryHeight - GAP;
  if (!groups) return Math.min(width, MAX_SIDE, Math.max(room, LOWEST_SIDE));
  const pitch = meanWidth(space) + GAP;
  let best = { side: 0, height: Infinity };
  for (let columns = 1; columns <= groups; columns++) {
    const side = Math.min(width - columns * pitch, MAX_SIDE);
    if (side < (space.scale > 1 ? LEAST_SIDE_LARGE : LEAST_SIDE)) break;
    const height = Math.ceil(groups / columns) * pitch;
    const fitted = Math.min(side, Math.max(room, LOWEST_SIDE, height));
    const one = { side: fitted, height: Math.max(fitted, height) };
    const fits = one.height <= room;
    if (fits ? best.height > room || one.side > best.side : one.height < best.height) best = one;
  }
  return Math.floor(best.side || Math.min(width, MAX_SIDE));
}
