// A pair of images: v_i, v_j, and v_i∘τ laid over v_j.

function luminances(frame, i) {
  const [, height, width, channels] = frame.shapes.images;
  const pixels = frame.images.subarray(i * height * width * channels, (i + 1) * height * width * channels);
  if (channels === 1) return Float32Array.from(pixels);
  return Float32Array.from({ length: height * width }, (_, at) => {
    const [r, g, b] = pixels.subarray(3 * at, 3 * at + 3);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  });
}

// v_i in orange and v_j in blue: where both are bright the sum is white.
function overlay(frame, i, j) {
  const [, height, width] = frame.shapes.images;
  const own = luminances(frame, i);
  const a = new Float32Array(own.length);
  if (frame.matrices) warp(own, [height, width, 1], matrixOf(frame, i, j), a);
  else a.set(own);
  const b = luminances(frame, j);
  const image = new ImageData(width, height);
  a.forEach((value, at) => {
    for (let c = 0; c < 3; c++)
      image.data[4 * at + c] = (value * SELECTED_ROW[c] + b[at] * SELECTED_COLUMN[c]) / 255;
    image.data[4 * at + 3] = 255;
  });
  return image;
}

function single(frame, i) {
  const [, height, width, channels] = frame.shapes.images;
  const image = new ImageData(width, height);
  const from = i * height * width * channels;
  for (let at = 0; at < height * width; at++) {
    for (let c = 0; c < 3; c++)
      image.data[4 * at + c] = frame.images[from + at * channels + (channels === 3 ? c : 0)];
    image.data[4 * at + 3] = 255;
  }
  return image;
}

function showImage(canvas, image) {
  Object.assign(canvas, { width: image.width, height: image.height });
  canvas.getContext("2d").putImageData(image, 0, 0);
}
