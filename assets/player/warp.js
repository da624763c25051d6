// Images warped by a τ: one onto another, or all onto the first of their group.

const NEAREST_HORIZON = 0.05; // as in the engine: what lies behind the horizon is outside the canvas
const COMMON = "common";

// The nine numbers of τ_ij, which warps v_i onto v_j.
function matrixOf(frame, i, j) {
  const at = 9 * (i * frame.n + j);
  return frame.matrices.subarray(at, at + 9);
}

// [v∘τ](p, q) = v(τ(p, q)), bilinear, 0 outside; p, q: row, column from the centre [px]. `out` may
// have fewer rows and columns than v; then only so many points are read, evenly spaced.
function warp(v, [height, width, channels], M, out, [rows, columns] = [height, width]) {
  const cp = (height - 1) / 2;
  const cq = (width - 1) / 2;
  const [down, right] = [height / rows, width / columns];
  for (let to = 0, row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++, to += channels) {
      const p = (row + 0.5) * down - 0.5 - cp;
      const q = (column + 0.5) * right - 0.5 - cq;
      const depth = Math.max(NEAREST_HORIZON, M[6] * p + M[7] * q + M[8]);
      const y = (M[0] * p + M[1] * q + M[2]) / depth + cp;
      const x = (M[3] * p + M[4] * q + M[5]) / depth + cq;
      if (y <= -1 || x <= -1 || y >= height || x >= width) continue;
      for (let c = 0; c < channels; c++) out[to + c] = readBetween(v, height, width, channels, y, x, c);
    }
}

// Channel c at row y, column x, between the four pixels around it.
function readBetween(v, height, width, channels, y, x, c) {
  const top = Math.floor(y);
  const left = Math.floor(x);
  const at = (top * width + left) * channels + c;
  const next = at + width * channels;
  const hasLeft = left >= 0;
  const hasRight = left + 1 < width;
  const upperLeft = top >= 0 && hasLeft ? v[at] : 0;
  const upperRight = top >= 0 && hasRight ? v[at + channels] : 0;
  const lowerLeft = top + 1 < height && hasLeft ? v[next] : 0;
  const lowerRight = top + 1 < height && hasRight ? v[next + channels] : 0;
  const upper = upperLeft + (x - left) * (upperRight - upperLeft);
  const lower = lowerLeft + (x - left) * (lowerRight - lowerLeft);
  return upper + (y - top) * (lower - upper);
}

// The first image of every image's group, where images can be turned onto one another.
function leadersOf(frame, labels) {
  const groups = labels.length === frame.n ? labels : frame.assignments;
  if (!frame.matrices || !groups) return undefined;
  const first = new Map();
  groups.forEach((group, i) => first.has(group) || first.set(group, i));
  return Array.from(groups, (group) => first.get(group));
}

// All images, turned a part of the way onto their leaders: v_i∘τ_ir, in `rows` × `columns` pixels.
function turnImages(frame, leaders, part, [, rows, columns]) {
  const shape = frame.shapes.images.slice(1);
  const size = shape[0] * shape[1] * shape[2];
  const room = rows * columns * shape[2];
  const turned = new Uint8ClampedArray(frame.n * room);
  leaders.forEach((leader, i) => {
    const image = frame.images.subarray(i * size, (i + 1) * size);
    const place = turned.subarray(i * room, (i + 1) * room);
    warp(image, shape, partOf(matrixOf(frame, i, leader), part), place, [rows, columns]);
  });
  return turned;
}

// From the identity to M: the rotation in it by its angle, so that nothing shrinks on the way.
function partOf(M, part) {
  if (part === 1) return M;
  const angle = Math.atan2(M[3] - M[1], M[0] + M[4]);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const mix = (from, to) => from + part * (to - from);
  const [a, b] = [mix(1, cos * M[0] + sin * M[3]), mix(0, cos * M[1] + sin * M[4])];
  const [c, d] = [mix(0, cos * M[3] - sin * M[0]), mix(1, cos * M[4] - sin * M[1])];
  const [turn, lift] = [Math.cos(part * angle), Math.sin(part * angle)];
  return [
    ...[turn * a - lift * c, turn * b - lift * d, part * M[2]],
    ...[lift * a + turn * c, lift * b + turn * d, part * M[5]],
    ...[part * M[6], part * M[7], mix(1, M[8])],
  ];
}
