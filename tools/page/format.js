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
const MEMORY_SCALES = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"].map((name, i) => [KIBI ** i, name]);
/** @type {[number, string][]} */
const TIME_SCALES = [[1, "ns"], [1e3, "us"], [1e6, "ms"], [1e9, "s"], [3600e9, "hrs"]];
const LEAST = 0.005; // that two decimals show

// A unit of a sample type under the names that pprof knows; null for all others, such as count.
/** @type {(text: string) => {size: number, scales: [number, string][]} | null} */
export function unitOf(text) {
  let name = text.replace(/[A-Z]/g, letter => letter.toLowerCase());
  if (name.length > 2 && name.endsWith("s") && name !== "\u03bcs") {
    name = name.slice(0, -1);
  }
  const bytes = BYTES.get(name);
  const size = bytes || NANOSECONDS.get(name);
  return size ? {size, scales: bytes ? MEMORY_SCALES : TIME_SCALES} : null;
}

// The text of toFixed(), but what lies exactly in the middle goes to the even digit, as in C and
// C++.
/** @type {(value: number, digits: number) => string} */
export function fixed(value, digits) {
  const text = value.toFixed(digits);
  const power = 2 ** digits;
  const isMiddle = Number.isInteger(value * power * 2) && !Number.isInteger(value * power);
  if (!isMiddle || Number(text[text.length - 1]) % 2 === 0) {
    return text;
  }
  return text.slice(0, -1) + (Number(text[text.length - 1]) - 1);
}

// The number without zeros at the end that say nothing.
/** @param {string} number */
function trimmed(number) {
  return number.includes(".") ? number.replace(/\.?0+$/, "") : number;
}

// The nearest whole number, from the middle away from zero.
/** @param {number} value */
function rounded(value) {
  if (Number.isInteger(value)) {
    return value; // A large one has no room for a half.
  }
  const whole = Math.floor(Math.abs(value) + 0.5);
  return value < 0 && whole !== 0 ? -whole : whole;
}

// A value of a type with this unit, such as "1.50MiB"; "14707" if the unit is not known.
/** @type {(value: number, unit: string) => string} */
export function human(value, unit) {
  const known = unitOf(unit);
  if (!known) {
    return String(rounded(value));
  }
  const exact = value * known.size;
  if (Math.abs(exact) < LEAST) {
    return "0";
  }
  const base = Math.abs(exact) < 1 ? exact : rounded(exact);
  const [size, name] = [...known.scales].reverse().find(scale => Math.abs(base) >= scale[0]) ||
    known.scales[0];
  return fixed(base / size, 2).replace(/\.00$/, "") + name;
}

// A change with its sign, unless it is written as nothing.
/** @type {(change: number, write: Write) => string} */
export function signed(change, write) {
  const text = write(change);
  return change > 0 && !/^0(?![.\d])/.test(text) ? `+${text}` : text;
}

// A change of a value, such as "+1.50MiB".
/** @type {(change: number, unit: string) => string} */
export function humanChange(change, unit) {
  return signed(change, value => human(value, unit));
}

// A value in the type's unit for each second or hour: such numbers are often less than one.
/** @type {(value: number, unit: string) => string} */
export function humanRate(value, unit) {
  if (unitOf(unit) || Math.abs(value) >= 100 || value === 0) {
    return human(value, unit);
  }
  const before = Math.floor(Math.log10(Math.abs(value))) + 1;
  return trimmed(fixed(value, Math.min(3 - before, 9)));
}

// Writes a value per second in that time or another: "1.50MiB/s", "90MiB/min".
/** @type {(perSecond: number, unit: string, per: "second" | "minute") => string} */
export function rateText(perSecond, unit, per) {
  return per === "minute" ? humanRate(perSecond * 60, unit) + "/min"
    : humanRate(perSecond, unit) + "/s";
}

// How values of a type are written; rates are for each second.
/** @type {(type: SampleType) => Write} */
export function valueText({unit, rate}) {
  return value => rate ? rateText(value, unit, "second") : human(value, unit);
}

// The same where whole numbers are too coarse, as between the ticks of an axis.
/** @type {(type: SampleType) => Write} */
export function fineText({unit, rate}) {
  return value => humanRate(value, unit) + (rate ? "/s" : "");
}

// A change in percent of what it is from, such as "+12.50%"; "new" if that is nothing. A growth by
// more than 1000 % is given as how many times as much it is, such as "\u00d735".
/** @type {(previous: number, change: number) => string} */
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

// The text is like "12.50%", with the sign of the part.
/** @type {(part: number, whole: number) => string} */
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

// A time since the first capture, such as "2d 3h", "1h 30m", "45s".
/** @param {number} hours */
export function durationText(hours) {
  const seconds = Math.round(hours * 3600);
  const counts = [seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60];
  const words = counts.map((count, i) => Math.floor(count) + "dhms"[i]);
  const first = words.findIndex(word => !word.startsWith("0"));
  const shown = first < 0 ? [] : words.slice(first, first + 2);
  return shown.filter(word => !word.startsWith("0")).join(" ") || "0";
}

// The text for people of a time in ISO 8601; nothing for one that is not known.
/** @param {string | null} time */
export function timeText(time) {
  return (time || "").replace("T", " ").replace(/Z$/, " UTC");
}
