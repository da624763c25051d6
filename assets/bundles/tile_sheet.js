// tile_sheet/index.js
var loaded = /* @__PURE__ */ new WeakSet();
function loadSheet({ data, parentElement }) {
  if (!data?.length || loaded.has(parentElement)) return;
  loaded.add(parentElement);
  const address = URL.createObjectURL(new Blob([data], { type: "image/png" }));
  document.documentElement.style.setProperty("--ia-tile-sheet", `url(${address})`);
}
export {
  loadSheet as default
};
