// Puts the bytes of one step into the store, and takes them out when it leaves the page.

export default function feed({ data, parentElement }) {
  return lease(parentElement, data ? keepFrame(data) : undefined);
}
