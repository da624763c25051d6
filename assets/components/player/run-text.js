// The text, the formulas and the pair of one run. They change with the step, with β and with the
// frames, but not with every picture.

import { setLabel, setText } from "../shared/dom.js";
import { writeFormula, writeTerms } from "../shared/formula.js";
import { formatNumber, formatPercent } from "../shared/numbers.js";
import { showImage } from "../shared/pixels.js";
import { blockMass, meanOfDiagonal, sumColumn } from "../shared/weights.js";
import { imageOf, overlayPair } from "./pair.js";
import {
  clustersOf, gallerySentence, groupSentence, matrixSentence, numberOf, pairSentence, outdated, pairTerms, PENDING, staleness, titleOf, weightTerms,
} from "./words.js";

/** @typedef {import("./run-view.js").RunView} RunView */

/** @param {RunView} view */
export function showFormulas(view) {
  const { elements, step } = view;
  const { run, frame, scene } = view.current();
  const { header, beta, groups } = scene;
  const key = [frame.id, beta, groups?.key, run.sigma, header.means_pending, header.settings_pending, Boolean(view.previewOf(step)), scene.aligned > 0.5, run.title, run.formula, run.beta].join(" ");
  if (view.formulasKey === key) return;
  view.formulasKey = key;
  const mass = view.groups && groups ? blockMass(view.weights(frame), frame.n, view.groups, groups.names.length) : { total: NaN, each: [] };
  const [x, moved] = [frame.x === frame.d2 ? "d²" : "x", frame.matrices ? "v_i∘τ_{ij}" : "v_i"];
  writeTerms(elements.formula, weightTerms(beta, x, run.formula, moved, run.kernel));
  writeFormula(elements.ofSigma, `σ = ${formatNumber(run.sigma)} px`);
  writeFormula(elements.ofStep, `p = ${step}`);
  const note = staleness(step, beta, run.beta, header.means_pending, Boolean(view.previewOf(step)));
  setText(elements.stale, outdated(header.settings_pending) || note);
  elements.element.classList.toggle("outdated", Boolean(header.settings_pending));
  setText(elements.ofMass, Number.isFinite(mass.total) ? `within ${groups?.kind}: ${formatPercent(mass.total)}` : "");
  setText(elements.ofOwn, frame.pending ? "" : `on the diagonal: ${formatPercent(meanOfDiagonal(view.weights(frame), frame.n))}`);
  setLabel(elements.matrix, frame.pending ? `Weights of ${run.title} at iteration ${step}: ${PENDING}` : matrixSentence(run.title, step, beta, mass, groups));
  view.sentence = `${run.title}: ${frame.pending ? PENDING : groupSentence(mass, groups)}.`;
  showCaptions(view);
}

/** @param {RunView} view */
function showCaptions(view) {
  const { elements, step, shown } = view;
  const { run, frame, scene } = view.current();
  const all = Math.max(scene.header.total, frame.n);
  const ofAll = (/** @type {number} */ count) => `${count} of ${all.toLocaleString("en")}`;
  if (frame.pending) setText(elements.matrixCaption, `W: ${PENDING}`);
  else setText(elements.matrixCaption, `W: row, image i; column, mean j${frame.n < all ? ` (${ofAll(frame.n)})` : ""}`);
  if (!shown.length) return;
  const part = shown.length < all ? `${ofAll(shown.length)} shown: ` : "";
  const pose = scene.aligned > 0.5 && view.hasPoses() ? ", common pose" : "";
  setText(elements.galleryCaption, part + (step === 0 ? "the data" : `after ${step} averaging step${step > 1 ? "s" : ""}`) + pose);
  setLabel(elements.gallery, gallerySentence(run.title, step, shown.length, all, frame.points, pose));
}

/** @param {RunView} view */
export function showPair(view) {
  const { elements } = view;
  const { frame, scene } = view.current();
  const cell = view.cell();
  const key = cell ? [cell.i, cell.j, frame.id, scene.beta, scene.isPinned].join(" ") : "";
  if (view.pairKey === key) return;
  view.pairKey = key;
  elements.pair.classList.toggle("chosen", Boolean(cell));
  if (!cell) return;
  const { i, j } = cell;
  setText(elements.sentence, pairSentence(scene.header, i, j));
  showNumbers(view, i, j);
  setText(elements.pinned, `${clustersOf(frame, i, j)}${scene.isPinned ? "Pinned; press Escape to unpin." : ""}`);
  showPictures(view, i, j);
}

/** @param {RunView} view @param {number} i @param {number} j */
function showNumbers(view, i, j) {
  const { elements } = view;
  const { run: { kernel }, frame, scene: { header, beta } } = view.current();
  elements.pairWeight.hidden = frame.pending;
  if (frame.pending) return writeFormula(elements.pairDistance, `d² and W: ${PENDING}`);
  const at = i * frame.n + j;
  const pair = `${numberOf(header, i)},\u00a0${numberOf(header, j)}`;
  writeFormula(elements.pairDistance, `d²_{${pair}} = ${formatNumber(frame.d2[at])}`);
  const sum = sumColumn(frame.x, frame.n, beta, j, kernel);
  return writeTerms(elements.pairWeight, pairTerms(pair, beta, frame.x[at], sum, view.weights(frame)[at], kernel));
}

/** @param {RunView} view @param {number} i @param {number} j */
function showPictures(view, i, j) {
  const { elements } = view;
  const { frame, scene: { header } } = view.current();
  elements.pairPictures.hidden = !frame.images;
  if (!frame.images) return;
  showImage(elements.own, imageOf(frame, i));
  showImage(elements.other, imageOf(frame, j));
  showImage(elements.both, overlayPair(frame, i, j));
  writeFormula(elements.bothCaption, frame.matrices ? "v_i∘τ on v_j" : "v_i on v_j");
  setLabel(elements.own, `Image i: ${titleOf(header, i)}`);
  setLabel(elements.other, `Image j: ${titleOf(header, j)}`);
  setLabel(elements.both, `${frame.matrices ? "Image i aligned with" : "Image i over"} image j: orange and blue, white where they agree`);
}
