// How Streamlit calls a component: on mounting, with new data and with a new theme. The function
// returns a clean-up function, and only the one that it returned last is called at the end.

/**
 * @template D
 * @typedef {object} ComponentCall
 * @property {D} data
 * @property {HTMLElement} parentElement
 * @property {(name: string, value: unknown) => void} setStateValue
 * @property {(name: string, value: unknown) => void} [setTriggerValue]
 */

/**
 * A component's function that keeps one instance for each element.
 * @template D
 * @template {object} T
 * @param {(parent: HTMLElement) => T} create
 * @param {(instance: T, call: ComponentCall<D>) => void} update
 * @param {(instance: T) => void} remove
 * @returns {(call: ComponentCall<D>) => () => void}
 */
export function defineComponent(create, update, remove) {
  /** @type {WeakMap<HTMLElement, { instance: T, calls: number }>} */
  const mounted = new WeakMap();
  return (call) => {
    const { parentElement } = call;
    const entry = mounted.get(parentElement) ?? { instance: create(parentElement), calls: 0 };
    mounted.set(parentElement, entry);
    update(entry.instance, call);
    const number = (entry.calls += 1);
    return () => {
      if (entry.calls !== number) return;
      mounted.delete(parentElement);
      remove(entry.instance);
    };
  };
}

/**
 * A component's function that stores something, which is released once the element stores something
 * else or leaves the page.
 * @template D
 * @param {(data: D) => (() => void) | undefined} store returns the function that releases it
 * @returns {(call: ComponentCall<D>) => () => void}
 */
export function defineFeeder(store) {
  /** @type {WeakMap<HTMLElement, (() => void) | undefined>} */
  const releases = new WeakMap();
  return ({ data, parentElement }) => {
    const release = data ? store(data) : undefined;
    const previous = releases.get(parentElement);
    releases.set(parentElement, release);
    previous?.();
    return () => {
      if (releases.get(parentElement) !== release) return;
      releases.delete(parentElement);
      release?.();
    };
  };
}
