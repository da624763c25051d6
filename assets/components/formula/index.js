// A formula by itself, with its numbers.

import "../shared/formula.css";
import { make } from "../shared/dom.js";
import { writeTerms } from "../shared/formula.js";
import { shareHighlights } from "../shared/highlights.js";
import { defineComponent } from "../shared/streamlit.js";

/** @typedef {import("../shared/streamlit.js").ComponentCall<import("../shared/formula.js").Part[]>} Call */

export default defineComponent(
  (parent) => {
    const line = make("p", "math");
    parent.append(line);
    return { line, stop: shareHighlights(line) };
  },
  ({ line }, /** @type {Call} */ { data }) => writeTerms(line, data),
  ({ line, stop }) => {
    stop();
    line.remove();
  },
);
