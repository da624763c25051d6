// Keeps the sheet of all tiles as one picture, and gives its address to the styles of the page.

/** @type {WeakSet<HTMLElement>} */
const loaded = new WeakSet();

/** @param {{ data: Uint8Array<ArrayBuffer> | null, parentElement: HTMLElement }} call */
export default function loadSheet({ data, parentElement }) {
  if (!data?.length || loaded.has(parentElement)) return;
  loaded.add(parentElement);
  const address = URL.createObjectURL(new Blob([data], { type: "image/png" }));
  document.documentElement.style.setProperty("--ia-tile-sheet", `url(${address})`);
}
