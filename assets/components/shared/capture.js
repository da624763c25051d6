// The contents of a component as one SVG drawing: its canvases, drawings and text in their positions.

const SKIPPED = "button:not(:has(canvas)), input, select, option, details, dialog, .tip, .unseen, .play";
const PADDING = 12;
const TITLE = 34; // height of the title
const BASELINE = 0.78; // of a line of text
const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "text-anchor"]; // that style sheets may set

/** @param {string} text */
export function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** @param {HTMLElement} root @param {string} title */
export function captureSvg(root, title) {
  const frame = root.getBoundingClientRect();
  const place = (/** @type {DOMRect} */ { left, top }) => ({ x: left - frame.left + PADDING, y: top - frame.top + PADDING + TITLE });
  const parts = [...visibleNodes(root)].flatMap((node) => {
    if (node instanceof HTMLCanvasElement) return captureCanvas(node, place);
    if (node instanceof SVGSVGElement) return captureDrawing(node, place);
    return captureText(/** @type {Text} */ (node), place);
  });
  const [width, height] = [frame.width + 2 * PADDING, frame.height + 2 * PADDING + TITLE];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}" fill="currentColor">
    <text x="${PADDING}" y="26" class="title" font-size="20" font-weight="600">${escapeXml(title)}</text>${parts.join("")}</svg>`;
}

/** Canvases, drawings and texts that are visible. @param {Element} element @returns {Generator<Element | Text>} */
function* visibleNodes(element) {
  for (const child of element.childNodes) {
    if (child instanceof Text && child.data.trim()) yield child;
    if (!(child instanceof Element) || child.matches(SKIPPED) || child.checkVisibility?.() === false) continue;
    if (child instanceof HTMLCanvasElement || child instanceof SVGSVGElement) yield child;
    else yield* visibleNodes(child);
  }
}

/** @typedef {(rect: DOMRect) => { x: number, y: number }} Place */

/** @param {HTMLCanvasElement} canvas @param {Place} place */
function captureCanvas(canvas, place) {
  const rect = canvas.getBoundingClientRect();
  if (!canvas.width || !rect.width) return [];
  const { x, y } = place(rect);
  return [`<image x="${x}" y="${y}" width="${rect.width}" height="${rect.height}" style="image-rendering:pixelated" preserveAspectRatio="none" href="${canvas.toDataURL()}"/>`];
}

/** @param {SVGSVGElement} svg @param {Place} place */
function captureDrawing(svg, place) {
  const rect = svg.getBoundingClientRect();
  if (!rect.width) return [];
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  for (const [name, value] of Object.entries({ ...place(rect), width: rect.width, height: rect.height })) copy.setAttribute(name, String(value));
  const copies = copy.querySelectorAll("*");
  svg.querySelectorAll("*").forEach((element, at) => {
    const style = getComputedStyle(element);
    copies[at].setAttribute("style", STYLES.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
  });
  copy.removeAttribute("role");
  copy.setAttribute("color", getComputedStyle(svg).color);
  return [new XMLSerializer().serializeToString(copy)];
}

/** The words of a text, line by line. @param {Text} text @param {Place} place */
function captureText(text, place) {
  const { fontSize, fontWeight, fontStyle, color } = getComputedStyle(/** @type {Element} */ (text.parentElement));
  /** @type {{ words: string, rect: DOMRect }[]} */
  const lines = [];
  for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    const [rect, last] = [range.getBoundingClientRect(), lines.at(-1)];
    if (last && Math.abs(last.rect.top - rect.top) < 2) last.words += ` ${word}`;
    else if (rect.width) lines.push({ words: word, rect });
  }
  return lines.map(({ words, rect }) => {
    const { x, y } = place(rect);
    return `<text x="${x}" y="${y + BASELINE * rect.height}" font-size="${fontSize}" font-weight="${fontWeight}" font-style="${fontStyle}" fill="${color}">${escapeXml(words)}</text>`;
  });
}
