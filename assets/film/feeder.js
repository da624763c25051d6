// Puts the bytes of one step into the store, and beside them what is told of it in numbers.

export default function feed({ data, parentElement }) {
  return lease(parentElement, data ? keep(data) : undefined);
}

function keep(bytes) {
  const { run, told } = readHeader(bytes.buffer, bytes.byteOffset).header;
  if (told) tellOf(run, told);
  return keepFrame(bytes);
}
