// The browser's Back button returns to pages, captions and entries, and skips changes of controls,
// which Undo reverts. Streamlit adds an entry to the history for every parameter that a page writes
// into the URL.

const PLACE_PARAMETERS = ["lesson", "entry"]; // URL parameters that, together with the path, identify a place
const TRANSIENT_MS = 1000; // a URL without a place that is replaced sooner than this is only a step on the way to another page
const NO_SETTINGS = ["step", "i", "j", "cluster", "job", "run_now", "projector", "embed"]; // URL parameters that are no controls
const CURRENT = ["projector", "embed"]; // URL parameters that Undo keeps
const ACTION_MS = 15_000; // a change of the URL follows an action of the user within this time
const MOST = 100; // addresses

/** @param {string | URL | null | undefined} url */
function placeOf(url) {
  const { pathname, searchParams } = new URL(url ?? "", location.href);
  const values = PLACE_PARAMETERS.map((name) => searchParams.get(name) ?? "");
  return { path: pathname, name: values.join("\n"), isEmpty: values.every((value) => !value) };
}

/** The page, caption or entry that is open, as text. */
export function currentPlace() {
  const { path, name } = placeOf(location.href);
  return `${path}\n${name}`;
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

/**
 * @typedef {object} Changes the addresses of one place, which the window keeps
 * @property {string} place
 * @property {string} address the last one
 * @property {string[]} earlier those before each action of the user that changed a setting
 * @property {number} actedAt time of the last action whose change is not known yet [ms]
 */

/** @returns {Changes} */
function changes() {
  const shared = /** @type {{ iaChanges?: Changes }} */ (/** @type {unknown} */ (window));
  const place = currentPlace();
  if (shared.iaChanges?.place !== place) shared.iaChanges = { place, address: location.href, earlier: [], actedAt: -Infinity };
  return shared.iaChanges;
}

/** Notes that the user pressed a key or a button: the next change of the URL is the user's. */
export function noteAction() {
  changes().actedAt = performance.now();
}

/**
 * Notes a change of the URL; to be called regularly. Changes that the page makes itself join the last one.
 * @param {Record<string, string>} defaults values of controls that mean the same as their absence
 */
export function noteAddress(defaults) {
  const known = changes();
  if (known.address === location.href) return;
  if (settingsOf(known.address, defaults) !== settingsOf(location.href, defaults)) {
    if (performance.now() - known.actedAt < ACTION_MS) known.earlier = [...known.earlier, known.address].slice(-MOST);
    known.actedAt = -Infinity;
  }
  known.address = location.href;
}

export function canUndo() {
  return changes().earlier.length > 0;
}

/** Opens the address before the last change of a setting, as the Back button would; true if there is one. */
export function undo() {
  const known = changes();
  const earlier = known.earlier.pop();
  if (earlier === undefined) return false;
  const [url, now] = [new URL(earlier), new URL(location.href)];
  for (const name of CURRENT) {
    const value = now.searchParams.get(name);
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  Object.assign(known, { address: url.href, actedAt: -Infinity });
  history.replaceState(history.state, "", url);
  window.dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
  return true;
}

/** @param {string} address @param {Record<string, string>} defaults */
function settingsOf(address, defaults) {
  const { searchParams } = new URL(address);
  const same = Object.keys(defaults).filter((name) => searchParams.get(name) === defaults[name]);
  for (const name of [...NO_SETTINGS, ...same]) searchParams.delete(name);
  searchParams.sort();
  return searchParams.toString();
}
