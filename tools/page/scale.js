// SPDX-License-Identifier: Apache-2.0
// From values to places in a plot.

/**
 * From the least to the largest value. What differs by little is not stretched to look like much.
 * @param {number[]} values
 * @returns {[number, number]}
 */
export function domainOf(values) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const least = Math.max(Math.abs(low), Math.abs(high)) * 0.1 || 1;
  const missing = Math.max(0, least - (high - low));
  return [low - missing / 2, high + missing / 2];
}

/**
 * @param {[number, number]} domain
 * @param {number} from
 * @param {number} to
 * @returns {(value: number) => number}
 */
export function scale([low, high], from, to) {
  return value => from + (to - from) * (value - low) / (high - low || 1);
}

/**
 * Round numbers from zero to at least `high`, about `count` of them.
 * @param {number} low
 * @param {number} high
 * @param {number} count
 * @param {number} base 10, or 2 for bytes
 */
export function ticks(low, high, count, base) {
  const rough = (high - low) / count;
  if (!(rough > 0)) {
    return [low];
  }
  const power = base ** Math.floor(Math.log(rough) / Math.log(base));
  const factors = base === 10 ? [1, 2, 5, 10] : [1, 2];
  const step = power * (factors.find(factor => power * factor >= rough) || base);
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high + step * 1e-9; ++i) {
    found.push(i * step);
  }
  return found;
}

/** In hours: what people count time in. */
const TIMES = [1 / 3600, 5 / 3600, 15 / 3600, 1 / 60, 5 / 60, 0.25, 0.5, 1, 2, 3, 6, 12, 24, 48,
               168];

/**
 * Times from the first to the last.
 * @param {number} last in hours
 * @param {number} count
 */
export function timeTicks(last, count) {
  const rough = last / count;
  const step = TIMES.find(time => time >= rough) || Math.ceil(rough / 168) * 168;
  const found = [];
  for (let i = 0; i * step <= last * 1.0001; ++i) {
    found.push(i * step);
  }
  return found;
}
