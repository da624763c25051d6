// One run at one moment: its matrix, its gallery, its formula and the chosen pair.

import { cached } from "../shared/cache.js";
import { COLUMN_COLOUR, ROW_COLOUR, toCss } from "../shared/colours.js";
import { contextOf, resizeCanvas, setLabel, setText } from "../shared/dom.js";
import { store } from "../shared/frame_store.js";
import { firstOfGroups, warpImages } from "../shared/warp.js";
import { computeWeights } from "../shared/weights.js";
import { ClassMeans, MAX_MEANS } from "./class-means.js";
import { partOf, shownStep } from "./clock.js";
import { AdviceView } from "./advice.js";
import { buildRun } from "./elements.js";
import { blockLength, chooseShown, dimOtherTiles, fadeTiles, filledHeight, markTile, paintMosaic, tileAt } from "./gallery.js";
import { showGhost } from "./ghost.js";
import { layGallery, meanWidth, sideOfMatrix, spaceFor } from "./layout.js";
import { cellAt, dimOtherCells, markCell, matrixEdge, paintMatrix } from "./matrix.js";
import { makeMatrixFigure } from "./matrix-figure.js";
import { canPreview, previewMeans } from "./preview.js";
import { drawScatter, fitAxes, markPoint, pointAt } from "./scatter.js";
import { showFormulas, showPair } from "./run-text.js";

/** @typedef {import("../shared/frame_store.js").Frame} Frame */
/** @typedef {import("./types.js").Pair} Pair */

const MAX_PIXELS = 12e6; // of the bitmaps kept for one picture
const MAX_MATRIX_PIXELS = 1000; // width of the matrix [device px]
const MAX_GALLERY_PIXELS = 1600; // width of the gallery [device px]

export class RunView {
  /** @param {import("./player.js").Player} player */
  constructor(player) {
    this.elements = buildRun();
    this.advice = new AdviceView(this.elements.advice, (beta) => player.chooseBeta(this.lane, beta));
    /** @type {Map<string, HTMLCanvasElement>} */
    this.matrices = new Map();
    /** @type {Map<string, HTMLCanvasElement>} */
    this.mosaics = new Map();
    /** @type {Map<string, Float64Array>} */
    this.weighted = new Map();
    /** @type {Frame[]} */
    this.frames = [];
    /** @type {Map<string, Frame>} means of iteration 1 for a released β, by the β */
    this.previews = new Map();
    /** @type {string | undefined} */
    this.ghostKey = undefined;
    this.lane = 0;
    /** @type {number[]} the images of the gallery */
    this.shown = [];
    /** @type {import("./gallery.js").Tiles | undefined} */
    this.tiles = undefined;
    /** @type {number[]} the points of the gallery on the canvas */
    this.places = [];
    /** @type {number[]} */
    this.order = [];
    /** @type {ArrayLike<number> | undefined} */
    this.groups = undefined;
    this.means = new ClassMeans(this.elements.means);
    this.size = this.ratio = this.pixels = this.edge = this.step = 0;
    this.fitted = "";
    /** width and height of the gallery [device px], and its device pixels per CSS pixel */
    this.mosaic = { width: 0, height: 0, ratio: 1 };
    this.moment = { k: 0, t: 0 };
    /** The sentence for screen readers. */
    this.sentence = "";
    /** @type {string | undefined} */
    this.formulasKey = undefined;
    /** @type {string | undefined} */
    this.pairKey = undefined;
    player.elements.runs.append(this.elements.element);
    this.figure = makeMatrixFigure(this, () => player.hold());
    this.elements.enlarge.addEventListener("click", () => this.figure.open());
  }

