// What the browser's Back leads to: pages, captions and entries, not every turn of a knob.
// Streamlit makes an entry in the history of each word that a page writes into its address.

const PLACES = ["lesson", "entry"]; // in the address, beside its path
const PASSING = 1000; // on the way to another page an address without a place lasts for less [ms]

function placeOf(url) {
  const { pathname, searchParams } = new URL(url ?? "", location.href);
  const named = PLACES.map((name) => searchParams.get(name) ?? "");
  return { path: pathname, name: named.join("\n"), nowhere: named.every((name) => !name) };
}

function keepPlaces() {
  if (history.pushState.keepsPlaces) return;
  const push = history.pushState.bind(history);
  let left = -Infinity; // when a place was left for nowhere
  const write = (state, title, url) => {
    const [from, to, now] = [placeOf(location.href), placeOf(url), performance.now()];
    const same = from.path === to.path;
    const passing = !same && now - left < PASSING;
    left = same && from.name !== to.name && to.nowhere ? now : -Infinity;
    if (passing || (same && from.name === to.name)) history.replaceState(state, title, url);
    else push(state, title, url);
  };
  history.pushState = Object.assign(write, { keepsPlaces: true });
}

keepPlaces();
