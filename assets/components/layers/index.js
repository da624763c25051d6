// The maps of the attention layers of a rotating picture.

import "../turning/maps.css";
import { defineComponent } from "../shared/streamlit.js";
import { LayersView } from "./layers.js";

export default defineComponent(
  (parent) => new LayersView(parent),
  (view) => view.renew(),
  (view) => view.remove(),
);
