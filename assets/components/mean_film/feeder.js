// Stores the bytes of one step, with its numbers.

import { readMetadata } from "../shared/arrays.js";
import { storeFrame } from "../shared/frame_store.js";
import { defineFeeder } from "../shared/streamlit.js";
import { storeSummary } from "./summaries.js";

/** @param {Uint8Array} bytes */
export function storeStep(bytes) {
  const { run, summary } = readMetadata(bytes);
  if (summary) storeSummary(run, summary);
  return storeFrame(bytes);
}

export default defineFeeder(storeStep);
