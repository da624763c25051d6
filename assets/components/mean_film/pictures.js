// Pictures of a frame: painting them pixel by pixel, framing chosen images, finding the image under the pointer.

import { contextOf, newCanvas, resizeCanvas, zoomOf } from "../shared/dom.js";
import { toImageData } from "../shared/pixels.js";

/** @typedef {import("../shared/frame_store.js").Frame} Frame */
/** @typedef {[i: number, j: number]} ImagePair */
/** @typedef {{ columns: number, pitch: [number, number], width: number, count: number, key: string }} Layout */

const FEW = 20; // images that are in few columns, so that they are large
const MAX_COLUMNS = 4;
const SMALL = 48; // width of an image with a narrow gap [px]

/** @type {WeakMap<HTMLCanvasElement, Layout>} */
const layouts = new WeakMap();

/**
 * The images from..to of a frame, pixel by pixel, arranged in an approximate square; the page enlarges them.
 * @param {HTMLCanvasElement} canvas
 * @param {Frame} frame
 * @param {number} from
 * @param {number} to
 * @param {string} about
 * @param {ImagePair | null} [pair] chosen images, counted from `from`
 */
export function paintImages(canvas, frame, from, to, about, pair = null) {
  const key = `${frame.id} ${from} ${pair}`;
  if (layouts.get(canvas)?.key === key) return;
  const [height, width, channels] = frame.shapes.images.slice(1);
  const count = to - from;
  const columns = Math.min(Math.ceil(Math.sqrt(count)), count > FEW ? count : MAX_COLUMNS);
  const gap = count === 1 ? 0 : width < SMALL ? 1 : 2;
  const [pitchX, pitchY] = [width + gap, height + gap];
  resizeCanvas(canvas, columns * pitchX - gap, Math.ceil(count / columns) * pitchY - gap);
  const context = contextOf(canvas);
  const cornerOf = (/** @type {number} */ i) => ({ x: (i % columns) * pitchX, y: Math.floor(i / columns) * pitchY });
  context.clearRect(0, 0, canvas.width, canvas.height);
  for (let i = 0; i < count; i++) {
    const start = (from + i) * height * width * channels;
    const { x, y } = cornerOf(i);
    context.putImageData(toImageData(frame.images ?? [], start, [height, width, channels]), x, y);
  }
  if (pair) {
    frameImage(context, cornerOf(pair[1]), width, height, "#006bd9");
    frameImage(context, cornerOf(pair[0]), width, height, "#ff9426"); // over the other, if they are the same
  }
  layouts.set(canvas, { columns, pitch: [pitchX, pitchY], width, count, key });
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", pair ? `${about}; image ${pair[0] + 1} is marked` : about);
}

/** @param {CanvasRenderingContext2D} context @param {{ x: number, y: number }} corner @param {number} width @param {number} height @param {string} colour */
function frameImage(context, { x, y }, width, height, colour) {
  const thick = Math.max(2, Math.round(width / 20));
  context.strokeStyle = colour;
  context.lineWidth = thick;
  context.strokeRect(x + thick / 2, y + thick / 2, width - thick, height - thick);
}

/** The image under the pointer, or -1. The canvas is completely visible, from its upper left corner. @param {HTMLCanvasElement} canvas @param {MouseEvent} event */
export function imageAt(canvas, event) {
  const layout = layouts.get(canvas);
  if (!layout) return -1;
  const { columns, pitch, count } = layout;
  const scale = Math.max(canvas.width / canvas.clientWidth, canvas.height / canvas.clientHeight) / zoomOf(canvas);
  const [column, row] = [event.offsetX, event.offsetY].map((at, axis) => Math.floor((at * scale) / pitch[axis]));
  const i = row * columns + column;
  return column < columns && i < count ? i : -1;
}

/** The width of an image on the screen [px]. @param {HTMLCanvasElement} canvas */
export function widthOfImage(canvas) {
  const layout = layouts.get(canvas);
  return layout ? (layout.width / canvas.width) * canvas.getBoundingClientRect().width : 0;
}

/** One image on its own canvas. @param {Frame} frame @param {number} i @param {string} about */
export function makePicture(frame, i, about) {
  const canvas = newCanvas(0, 0);
  paintImages(canvas, frame, i, i + 1, about);
  return canvas;
}
