// Loss and accuracy over the CPU seconds of a run, with the modules above and reassignments below.

const SIZE = { width: 400, height: 236, left: 58, right: 44, top: 36, bottom: 44 };

// The pieces of SVG; the cursor is moved by itself.
function drawChart(data) {
  const { width, height, left, right, top, bottom } = SIZE;
  const last = data.seconds.at(-1) ?? 0;
  const end = last > 1.02 * data.budget ? last : Math.max(data.budget, 0.1);
  const x = (seconds) => left + ((width - left - right) * Math.min(seconds, end)) / end;
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
    parts.push(label(4, top - 16, "loss", "start", "loss"));
  }
  parts.push(...bands(data, x, top, base), ...events(data, x, base));
  parts.push(line(data.seconds, data.losses, x, y, "loss"));
  if (data.acc.some((acc) => acc !== null)) {
    for (const value of [0, 0.5, 1]) parts.push(label(width - right + 6, z(value) + 5, `${100 * value}`, "start", "acc"));
    parts.push(label(width - 2, top - 16, "ACC %", "end", "acc"));
    parts.push(line(data.seconds, data.acc, x, z, "acc"));
  }
  parts.push(`<path class="cursor" d="M0 ${top - 4}V${base + 4}"/>`);
  return { svg: parts.join(""), x, left, end };
}

// Where a module begins: a dotted line with its name.
function bands(data, x, top, base) {
  const parts = [];
  let known = 0;
  let edge = 46;
  data.stages.forEach((stage, at) => {
    const added = data.modules.slice(known, stage);
    known = Math.max(known, stage);
    if (!added.length) return;
    const place = x(data.seconds[at]);
    parts.push(`<path class="step" d="M${place} ${top - 6}V${base}"/>`);
    const begin = Math.max(place, edge);
    const words = `+ ${added.join(", ")}`;
    parts.push(label(begin, top - 16, words, "start"));
    edge = begin + 8.4 * words.length + 4;
  });
  const cold = data.cooling.indexOf(true);
  if (cold >= 0) parts.push(`<path class="step" d="M${x(data.seconds[cold])} ${top - 6}V${base}"><title>From here on the rate is divided by 10</title></path>`);
  return parts;
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
