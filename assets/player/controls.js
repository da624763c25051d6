// Hands on the player: buttons, sliders, keys and pointer; and the controls' own looks.

const BETA_STEPS = 1000;

function betaOf(value, [low, high]) {
  const beta = low * (high / low) ** (value / BETA_STEPS);
  return Number(beta.toPrecision(3)); // the number that is read is the number that is used
}

function sliderOf(beta, [low, high]) {
  return (BETA_STEPS * Math.log(beta / low)) / Math.log(high / low);
}

function listen(player) {
  const on = (element, type, action) => element.addEventListener(type, action, { signal: player.stop.signal });
  listenToTime(player, on);
  listenToKnobs(player, on);
  listenToPointer(player, on);
  on(player.view.element, "keydown", (event) => pressed(player, event));
  on(document, "keydown", (event) => pressedOnPage(player, event));
  on(player.stillness, "change", () => player.invalidate());
}

function listenToTime(player, on) {
  const { view } = player;
  on(view.play, "click", () => player.toggle());
  on(view.back, "click", () => player.step(-1));
  on(view.forward, "click", () => player.step(1));
  on(view.loop, "click", () => {
    player.memory.clock.loop = !player.memory.clock.loop;
    player.invalidate();
  });
  on(view.speed, "change", () => (player.memory.clock.speed = Number(view.speed.value)));
  on(view.position, "input", () => player.goTo(Number(view.position.value)));
  on(view.position, "change", () => player.goTo(Math.round(view.position.value)));
}

function listenToKnobs(player, on) {
  const { view } = player;
  on(view.lanes, "input", ({ target, timeStamp }) => {
    const at = player.lanes.findIndex((lane) => lane.parts.beta === target);
    player.setBeta(at, betaOf(target.value, player.header.beta_range), timeStamp);
  });
  on(view.lanes, "change", () => player.letGoOfBeta());
  on(view.order, "change", () => {
    player.memory.order = view.order.value;
    player.invalidate();
  });
  on(view.scale, "change", () => {
    player.memory.log = player.look.log = view.scale.value === "log";
    player.invalidate();
  });
  on(view.poses, "change", () => player.setPoses(view.poses.value));
}

// Lanes come and go, so the events of what is in them are heard on the element around them.
function listenToPointer(player, on) {
  const { lanes } = player.view;
  on(lanes, "pointermove", (event) => player.hover(pairUnder(player, event)));
  on(lanes, "pointerleave", () => player.hover(undefined));
  on(lanes, "click", (event) => {
    const cell = pairUnder(player, event);
    if (cell) player.pin(cell);
  });
}

function laneOf(player, canvas) {
  return player.lanes.find((lane) => lane.parts.matrix === canvas || lane.parts.gallery === canvas);
}

