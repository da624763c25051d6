// Streamlit component that animates the computation of a mean.

import "../shared/formula.css";
import "../shared/figure.css";
import "./film.css";
import { addFigureButton } from "../shared/figure-dialog.js";
import { defineComponent } from "../shared/streamlit.js";
import { MeanFilm } from "./film.js";
import { tabulateSteps } from "./summaries.js";

/** @typedef {import("../shared/streamlit.js").ComponentCall<import("./film.js").FilmData>} Call */

export default defineComponent(
  (parent) => {
    const film = new MeanFilm(parent);
    addFigureButton(film.root, "Invariant mean", () => tabulateSteps(film.steps));
    return film;
  },
  (film, /** @type {Call} */ { data, setStateValue, setTriggerValue }) => {
    film.answerStep = (k) => setStateValue("step", k);
    film.answerPicked = (i) => setTriggerValue?.("picked", i);
    film.update(data);
  },
  (film) => film.remove(),
);
