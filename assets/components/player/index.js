// The player of a run, or of two runs side by side.

import "../shared/figure.css";
import "../shared/formula.css";
import "./player.css";
import { defineComponent } from "../shared/streamlit.js";
import { Player } from "./player.js";

export default defineComponent(
  (parent) => new Player(parent),
  (player, /** @type {import("../shared/streamlit.js").ComponentCall<import("./types.js").Header>} */ call) =>
    player.update(call.data, call.setStateValue),
  (player) => player.remove(),
);
