// Groups of images, and the orders in which they can be shown.

import { orderBy } from "../shared/weights.js";

/** @typedef {import("../shared/frame_store.js").Frame} Frame */
/** @typedef {import("./types.js").Header} Header */
/** @typedef {import("./types.js").Groups} Groups */
/** @typedef {import("./types.js").Order} Order */

export const AS_GIVEN = "as given";

/**
 * The labels if they are known, otherwise the clusters of the first run that has any.
 * @param {Header} header
 * @param {Frame[][]} runs
 * @returns {Groups | undefined}
 */
export function groupsOf(header, runs) {
  const n = countImages(runs);
  if (n && header.labels.length === n) {
    const count = Math.max(...header.labels) + 1;
    const names = Array.from({ length: count }, (_, g) => header.classes[g] ?? `class ${g}`);
    return { ids: header.labels, names, kind: "classes", key: "labels" };
  }
  const found = findClusters(runs);
  if (!found) return undefined;
  const names = Array.from({ length: Math.max(...found.assignments) + 1 }, (_, g) => `cluster ${g + 1}`);
  return { ids: found.assignments, names, kind: "clusters", key: `clusters ${found.id}` };
}

/** @param {Frame[][]} runs */
function countImages(runs) {
  return runs.find((frames) => frames.length)?.[0].n ?? 0;
}

/** The clusters of the last step that has any. @param {Frame[][]} runs */
function findClusters(runs) {
  for (const frames of runs) {
    const { assignments, id } = frames.findLast((frame) => frame.assignments) ?? {};
    if (assignments) return { assignments, id };
  }
  return undefined;
}

/**
 * The orders to choose from, by name. All runs share them, so that the runs can be compared.
 * @param {Header} header
 * @param {Frame[][]} runs
 * @param {Groups | undefined} groups
 * @returns {Map<string, Order>}
 */
export function ordersOf(header, runs, groups) {
  const n = countImages(runs);
  /** @type {Map<string, Order>} */
  const orders = new Map([[AS_GIVEN, { indices: Array.from({ length: n }, (_, i) => i), key: AS_GIVEN }]]);
  if (groups?.kind === "classes") orders.set("by class", { indices: orderBy(groups.ids), key: "class" });
  const found = findClusters(runs);
  if (found) orders.set("by cluster", { indices: orderBy(found.assignments), key: `cluster ${found.id}` });
  for (const [name, indices] of Object.entries(header.orders))
    if (indices.length === n) orders.set(name, { indices, key: name });
  return orders;
}
