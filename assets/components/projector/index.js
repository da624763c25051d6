// The bar of the projector mode. Since it is on every page, it also keeps the browser's history and
// the views of plots.

import "./bar.css";
import { defineComponent } from "../shared/streamlit.js";
import { ProjectorBar } from "./bar.js";
import { keepHistoryShort } from "./history.js";
import { keepPlotViews } from "./plots.js";

keepHistoryShort();
keepPlotViews();

/** @typedef {import("../shared/streamlit.js").ComponentCall<{ on: boolean }>} Call */

export default defineComponent(
  (parent) => new ProjectorBar(parent),
  (bar, /** @type {Call} */ { data, setTriggerValue }) => {
    bar.send = (wish) => setTriggerValue?.("wish", wish);
    bar.update(data.on);
  },
  (bar) => bar.remove(),
);