function pairUnder(player, event) {
  const lane = laneOf(player, event.target);
  const zoom = event.target.currentCSSZoom ?? 1; // an offset counts pixels of the screen
  return lane?.pairAt(event.target, event.offsetX / zoom, event.offsetY / zoom);
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function pressed(player, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { target } = event;
  const lane = laneOf(player, target);
  const handled = (lane && pressedOnPicture(player, lane, event)) || pressedAnywhere(player, target, event.key);
  if (!handled) return;
  event.preventDefault();
  event.stopPropagation();
}

function pressedOnPicture(player, lane, { key, target }) {
  const cell = player.hovered ?? player.memory.pinned;
  if (key === "Enter" && cell) player.pin(cell);
  else if (ARROWS[key] && lane.frame) player.hover(lane.pairBeside(target, cell, ...ARROWS[key]));
  else return false;
  player.render();
  player.sayPair();
  return true;
}

// Space and arrows belong to a button, a select or a β slider while that has the focus.
function pressedAnywhere(player, target, key) {
  if (key === "Escape") return letGo(player);
  if (target.matches("select, .beta") || (key === " " && target.matches("button"))) return false;
  if (target.matches(".term") && /^Arrow(Left|Right)$/.test(key)) return false; // along the formula
  if (/^Arrow(Up|Down)$/.test(key) && !target.matches(".position")) return false; // they scroll
  const actions = {
    " ": () => player.toggle(),
    ArrowLeft: () => player.step(-1),
    ArrowDown: () => player.step(-1),
    ArrowRight: () => player.step(1),
    ArrowUp: () => player.step(1),
    Home: () => player.goTo(0),
    End: () => player.goTo(player.last()),
  };
  actions[key]?.();
  return Boolean(actions[key]);
}

// Space is the first player's as long as nothing on the page has a use for it.
const HANDS = "input, textarea, select, button, a, summary, iframe, [contenteditable], [role], [data-testid=stBidiComponentIsolated]";

function pressedOnPage(player, event) {
  const { key, repeat, defaultPrevented, ctrlKey, metaKey, altKey } = event;
  if (key !== " " || repeat || defaultPrevented || ctrlKey || metaKey || altKey) return;
  if (document.activeElement?.matches(HANDS) || !player.view.element.checkVisibility?.()) return;
  event.preventDefault();
  player.toggle();
}

function letGo(player) {
  const had = player.hovered ?? player.memory.pinned;
  player.hovered = undefined;
  if (player.memory.pinned) player.pin(undefined);
  player.invalidate();
  return Boolean(had);
}

// --- Looks --------------------------------------------------------------------------------------

function showControls(player) {
  showTime(player);
  showKnobs(player);
  showLegend(player);
}

function showTime(player) {
  const { view, memory } = player;
  const [last, step] = [player.last(), player.currentStep()];
  const place = Math.min(memory.clock.position, last);
  view.position.max = Math.max(last, 1);
  view.position.value = place;
  view.position.disabled = last === 0;
  view.position.style.setProperty("--fill", last ? place / last : 0);
  view.position.setAttribute("aria-valuetext", `iteration ${step} of ${last}`);
  const ready = player.frames.some((frames) => frames.length);
  setText(view.count, ready ? `iteration ${step} of ${last}` : "no steps yet");
  showTicks(view.ticks, last, step);
  showPlaying(view, memory.clock, last);
}

function showPlaying(view, { playing, loop, speed }, last) {
  const name = playing ? "pause" : "play";
  if (view.play.dataset.shows !== name) {
    view.play.dataset.shows = name;
    view.play.innerHTML = icon(name);
    view.play.title = capital(name);
    setLabel(view.play, capital(name));
  }
  for (const name of ["play", "back", "forward"]) view[name].disabled = last === 0;
  view.loop.setAttribute("aria-pressed", loop);
  view.speed.value = speed;
}

// Numbers under the scrubber, every one while there is room.
function showTicks(ticks, last, step) {
  const every = Math.max(1, Math.ceil(last / 10));
  const key = `${last} ${step}`;
  if (ticks.dataset.key === key) return;
  ticks.dataset.key = key;
  const places = Array.from({ length: last + 1 }, (_, at) => at).filter((at) => at % every === 0 || at === last);
  ticks.replaceChildren(...places.map((at) => {
    const tick = Object.assign(document.createElement("span"), { textContent: at });
    tick.style.setProperty("--at", last ? at / last : 0);
    tick.classList.toggle("now", at === step);
    return tick;
  }));
}

function showKnobs({ view, memory, header, orders, lanes }) {
  lanes.forEach((lane, at) => showBeta(lane.parts, header.lanes[at].title, memory.betas[at], header.beta_range));
  setOptions(view.order, [...orders.keys()], memory.order);
  view.scale.value = memory.log ? "log" : "linear";
  view.poses.value = memory.poses;
  view.poses.parentElement.hidden = !lanes.some((lane) => lane.poses());
}

function showBeta(parts, title, beta, range) {
  const place = sliderOf(beta, range);
  if (Math.abs(place - parts.beta.value) > 2) parts.beta.value = place; // β is rounded, the hand is not
  parts.beta.style.setProperty("--fill", Math.max(0, Math.min(1, place / BETA_STEPS)));
  parts.beta.setAttribute("aria-valuetext", `β = ${number(beta)}`);
  setLabel(parts.beta, `β of ${title}: how sharply a distance is punished`);
  setText(parts["beta-value"], number(beta));
}

function showLegend({ view, look, groups }) {
  const [low, high] = look.log ? ["10⁻⁴", "1"] : ["0", number(look.ceiling ?? 1)];
  setText(view.low, look.log ? `≤ ${low}` : low);
  setText(view.high, look.log || look.ceiling === 1 ? high : `≥ ${high}`);
  setLabel(view.ramp, `Colours of W from ${low} to ${high}, ${look.log ? "logarithmic" : "linear"}, the same at every step`);
  const names = groups && groups.names.length <= 12 ? groups.names : [];
  const key = names.join("\n");
  if (view.groups.dataset.key === key) return;
  view.groups.dataset.key = key;
  view.groups.hidden = !names.length;
  view.groups.replaceChildren(...names.map((name, group) => {
    const item = Object.assign(document.createElement("li"), { textContent: name });
    item.style.setProperty("--colour", groupColour(group));
    return item;
  }));
}
