// The picture in a ring that is turned by hand; quarter turns are marked on it.

const RING = 15; // width of the ring [css px]

class Ring {
  constructor(onTurn) {
    this.canvas = makeMap("The picture, turned");
    this.canvas.className = "ring";
    this.picture = make("canvas");
    this.turnTo = onTurn;
    this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
    this.canvas.addEventListener("pointermove", (event) => this.held !== undefined && this.pull(event));
    for (const end of ["pointerup", "pointercancel"])
      this.canvas.addEventListener(end, () => (this.held = undefined));
  }

  grab(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.held = this.angleAt(event) - this.degrees;
  }

  pull(event) {
    this.turnTo(placeOf(this.angleAt(event) - this.held));
  }

  // Degrees, anticlockwise from the right.
  angleAt(event) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - left - width / 2, event.clientY - top - height / 2];
    return (Math.atan2(-y, x) * 180) / Math.PI;
  }

  show(orbit, at, look) {
    const [, height, width] = orbit.arrays.images.shape;
    this.degrees = orbit.degrees[at];
    paintValues(this.picture, sliceOf(orbit.arrays.images, at), [height, width], look.grey);
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const side = Math.round(this.canvas.clientWidth * ratio) || 2;
    if (this.canvas.width !== side) Object.assign(this.canvas, { width: side, height: side });
    const context = this.canvas.getContext("2d");
    const edge = RING * ratio;
    context.clearRect(0, 0, side, side);
    context.save();
    context.beginPath();
    context.arc(side / 2, side / 2, side / 2 - edge, 0, 2 * Math.PI);
    context.fillStyle = "#000";
    context.fill();
    context.clip();
    context.imageSmoothingEnabled = false;
    const reach = side - 2 * edge; // the circle in the square: what lies in its corners is dark
    context.drawImage(this.picture, edge, edge, reach, reach);
    context.restore();
    this.drawRing(context, side, edge, orbit, look);
  }

  drawRing(context, side, edge, orbit, look) {
    const [centre, radius] = [side / 2, side / 2 - edge / 2];
    const at = (degrees, reach) => {
      const angle = (-(degrees + 90) * Math.PI) / 180; // 0° at the top, anticlockwise
      return [centre + reach * Math.cos(angle), centre + reach * Math.sin(angle)];
    };
    context.lineWidth = edge * 0.55;
    context.strokeStyle = look.border;
    context.beginPath();
    context.arc(centre, centre, radius, 0, 2 * Math.PI);
    context.stroke();
    context.fillStyle = look.text;
    for (const degrees of orbit.exact) dot(context, at(degrees, radius), edge * 0.2);
    context.fillStyle = getComputedStyle(this.canvas).getPropertyValue("--strong") || "#0b5fa5";
    dot(context, at(this.degrees, radius), edge * 0.48);
  }
}

function dot(context, [x, y], radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}
