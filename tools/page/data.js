// SPDX-License-Identifier: Apache-2.0
// Reads what the program writes into the page, and says what it means.

// Reads data that is compressed with gzip and encoded with base64. It throws if it is no data, or
// of another version of the program.
/** @type {(text: string) => Promise<Data>} */
export async function readData(text) {
  const bytes = Uint8Array.from(atob(text.trim()), letter => letter.charCodeAt(0));
  // TypeScript 4.8 does not know it, and later ones do not want it to be declared.
  const {DecompressionStream} = /** @type {any} */ (globalThis);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const data = JSON.parse(await new Response(stream).text());
  if (data.version !== 1) {
    throw new Error(`the data has version ${data.version}`);
  }
  return data;
}

// The types of all samples, and then those of the samples with each of the labels.
/** @type {(data: Data) => SampleType[][]} */
export function typesOfParts({types, parts}) {
  return [types, ...(parts || []).map(part =>
    part.types.map((own, i) => ({...types[i], ...own, label: part.label})))];
}

// Whether rows and tree of a type have values from before.
/** @param {SampleType} type */
export function hasPrevious(type) {
  return type.content === "comparison";
}

// Whether a change is none that may be noise. A change that was not tested is taken for what it
// seems.
/** @param {Measured["verdict"] | Series["verdict"]} verdict */
export function isReal(verdict) {
  return verdict === null || /^(grew|fell|new|gone|grows|falls|steps)$/.test(verdict);
}

// Names the content of rows and tree for people.
/** @param {SampleType} type */
export function contentText(type) {
  return type.name + (type.label === undefined ? "" : ` with ${type.label}`);
}

// The name of a type with its unit, by which the address knows it.
/** @param {SampleType} type */
export function typeText(type) {
  return `${type.name}/${type.unit}`;
}