  /** @param {import("./types.js").RunHeader} run @param {Frame[]} frames @param {import("./types.js").Scene} scene @param {number} lane index of the run */
  show(run, frames, scene, lane) {
    this.lane = lane;
    this.run = run;
    this.frames = frames;
    this.scene = scene;
    const last = frames.length - 1;
    const { k, t } = scene.moment;
    this.moment = k < last ? { k, t } : { k: Math.max(last, 0), t: 0 };
    this.step = shownStep(this.moment);
    this.frame = frames[this.step];
    this.showStatus();
    this.advice.show(scene.header.key, run.run, scene.beta, Boolean(this.frame) && scene.header.advises);
    if (!this.frame) return;
    const { n } = this.frame;
    this.order = scene.order.length === n ? scene.order : Array.from({ length: n }, (_, i) => i);
    this.groups = scene.groups?.ids.length === n ? scene.groups.ids : undefined;
    this.fit();
    if (!this.pixels) return; // in a hidden tab; `show` is called again once the element has a size
    this.paintMatrix();
    this.paintGallery();
    showFormulas(this);
    showPair(this);
    showGhost(this, lane);
    this.figure.update();
  }

  /** The values that are shown, available after `show`. */
  current() {
    const { run, frame, scene } = this;
    if (!run || !frame || !scene) throw new Error("nothing is shown yet");
    return { run, frame, scene };
  }

  showStatus() {
    const { elements, run, frames, scene } = this;
    if (!run || !scene) return;
    setText(elements.title, run.title);
    setLabel(elements.element, run.title);
    elements.element.classList.toggle("empty", !frames.length);
    elements.element.classList.toggle("running", run.running);
    setText(elements.waitText, run.sent ? "Loading the pictures" : run.running ? "Waiting for the first weights" : "There is nothing to show yet. Press Run");
    const done = frames.filter((frame) => !frame.pending).length;
    const part = `iteration ${done - 1} of ${run.expected - 1}`;
    const ended = scene.moment.k > frames.length - 1 ? `ends at iteration ${frames.length - 1}` : "";
    setText(elements.status, !frames.length ? "" : frames.length < run.sent ? "loading" : run.running ? `running, ${part}` : done < run.expected ? `stopped, ${part}` : ended);
  }

  /** The size of both pictures, read from the layout. */
  fit() {
    const { matrix, matrixBox, pictures } = this.elements;
    const { scene } = this.current();
    const key = [pictures.clientWidth, scene.places, scene.ratio, scene.orderKey, scene.groups?.key, this.frame?.n].join(" ");
    if (key !== this.fitted && pictures.clientWidth) this.arrange();
    this.fitted = key;
    this.size = matrixBox.clientWidth;
    this.ratio = Math.min(scene.ratio, MAX_MATRIX_PIXELS / Math.max(this.size, 1));
    this.pixels = Math.round(this.size * this.ratio);
    resizeCanvas(matrix, this.pixels, this.pixels);
    if (this.frame?.points) this.mosaic = { width: this.pixels, height: this.pixels, ratio: this.ratio };
    resizeCanvas(this.elements.gallery, this.mosaic.width, this.mosaic.height);
    this.edge = matrixEdge(this.groups);
  }

  /** Chooses the sizes of all pictures. */
  arrange() {
    const { pictures } = this.elements;
    const { frame, scene } = this.current();
    const space = spaceFor(pictures);
    const groups = this.meanGroups();
    pictures.classList.toggle("points", !frame.images);
    pictures.classList.toggle("meanless", !groups);
    if (!frame.images) return;
    this.shown = chooseShown(this.order);
    const ratio = Math.min(scene.ratio, MAX_GALLERY_PIXELS / space.width);
    const block = this.groups && blockLength(this.shown, this.groups);
    this.tiles = layGallery(this.shown.length, frame.shapes.images, space, ratio, block);
    const height = filledHeight(this.tiles, this.shown.length);
    this.mosaic = { width: Math.round(space.width * ratio), height, ratio };
    const side = sideOfMatrix(groups?.names.length ?? 0, height / ratio, space);
    pictures.style.setProperty("--side", `${side}px`);
    pictures.style.setProperty("--mean", `${meanWidth(space)}px`);
    pictures.classList.toggle("stacked", side + meanWidth(space) > space.width);
  }

