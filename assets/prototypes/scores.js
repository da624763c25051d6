// What stands in words about a moment: modules that are on, measures, reassignments.

const LOSS = "Mean squared error per pixel, or −log p for mixtures, since the picture before";

function drawChips(film) {
  const { data, at, parts } = film;
  const chips = data.modules.map((name, place) => [name, place < data.stages[at]]);
  if (data.cooling[at]) chips.push(["rate ÷ 10", true]);
  const key = JSON.stringify(chips);
  if (film.chipKey === key) return;
  film.chipKey = key;
  parts.chips.replaceChildren(...chips.map(([name, is]) => {
    const chip = make("span", is ? "chip on" : "chip", `${is ? "✓ " : ""}${name}`);
    chip.title = is ? `${name} is on` : `${name} starts later`;
    return chip;
  }));
}

function drawScores({ data, at, parts }) {
  const known = (values) => values.slice(0, at + 1).findLast((value) => value !== null);
  const scores = [["loss", three(known(data.losses)), LOSS]];
  if (data.rule) {
    const told = `${data.rule}; on ${data.seen.toLocaleString("en")} of ${data.total.toLocaleString("en")} images`;
    scores.push(["ACC", percent(known(data.acc)), `Accuracy, ${told}`], ["NMI", three(known(data.nmi)), `Normalised mutual information, ${told}`]);
  }
  parts.scores.replaceChildren(...scores.map(([name, value, about]) => {
    const place = make("span");
    place.title = about;
    place.append(make("small", "", name), make("b", "", value));
    return place;
  }));
}

// The reassignments up to a moment: how many, and the last of them.
function drawNews({ data, at, parts }) {
  const past = data.events.filter(([seconds]) => seconds <= data.seconds[at] + 0.01);
  const count = past.reduce((sum, [, pairs]) => sum + pairs.length, 0);
  if (!count) return setText(parts.news, "▲ No prototype has been reassigned so far");
  const [seconds, pairs] = past.at(-1);
  const words = pairs.map(([k, from]) => `${k + 1} became a copy of ${from + 1}`).join(", ");
  const many = count === 1 ? "1 prototype has been reassigned" : `${count} prototypes have been reassigned`;
  return setText(parts.news, `▲ ${many} so far, the last at ${three(seconds)} s: ${words}`);
}
