// The animation of a clustering on its page.

import "../shared/figure.css";
import "./prototypes.css";
import { addFigureButton } from "../shared/figure-dialog.js";
import { defineComponent } from "../shared/streamlit.js";
import { tabulateSteps } from "./chart.js";
import { PrototypeFilm } from "./film.js";

/** @typedef {import("../shared/streamlit.js").ComponentCall<import("./film.js").FilmData>} Call */

export default defineComponent(
  (parent) => {
    const film = new PrototypeFilm(parent);
    addFigureButton(film.root, "Prototypes of the clusters", () => (film.data ? tabulateSteps(film.data) : []));
    return film;
  },
  (film, /** @type {Call} */ { data, setStateValue }) => {
    film.choose = (cluster) => setStateValue("chosen", [cluster, data.run]);
    film.update(data);
  },
  (film) => film.remove(),
);
