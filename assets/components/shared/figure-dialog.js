// A dialog with a figure: to zoom into it and to download it.

import { captureSvg } from "./capture.js";
import { make, makeButton } from "./dom.js";
import { FigureMenu } from "./figure.js";

export class FigureDialog {
  /**
   * @param {HTMLElement} parent
   * @param {() => string} draw returns the figure as SVG
   * @param {() => (string | number)[][]} rowsOf its data
   * @param {() => () => void} [hold] called when the dialog opens; returns a function that is called when it closes
   */
  constructor(parent, draw, rowsOf, hold = () => () => {}) {
    this.draw = draw;
    this.hold = hold;
    this.release = () => {};
    this.dialog = make("dialog", "figure-dialog");
    this.picture = make("div");
    this.menu = new FigureMenu(this.picture, rowsOf);
    this.menu.element.open = true;
    const close = makeButton("close", "Close");
    close.addEventListener("click", () => this.dialog.close());
    this.dialog.append(this.picture, this.menu.element, close);
    this.dialog.addEventListener("keydown", (event) => event.stopPropagation());
    this.dialog.addEventListener("close", () => {
      this.picture.replaceChildren();
      this.release();
    });
    parent.append(this.dialog);
  }

  open() {
    this.release = this.hold();
    this.dialog.showModal();
    this.update();
  }

  /** Draws the figure again, with the same zoom. */
  update() {
    if (!this.dialog.open) return;
    this.picture.innerHTML = this.draw();
    this.menu.update();
  }
}

/**
 * Adds a button that opens everything that a component shows as a figure.
 * @param {HTMLElement} root
 * @param {string} title
 * @param {() => (string | number)[][]} rowsOf the numbers behind the frames, the names of the columns first
 */
export function addFigureButton(root, title, rowsOf) {
  const dialog = new FigureDialog(root, () => captureSvg(root, title), rowsOf);
  const button = makeButton("figure-open", "Figure");
  button.title = "Zoom into the pictures and download them as SVG or PNG, with their data";
  button.addEventListener("click", () => dialog.open());
  root.style.position = "relative";
  root.append(button);
}
