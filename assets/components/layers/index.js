// The maps of the attention layers of a rotating picture.

import "../shared/figure.css";
import "../turning/maps.css";
import { addFigureButton } from "../shared/figure-dialog.js";
import { defineComponent } from "../shared/streamlit.js";
import { tabulateLayers } from "../turning/orbit.js";
import { LayersView } from "./layers.js";

/** @typedef {import("../shared/streamlit.js").ComponentCall<import("./layers.js").Wish>} Call */

export default defineComponent(
  (parent) => {
    const view = new LayersView(parent);
    addFigureButton(view.root, "Maps of the attention layers", () => tabulateLayers(view.orbit));
    return view;
  },
  (view, /** @type {Call} */ { data }) => view.ask(data),
  (view) => view.remove(),
);
