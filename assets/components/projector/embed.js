// The embed mode (`embed=1`): a page shows only its main view, which is its first player or figure.

export const EMBED_PARAMETER = "embed";
const MODE = "data-embed"; // attribute of the document
const VIEW = "data-embedded"; // attribute of the view
const PLACES = "[data-testid=stMain] :is([data-testid=stBidiComponentIsolated], .js-plotly-plot)";
const PARTS = ".player, .film, .clusters, .turning, .drawing"; // roots of the components that are views
const MAX_HEIGHT = 900;
const SPACE = 32; // around the view [px]
const STYLE = `
  :root[${MODE}] :is([data-testid=stHeader], [data-testid=stSidebar], [data-testid=stExpandSidebarButton], [data-testid=stToast]) { display: none !important; }
  :root[${MODE}] .stApp [data-testid=stMain] { margin-left: 0 !important; width: 100% !important; }
  :root[${MODE}] .stApp .stMainBlockContainer { padding: 0.5rem !important; max-width: none; }
  :root[${MODE}]:has([${VIEW}]) .stMainBlockContainer :not(:has([${VIEW}]), [${VIEW}], [${VIEW}] *) { display: none !important; }
  :root[${MODE}]:has([${VIEW}]) .stMainBlockContainer :has([${VIEW}]) { flex: 1 1 100%; max-width: none; }
`;

/** Starts the mode if the address asks for it; the mode lasts until the page is loaded again. */
function startEmbedding() {
  const root = document.documentElement;
  if (root.hasAttribute(MODE) || new URL(location.href).searchParams.get(EMBED_PARAMETER) !== "1") return;
  root.toggleAttribute(MODE, true);
  const style = document.createElement("style");
  style.textContent = STYLE;
  document.head.append(style);
}

export function isEmbedded() {
  return document.documentElement.hasAttribute(MODE);
}

/** Marks the main view, which a page may draw again, and restores the parameter, which a page may remove; to be called regularly. */
export function keepView() {
  startEmbedding();
  if (!isEmbedded()) return;
  const url = new URL(location.href);
  if (url.searchParams.get(EMBED_PARAMETER) !== "1") {
    url.searchParams.set(EMBED_PARAMETER, "1");
    history.replaceState(history.state, "", url);
  }
  const view = findView()?.closest("[data-testid=stElementContainer]");
  const marked = document.querySelector(`[${VIEW}]`);
  if (!view || view === marked) return;
  marked?.removeAttribute(VIEW);
  view.toggleAttribute(VIEW, true);
}

/** The height of a frame for the main view [px]; undefined if the page has no view. */
export function heightOfView() {
  const view = findView();
  return view && Math.min(MAX_HEIGHT, Math.ceil(view.getBoundingClientRect().height) + SPACE);
}

/** The first view of the page, which is drawn before or after the others. */
function findView() {
  return [...document.querySelectorAll(PLACES)].find((element) => element.matches(".js-plotly-plot") || element.shadowRoot?.querySelector(PARTS));
}
