// SPDX-License-Identifier: Apache-2.0
// Numbers as the program writes them: the page and the tables of text must not disagree.

const KIBI = 1024;
const BYTES = new Map([
  ["b", 1], ["byte", 1],
  ["kb", KIBI], ["kbyte", KIBI], ["kilobyte", KIBI],
  ["mb", KIBI ** 2], ["mbyte", KIBI ** 2], ["megabyte", KIBI ** 2],
]);
const NANOSECONDS = new Map([
  ["ns", 1], ["nanosecond", 1],
  ["us", 1e3], ["\u03bcs", 1e3], ["microsecond", 1e3],
  ["ms", 1e6], ["millisecond", 1e6],
  ["s", 1e9], ["sec", 1e9], ["second", 1e9],
]);
/** @type {[number, string][]} */
const MEMORY_SCALES = [
  [1, "B"], [KIBI, "KiB"], [KIBI ** 2, "MiB"], [KIBI ** 3, "GiB"], [KIBI ** 4, "TiB"],
  [KIBI ** 5, "PiB"],
];
/** @type {[number, string][]} */
const TIME_SCALES = [[1, "ns"], [1e3, "us"], [1e6, "ms"], [1e9, "s"], [3600e9, "hrs"]];

/**
 * A unit of a sample type under the names that pprof knows; null for all others, such as count.
 * @param {string} text
 * @returns {{size: number, scales: [number, string][]} | null}
 */
export function unitOf(text) {
  let name = text.replace(/[A-Z]/g, letter => letter.toLowerCase());
  if (name.length > 2 && name.endsWith("s") && name !== "\u03bcs") {
    name = name.slice(0, -1);
  }
  const bytes = BYTES.get(name);
  if (bytes !== undefined) {
    return {size: bytes, scales: MEMORY_SCALES};
  }
  const nanoseconds = NANOSECONDS.get(name);
  return nanoseconds === undefined ? null : {size: nanoseconds, scales: TIME_SCALES};
}

/**
 * Like toFixed(), but what lies exactly in the middle goes to the even digit, as in C and C++.
 * @param {number} value
 * @param {number} digits
 */
export function fixed(value, digits) {
  const text = value.toFixed(digits);
  const power = 2 ** digits;
  const isMiddle = Number.isInteger(value * power * 2) && !Number.isInteger(value * power);
  if (!isMiddle || Number(text[text.length - 1]) % 2 === 0) {
    return text;
  }
  return text.slice(0, -1) + (Number(text[text.length - 1]) - 1);
}

/**
 * Without zeros at the end that say nothing.
 * @param {string} number
 */
function trimmed(number) {
  return number.includes(".") ? number.replace(/\.?0+$/, "") : number;
}

/**
 * To a whole number, from the middle away from zero.
 * @param {number} value
 */
function rounded(value) {
  if (Number.isInteger(value)) {
    return value; // A large one has no room for a half.
  }
  const whole = Math.floor(Math.abs(value) + 0.5);
  return value < 0 && whole !== 0 ? -whole : whole;
}

/**
 * A value of a type with this unit, such as "1.50MiB"; "14707" if the unit is not known.
 * @param {number} value
 * @param {string} unit
 */
export function human(value, unit) {
  const whole = rounded(value);
  const known = unitOf(unit);
  if (!known || whole === 0) {
    return String(whole);
  }
  const base = whole * known.size;
  let chosen = known.scales[0];
  for (const scale of known.scales) {
    if (Math.abs(base) >= scale[0]) {
      chosen = scale;
    }
  }
  return fixed(base / chosen[0], 2).replace(/\.00$/, "") + chosen[1];
}

/**
 * A change with its sign, such as "+1.50MiB".
 * @param {number} change
 * @param {string} unit
 */
export function humanChange(change, unit) {
  return (rounded(change) > 0 ? "+" : "") + human(change, unit);
}

/**
 * A value in the type's unit for each second or hour: such numbers are often less than one.
 * @param {number} value
 * @param {string} unit
 */
export function humanRate(value, unit) {
  if (unitOf(unit) || Math.abs(value) >= 100 || value === 0) {
    return human(value, unit);
  }
  const before = Math.floor(Math.log10(Math.abs(value))) + 1;
  return trimmed(fixed(value, Math.min(3 - before, 9)));
}

/**
 * What is counted for each second, in that time or another: "1.50MiB/s", "90MiB/min".
 * @param {number} perSecond
 * @param {string} unit
 * @param {"second" | "minute"} per
 */
export function rateText(perSecond, unit, per) {
  return per === "minute" ? humanRate(perSecond * 60, unit) + "/min"
    : humanRate(perSecond, unit) + "/s";
}

/**
 * How values of a type are written; rates are for each second.
 * @param {{unit: string, rate?: boolean}} type
 * @returns {(value: number) => string}
 */
export function valueText(type) {
  return value => type.rate ? rateText(value, type.unit, "second") : human(value, type.unit);
}

/**
 * A change in percent of what it is from, such as "+12.50%"; "new" if that is nothing. Of growth by
 * more than 1000 % how many times as much it is, such as "\u00d735".
 * @param {number} previous
 * @param {number} change
 */
export function percentOf(previous, change) {
  if (previous === 0) {
    return change === 0 ? "0%" : "new";
  }
  const percent = change / Math.abs(previous) * 100;
  if (percent > 1000 && previous > 0) {
    const factor = (previous + change) / previous;
    return "\u00d7" + trimmed(fixed(factor, factor < 100 ? 1 : 0));
  }
  const text = fixed(percent, 2);
  if (text === "0.00" || text === "-0.00") {
    return "0%";
  }
  return (text.startsWith("-") ? "" : "+") + text + "%";
}

/**
 * Such as "12.50%", with the sign of the part.
 * @param {number} part
 * @param {number} whole
 */
export function shareText(part, whole) {
  if (whole === 0) {
    return "0%";
  }
  const text = fixed(part / Math.abs(whole) * 100, 2);
  return (text === "-0.00" ? "0.00" : text) + "%";
}

/** @param {number} p */
export function pText(p) {
  return p < 0.00005 ? "<0.0001" : fixed(p, 4);
}

/**
 * A time since the first capture, such as "2d 3h", "1h 30m", "45s".
 * @param {number} hours
 */
export function durationText(hours) {
  const seconds = Math.round(hours * 3600);
  /** @type {[number, string][]} */
  const parts = [[86400, "d"], [3600, "h"], [60, "m"], [1, "s"]];
  let rest = seconds;
  const words = [];
  for (const [size, letter] of parts) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count !== 0 && words.length < 2) {
      words.push(count + letter);
    } else if (words.length > 0) {
      break;
    }
  }
  return words.length === 0 ? "0" : words.join(" ");
}

/**
 * For people, of a time in ISO 8601.
 * @param {string} time
 */
export function timeText(time) {
  return time.replace("T", " ").replace(/Z$/, " UTC");
}
