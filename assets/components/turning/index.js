// A picture that is rotated, with the maps of two networks.

import "../shared/figure.css";
import "./maps.css";
import { addFigureButton } from "../shared/figure-dialog.js";
import { defineComponent } from "../shared/streamlit.js";
import { tabulateAngles, turning } from "./orbit.js";
import { TurningView } from "./view.js";

/** @typedef {import("../shared/streamlit.js").ComponentCall<Uint8Array>} Call */

export default defineComponent(
  (parent) => {
    const view = new TurningView(parent);
    addFigureButton(view.root, "Maps of two networks for a rotated picture", () => tabulateAngles(turning.current));
    return view;
  },
  (view, /** @type {Call} */ { data, setStateValue }) => {
    view.answerAngle = (degrees) => setStateValue("angle", degrees);
    view.update(data);
  },
  (view) => view.remove(),
);
