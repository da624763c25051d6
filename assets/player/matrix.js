// The heat map of W: painted once per step into a bitmap, then only copied.

const STRIP = 7; // width of the group colours along the edges [css px]
const STRIP_GAP = 3;
const LOG_DECADES = 4;

function matrixEdge(hasGroups) {
  return hasGroups ? STRIP + STRIP_GAP : 0;
}

// Index of each weight in the ramp; the scale is linear up to `ceiling`, or four decades up to 1.
function rampIndex(weight, ceiling, log) {
  const t = log ? 1 + Math.log10(weight) / LOG_DECADES : weight / ceiling;
  return t > 0 ? Math.min(RAMP - 1, Math.floor(t * RAMP)) : 0;
}

function colourCells(W, n, order, look) {
  const image = new ImageData(n, n);
  const words = new Uint32Array(image.data.buffer);
  for (let at = 0, row = 0; row < n; row++)
    for (let column = 0; column < n; column++, at++)
      words[at] = look.ramp[rampIndex(W[order[row] * n + order[column]], look.ceiling, look.log)];
  return image;
}

// W as a bitmap of size × size device pixels, with the groups along the left and the top.
function paintMatrix(W, n, order, groups, look, size, ratio) {
  const cells = newCanvas(n, n);
  cells.getContext("2d").putImageData(colourCells(W, n, order, look), 0, 0);
  const bitmap = newCanvas(size, size);
  const context = bitmap.getContext("2d");
  const edge = Math.round(matrixEdge(groups) * ratio);
  context.imageSmoothingEnabled = n > size - edge; // what is shrunk is averaged, not skipped
  context.drawImage(cells, edge, edge, size - edge, size - edge);
  if (groups) paintStrips(context, n, order, groups, size, ratio);
  return bitmap;
}

function paintStrips(context, n, order, groups, size, ratio) {
  const edge = Math.round(matrixEdge(true) * ratio);
  const width = Math.round(STRIP * ratio);
  const cell = (size - edge) / n;
  for (const [from, to] of blocksOf(order, groups)) {
    context.fillStyle = groupColour(groups[order[from]]);
    const start = edge + from * cell;
    const length = Math.max(1, (to - from) * cell - (n > 60 ? 0 : ratio));
    context.fillRect(0, start, width, length);
    context.fillRect(start, 0, length, width);
  }
}

// Runs of neighbours of one group: [from, to) in the order shown.
function blocksOf(order, groups) {
  const blocks = [];
  for (let at = 0; at < order.length; at++) {
    const current = blocks.at(-1);
    if (current && groups[order[at]] === groups[order[current[0]]]) current[1] = at + 1;
    else blocks.push([at, at + 1]);
  }
  return blocks;
}

// The row of image i and the column of mean j, drawn over the bitmap.
function markCell(context, row, column, n, edge, size, ratio) {
  const cell = (size - edge) / n;
  const thick = Math.max(1.5 * ratio, Math.min(3 * ratio, cell / 4));
  const [x, y] = [edge + column * cell, edge + row * cell];
  context.lineWidth = thick;
  const frame = (colour, left, top, width, height) => {
    context.strokeStyle = colour;
    context.strokeRect(left, top, width, height);
  };
  frame(css(SELECTED_ROW), edge, y, size - edge, cell);
  frame(css(SELECTED_COLUMN), x, edge, cell, size - edge);
  const grow = Math.max(0, 5 * ratio - cell / 2);
  context.lineWidth = thick + 2 * ratio;
  frame("#000", x - grow, y - grow, cell + 2 * grow, cell + 2 * grow);
  context.lineWidth = thick;
  frame("#fff", x - grow, y - grow, cell + 2 * grow, cell + 2 * grow);
}

// Dims all cells but a block of so many rows and columns, so that what a term stands for is seen.
function dimBeside(context, row, column, rows, columns, { frame, edge, ratio, pixels, scene }) {
  const from = Math.round(edge * ratio);
  const cell = (pixels - from) / frame.n;
  const path = new Path2D();
  path.rect(from, from, pixels - from, pixels - from);
  path.rect(from + column * cell, from + row * cell, columns * cell, rows * cell);
  context.globalAlpha = 0.7;
  context.fillStyle = scene.look.background;
  context.fill(path, "evenodd");
  context.globalAlpha = 1;
}

// Which row and column of n lie under a point of a canvas [css px]; undefined beside the cells.
function cellAt(x, y, n, edge, size) {
  const cell = (size - edge) / n;
  const [row, column] = [Math.floor((y - edge) / cell), Math.floor((x - edge) / cell)];
  const inside = row >= 0 && column >= 0 && row < n && column < n;
  return inside ? { row, column } : undefined;
}

function newCanvas(width, height) {
  return Object.assign(document.createElement("canvas"), { width, height });
}
