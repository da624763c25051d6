// A slider that answers while it is dragged: one value is under way at a time, the newest wins.

const dials = new WeakMap(); // the element -> its dial

export default function mount({ data, parentElement, setStateValue }) {
  const dial = dials.get(parentElement) ?? build(parentElement);
  dials.set(parentElement, dial);
  dial.send = (value) => setStateValue("value", [value, data.given]);
  if (dial.given !== data.given) take(dial, data);
  write(dial, data);
  arrive(dial, data.heard);
  dial.root.dataset.term = data.term;
  const turn = (dial.turn = (dial.turn ?? 0) + 1);
  return () => {
    if (dial.turn !== turn) return;
    dials.delete(parentElement);
    dial.stop();
  };
}

function build(parent) {
  const root = document.createElement("div");
  root.className = "dial";
  root.innerHTML = '<label><span></span><output></output></label><input type="range">';
  parent.querySelector(".dial")?.remove();
  parent.append(root);
  const [label, name, output, input] = ["label", "span", "output", "input"].map((tag) =>
    root.querySelector(tag),
  );
  input.id = `dial-${Math.random().toString(36).slice(2)}`;
  label.htmlFor = input.id;
  const dial = { name, output, input, root, given: undefined, waiting: 0, stop: shareLights(parent) };
  input.addEventListener("input", () => turn(dial));
  return dial;
}

function take(dial, data) {
  const { input } = dial;
  [input.min, input.max, input.step] = [data.low, data.high, data.step];
  input.value = data.given;
  dial.given = data.given;
  dial.waiting = 0;
}

function write(dial, data) {
  dial.unit = data.unit;
  dial.name.textContent = data.label;
  dial.root.title = data.about;
  dial.input.setAttribute("aria-label", data.label);
  show(dial);
}

function show({ input, output, unit }) {
  const words = `${input.value.replace("-", "−")}${unit}`;
  output.textContent = words;
  input.setAttribute("aria-valuetext", words);
}

// Only when the last value has come back is the next one sent, or after a second of silence.
function turn(dial) {
  show(dial);
  const now = performance.now();
  if (dial.waiting && now - dial.waiting < 1000) return;
  dial.waiting = now;
  dial.sent = Number(dial.input.value);
  dial.send(dial.sent);
}

function arrive(dial, heard) {
  if (!dial.waiting || heard !== dial.sent) return;
  dial.waiting = 0;
  if (Number(dial.input.value) !== dial.sent) turn(dial);
}
