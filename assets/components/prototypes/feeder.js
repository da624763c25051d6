// Stores consecutive pictures of a clustering run, and releases them when the element leaves the page.

import { defineFeeder } from "../shared/streamlit.js";
import { storePictures } from "./store.js";

export default defineFeeder(storePictures);
