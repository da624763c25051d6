// The player in a page that was exported as one file.

import { decode, exportedMain } from "../shared/exported.js";
import { storeFrame } from "../shared/frame_store.js";
import { Player } from "./player.js";

/** @param {string[]} frames in base64 @param {import("./types.js").Header} header */
export function open(frames, header) {
  for (const frame of frames) storeFrame(decode(frame));
  new Player(exportedMain()).update(header, () => {});
}
