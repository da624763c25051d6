// Stores the bytes of one step, with its numbers.

import { storeFrame } from "../shared/frames.js";
import { readHeader } from "../shared/packed.js";
import { defineFeeder } from "../shared/streamlit.js";
import { storeSummary } from "./summaries.js";

/** @param {Uint8Array} bytes */
export function storeStep(bytes) {
  const { run, summary } = readHeader(/** @type {ArrayBuffer} */ (bytes.buffer), bytes.byteOffset).header;
  if (summary) storeSummary(run, summary);
  return storeFrame(bytes);
}

export default defineFeeder(storeStep);
