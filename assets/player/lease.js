// What an element put into a store stays there until the element brings other things or leaves.
// A component's function is called again on every rerun; only its last result counts at the end.

const leases = new WeakMap(); // the element -> the function that lets go of what it put there

function lease(element, release) {
  const before = leases.get(element);
  leases.set(element, release);
  before?.();
  return () => {
    if (leases.get(element) !== release) return;
    leases.delete(element);
    release?.();
  };
}
