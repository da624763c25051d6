// The bar of every page. Since it is everywhere, it also keeps the browser's history and the views of
// plots.

import "./bar.css";
import { defineComponent } from "../shared/streamlit.js";
import { ProjectorBar } from "./bar.js";
import { keepHistoryShort } from "./history.js";
import { keepPlotViews } from "./plots.js";

keepHistoryShort();
keepPlotViews();

/** @typedef {import("../shared/streamlit.js").ComponentCall<import("./bar.js").BarData>} Call */

export default defineComponent(
  (parent) => new ProjectorBar(parent),
  (bar, /** @type {Call} */ { data, setTriggerValue }) => {
    bar.send = (wish) => setTriggerValue?.("wish", wish);
    bar.sendReset = () => setTriggerValue?.("reset", true);
    bar.update(data);
  },
  (bar) => bar.remove(),
);
