// SPDX-License-Identifier: Apache-2.0
// The types that modules share: what the program writes into the page, and what is made of it.

/** What a page is of. `page.cpp` has the same members. */
interface Data {
  version: number;
  program: string;
  command: "report" | "compare" | "trend" | "top";
  /** The answer, and what it is of. */
  title: string;
  about: string;
  sides: [string, string];
  inputs: Input[];
  options: string[];
  warnings: string[];
  /** The title is the text of the first one, if there is any. */
  findings: {text: string, details: string, notes: string[], from: PlainTable}[];
  /** On these: what is unsure, and what did not change. */
  remarks: string[];
  notes: string[];
  limits: {text: string, state: "kept" | "crossed" | "unjudged"}[];
  /** What a delta covers, in words, and the same as a number. */
  interval: string | null;
  duration_seconds: number | null;
  /** Of frames at first. */
  width: Measure;
  /** For what time rows are rates, if they are. */
  per: "second" | "minute" | null;
  by: string;
  type: number;
  names: string[];
  forms: Forms[];
  /** Of the color of each name, where there is nothing to compare with. */
  groups?: number[];
  /** Rules of CSS for the colors of frames. */
  palette: string;
  /** Of names, in the source; empty where none is known. */
  places?: string[];
  types: SampleType[];
  /** Samples that have a label, if any have, and how many labels there are besides. */
  parts?: {label: string, types: Pick<SampleType, "rows" | "rows_left_out" | "tree">[]}[];
  parts_left_out?: number;
  captures?: Capture[];
  /** When each begins, and how long they are; of `top --every`. */
  periods?: string[];
  every_seconds?: number;
  /** That are shown as they are. */
  tables?: PlainTable[];
}

/**
 * How many characters stay at the end of a name that is cut, and the ways to write it, from the
 * longest to the shortest; those that are an end of the last text, or of the name, as their numbers
 * of characters.
 */
type Forms = [number, ...(number | string)[]];

interface Input {
  role: string;
  name: string;
  time: string | null;
  duration_seconds: number | null;
  binary: string | null;
  build: string | null;
}

interface PlainTable {
  title: string;
  /** What has the names. */
  of: string;
  columns: {head: string, verdict: boolean}[];
  /** Those that are no news may be noise. */
  rows: {name: string, depth: number, news: boolean, cells: string[]}[];
}

interface Capture {
  hours: number;
  series: number;
}

interface SampleType {
  name: string;
  unit: string;
  cumulative: boolean;
  /** Whether values are for each second. */
  rate?: boolean;
  content: "comparison" | "delta" | "profile";
  total: Total | Measured | Series | PeriodValues;
  rows: (PairRow | RowOf<Measured> | RowOf<Series> | RowOf<PeriodValues>)[];
  rows_left_out: number;
  tree: TreeData | null;
  /** That all samples of rows and tree have; of the whole there is none. */
  label?: string;
}

/** Values of report. */
interface Total {
  previous: number | null;
  current: number;
  change: number | null;
  per_second: number | null;
  /** Of all values without their signs. */
  size: number;
}

/**
 * Values of all captures of both sides, of compare, and of all parts of both times, of top, with
 * means in the place of medians.
 */
interface Measured {
  base: number[];
  head: number[];
  base_median: number;
  base_low?: number | null;
  base_high?: number | null;
  head_median: number;
  head_low?: number | null;
  head_high?: number | null;
  change: number;
  low?: number | null;
  high?: number | null;
  p: number | null;
  verdict: "grew" | "fell" | "same" | "unsure" | "too few" | "new" | "gone" | null;
}

/** Values of a series of captures, of trend. */
interface Series {
  values: (number | null)[];
  first: number;
  last: number;
  slope: number;
  low: number | null;
  high: number | null;
  p: number | null;
  verdict: "grows" | "falls" | "level" | "steps" | "levels off" | "unsure" | "too few";
  step: number | null;
  jump: number | null;
  share: number | null;
}

/** Values of periods, of which those without deltas are null. */
interface PeriodValues {
  values: (number | null)[];
  series: number[];
  covered_seconds: number[];
}

