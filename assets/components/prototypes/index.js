// The animation of a clustering on its page.

import "./prototypes.css";
import { defineComponent } from "../shared/streamlit.js";
import { PrototypeFilm } from "./film.js";

/** @typedef {import("../shared/streamlit.js").ComponentCall<import("./film.js").FilmData>} Call */

export default defineComponent(
  (parent) => new PrototypeFilm(parent),
  (film, /** @type {Call} */ { data, setStateValue }) => {
    film.choose = (cluster) => setStateValue("chosen", [cluster, data.run]);
    film.update(data);
  },
  (film) => film.remove(),
);
