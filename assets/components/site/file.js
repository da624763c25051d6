// The pages of the static site: films, captions, the gallery and questions.

import { storeFilm } from "./films.js";
import { openGallery, openLesson, openQuiz } from "./pages.js";
import { showFilm } from "./stage.js";

export { storeFilm };

/** Opens what the page contains; without JavaScript, a page shows its texts and links. */
export function open() {
  document.documentElement.classList.add("scripted");
  openLesson();
  openGallery();
  openQuiz();
  for (const element of document.querySelectorAll(".stage[data-film]"))
    showFilm(/** @type {HTMLElement} */ (element), String(element.getAttribute("data-film")), { autoplay: true });
}