/** The name, and flat and cum with the value before and the one now. */
type PairRow = [number, number, number, number, number];
interface RowOf<Values> {
  name: number;
  flat: Values | null;
  cum: Values | null;
  /** Of functions of top; their values are those of cum, and those of services are flat. */
  service?: number;
}

/** Nodes in preorder. */
interface TreeData {
  name: number[];
  depth: number[];
  previous: number[];
  current: number[];
  left_out: number;
  medians: boolean;
}

/**
 * Nodes in preorder: a node stands before its children, and node 0 is the root. The values of a
 * node are of all stacks that begin with the frames up to it. Name 0 of a node other than the root
 * is for all frames that were left out at this place.
 */
interface Tree {
  name: Int32Array;
  /** -1 for the root. */
  parent: Int32Array;
  depth: Int32Array;
  /** The node behind the last of its descendants. */
  end: Int32Array;
  /** Zeros where there are no previous values. */
  previous: Float64Array;
  current: Float64Array;
  /** Whether the values of children need not add up. */
  medians: boolean;
}

/** By which values frames are wide. */
type Measure = "current" | "previous" | "change";

/** From `x` to `x + width`, as parts of the whole; `row` counts from the root of the tree. */
interface Frame {
  node: number;
  x: number;
  width: number;
  row: number;
  /** Whether it is a caller of the node that fills the width. */
  isAbove: boolean;
}

/** A tree in the picture. Of a tree that stands on its head the root is the lowest row. */
interface Part {
  tree: Tree;
  widths: Float64Array;
  /** The node that fills the width. */
  top: number;
  isFlipped: boolean;
  /** Whether the root is drawn. */
  hasRoot: boolean;
  /** Whether what a node has for itself are stacks that end with it. */
  endsInLeaves: boolean;
}

/** A frame in the picture; too narrow a one has no element of its own. */
interface Item {
  part: Part;
  frame: Frame;
  row: number;
  element: HTMLElement | null;
}

/** A row of the table, whatever the command: a name, and values of which columns know the kind. */
interface Row {
  /** Place of the name. */
  id: number;
  name: string;
  /** Whose it is; empty for most. */
  service: string;
  values: any;
}

/** A value of a row. */
type ValueOf = (row: Row) => number;

interface Column {
  id: string;
  label: string;
  title: string;
  /** Columns of one group stand together under its name; empty for none. */
  group: string;
  kind: "name" | "text" | "number" | "change" | "verdict" | "dots" | "line" | "check";
  /** The least width of a table that has it, in pixels. */
  from: number;
  /** By which rows are sorted. */
  key: (row: Row) => number | string;
  text: (row: Row) => string;
}

/** Of the rows of a table; by size is from both ends to zero. */
type Order = "size" | "descending" | "ascending";

/** What is shown. */
interface State {
  /** Name of the sample type; empty for the page's own choice. */
  type: string;
  /** Place of the label that samples have; 0 for all samples. */
  part: number;
  /** Callees below; by leaf; around one function. */
  view: "down" | "up" | "around";
  /** Of frames; empty for the page's own choice. */
  width: Measure | "";
  /** Name of the function that the view "around" is of. */
  center: string;
  /** Node that fills the width, of the tree that the view shows. */
  zoom: number;
  search: string;
  /** Of the table, with the column that it is sorted by; empty for the page's own choice. */
  filter: string;
  sort: string;
  order: Order;
  /** Of the table, where it shows one of both. */
  values: "flat" | "cum";
}

/** What was typed into a search. */
interface Query {
  /** Null if nothing is searched. */
  matches: ((name: string) => boolean) | null;
  /** Why the pattern is none, empty if it is one. */
  fault: string;
}

/** Asks for another state; one that is a step can be undone with the browser's back button. */
type Change = (to: Partial<State>, isStep: boolean) => void;

/** Writes a value. */
type Write = (value: number) => string;

/** Of a list all items, and so on; what is null is left out. */
type Content = string | Node | null | undefined | any[];

/** Those that are null are left out; those that begin with "--" are properties of its style. */
type Attributes = Record<string, string | number | null>;
