// The gallery: one stage, and a button for each film.

import { find } from "../shared/dom.js";
import { showFilm } from "./stage.js";

export function openGallery() {
  const gallery = document.querySelector(".gallery-page");
  if (!gallery) return;
  const links = [...gallery.querySelectorAll("a.choice")].map((link) => /** @type {HTMLAnchorElement} */ (link));
  const show = (/** @type {boolean} */ moves) => {
    const link = links.find(({ hash }) => hash === location.hash) ?? links[0];
    for (const one of links) {
      if (one === link) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
    find(gallery, ".film-title").textContent = find(link, "b").textContent;
    find(gallery, ".film-about").textContent = find(link, ".about").textContent;
    showFilm(find(gallery, ".stage"), link.hash.slice(1), { autoplay: true });
    if (moves) find(gallery, ".film").scrollIntoView();
  };
  addEventListener("hashchange", () => show(true));
  show(false);
}
