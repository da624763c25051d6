// Pages that were exported as one file, with their bytes in it.

/** @param {string} text base64 */
export function decode(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** Where the component goes. */
export function exportedMain() {
  const main = document.querySelector("main");
  if (!main) throw new Error("the page has no <main>");
  return main;
}
