// The text of a step: active modules, scores and reassignments.

import { make, setText } from "../shared/dom.js";
import { describeCopies, numberOrDash, percentOrDash } from "./texts.js";

/** @typedef {import("./film.js").FilmData} FilmData */

const LOSS = "Mean squared error per pixel, or −log p for mixtures, averaged since the previous picture";

/** @param {import("./film.js").PrototypeFilm} film @param {FilmData} data */
export function showModules(film, data) {
  const modules = data.modules.map((name, place) => ({ name, isOn: place < data.stages[film.at] }));
  if (data.cooling[film.at]) modules.push({ name: "rate ÷ 10", isOn: true });
  const key = JSON.stringify(modules);
  if (film.modulesKey === key) return;
  film.modulesKey = key;
  film.parts.modules.replaceChildren(...modules.map(({ name, isOn }) => {
    const chip = make("span", isOn ? "chip on" : "chip", `${isOn ? "✓ " : ""}${name}`);
    chip.title = isOn ? `${name} is on` : `${name} starts later`;
    return chip;
  }));
}

/** @param {HTMLElement} element @param {FilmData} data @param {number} at */
export function showScores(element, data, at) {
  const known = (/** @type {(number | null)[]} */ values) => values.slice(0, at + 1).findLast((value) => value !== null);
  const scores = [["loss", numberOrDash(known(data.losses)), LOSS]];
  if (data.rule) {
    const rule = `${data.rule}; on ${data.seen.toLocaleString("en")} of ${data.total.toLocaleString("en")} images`;
    scores.push(["ACC", percentOrDash(known(data.acc)), `Accuracy, ${rule}`]);
    scores.push(["NMI", numberOrDash(known(data.nmi)), `Normalised mutual information, ${rule}`]);
  }
  element.replaceChildren(...scores.map(([name, value, about]) => {
    const score = Object.assign(make("span"), { title: about });
    score.append(make("small", "", name), make("b", "", value));
    return score;
  }));
}

/** Writes the number of reassignments up to a step, and the last reassignment. @param {HTMLElement} element @param {FilmData} data @param {number} at */
export function showReassignments(element, data, at) {
  const past = data.events.filter(([seconds]) => seconds <= data.seconds[at] + 0.01);
  const count = past.reduce((sum, [, pairs]) => sum + pairs.length, 0);
  const latest = past.at(-1);
  if (!count || !latest) return setText(element, "▲ No prototype has been reassigned so far");
  const many = count === 1 ? "1 prototype has been reassigned" : `${count} prototypes have been reassigned`;
  return setText(element, `▲ ${many} so far, the last at ${numberOrDash(latest[0])} s: ${describeCopies(latest[1])}`);
}
