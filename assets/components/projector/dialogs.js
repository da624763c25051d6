// The dialogs of the bar: the explanation of the page with all keys, and the ways to share the page.

import { make, makeButton } from "../shared/dom.js";
import { EMBED_PARAMETER, heightOfView } from "./embed.js";
import { drawQrCode } from "./qr.js";

/** @typedef {{ title: string, text: string, trial: string }} Explanation the text marks terms as **bold** */

const KEYS = [
  ["Space", "play or pause"],
  ["← →", "one step back or forward"],
  ["Home End", "first or last step"],
  ["PageUp PageDown", "previous or next caption of a lesson"],
  ["P", "projector mode"],
  ["S", "settings, in projector mode"],
  ["D", "pen: draw over the page"],
  ["L", "pointer"],
  ["X", "erase the drawing"],
  ["B or .", "blank screen; any key shows the page again"],
  ["U or Ctrl Z", "undo the last change of a setting"],
  ["?", "this explanation"],
  ["Esc", "put the tool away, unpin a pair, or leave the projector mode"],
];
const PRIVATE = /^(localhost|127\.|\[::1\])/; // hosts that only this computer reaches
const COPIED_MS = 2000;

class Dialog {
  /** @param {HTMLElement} root @param {string} className */
  constructor(root, className) {
    this.dialog = make("dialog", className);
    this.content = make("div");
    const close = makeButton("close", "Close");
    close.addEventListener("click", () => this.dialog.close());
    this.dialog.append(close, this.content); // Close has the focus first, so the dialog is not scrolled
    this.dialog.addEventListener("keydown", (event) => event.stopPropagation());
    root.append(this.dialog);
  }

  get isOpen() {
    return this.dialog.open;
  }

  /** @param {string} title @param {...Node} parts */
  show(title, ...parts) {
    this.dialog.setAttribute("aria-label", title);
    this.content.replaceChildren(make("h2", "", title), ...parts);
    if (!this.dialog.open) this.dialog.showModal();
  }
}

export class ExplanationDialog extends Dialog {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root, "explanation");
    /** @type {Explanation | undefined} */
    this.explanation = undefined;
  }

  open() {
    const { explanation } = this;
    const parts = explanation ? [paragraph(explanation.text), paragraph(`**Try it.** ${explanation.trial}`)] : [];
    const keys = make("dl");
    for (const [key, meaning] of KEYS) keys.append(make("dt", "", key), make("dd", "", meaning));
    this.show(explanation?.title ?? "Keys", ...parts, make("h3", "", "Keys"), keys);
  }
}

export class ShareDialog extends Dialog {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root, "share");
  }

  open() {
    const address = location.href;
    const code = make("div", "code");
    try {
      code.innerHTML = drawQrCode(address, "QR code of the address of this page");
    } catch (error) {
      code.textContent = `No QR code: ${/** @type {Error} */ (error).message}`;
    }
    const link = readOnly("Address of this page", address);
    const row = make("div", "ways");
    row.append(copyButton("Copy link", link), this.makeEmbed(code, link));
    const notes = PRIVATE.test(location.host) ? [make("p", "", "Only this computer can open this address, because the app runs on it without a public name.")] : [];
    this.show("Share this page", code, link, row, ...notes);
  }

  /** The button that replaces the address by the code of a frame. @param {HTMLElement} code @param {HTMLTextAreaElement} link */
  makeEmbed(code, link) {
    const button = makeButton("", "Embed");
    const height = heightOfView();
    button.disabled = height === undefined;
    button.title = button.disabled ? "This page has no player and no figure" : "Shows the HTML that puts the player or figure of this page into a different page";
    button.addEventListener("click", () => {
      const url = new URL(location.href);
      url.searchParams.delete("projector");
      url.searchParams.set(EMBED_PARAMETER, "1");
      const frame = make("iframe");
      Object.assign(frame, { src: url.href, title: document.title, width: "100%", height: String(height) });
      const html = frame.outerHTML;
      const field = readOnly("HTML of the frame", html);
      link.after(field);
      button.replaceWith(copyButton("Copy HTML", field));
      code.classList.add("small");
      field.focus();
    });
    return button;
  }
}

/** Text with terms in bold. @param {string} text */
function paragraph(text) {
  const element = make("p");
  element.append(...text.split("**").map((part, at) => (at % 2 ? make("strong", "", part) : part)));
  return element;
}

/** @param {string} label @param {string} text */
function readOnly(label, text) {
  const field = make("textarea", "", text);
  field.readOnly = true;
  field.rows = 3;
  field.setAttribute("aria-label", label);
  field.addEventListener("focus", () => field.select());
  return field;
}

/** A button that copies a field; a page without HTTPS has no clipboard, so the field is selected for it. @param {string} words @param {HTMLTextAreaElement} field */
function copyButton(words, field) {
  const button = makeButton("", words);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch {
      field.focus();
      field.select();
      button.textContent = document.execCommand("copy") ? "Copied" : "Press Ctrl C to copy";
    }
    setTimeout(() => (button.textContent = words), COPIED_MS);
  });
  return button;
}
