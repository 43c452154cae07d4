// SPDX-License-Identifier: Apache-2.0
// Random trees of stacks, the same in each run.

/**
 * Numbers from 0 to 1 (mulberry32).
 * @param {number} seed
 */
export function numbers(seed) {
  let state = seed;
  return () => {
    state = state + 0x6d2b79f5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
}

/**
 * Data of a tree, of which each node has values of its own besides those of its children. Names
 * repeat, also within a stack, and 0 is among them.
 * @param {number} seed
 * @param {{size?: number, names?: number, lowest?: number}} [options]
 */
export function randomTree(seed, {size = 200, names = 12, lowest = 0} = {}) {
  const next = numbers(seed);
  const whole = (/** @type {number} */ low, /** @type {number} */ high) =>
    low + Math.floor(next() * (high - low + 1));
  const data = {name: [0], depth: [0], previous: [0], current: [0], medians: false};
  for (let i = 1; i < size; ++i) {
    data.depth.push(whole(1, data.depth[i - 1] + 1));
    data.name.push(whole(0, names));
    data.previous.push(0);
    data.current.push(0);
  }
  for (const values of [data.previous, data.current]) {
    const own = values.map(() => next() < 0.5 ? 0 : whole(lowest, 100));
    for (let i = size - 1; i >= 0; --i) {
      values[i] += own[i];
      for (let above = i - 1; above >= 0; --above) {
        if (data.depth[above] === data.depth[i] - 1) {
          values[above] += values[i];
          break;
        }
      }
    }
  }
  return data;
}
