// The gallery of a run on points of the plane: a scatter plot with fixed axes and trails.

// One scale for all steps and both axes, so that a shorter way is a shorter line.
function fitAxes(frames, width, height) {
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  for (const { points } of frames)
    points.forEach((value, at) => {
      low[at % 2] = Math.min(low[at % 2], value);
      high[at % 2] = Math.max(high[at % 2], value);
    });
  const margin = 0.06 * Math.min(width, height);
  const spans = [high[0] - low[0] || 1, high[1] - low[1] || 1];
  const scale = Math.min((width - 2 * margin) / spans[0], (height - 2 * margin) / spans[1]);
  const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
  return {
    width,
    height,
    middle,
    scale,
    x: (value) => width / 2 + (value - middle[0]) * scale,
    y: (value) => height / 2 - (value - middle[1]) * scale,
  };
}

// A quiet grid at round numbers, about four to a side.
function drawAxes(context, axes, look, ratio) {
  const step = roundStep(axes.width / axes.scale / 4);
  context.strokeStyle = context.fillStyle = look.text;
  context.lineWidth = Math.max(1, Math.round(ratio));
  context.font = `${12 * ratio}px sans-serif`;
  for (const value of gridValues(axes.middle[0], axes.width / axes.scale, step)) {
    drawGridLine(context, [axes.x(value), 0], [axes.x(value), axes.height]);
    context.fillText(number(value), axes.x(value) + 3 * ratio, axes.height - 4 * ratio);
  }
  for (const value of gridValues(axes.middle[1], axes.height / axes.scale, step)) {
    drawGridLine(context, [0, axes.y(value)], [axes.width, axes.y(value)]);
    context.fillText(number(value), 4 * ratio, axes.y(value) - 3 * ratio);
  }
}

function drawGridLine(context, from, to) {
  context.globalAlpha = 0.14;
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
  context.globalAlpha = 0.7;
}

function gridValues(middle, span, step) {
  const first = Math.ceil((middle - span / 2) / step);
  const last = Math.floor((middle + span / 2) / step);
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
}

// The next of 1, 2, 5, 10, ... and their tenths at or above x.
function roundStep(x) {
  const decade = 10 ** Math.floor(Math.log10(x));
  return decade * [1, 2, 5, 10].find((digit) => digit * decade >= x * (1 - 1e-9));
}

// The points between step k and k+1, as [x, y, x, y, ...] on the canvas.
function placePoints(frames, { k, t }, axes) {
  const from = frames[k].points;
  const to = (frames[k + 1] ?? frames[k]).points;
  return Array.from(from, (value, at) => {
    const mixed = value + t * (to[at] - value);
    return at % 2 ? axes.y(mixed) : axes.x(mixed);
  });
}

function drawScatter(context, frames, moment, axes, groups, look, ratio) {
  const places = placePoints(frames, moment, axes);
  const n = places.length / 2;
  const byGroup = new Map();
  for (let i = 0; i < n; i++) {
    const group = groups ? groups[i] : 0;
    byGroup.set(group, [...(byGroup.get(group) ?? []), i]);
  }
  drawAxes(context, axes, look, ratio);
  context.globalAlpha = 1;
  const radius = ratio * (n > 300 ? 2.5 : n > 80 ? 3.5 : 5);
  for (const [group, members] of byGroup) {
    const colour = groupColour(group);
    drawTrails(context, frames, moment, axes, members, places, colour, ratio);
    drawDots(context, places, members, radius, colour);
  }
  return places;
}

function drawTrails(context, frames, { k }, axes, members, places, colour, ratio) {
  context.strokeStyle = colour;
  context.lineWidth = 1.5 * ratio;
  for (let step = 0; step <= k; step++) {
    const { points } = frames[step];
    const next = frames[step + 1]?.points;
    context.globalAlpha = 0.15 + 0.45 * ((step + 1) / (k + 1));
    context.beginPath();
    for (const i of members) {
      context.moveTo(axes.x(points[2 * i]), axes.y(points[2 * i + 1]));
      if (step === k || !next) context.lineTo(places[2 * i], places[2 * i + 1]);
      else context.lineTo(axes.x(next[2 * i]), axes.y(next[2 * i + 1]));
    }
    context.stroke();
  }
  context.globalAlpha = 1;
}

function drawDots(context, places, members, radius, colour) {
  context.fillStyle = colour;
  context.beginPath();
  for (const i of members) {
    context.moveTo(places[2 * i] + radius, places[2 * i + 1]);
    context.arc(places[2 * i], places[2 * i + 1], radius, 0, 2 * Math.PI);
  }
  context.fill();
}

function markPoint(context, places, i, colour, ratio, grow) {
  context.strokeStyle = colour;
  context.lineWidth = 2.5 * ratio;
  context.beginPath();
  context.arc(places[2 * i], places[2 * i + 1], (8 + 4 * grow) * ratio, 0, 2 * Math.PI);
  context.stroke();
}

// The point nearest to a place [device px], if one is near.
function pointAt(x, y, places, reach) {
  let best = { distance: reach, i: undefined };
  for (let i = 0; i < places.length / 2; i++) {
    const distance = Math.hypot(places[2 * i] - x, places[2 * i + 1] - y);
    if (distance < best.distance) best = { distance, i };
  }
  return best.i;
}
