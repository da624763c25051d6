// Questions: a click on an answer shows whether it is right, and why. Nothing is stored.

import { find, findButton } from "../shared/dom.js";

const VERDICTS = { true: "Right.", false: "Not quite." };

export function openQuiz() {
  const questions = [...document.querySelectorAll(".question")];
  for (const question of questions)
    for (const answer of question.querySelectorAll(".answer")) {
      const button = findButton(answer, "button");
      button.addEventListener("click", () => {
        reveal(question, answer);
        countRight(questions);
      });
    }
}

/** @param {Element} question @param {Element} chosen */
function reveal(question, chosen) {
  for (const answer of question.querySelectorAll(".answer")) {
    find(answer, "button").setAttribute("aria-pressed", String(answer === chosen));
    find(answer, ".why").hidden = answer !== chosen;
  }
  const isRight = chosen.hasAttribute("data-right");
  question.setAttribute("data-answered", String(isRight));
  find(chosen, ".verdict").textContent = VERDICTS[isRight ? "true" : "false"];
}

/** @param {Element[]} questions */
function countRight(questions) {
  const score = document.querySelector(".score");
  const right = questions.filter((question) => question.getAttribute("data-answered") === "true").length;
  const answered = questions.filter((question) => question.hasAttribute("data-answered")).length;
  if (score) score.textContent = `${right} right of ${answered} answered; ${questions.length} questions.`;
}
