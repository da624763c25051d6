// Stores what a player shows, the bytes of one step or the advice on β, and releases it when the element leaves the page.

import { storeFrame } from "../shared/frame_store.js";
import { defineFeeder } from "../shared/streamlit.js";
import { storeAdvice } from "./advice.js";

export default defineFeeder((/** @type {Uint8Array | import("./advice.js").Sent} */ data) =>
  data instanceof Uint8Array ? storeFrame(data) : storeAdvice(data));
