// The browser's Back button returns to pages, captions and entries, and skips changes of controls.
// Streamlit adds an entry to the history for every parameter that a page writes into the URL.

const PLACE_PARAMETERS = ["lesson", "entry"]; // URL parameters that, together with the path, identify a place
const TRANSIENT_MS = 1000; // a URL without a place that is replaced sooner than this is only a step on the way to another page

/** @param {string | URL | null | undefined} url */
function placeOf(url) {
  const { pathname, searchParams } = new URL(url ?? "", location.href);
  const values = PLACE_PARAMETERS.map((name) => searchParams.get(name) ?? "");
  return { path: pathname, name: values.join("\n"), isEmpty: values.every((value) => !value) };
}

/** Replaces `history.pushState`, once for the page. */
export function keepHistoryShort() {
  if ("keepsPlaces" in history.pushState) return;
  const push = history.pushState.bind(history);
  let leftAt = -Infinity; // time at which a URL with a place was last replaced by one without a place [ms]
  /** @type {History["pushState"]} */
  const write = (state, title, url) => {
    const [from, to] = [placeOf(location.href), placeOf(url)];
    const now = performance.now();
    const same = from.path === to.path;
    const passing = !same && now - leftAt < TRANSIENT_MS;
    leftAt = same && from.name !== to.name && to.isEmpty ? now : -Infinity;
    if (passing || (same && from.name === to.name)) history.replaceState(state, title, url);
    else push(state, title, url);
  };
  history.pushState = Object.assign(write, { keepsPlaces: true });
}