  /** The groups whose means are shown, if they are few. */
  meanGroups() {
    const { groups } = this.current().scene;
    return this.frame?.images && this.groups && groups && groups.names.length <= MAX_MEANS ? groups : undefined;
  }

  /** Discards all bitmaps, so that everything is painted again with a new header or theme. */
  clearCaches() {
    this.matrices.clear();
    this.mosaics.clear();
    this.means.clear();
    this.formulasKey = this.pairKey = this.ghostKey = undefined;
  }

  /** The step with means for the released β, until the exact ones arrive; undefined for all other steps. @param {number} step @returns {Frame | undefined} */
  previewOf(step) {
    const { run, scene } = this.current();
    const [data, means] = this.frames;
    const { beta } = scene;
    if (step !== 1 || !means?.images || beta === run.beta || beta !== scene.released[this.lane]) return undefined;
    if (scene.header.settings_pending || !canPreview(data)) return undefined;
    return cached(this.previews, `${data.id} ${beta}`, 2, () => {
      const images = previewMeans(data, this.weights(data));
      return { ...means, id: ++store.count, images: new Uint8Array(images.buffer) };
    });
  }

  /** @param {Frame} frame */
  weights(frame) {
    const { run: { kernel }, scene: { beta } } = this.current();
    return cached(this.weighted, `${frame.id} ${beta}`, 3, () => computeWeights(frame.x, frame.n, beta, kernel));
  }

  /** All values that determine a bitmap, except the frame. */
  styleKey() {
    const { look, orderKey, groups } = this.current().scene;
    return [this.pixels, this.mosaic.width, this.mosaic.height, orderKey, groups?.key, look.dark, look.background].join(" ");
  }

  /** @param {Frame} frame */
  matrixBitmap(frame) {
    const { look, beta } = this.current().scene;
    const key = [frame.id, beta, look.log, look.log || look.ceiling, this.styleKey()].join(" ");
    return cached(this.matrices, key, this.maxBitmaps(), () =>
      paintMatrix(this.weights(frame), frame.n, this.order, this.groups, look, this.pixels, this.ratio));
  }

  /** The mosaic in the images' own poses, in the common pose, or in between (not cached). @param {Frame} step */
  mosaicBitmap(step) {
    const frame = this.previewOf(this.frames.indexOf(step)) ?? step;
    const { header, aligned } = this.current().scene;
    const targets = aligned > 0 ? firstOfGroups(frame, header.labels) : undefined;
    if (targets && aligned < 1) return this.paintAligned(frame, targets, aligned, this.tiles);
    return cached(this.mosaics, `${frame.id} ${targets ? 1 : 0} ${this.styleKey()}`, this.maxBitmaps(), () =>
      targets ? this.paintAligned(frame, targets, 1) : this.paintMosaic(frame.images ?? [], frame.shapes.images));
  }

  /**
   * Warps the images, with no more pixels than the tiles if they are given, which is enough during a movement.
   * @param {Frame} frame
   * @param {number[]} targets
   * @param {number} part
   * @param {{ height: number, width: number }} [tiles]
   */
  paintAligned(frame, targets, part, tiles = { height: Infinity, width: Infinity }) {
    const [n, height, width, channels] = frame.shapes.images;
    const [rows, columns] = [Math.min(height, tiles.height), Math.min(width, tiles.width)];
    const parts = (/** @type {number} */ i) => this.partOf(part, i);
    return this.paintMosaic(warpImages(frame, targets, parts, [rows, columns]), [n, rows, columns, channels]);
  }

  /** The part of a movement that image i has made, group by group. @param {number} part @param {number} i */
  partOf(part, i) {
    return partOf(part, this.groups?.[i] ?? 0, this.current().scene.groups?.names.length ?? 1);
  }

