// The round buttons of animations.

import { setLabel } from "./dom.js";

const PATHS = {
  play: "M7 5v14l12-7z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  back: "M6 5h3v14H6zM19 5v14l-9-7z",
  forward: "M15 5h3v14h-3zM5 5v14l9-7z",
  loop: "M12 4V1L8 5l4 4V6a6 6 0 0 1 5.3 8.8l1.5 1.5A8 8 0 0 0 12 4zM6.7 9.2 5.2 7.7A8 8 0 0 0 12 20v3l4-4-4-4v3a6 6 0 0 1-5.3-8.8z",
};

/** @typedef {keyof typeof PATHS} IconName */

/** @param {HTMLButtonElement} button @param {IconName} name @param {string} title */
export function showIcon(button, name, title) {
  if (button.dataset.shows === name) return;
  button.dataset.shows = name;
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;
  button.title = title;
  setLabel(button, title);
}
