// One lane: the matrix, the gallery, the formula and the pair of one run at one moment.
//
// A scene is what all lanes share, with the lane's own β:
// {header, moment, beta, order, orderKey, groups, look, cell, isPinned, turned, ratio, lit}.

const MOST_PIXELS = 12e6; // of the bitmaps kept for one picture
const FLAT = 0.6; // so much of its square is filled by a gallery that a projector shows below the matrix

class Lane {
  constructor(parent) {
    this.parts = buildLane();
    this.matrices = new Map();
    this.mosaics = new Map();
    this.weighed = new Map();
    parent.append(this.parts.element);
  }

  show(lane, frames, scene) {
    Object.assign(this, { lane, frames, scene });
    const last = frames.length - 1;
    const { k, t } = scene.moment;
    this.moment = k < last ? { k, t } : { k: Math.max(last, 0), t: 0 };
    this.step = shownStep(this.moment);
    this.frame = frames[this.step];
    this.showState();
    if (!this.frame) return;
    this.order = scene.order.length === this.frame.n ? scene.order : Array.from({ length: this.frame.n }, (_, i) => i);
    this.groups = scene.groups?.ids.length === this.frame.n ? scene.groups.ids : undefined;
    this.fit();
    if (!this.pixels) return; // in a hidden tab; it is shown again once it has a size
    this.paintMatrix();
    this.paintGallery();
    this.showFormulas();
    this.showPair();
  }

  // Empty, running or complete: said in words.
  showState() {
    const { parts, lane, frames } = this;
    setText(parts.title, lane.title);
    setLabel(parts.element, lane.title);
    parts.element.classList.toggle("empty", !frames.length);
    parts.element.classList.toggle("running", lane.running);
    setText(parts["wait-text"], lane.sent ? "The pictures are on their way" : lane.running ? "Waiting for the first weights" : "Nothing to show yet: press Run");
    const done = frames.filter((frame) => !frame.pending).length;
    const part = `iteration ${done - 1} of ${lane.expected - 1}`;
    const ended = this.scene.moment.k > frames.length - 1 ? `ends at iteration ${frames.length - 1}` : "";
    setText(parts.status, !frames.length ? "" : frames.length < lane.sent ? "on their way" : lane.running ? `running, ${part}` : done < lane.expected ? `stopped, ${part}` : ended);
  }

  // The size of both pictures [css px], read from the layout.
  fit() {
    const size = this.parts.matrix.parentElement.clientWidth;
    const ratio = Math.min(this.scene.ratio, 1000 / Math.max(size, 1));
    const pixels = Math.round(size * ratio);
    for (const canvas of [this.parts.matrix, this.parts.gallery])
      if (canvas.width !== pixels || canvas.height !== pixels) Object.assign(canvas, { width: pixels, height: pixels });
    Object.assign(this, { size, ratio, pixels, edge: matrixEdge(this.groups) });
  }

  // After a new header or theme everything is made anew.
  forget() {
    this.matrices.clear();
    this.mosaics.clear();
    this.formulasKey = this.pairKey = undefined;
  }

  weights(frame) {
    const key = `${frame.id} ${this.scene.beta}`;
    return remember(this.weighed, key, 3, () => weigh(frame.x, frame.n, this.scene.beta));
  }

  // Everything but the frame that decides how a bitmap looks.
  styleKey() {
    const { look, orderKey, groups } = this.scene;
    return [this.pixels, orderKey, groups?.key, look.dark, look.background].join(" ");
  }

  matrixBitmap(frame) {
    const { look, beta } = this.scene;
    const key = [frame.id, beta, look.log, look.log || look.ceiling, this.styleKey()].join(" ");
    return remember(this.matrices, key, this.mostBitmaps(), () =>
      paintMatrix(this.weights(frame), frame.n, this.order, this.groups, look, this.pixels, this.ratio));
  }

  // Every image in its own pose, in the common one, or on the way, which is not worth keeping.
  mosaicBitmap(frame) {
    const { header, turned } = this.scene;
    const leaders = turned > 0 ? leadersOf(frame, header.labels) : undefined;
    const part = leaders ? turned : 0;
    if (part > 0 && part < 1) return this.paintTurned(frame, leaders, part, this.tiles);
    return remember(this.mosaics, `${frame.id} ${part} ${this.styleKey()}`, this.mostBitmaps(), () =>
      part ? this.paintTurned(frame, leaders, part) : this.paintMosaic(frame.images, frame.shapes.images));
  }

  // No finer than the tiles, if they are given: it need not be, while it moves.
  paintTurned(frame, leaders, part, tiles = { height: Infinity, width: Infinity }) {
    const [n, height, width, channels] = frame.shapes.images;
    const shape = [n, Math.min(height, tiles.height), Math.min(width, tiles.width), channels];
    return this.paintMosaic(turnImages(frame, leaders, part, shape), shape);
  }

  paintMosaic(images, shape) {
    return paintMosaic(images, shape, this.shown, this.tiles, this.groups, this.pixels, this.pixels);
  }

