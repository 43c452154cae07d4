// SPDX-License-Identifier: Apache-2.0
// What the program writes into the page, and how it is read.

/**
 * @typedef {object} Input
 * @property {string} role
 * @property {string} name
 * @property {string | null} time
 * @property {number | null} duration_seconds
 * @property {string | null} binary
 * @property {string | null} build
 */

/**
 * Values of report.
 * @typedef {object} Total
 * @property {number | null} previous
 * @property {number} current
 * @property {number | null} change
 * @property {number | null} per_second
 * @property {number} size of all values without their signs
 */

/**
 * Values of all captures of both sides, of compare, and of all parts of both times, of top, with
 * means in the place of medians.
 * @typedef {object} Measured
 * @property {number[]} base
 * @property {number[]} head
 * @property {number} base_median
 * @property {number | null} base_low
 * @property {number | null} base_high
 * @property {number} head_median
 * @property {number | null} head_low
 * @property {number | null} head_high
 * @property {number} change
 * @property {number | null} low
 * @property {number | null} high
 * @property {number | null} p
 * @property {"grew" | "fell" | "same" | "unsure" | "too few" | "new" | "gone" | null} verdict
 */

/**
 * Values of a series of captures, of trend.
 * @typedef {object} Series
 * @property {(number | null)[]} values
 * @property {number} first
 * @property {number} last
 * @property {number} slope
 * @property {number | null} low
 * @property {number | null} high
 * @property {number | null} p
 * @property {"grows" | "falls" | "level" | "steps" | "levels off" | "unsure" | "too few"} verdict
 * @property {number | null} step
 * @property {number | null} jump
 * @property {number | null} share
 */

/** @typedef {[number, number, number, number, number]} PairRow name, flat and cum pairs */
/**
 * Of top, services have flat values, and their functions have others and a service.
 * @typedef {{name: number, flat: Measured | null, cum: Measured | null, service?: number}}
 *     MeasuredRow
 */
/** @typedef {{name: number, flat: Series | null, cum: Series | null}} SeriesRow */

/**
 * @typedef {object} TreeData
 * @property {number[]} name
 * @property {number[]} depth
 * @property {number[]} previous
 * @property {number[]} current
 * @property {number} left_out
 * @property {boolean} medians
 */

/**
 * @typedef {object} SampleType
 * @property {string} name
 * @property {string} unit
 * @property {boolean} cumulative
 * @property {boolean} [rate] whether values are for each second
 * @property {"comparison" | "delta" | "profile"} content
 * @property {Total | Measured | Series} total
 * @property {(PairRow | MeasuredRow | SeriesRow)[]} rows
 * @property {number} rows_left_out
 * @property {TreeData | null} tree
 * @property {string} [label] that all samples of rows and tree have; of the whole there is none
 */

/**
 * @typedef {{depth: number, change: string, percent: string, name: string, news: boolean}} Cause
 */

/** @typedef {Pick<SampleType, "rows" | "rows_left_out" | "tree">} OwnOfPart */

/**
 * @typedef {object} Data
 * @property {number} version
 * @property {string} program
 * @property {"report" | "compare" | "trend" | "top"} command
 * @property {string} title
 * @property {[string, string]} sides
 * @property {Input[]} inputs
 * @property {string[]} options
 * @property {string[]} warnings
 * @property {{text: string, from: Cause[]}[]} findings
 * @property {string[]} notes
 * @property {{text: string, state: "kept" | "crossed" | "unjudged"}[]} limits
 * @property {string | null} interval that a delta covers, in words
 * @property {number | null} duration_seconds the same as a number
 * @property {import("./widths.js").Measure} width of frames at first
 * @property {"second" | "minute" | null} per for what time rows are rates, if they are
 * @property {string} by
 * @property {number} type
 * @property {string[]} names
 * @property {string[]} [places] of names, in the source; empty where none is known
 * @property {SampleType[]} types
 * @property {{label: string, types: OwnOfPart[]}[]} [parts] samples that have a label, if any have
 * @property {number} [parts_left_out] how many labels there are besides
 * @property {{hours: number, series: number}[]} [captures]
 * @property {number} [alpha]
 */

/**
 * Reads data that is compressed with gzip and encoded with base64.
 * @param {string} text
 * @returns {Promise<Data>}
 * @throws if it is no data, or of another version of the program
 */
export async function readData(text) {
  const bytes = Uint8Array.from(atob(text.trim()), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const data = JSON.parse(await new Response(stream).text());
  if (data.version !== 1) {
    throw new Error(`the data has version ${data.version}`);
  }
  return data;
}

/**
 * The types of all samples, and then those of the samples with each of the labels.
 * @param {Data} data
 * @returns {SampleType[][]}
 */
export function typesOfParts({types, parts}) {
  return [types, ...(parts || []).map(part =>
    part.types.map((own, i) => ({...types[i], ...own, label: part.label})))];
}

/**
 * Whether rows and tree of a type have values from before.
 * @param {SampleType} type
 */
export function hasPrevious(type) {
  return type.content === "comparison";
}

/**
 * Whether a change is none that may be noise. What was not tested is taken for what it seems.
 * @param {Measured["verdict"] | Series["verdict"]} verdict
 */
export function isReal(verdict) {
  return verdict === null || /^(grew|fell|new|gone|grows|falls|steps)$/.test(verdict);
}

/**
 * What rows and tree are of, for people.
 * @param {SampleType} type
 */
export function contentText(type) {
  return type.name + (type.label === undefined ? "" : ` with ${type.label}`);
}

/**
 * The unit of values for people, which is said where numbers do not.
 * @param {SampleType} type
 */
export function typeText(type) {
  return `${type.name}/${type.unit}`;
}
