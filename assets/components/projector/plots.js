// The view of a plot (zoom, hidden lines, step of an animation), kept while its result stays the same.
// Streamlit replaces a plot whose figure has changed in any way, with a new element. Plots of
// the same result have the same uirevision.

import { trim } from "../shared/cache.js";
import { addPlotFiles } from "./plot-files.js";

/** @typedef {{ range?: unknown[], autorange?: unknown }} Axis */
/**
 * @typedef {object} PlotParts
 * @property {Record<string, any> & { uirevision?: string, sliders?: { active?: number }[] }} layout
 * @property {{ visible?: unknown }[]} data
 * @property {{ _frames?: { traces: number[], data: object[] }[] }} [_transitionData]
 * @property {(type: string, listener: (change: any) => void) => void} on
 * @property {(type: string, change: object) => void} emit
 */
/** @typedef {Element & PlotParts} Plot an element that contains a plotly plot */
/** @typedef {{ axes: [name: string, range: unknown[]][], visible: unknown[], frame: number }} View */

const AXIS = /^[xy]axis\d*$/;
const MAX_VIEWS = 100;
const MAX_TRIES = 10; // where two axes are linked, a range may differ from the requested one

/** @param {Plot} plot @returns {View} */
function readView({ layout, data }) {
  /** @type {[string, unknown[]][]} */
  const axes = Object.entries(layout).flatMap(([name, value]) => {
    const { range, autorange } = /** @type {Axis} */ (value ?? {});
    return AXIS.test(name) && range && !autorange ? [[name, [...range]]] : [];
  });
  return { axes, visible: data.map((trace) => trace.visible), frame: layout.sliders?.[0]?.active ?? 0 };
}

/** A figure may have different lines from before, such as those of a marked pair. @param {Plot} plot @param {View} view */
function isShown(plot, view) {
  const current = readView(plot);
  const count = Math.min(current.visible.length, view.visible.length);
  const [found, wanted] = [current, view].map((one) => JSON.stringify({ ...one, visible: one.visible.slice(0, count) }));
  return found === wanted;
}

/** Streamlit draws the figure of a plot again when the plot reports a change of its layout. @param {Plot} plot @param {View} view */
function showView(plot, { axes, visible, frame }) {
  const layout = { ...plot.layout };
  for (const [name, range] of axes) layout[name] = { ...layout[name], range, autorange: false };
  const data = plot.data.map((trace, k) => (k in visible ? { ...trace, visible: visible[k] } : trace));
  const shown = frame ? plot._transitionData?._frames?.[frame] : undefined;
  if (shown) {
    layout.sliders = layout.sliders?.map((slider) => ({ ...slider, active: frame }));
    shown.traces.forEach((at, k) => (data[at] = { ...data[at], ...shown.data[k] }));
  }
  Object.assign(plot, { layout, data });
  plot.emit("plotly_relayout", {});
}

/** Follows all plots of the page, once for the page. */
export function keepPlotViews() {
  const page = /** @type {{ plotViews?: Map<string, View> }} */ (/** @type {unknown} */ (window));
  if (page.plotViews) return;
  /** @type {Map<string, View>} by uirevision, the newest last */
  const views = (page.plotViews = new Map());
  /** @type {WeakSet<Element>} */
  const followed = new WeakSet();
  const follow = (/** @type {Plot} */ plot) => {
    followed.add(plot);
    const name = plot.layout.uirevision ?? "";
    let isShowing = false;
    let tries = MAX_TRIES;
    const store = () => {
      if (isShowing) return;
      views.delete(name);
      views.set(name, readView(plot));
      trim(views, MAX_VIEWS);
    };
    // Streamlit may still draw the original figure, so the view is restored until it stays.
    const show = () => {
      const view = views.get(name);
      if (!view || !plot.isConnected || isShown(plot, view) || !tries--) return;
      isShowing = true;
      showView(plot, view);
      isShowing = false;
    };
    addPlotFiles(plot);
    plot.on("plotly_afterplot", () => {
      addPlotFiles(plot);
      setTimeout(show);
    });
    plot.on("plotly_relayout", (change) => {
      if (Object.keys(change).some((key) => AXIS.test(key.split(".")[0]))) store();
    });
    plot.on("plotly_restyle", store);
    plot.on("plotly_sliderchange", (change) => {
      if (change.interaction) store();
    });
    plot.on("plotly_animated", store);
  };
  const findPlots = () => {
    for (const element of document.getElementsByClassName("js-plotly-plot")) {
      const plot = /** @type {Plot} */ (element);
      if (!followed.has(plot) && "on" in plot && plot.layout?.uirevision) follow(plot);
    }
  };
  new MutationObserver(findPlots).observe(document, { subtree: true, childList: true, attributeFilter: ["class"] });
  findPlots();
}