  // Whether its images can be turned onto one another.
  poses() {
    return Boolean(this.frame?.images && leadersOf(this.frame, this.scene.header.labels));
  }

  mostBitmaps() {
    return Math.max(3, Math.floor(MOST_PIXELS / Math.max(1, this.pixels ** 2)));
  }

  // What makes the bitmaps of a step that will be needed soon, in parts.
  preparations(k) {
    const frame = this.frames?.[k];
    if (!frame || !this.pixels) return [];
    return [() => this.matrixBitmap(frame), () => frame.images && this.mosaicBitmap(frame)];
  }

  crossFade(canvas, bitmapOf) {
    const context = canvas.getContext("2d");
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
    const { matrix } = this.parts;
    const context = this.crossFade(matrix, (frame) => this.matrixBitmap(frame));
    const cell = this.cell();
    if (!cell) return;
    const [row, column] = [this.order.indexOf(cell.i), this.order.indexOf(cell.j)];
    const { lit } = this.scene;
    if (lit.includes("sum")) dimBeside(context, 0, column, this.frame.n, 1, this);
    else if (["W", "kappa"].some((name) => lit.includes(name))) dimBeside(context, row, column, 1, 1, this);
    markCell(context, row, column, this.frame.n, Math.round(this.edge * this.ratio), this.pixels, this.ratio);
  }

  paintGallery() {
    if (this.frame.points) this.paintPoints();
    else if (this.frame.images) this.paintTiles();
    this.parts.gallery.closest("figure").hidden = !this.frame.points && !this.frame.images;
  }

  paintTiles() {
    this.shown = chosen(this.order);
    const block = this.groups && blockLength(this.shown, this.groups);
    this.tiles = layTiles(this.shown.length, this.frame.shapes.images, this.pixels, this.pixels, this.ratio, block);
    const context = this.crossFade(this.parts.gallery, (frame) => this.mosaicBitmap(frame));
    const filled = filledHeight(this.tiles, this.shown.length) / this.pixels;
    this.parts.pictures.style.setProperty("--filled", filled);
    this.parts.pictures.classList.toggle("flat", filled < FLAT);
    const cell = this.cell();
    if (!cell) return;
    const meant = this.scene.lit.includes("d2") ? [cell.i, cell.j] : this.scene.lit.includes("mean") ? [cell.j] : [];
    if (meant.length) dimTiles(context, this.tiles, this.shown, meant, this.scene.look);
    const mark = (i, colour, inset) => this.shown.includes(i) && markTile(context, this.tiles, this.shown.indexOf(i), css(colour), this.ratio, inset);
    mark(cell.i, SELECTED_ROW, 0);
    mark(cell.j, SELECTED_COLUMN, cell.i === cell.j ? 1 : 0);
  }

  paintPoints() {
    const { gallery } = this.parts;
    this.shown = this.order;
    const context = gallery.getContext("2d");
    context.clearRect(0, 0, gallery.width, gallery.height);
    const axes = fitAxes(this.frames, gallery.width, gallery.height);
    this.places = drawScatter(context, this.frames, this.moment, axes, this.groups, this.scene.look, this.ratio);
    const cell = this.cell();
    if (!cell) return;
    markPoint(context, this.places, cell.i, css(SELECTED_ROW), this.ratio, 0);
    markPoint(context, this.places, cell.j, css(SELECTED_COLUMN), this.ratio, cell.i === cell.j ? 1 : 0);
  }

  // The selected cell, if this lane has it.
  cell() {
    const { cell } = this.scene;
    return cell && cell.i < this.frame.n && cell.j < this.frame.n ? cell : undefined;
  }

  // Words and numbers change with the step, with β and with the frames, not with every picture.
  showFormulas() {
    const { parts, lane, step, frame, scene } = this;
    const key = [frame.id, scene.beta, scene.groups?.key, scene.header.sigma, scene.header.awaited, scene.turned > 0.5, lane.title, lane.formula, lane.beta].join(" ");
    if (this.formulasKey === key) return;
    this.formulasKey = key;
    const { header, beta, groups } = scene;
    const mass = this.groups ? blockMass(this.weights(frame), frame.n, this.groups, groups.names.length) : { total: NaN, each: [] };
    const [x, moved] = [frame.x === frame.d2 ? "d²" : "x", frame.matrices ? "v_i∘τ_{ij}" : "v_i"];
    writeTerms(parts.formula, weightTerms(beta, x, lane.formula, moved));
    writeFormula(parts["of-sigma"], `σ = ${number(header.sigma)} px`);
    writeFormula(parts["of-step"], `p = ${step}`);
    setText(parts.stale, staleness(step, beta, lane.beta, header.awaited));
    setText(parts["of-mass"], Number.isFinite(mass.total) ? `within ${groups.kind}: ${percent(mass.total)}` : "");
    setText(parts["of-own"], frame.pending ? "" : `on the diagonal: ${percent(ownShare(this.weights(frame), frame.n))}`);
    setLabel(parts.matrix, frame.pending ? `Weights of ${lane.title} at iteration ${step}: ${PENDING}` : matrixSentence(lane.title, step, beta, mass, groups));
    this.sentence = `${lane.title}: ${frame.pending ? PENDING : groupSentence(mass, groups)}.`;
    this.showCaptions();
  }