  /** @param {ArrayLike<number>} images @param {number[]} shape */
  paintMosaic(images, shape) {
    return paintMosaic(images, shape, this.shown, this.layOut(), this.groups, this.mosaic.width, this.mosaic.height);
  }

  layOut() {
    if (!this.tiles) throw new Error("the gallery has no tiles yet");
    return this.tiles;
  }

  /** True if the images of the run can be warped onto one another. */
  hasPoses() {
    return Boolean(this.frame?.images && firstOfGroups(this.frame, this.current().scene.header.labels));
  }

  maxBitmaps() {
    return Math.max(3, Math.floor(MAX_PIXELS / Math.max(1, this.pixels ** 2)));
  }

  /** Tasks that paint the bitmaps of a step in advance. @param {number} k */
  preparations(k) {
    const frame = this.frames[k];
    if (!frame || !this.pixels) return [];
    return [() => this.matrixBitmap(frame), () => frame.images && this.tiles && this.mosaicBitmap(frame)];
  }

  /** @param {HTMLCanvasElement} canvas @param {(frame: Frame) => HTMLCanvasElement} bitmapOf */
  crossFade(canvas, bitmapOf) {
    const context = contextOf(canvas);
    const { k, t } = this.moment;
    context.globalAlpha = 1;
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(bitmapOf(this.frames[k]), 0, 0);
    context.globalAlpha = t;
    if (t > 0) context.drawImage(bitmapOf(this.frames[k + 1]), 0, 0);
    context.globalAlpha = 1;
    return context;
  }

  paintMatrix() {
    const context = this.crossFade(this.elements.matrix, (frame) => this.matrixBitmap(frame));
    const cell = this.cell();
    if (!cell) return;
    const { frame, scene } = this.current();
    const [row, column] = [this.order.indexOf(cell.i), this.order.indexOf(cell.j)];
    const edge = Math.round(this.edge * this.ratio);
    const dim = (/** @type {number} */ from, /** @type {number} */ rows) =>
      dimOtherCells(context, { row: from, column, rows }, frame.n, edge, this.pixels, scene.look.background);
    if (scene.lit.includes("sum")) dim(0, frame.n);
    else if (["W", "kappa"].some((name) => scene.lit.includes(name))) dim(row, 1);
    markCell(context, row, column, frame.n, edge, this.pixels, this.ratio);
  }

  paintGallery() {
    const { frame } = this.current();
    if (frame.points) this.paintPoints();
    else if (frame.images) this.paintTiles();
    this.elements.galleryFigure.hidden = !frame.points && !frame.images;
  }

  paintTiles() {
    const { scene } = this.current();
    const tiles = this.layOut();
    const context = this.meltTiles(tiles);
    this.showMeans();
    const cell = this.cell();
    if (!cell) return;
    const meant = scene.lit.includes("d2") ? [cell.i, cell.j] : scene.lit.includes("mean") ? [cell.j] : [];
    if (meant.length) dimOtherTiles(context, tiles, this.shown, meant, scene.look.background);
    const mark = (/** @type {number} */ i, /** @type {import("../shared/colours.js").Rgb} */ colour, /** @type {number} */ inset) =>
      this.shown.includes(i) && markTile(context, tiles, this.shown.indexOf(i), toCss(colour), this.mosaic.ratio, inset);
    mark(cell.i, ROW_COLOUR, 0);
    mark(cell.j, COLUMN_COLOUR, cell.i === cell.j ? 1 : 0);
  }

  /** Draws the mosaic; if the images have just moved onto one another, they melt group by group. @param {import("./gallery.js").Tiles} tiles */
  meltTiles(tiles) {
    const { k, t } = this.moment;
    const melts = k === 0 && t > 0 && this.hasPoses();
    if (!melts) return this.crossFade(this.elements.gallery, (one) => this.mosaicBitmap(one));
    const context = contextOf(this.elements.gallery);
    context.clearRect(0, 0, this.mosaic.width, this.mosaic.height);
    context.drawImage(this.mosaicBitmap(this.frames[0]), 0, 0);
    fadeTiles(context, this.mosaicBitmap(this.frames[1]), tiles, this.shown, (i) => this.partOf(t, i));
    return context;
  }

