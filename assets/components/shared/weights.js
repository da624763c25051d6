// W from the squared distances, and its summaries. Matrices are row-major: W[i * n + j].

/** @typedef {ArrayLike<number>} Numbers */
/**
 * @typedef {object} KernelTable κ(u) at u = 2^(first + k / per_octave), where u = β d²
 * @property {number} first
 * @property {number} per_octave
 * @property {number[]} values
 */
/** @typedef {KernelTable | null | undefined} Kernel without a table, κ = exp(-β d²) */

/**
 * κ(u), interpolated linearly in u between the values of a table; κ(0) = 1.
 * @param {KernelTable} table
 * @param {number} u
 */
export function interpolateKernel({ first, per_octave, values }, u) {
  const node = (/** @type {number} */ k) => 2 ** (first + k / per_octave);
  if (!(u > 0)) return u <= 0 ? 1 : 0; // an unknown distance has no weight
  if (u === Infinity) return 0;
  const k = Math.floor((Math.log2(u) - first) * per_octave);
  if (k < 0) return 1 + (values[0] - 1) * (u / node(0));
  if (k >= values.length - 1) return values[values.length - 1];
  const share = (u - node(k)) / (node(k + 1) - node(k));
  return values[k] + (values[k + 1] - values[k]) * Math.min(1, Math.max(0, share));
}

/**
 * W_ij = κ(β d²_ij) / Σ_k κ(β d²_kj). Without a table, κ = exp(-β d²), computed relative to the smallest
 * distance of a column.
 * @param {Numbers} d2
 * @param {number} n
 * @param {number} beta
 * @param {Kernel} [kernel]
 */
export function computeWeights(d2, n, beta, kernel) {
  const least = new Float64Array(n).fill(Infinity);
  const total = new Float64Array(n);
  const W = new Float64Array(n * n);
  for (let at = 0, i = 0; i < n; i++)
    for (let j = 0; j < n; j++, at++) if (d2[at] < least[j]) least[j] = d2[at];
  for (let at = 0, i = 0; i < n; i++)
    for (let j = 0; j < n; j++, at++) {
      const kappa = kernel ? interpolateKernel(kernel, beta * d2[at]) : Math.exp(-beta * (d2[at] - least[j]));
      total[j] += W[at] = kappa >= 0 ? kappa : 0; // an unknown distance has no weight
    }
  for (let at = 0, i = 0; i < n; i++)
    for (let j = 0; j < n; j++, at++) W[at] = total[j] > 0 ? W[at] / total[j] : 0;
  return W;
}

/**
 * Σ_k κ(β d²_kj), the denominator of W_ij.
 * @param {Numbers} d2
 * @param {number} n
 * @param {number} beta
 * @param {number} j
 * @param {Kernel} [kernel]
 */
export function sumColumn(d2, n, beta, j, kernel) {
  let sum = 0;
  for (let at = j; at < n * n; at += n)
    if (d2[at] >= 0) sum += kernel ? interpolateKernel(kernel, beta * d2[at]) : Math.exp(-beta * d2[at]);
  return sum;
}

/**
 * Share of the off-diagonal weight that stays within a group: for all groups together and for each.
 * @param {Numbers} W
 * @param {number} n
 * @param {Numbers} groups
 * @param {number} count of groups
 * @returns {{ total: number, each: number[] }}
 */
export function blockMass(W, n, groups, count) {
  const within = new Float64Array(count);
  const all = new Float64Array(count);
  for (let at = 0, i = 0; i < n; i++)
    for (let j = 0; j < n; j++, at++) {
      if (i === j) continue;
      all[groups[j]] += W[at];
      if (groups[i] === groups[j]) within[groups[j]] += W[at];
    }
  const sum = (/** @type {Float64Array} */ values) => values.reduce((a, b) => a + b, 0);
  const share = (/** @type {number} */ part, /** @type {number} */ whole) => (whole > 0 ? part / whole : NaN);
  return { total: share(sum(within), sum(all)), each: Array.from(within, (w, g) => share(w, all[g])) };
}

/** Mean of the diagonal of W. @param {Numbers} W @param {number} n */
export function meanOfDiagonal(W, n) {
  let sum = 0;
  for (let at = 0; at < n * n; at += n + 1) sum += W[at];
  return sum / n;
}

/** @param {Numbers} W @param {number} n */
export function largestOffDiagonal(W, n) {
  let largest = 0;
  for (let at = 0, i = 0; i < n; i++)
    for (let j = 0; j < n; j++, at++) if (i !== j && W[at] > largest) largest = W[at];
  return largest;
}

/** The smallest of 1, 0.5, 0.2, 0.1, 0.05, ... that is at least x. @param {number} x */
export function roundUp(x) {
  let nice = 1;
  for (let step = 0; step < 18; step++) {
    const next = nice / (step % 3 === 1 ? 2.5 : 2);
    if (next < x * (1 - 1e-9)) break;
    nice = next;
  }
  return nice;
}

/** The indices 0..n-1 sorted by group, stable. @param {Numbers} groups */
export function orderBy(groups) {
  return Array.from(groups, (_, i) => i).sort((a, b) => groups[a] - groups[b] || a - b);
}
