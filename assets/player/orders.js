// Which images belong together, and in which order they can be shown.

const AS_GIVEN = "as given";

// Labels where they are known, else the clusters found by the first lane that has any.
function groupsOf(header, lanes) {
  const n = lanes.find((frames) => frames.length)?.[0].n ?? 0;
  if (n && header.labels.length === n) {
    const count = Math.max(...header.labels) + 1;
    const names = Array.from({ length: count }, (_, g) => header.classes[g] ?? `class ${g}`);
    return { ids: header.labels, names, kind: "classes", key: "labels" };
  }
  const frame = clusterFrame(lanes);
  if (!frame) return undefined;
  const names = Array.from({ length: Math.max(...frame.assignments) + 1 }, (_, g) => `cluster ${g + 1}`);
  return { ids: frame.assignments, names, kind: "clusters", key: `clusters ${frame.id}` };
}

function clusterFrame(lanes) {
  return lanes.map((frames) => frames.findLast((frame) => frame.assignments)).find(Boolean);
}

// Every order that can be chosen, by name; all lanes share one, so that they can be compared.
function ordersOf(header, lanes, groups) {
  const n = lanes.find((frames) => frames.length)?.[0].n ?? 0;
  const orders = new Map([[AS_GIVEN, { indices: Array.from({ length: n }, (_, i) => i), key: AS_GIVEN }]]);
  if (groups?.kind === "classes") orders.set("by class", { indices: orderBy(groups.ids), key: "class" });
  const frame = clusterFrame(lanes);
  if (frame) orders.set("by cluster", { indices: orderBy(frame.assignments), key: `cluster ${frame.id}` });
  for (const [name, indices] of Object.entries(header.orders))
    if (indices.length === n) orders.set(name, { indices, key: name });
  return orders;
}
