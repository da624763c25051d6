// Stores the bytes of one step, and releases them when the element leaves the page.

import { storeFrame } from "../shared/frame_store.js";
import { defineFeeder } from "../shared/streamlit.js";

export default defineFeeder(storeFrame);
