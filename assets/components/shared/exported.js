// Pages that were exported as one file that contains their bytes.

/** @param {string} text base64 */
export function decode(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** The element that receives the component. */
export function exportedMain() {
  const main = document.querySelector("main");
  if (!main) throw new Error("the page has no <main>");
  return main;
}
