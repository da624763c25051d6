// Maps that hold the most recently used values.

/**
 * Returns a value that is computed once and kept while it is among the most recently used.
 * @template T
 * @param {Map<string, T>} cache
 * @param {string} key
 * @param {number} size of the cache
 * @param {() => T} compute
 * @returns {T}
 */
export function cached(cache, key, size, compute) {
  const value = cache.get(key) ?? compute();
  cache.delete(key);
  cache.set(key, value);
  trim(cache, size);
  return value;
}

/** Removes the oldest entries. @param {Map<string, unknown>} cache @param {number} size */
export function trim(cache, size) {
  for (const oldest of cache.keys()) {
    if (cache.size <= size) return;
    cache.delete(oldest);
  }
}
