// Loss and accuracy over the CPU seconds of a run, with the modules above and reassignments below.

const SIZE = { width: 400, plot: 156, left: 58, right: 44, row: 19, bottom: 44 };
const LETTER = 8; // how wide one is, at most on average

// The pieces of SVG; the cursor is moved by itself.
function drawChart(data) {
  const { width, left, right, bottom } = SIZE;
  const last = data.seconds.at(-1) ?? 0;
  const end = last > 1.02 * data.budget ? last : Math.max(data.budget, 0.1);
  const x = (seconds) => left + ((width - left - right) * Math.min(seconds, end)) / end;
  const marks = placeMarks(marksOf(data), x, data.acc.some((acc) => acc !== null));
  const top = 17 + SIZE.row * (1 + Math.max(0, ...marks.map(({ row }) => row)));
  const height = top + SIZE.plot + bottom;
  const losses = data.losses.filter((loss) => loss !== null);
  const [low, high] = losses.length ? [Math.min(...losses), Math.max(...losses)] : [0, 1];
  const room = Math.max((high - low) * 0.08, 1e-9);
  const y = (loss) => top + ((height - top - bottom) * (high + room - loss)) / (high - low + 2 * room);
  const z = (acc) => top + (height - top - bottom) * (1 - acc);
  const base = height - bottom;
  const parts = [`<path class="axis" d="M${left} ${top}V${base}H${width - right}V${top}"/>`];
  for (const value of [0, end / 2, end]) parts.push(label(x(value), base + 20, three(value), "middle"));
  parts.push(label((left + width - right) / 2, height - 4, "CPU seconds", "middle"));
  if (losses.length > 1) {
    for (const value of [low, high]) parts.push(label(left - 6, y(value) + 5, two(value), "end", "loss"));
    parts.push(label(4, 20, "loss", "start", "loss"));
  }
  parts.push(...bands(marks, base), ...events(data, x, base));
  parts.push(line(data.seconds, data.losses, x, y, "loss"));
  if (data.acc.some((acc) => acc !== null)) {
    for (const value of [0, 0.5, 1]) parts.push(label(width - right + 6, z(value) + 5, `${100 * value}`, "start", "acc"));
    parts.push(label(width - 2, 20, "ACC %", "end", "acc"));
    parts.push(line(data.seconds, data.acc, x, z, "acc"));
  }
  parts.push(`<path class="cursor" d="M0 ${top - 4}V${base + 4}"/>`);
  return { svg: parts.join(""), x, left, end, height };
}

// When a module begins, and when the rate is divided by 10: [seconds, words, what is said of it].
function marksOf(data) {
  const marks = [];
  let known = 0;
  data.stages.forEach((stage, at) => {
    const added = data.modules.slice(known, stage);
    known = Math.max(known, stage);
    if (added.length) marks.push([data.seconds[at], `+ ${added.join(", ")}`, `From here on: ${added.join(", ")}`]);
  });
  const cold = data.cooling.indexOf(true);
  if (cold >= 0) marks.push([data.seconds[cold], "rate ÷ 10", "From here on the rate is divided by 10"]);
  return marks;
}

// Words begin or end at their line, in the first row above the plot in which they have room; the
// first row has the names of the axes at its ends.
function placeMarks(marks, x, hasAcc) {
  const { width } = SIZE;
  const rows = [[[0, 44], [hasAcc ? width - 52 : width, width]]];
  return marks.map(([seconds, words, about]) => {
    const at = x(seconds);
    const long = LETTER * words.length;
    const sides = [[at + 3, "start", at], [at - 3, "end", at - long]].filter(([, , from]) => from >= 0 && from + long <= width);
    for (let row = 0; ; row++) {
      rows[row] ??= [];
      for (const [place, anchor, from] of sides.length ? sides : [[at, "middle", at]]) {
        if (rows[row].some(([a, b]) => from < b + 6 && a < from + long + 6)) continue;
        rows[row].push([from, from + long]);
        return { at, place, anchor, row, words, about };
      }
    }
  });
}

// Dotted lines that rise to their words.
function bands(marks, base) {
  return marks.flatMap(({ at, place, anchor, row, words, about }) => {
    const y = 20 + SIZE.row * row;
    return [`<path class="step" d="M${at} ${y - 13}V${base}"><title>${about}</title></path>`, label(place, y, words, anchor)];
  });
}

function events(data, x, base) {
  return data.events.map(([seconds, pairs]) => {
    const words = pairs.map(([k, from]) => `${k + 1} became a copy of ${from + 1}`).join(", ");
    return `<path class="event" d="M${x(seconds)} ${base - 9}l5 9h-10z"><title>Reassigned at ${three(seconds)} s: ${words}</title></path>`;
  });
}

function line(seconds, values, x, y, kind) {
  const points = values.flatMap((value, at) => (value === null ? [] : [`${x(seconds[at]).toFixed(1)},${y(value).toFixed(1)}`]));
  return points.length ? `<polyline class="${kind}" points="${points.join(" ")}"/>` : "";
}

function label(x, y, words, anchor, kind = "") {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" class="${kind}">${words}</text>`;
}

function two(x) {
  return String(Number(x.toPrecision(2)));
}
