// Numbers, formulas and sentences. Text of users only ever becomes textContent.

const MINUS = "−";

function number(x, digits = 3) {
  if (!Number.isFinite(x)) return "unknown";
  if (x !== 0 && Math.abs(x) < 1e-3) {
    const [mantissa, exponent] = x.toExponential(digits - 2).split("e");
    const raised = [...String(-Number(exponent))].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
    return `${mantissa}·10⁻${raised}`;
  }
  return x.toLocaleString("en", { maximumSignificantDigits: digits }).replace("-", MINUS);
}

function percent(share) {
  return Number.isFinite(share) ? `${(100 * share).toFixed(0)} %` : "unknown";
}

// Writes W_{ij} and β^2 with real subscripts and superscripts.
function writeFormula(element, text) {
  if (element.dataset.formula === text) return;
  element.dataset.formula = text;
  element.replaceChildren(...scripts(text));
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function setLabel(element, text) {
  if (element.getAttribute("aria-label") !== text) element.setAttribute("aria-label", text);
}

// On the screen images are counted from 1, as they stand in their data set.
function numberOf(header, i) {
  return header.numbers?.[i] ?? i + 1;
}

function nameOf(header, i) {
  return header.names[i] ?? `image ${numberOf(header, i)}`;
}

function titleOf(header, i) {
  const group = header.classes[header.labels[i]];
  return group && !nameOf(header, i).toLowerCase().includes(group.toLowerCase())
    ? `${nameOf(header, i)} (${group})`
    : nameOf(header, i);
}

// What is said of a term where it is pointed at; β and W are named as in the papers.
const ABOUT = {
  W: "the weight of image i in mean j; every column adds up to 1",
  kappa: "the kernel κ: how alike two images are; 1 where their distance is 0",
  beta: "β, how sharply a distance is punished: large, only the nearest count",
  d2: "the squared distance of image i and image j; every image has norm 1, so it has no unit",
  sum: "over all images k: column j",
  mean: "image j becomes the mean of all images, each by its weight",
};

// W_ij = exp(−β d²_ij) / Σ_k exp(−β d²_kj), and the mean that it makes; x stands for other exponents.
function weightTerms(beta, x, more, moved) {
  const number_ = number(beta);
  return [
    ["W_{ij}", "W", ABOUT.W], [" = "],
    ["exp(−", "kappa", ABOUT.kappa], [number_, "beta", `${ABOUT.beta}; now ${number_}`], ["\u00a0"],
    [`${x}_{ij}`, "d2", ABOUT.d2], [")", "kappa", ABOUT.kappa], [" / "],
    [`Σ_k exp(−${number_}\u00a0${x}_{kj})`, "sum", ABOUT.sum], [",  "],
    [`v_j ← Σ_i W_{ij} ${moved}`, "mean", ABOUT.mean], [more ? ",  " : ""], [whole(more ?? "")],
  ];
}

// A term that is not broken into lines.
function whole(text) {
  return text.replaceAll(" ", "\u00a0");
}

// The same of one pair, in numbers.
function pairTerms(pair, beta, d2, sum, weight) {
  return [
    [`W_{${pair}}`, "W", ABOUT.W], [" = "], ["exp(−", "kappa", ABOUT.kappa],
    [number(beta), "beta", ABOUT.beta], ["\u00a0·\u00a0"], [number(d2), "d2", ABOUT.d2], [")", "kappa", ABOUT.kappa],
    [" /\u00a0"], [number(sum), "sum", ABOUT.sum], [" =\u00a0"], [number(weight), "W", ABOUT.W],
  ];
}

function pairSentence(header, i, j) {
  if (i === j) return `Weight of ${titleOf(header, i)} in its own mean`;
  return `Weight of ${titleOf(header, i)} in the mean of ${titleOf(header, j)}`;
}

// In which clusters the two are at this step, where clusters are told.
function clustersOf({ assignments }, i, j) {
  if (!assignments) return "";
  const [own, other] = [assignments[i] + 1, assignments[j] + 1];
  return own === other ? `Cluster ${own}. ` : `Clusters ${own} and ${other}. `;
}

function groupSentence(mass, groups) {
  if (!groups || !Number.isFinite(mass.total)) return "no classes are known";
  const each = mass.each.slice(0, 6).map((m, g) => `${groups.names[g]} ${percent(m)}`);
  const more = mass.each.length > 6 ? ", ..." : "";
  return `${percent(mass.total)} of the weight off the diagonal lies within ${groups.kind}: ${each.join(", ")}${more}`;
}

function matrixSentence(title, step, beta, mass, groups) {
  return `Weight matrix of ${title} at iteration ${step}, β = ${number(beta)}. ${capital(groupSentence(mass, groups))}. Arrow keys move a cell cursor, Enter pins the pair.`;
}

function gallerySentence(title, step, shown, all, points, pose) {
  const what = points ? "points" : "images";
  const count = shown < all ? `${shown} of ${all.toLocaleString("en")}` : all;
  return `${count} ${what} of ${title} at iteration ${step}${pose}. Arrow keys move from one to the next, Enter pins it.`;
}

const PENDING = "to come, the means are being compared";

// What is said at means that were made with another β than the one W is shown with.
function staleness(step, beta, made, awaited) {
  if (step === 0 || beta === made) return "";
  return `made with β = ${number(made)}, not ${number(beta)}${awaited ? ": new ones are coming" : ""}`;
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}
