// Time: a position between the steps 0..last, moved by a clock, by a step, or by hand.

const HOLD_AT_END = 1.4; // steps for which the end stays before it begins again
const STILL = 0.45; // part of a step during which nothing moves

// Moves the position on; where more steps are to come it waits for them.
function advance(clock, seconds, last, growing) {
  clock.position += seconds * clock.speed;
  if (clock.position <= last) return;
  if (growing) clock.position = last;
  else if (!clock.loop) Object.assign(clock, { position: last, playing: false });
  else if (clock.position > last + HOLD_AT_END) clock.position = 0;
}

// The step k that is seen and the part t of step k+1 laid over it.
function blend(position, last, still) {
  const place = Math.max(0, Math.min(position, last));
  const k = Math.floor(place);
  const part = Math.max(0, (place - k - STILL) / (1 - STILL));
  return { k, t: still ? 0 : smooth(part) };
}

// From 0 to 1 with rest at both ends.
function smooth(part) {
  return part * part * (3 - 2 * part);
}

// The one step that numbers and words speak of.
function shownStep({ k, t }) {
  return t >= 0.5 ? k + 1 : k;
}