  showCaptions() {
    const { parts, step, frame, shown, scene } = this;
    const all = Math.max(scene.header.total, frame.n);
    if (frame.pending) setText(parts["matrix-caption"], `W: ${PENDING}`);
    else setText(parts["matrix-caption"], `W: row, image i; column, mean j${frame.n < all ? ` (${frame.n} of ${all.toLocaleString("en")})` : ""}`);
    if (!shown) return;
    const part = shown.length < all ? `${shown.length} of ${all.toLocaleString("en")} shown: ` : "";
    const pose = scene.turned > 0.5 && this.poses() ? ", common pose" : "";
    setText(parts["gallery-caption"], part + (step === 0 ? "the data" : `after ${step} averaging${step > 1 ? "s" : ""}`) + pose);
    setLabel(parts.gallery, gallerySentence(this.lane.title, step, shown.length, all, frame.points, pose));
  }

  showPair() {
    const { parts, frame, scene } = this;
    const cell = this.cell();
    const key = cell && [cell.i, cell.j, frame.id, scene.beta, scene.isPinned].join(" ");
    if (this.pairKey === (key ?? "")) return;
    this.pairKey = key ?? "";
    parts.pair.classList.toggle("chosen", Boolean(cell));
    if (!cell) return;
    const { i, j } = cell;
    setText(parts.sentence, pairSentence(scene.header, i, j));
    if (frame.pending) this.awaitNumbers();
    else this.showNumbers(i, j);
    setText(parts.pinned, `${clustersOf(frame, i, j)}${scene.isPinned ? "Pinned; Escape lets go." : ""}`);
    this.showPairPictures(i, j);
  }

  showNumbers(i, j) {
    const { parts, frame, scene } = this;
    const at = i * frame.n + j;
    const pair = `${numberOf(scene.header, i)},\u00a0${numberOf(scene.header, j)}`;
    writeFormula(parts["pair-distance"], `d²_{${pair}} = ${number(frame.d2[at])}`);
    parts["pair-weight"].hidden = false;
    writeTerms(parts["pair-weight"], pairTerms(pair, scene.beta, frame.x[at], columnSum(frame.x, frame.n, scene.beta, j), this.weights(frame)[at]));
  }

  // The images are there, their distance is not: that is said, and nothing is computed from it.
  awaitNumbers() {
    const { parts } = this;
    writeFormula(parts["pair-distance"], `d² and W: ${PENDING}`);
    parts["pair-weight"].hidden = true;
  }

  showPairPictures(i, j) {
    const { parts, frame, scene } = this;
    parts["pair-pictures"].hidden = !frame.images;
    if (!frame.images) return;
    showImage(parts.own, single(frame, i));
    showImage(parts.other, single(frame, j));
    showImage(parts.both, overlay(frame, i, j));
    writeFormula(parts["both-caption"], frame.matrices ? "v_i∘τ on v_j" : "v_i on v_j");
    setLabel(parts.own, `Image i: ${titleOf(scene.header, i)}`);
    setLabel(parts.other, `Image j: ${titleOf(scene.header, j)}`);
    setLabel(parts.both, `${frame.matrices ? "Image i aligned with" : "Image i laid over"} image j: orange and blue, white where they agree`);
  }

  // Which pair lies under the pointer [css px of the canvas].
  pairAt(canvas, x, y) {
    if (!this.frame) return undefined;
    if (canvas === this.parts.matrix) {
      const cell = cellAt(x, y, this.frame.n, this.edge, this.size);
      return cell && { i: this.order[cell.row], j: this.order[cell.column] };
    }
    const [px, py] = [x * this.ratio, y * this.ratio];
    if (this.frame.points) return same(pointAt(px, py, this.places, 14 * this.ratio));
    return same(this.shown[tileAt(px, py, this.tiles, this.shown.length)]);
  }

  // The pair one key press away; the first press shows the first cell.
  pairBeside(canvas, pair, right, down) {
    const { order, shown } = this;
    const clamp = (at, length) => Math.max(0, Math.min(length - 1, at));
    if (canvas === this.parts.matrix) {
      if (!pair) return { i: order[0], j: order[0] };
      const move = (i, by) => order[clamp(order.indexOf(i) + by, order.length)];
      return { i: move(pair.i, down), j: move(pair.j, right) };
    }
    const columns = this.frame.points ? 1 : this.tiles.columns;
    const at = pair ? shown.indexOf(pair.i) + right + down * columns : 0;
    return same(shown[clamp(at, shown.length)]);
  }

  remove() {
    this.parts.element.remove();
  }
}

function same(i) {
  return i === undefined ? undefined : { i, j: i };
}

// A value made once and kept while it is among the most recently used.
function remember(cache, key, most, make) {
  const value = cache.get(key) ?? make();
  cache.delete(key);
  cache.set(key, value);
  while (cache.size > most) cache.delete(cache.keys().next().value);
  return value;
}
