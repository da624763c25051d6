// A small pad: what is drawn on it with a mouse, a finger or a pen travels as a square of bytes.

const PADS = new WeakMap(); // the element -> its pad
const [SIDE, INK, COARSE] = [224, 20, 56]; // side and stroke [px], side of what is sent

export default function mount({ data, parentElement, setStateValue }) {
  const pad = PADS.get(parentElement) ?? new Pad(parentElement);
  PADS.set(parentElement, pad);
  pad.send = (text) => setStateValue("drawn", text);
}

class Pad {
  constructor(parent) {
    this.root = document.createElement("div");
    this.root.className = "pad";
    this.root.innerHTML = `<canvas width="${SIDE}" height="${SIDE}" role="img"
      aria-label="Pad to draw a digit on"></canvas><button type="button">Clear</button>`;
    parent.append(this.root);
    this.canvas = this.root.querySelector("canvas");
    this.context = this.canvas.getContext("2d", { willReadFrequently: true });
    this.clear();
    this.root.querySelector("button").addEventListener("click", () => {
      this.clear();
      this.send("");
    });
    this.canvas.addEventListener("pointerdown", (event) => this.begin(event));
    this.canvas.addEventListener("pointermove", (event) => this.last && this.go(event));
    for (const end of ["pointerup", "pointercancel"])
      this.canvas.addEventListener(end, () => this.end());
  }

  clear() {
    this.context.fillStyle = "#000";
    this.context.fillRect(0, 0, SIDE, SIDE);
    Object.assign(this.context, { strokeStyle: "#fff", lineWidth: INK, lineCap: "round", lineJoin: "round" });
  }

  place(event) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    return [((event.clientX - left) * SIDE) / width, ((event.clientY - top) * SIDE) / height];
  }

  begin(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.last = this.place(event);
    this.go(event);
  }

  go(event) {
    const now = this.place(event);
    this.context.beginPath();
    this.context.moveTo(...this.last);
    this.context.lineTo(...now);
    this.context.stroke();
    this.last = now;
  }

  // The end of a stroke: four by four pixels become one, and the square is sent.
  end() {
    if (!this.last) return;
    this.last = undefined;
    const small = Object.assign(document.createElement("canvas"), { width: COARSE, height: COARSE });
    const context = small.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(this.canvas, 0, 0, COARSE, COARSE);
    const { data } = context.getImageData(0, 0, COARSE, COARSE);
    this.send(btoa(String.fromCharCode(...data.filter((_, at) => at % 4 === 0))));
  }
}
