// The film's three round buttons.

const ICONS = {
  play: "M7 5v14l12-7z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  back: "M6 5h3v14H6zM19 5v14l-9-7z",
  forward: "M15 5h3v14h-3zM5 5v14l9-7z",
};
const NAMES = { play: "Play", pause: "Pause the film", back: "One picture back", forward: "One picture forward" };

function dress(button, name) {
  if (button.dataset.shows === name) return;
  button.dataset.shows = name;
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
  button.title = NAMES[name];
  button.setAttribute("aria-label", NAMES[name]);
}
