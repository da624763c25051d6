// Streamlit component that animates the computation of a mean.

import "../shared/formula.css";
import "./film.css";
import { defineComponent } from "../shared/streamlit.js";
import { MeanFilm } from "./film.js";

/** @typedef {import("../shared/streamlit.js").ComponentCall<import("./film.js").FilmData>} Call */

export default defineComponent(
  (parent) => new MeanFilm(parent),
  (film, /** @type {Call} */ { data, setStateValue, setTriggerValue }) => {
    film.answerStep = (k) => setStateValue("step", k);
    film.answerPicked = (i) => setTriggerValue?.("picked", i);
    film.update(data);
  },
  (film) => film.remove(),
);
