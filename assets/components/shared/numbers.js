// Numbers as text.

/** Up to `digits` significant digits, and powers of ten below 0.001. @param {number} x @param {number} [digits] */
export function formatNumber(x, digits = 3) {
  if (!Number.isFinite(x)) return "unknown";
  if (x !== 0 && Math.abs(x) < 1e-3) {
    const [mantissa, exponent] = x.toExponential(digits - 2).split("e");
    return `${mantissa}·10⁻${superscript(-Number(exponent))}`;
  }
  return withMinus(x.toLocaleString("en", { maximumSignificantDigits: digits }));
}

/** @param {number} count a whole number, at least 0 */
export function superscript(count) {
  return [...String(count)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
}

/** With a minus sign instead of a hyphen. @param {string | number} text */
export function withMinus(text) {
  return String(text).replace("-", "−");
}

/** @param {number} share @param {number} [digits] */
export function formatPercent(share, digits = 0) {
  return Number.isFinite(share) ? `${(100 * share).toFixed(digits)} %` : "unknown";
}

/** @param {number} x @param {number} [digits] */
export function significant(x, digits = 3) {
  return Number.isFinite(x) ? String(Number(x.toPrecision(digits))) : "unknown";
}
