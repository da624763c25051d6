// Keeps the sheet of all tiles as one picture, and tells the page's style sheets where it is.

const held = new WeakMap(); // the element -> the address of its picture

export default function keep({ data, parentElement }) {
  if (!data?.length || held.has(parentElement)) return;
  const address = URL.createObjectURL(new Blob([data], { type: "image/png" }));
  held.set(parentElement, address);
  document.documentElement.style.setProperty("--ia-tile-sheet", `url(${address})`);
}