  /** At iteration 0, the means are those of the images in the gallery; later, the images are aligned. */
  showMeans() {
    const groups = this.meanGroups();
    this.elements.means.hidden = !groups;
    if (!groups) return;
    const { run, scene: { aligned } } = this.current();
    const { k, t } = this.moment;
    const [from, to] = [this.frames[k], t > 0 ? this.frames[k + 1] : undefined].map((one, at) => one && (this.previewOf(k + at) ?? one));
    if (from?.images && (!to || to.images)) this.means.show(from, to, t, groups, [k ? 1 : aligned, 1], `${run.title}, iteration ${this.step}: mean of`);
  }

  paintPoints() {
    const { gallery } = this.elements;
    this.shown = this.order;
    const context = contextOf(gallery);
    context.clearRect(0, 0, gallery.width, gallery.height);
    const axes = fitAxes(this.frames, gallery.width, gallery.height);
    this.places = drawScatter(context, this.frames, this.moment, axes, this.groups, this.current().scene.look.text, this.ratio);
    const cell = this.cell();
    if (!cell) return;
    markPoint(context, this.places, cell.i, toCss(ROW_COLOUR), this.ratio, 0);
    markPoint(context, this.places, cell.j, toCss(COLUMN_COLOUR), this.ratio, cell.i === cell.j ? 1 : 0);
  }

  /** The chosen cell, if this run has it. */
  cell() {
    const { frame, scene: { cell } } = this.current();
    return cell && cell.i < frame.n && cell.j < frame.n ? cell : undefined;
  }

  /** The pair under the pointer [css px of the canvas]. @param {EventTarget | null} canvas @param {number} x @param {number} y @returns {Pair | undefined} */
  pairAt(canvas, x, y) {
    if (!this.frame) return undefined;
    if (canvas === this.elements.matrix) {
      const cell = cellAt(x, y, this.frame.n, this.edge, this.size);
      return cell && { i: this.order[cell.row], j: this.order[cell.column] };
    }
    const [px, py] = [x * this.mosaic.ratio, y * this.mosaic.ratio];
    if (this.frame.points) return ownPair(pointAt(px, py, this.places, 14 * this.ratio));
    const at = this.tiles && tileAt(px, py, this.tiles, this.shown.length);
    return at === undefined ? undefined : ownPair(this.shown[at]);
  }

  /**
   * The pair one key press away; the first press chooses the first cell.
   * @param {EventTarget | null} canvas
   * @param {Pair | undefined} pair
   * @param {number} right
   * @param {number} down
   */
  pairBeside(canvas, pair, right, down) {
    const { order, shown } = this;
    const clamp = (/** @type {number} */ at, /** @type {number} */ length) => Math.max(0, Math.min(length - 1, at));
    if (canvas === this.elements.matrix) {
      if (!pair) return { i: order[0], j: order[0] };
      const move = (/** @type {number} */ i, /** @type {number} */ by) => order[clamp(order.indexOf(i) + by, order.length)];
      return { i: move(pair.i, down), j: move(pair.j, right) };
    }
    const columns = this.frame?.points ? 1 : this.tiles?.columns ?? 1;
    const at = pair ? shown.indexOf(pair.i) + right + down * columns : 0;
    return ownPair(shown[clamp(at, shown.length)]);
  }

  remove() {
    this.elements.element.remove();
  }
}

/** An image and its own mean. @param {number | undefined} i @returns {Pair | undefined} */
function ownPair(i) {
  return i === undefined ? undefined : { i, j: i };
}
