// A picture that is rotated, with the maps of two networks.

import "./maps.css";
import { defineComponent } from "../shared/streamlit.js";
import { TurningView } from "./view.js";

/** @typedef {import("../shared/streamlit.js").ComponentCall<Uint8Array>} Call */

export default defineComponent(
  (parent) => new TurningView(parent),
  (view, /** @type {Call} */ { data, setStateValue }) => {
    view.answerAngle = (degrees) => setStateValue("angle", degrees);
    view.update(data);
  },
  (view) => view.remove(),
);
