// The view of a plot (zoom, hidden lines, step of an animation), kept while its result stays the same.
// Streamlit replaces a plot whose figure has changed, even by a mark, with a new element. Plots of
// the same result have the same uirevision.

const AXIS = /^[xy]axis\d*$/;
const MAX_VIEWS = 100;
const MAX_TRIES = 10; // where two axes are bound together, a range may differ from what was asked for

function readView({ layout, data }) {
  const axes = Object.entries(layout).filter(([name, axis]) => AXIS.test(name) && axis.range && !axis.autorange);
  return {
    axes: axes.map(([name, { range }]) => [name, [...range]]),
    visible: data.map((trace) => trace.visible),
    frame: layout.sliders?.[0]?.active ?? 0,
  };
}

// A figure may have other lines than before, such as those of a marked pair.
function isShown(plot, view) {
  const now = readView(plot);
  const count = Math.min(now.visible.length, view.visible.length);
  const [has, wanted] = [now, view].map((one) => JSON.stringify({ ...one, visible: one.visible.slice(0, count) }));
  return has === wanted;
}

// Streamlit draws the figure of a plot again when the plot reports a change of its layout.
function showView(plot, { axes, visible, frame }) {
  const layout = { ...plot.layout };
  for (const [name, range] of axes) layout[name] = { ...layout[name], range, autorange: false };
  const data = plot.data.map((trace, k) => (k in visible ? { ...trace, visible: visible[k] } : trace));
  const shown = frame && plot._transitionData?._frames?.[frame];
  if (shown) {
    layout.sliders = layout.sliders.map((slider) => ({ ...slider, active: frame }));
    shown.traces.forEach((at, k) => (data[at] = { ...data[at], ...shown.data[k] }));
  }
  Object.assign(plot, { layout, data });
  plot.emit("plotly_relayout", {});
}

function keepViews() {
  if (window.plotViews) return;
  const views = (window.plotViews = new Map()); // uirevision -> the view, the newest last
  const followed = new WeakSet();
  const follow = (plot) => {
    followed.add(plot);
    const name = plot.layout.uirevision;
    let [showing, tries] = [false, MAX_TRIES];
    const note = () => {
      if (showing) return;
      views.delete(name);
      views.set(name, readView(plot));
      if (views.size > MAX_VIEWS) views.delete(views.keys().next().value);
    };
    // Streamlit may still draw the figure as it arrived: the view is shown until it stays.
    const show = () => {
      const view = views.get(name);
      if (!view || !plot.isConnected || isShown(plot, view) || !tries--) return;
      showing = true;
      showView(plot, view);
      showing = false;
    };
    plot.on("plotly_afterplot", () => setTimeout(show));
    plot.on("plotly_relayout", (change) => Object.keys(change).some((key) => AXIS.test(key.split(".")[0])) && note());
    plot.on("plotly_restyle", note);
    plot.on("plotly_sliderchange", (change) => change.interaction && note());
    plot.on("plotly_animated", note);
  };
  const find = () => {
    for (const plot of document.getElementsByClassName("js-plotly-plot")) {
      if (!followed.has(plot) && plot.on && plot.layout?.uirevision) follow(plot);
    }
  };
  new MutationObserver(find).observe(document, { subtree: true, childList: true, attributeFilter: ["class"] });
  find();
}

keepViews();
