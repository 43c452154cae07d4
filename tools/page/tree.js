// SPDX-License-Identifier: Apache-2.0
// The tree of stacks; other trees made from it: by leaf, and around one function; how wide frames
// are and where they lie; and which of them match.

// The tree that the data of a page has, with parents and ends.
/** @type {(data: Omit<TreeData, "left_out">) => Tree} */
export function makeTree({name, depth, previous, current, medians}) {
  const size = name.length;
  const parent = new Int32Array(size).fill(-1);
  const end = new Int32Array(size);
  const above = [0];
  for (let node = 1; node <= size; ++node) {
    while (above.length > (node < size ? depth[node] : 0)) {
      end[/** @type {number} */ (above.pop())] = node;
    }
    if (node < size) {
      parent[node] = above[depth[node] - 1];
      above.push(node);
    }
  }
  const values = new Float64Array(size); // Zeros, where there are no previous values.
  if (previous.length > 0) {
    values.set(previous);
  }
  return {name: Int32Array.from(name), depth: Int32Array.from(depth), parent, end,
          previous: values, current: Float64Array.from(current), medians};
}

// Calls `visit` with each child of a node.
/** @type {(tree: Tree, node: number, visit: (child: number) => void) => void} */
export function eachChild(tree, node, visit) {
  for (let child = node + 1; child < tree.end[node]; child = tree.end[child]) {
    visit(child);
  }
}

// Returns the value of each node without its children: that of the stacks that end there.
/** @type {(tree: Tree, values: Float64Array) => Float64Array} */
export function selfValues(tree, values) {
  const self = Float64Array.from(values);
  for (let node = 1; node < self.length; ++node) {
    self[tree.parent[node]] -= values[node];
  }
  return self;
}

/**
 * A node of a tree that grows by stacks.
 * @typedef {{name: number, previous: number, current: number, children: Map<number, Grown>}} Grown
 */

/** @type {(name: number, previous: number, current: number) => Grown} */
function grown(name, previous, current) {
  return {name, previous, current, children: new Map()};
}

// The child of a node, which may be new, with values added.
/** @type {(node: Grown, name: number, previous: number, current: number) => Grown} */
function grow(node, name, previous, current) {
  const child = node.children.get(name) || grown(name, 0, 0);
  node.children.set(name, child);
  child.previous += previous;
  child.current += current;
  return child;
}

// Children stand in the order of their size, as they have no other.
/** @type {(root: Grown, medians: boolean) => Tree} */
function inPreorder(root, medians) {
  /** @type {Omit<TreeData, "left_out">} */
  const data = {name: [], depth: [], previous: [], current: [], medians};
  const size = (/** @type {Grown} */ node) =>
    Math.max(Math.abs(node.previous), Math.abs(node.current));
  const open = [{node: root, depth: 0}];
  for (let next = open.pop(); next; next = open.pop()) {
    const {node, depth} = next;
    data.name.push(node.name);
    data.depth.push(depth);
    data.previous.push(node.previous);
    data.current.push(node.current);
    const children = [...node.children.values()];
    children.sort((a, b) => size(a) - size(b)); // The last is taken first.
    open.push(...children.map(child => ({node: child, depth: depth + 1})));
  }
  return makeTree(data);
}

// The tree by leaf: the children of the root are the functions in which stacks end, with their
// flat values, and on them stand their callers.
/** @param {Tree} tree */
export function inverted(tree) {
  const previous = selfValues(tree, tree.previous);
  const current = selfValues(tree, tree.current);
  const root = grown(0, tree.previous[0], tree.current[0]);
  for (let leaf = 1; leaf < tree.name.length; ++leaf) {
    if (previous[leaf] === 0 && current[leaf] === 0) {
      continue;
    }
    let at = root;
    for (let node = leaf; node > 0; node = tree.parent[node]) {
      at = grow(at, tree.name[node], previous[leaf], current[leaf]);
    }
  }
  return inPreorder(root, tree.medians);
}

// The outermost frames of a function: no frame of it stands under another one, so their values
// together are those of cum, with each stack once.
/** @type {(tree: Tree, matches: (name: number) => boolean) => number[]} */
export function outermost(tree, matches) {
  const found = [];
  for (let node = 1; node < tree.name.length;) {
    if (matches(tree.name[node])) {
      found.push(node);
      node = tree.end[node];
    } else {
      ++node;
    }
  }
  return found;
}

// Returns the callers and callees of one function as two trees. The root of both is the function,
// with its cum values; in `callers` the children of a node call it.
/** @type {(tree: Tree, name: number) => {callers: Tree, callees: Tree}} */
export function sandwich(tree, name) {
  const callers = grown(name, 0, 0);
  const callees = grown(name, 0, 0);
  for (const top of outermost(tree, other => other === name)) {
    const previous = tree.previous[top];
    const current = tree.current[top];
    for (const root of [callers, callees]) {
      root.previous += previous;
      root.current += current;
    }
    let at = callers;
    for (let node = tree.parent[top]; node > 0; node = tree.parent[node]) {
      at = grow(at, tree.name[node], previous, current);
    }
    const path = [callees];
    for (let node = top + 1; node < tree.end[top]; ++node) {
      const depth = tree.depth[node] - tree.depth[top];
      path[depth] = grow(path[depth - 1], tree.name[node], tree.previous[node],
                         tree.current[node]);
    }
  }
  return {callers: inPreorder(callers, tree.medians), callees: inPreorder(callees, tree.medians)};
}

// Says for each name whether it matches. The empty name, which has no function, never does.
/** @type {(names: string[], query: Query) => Uint8Array} */
export function matchingNames(names, {matches}) {
  return Uint8Array.from(names, name => matches && name !== "" && matches(name) ? 1 : 0);
}

/**
 * The width of all stacks with a frame that matches, each once, as a part of the whole.
 * @param {Tree} tree
 * @param {Float64Array} widths
 * @param {Uint8Array} isMatch by name
 */
export function matchedShare(tree, widths, isMatch) {
  let sum = 0;
  for (const node of outermost(tree, name => isMatch[name] !== 0)) {
    sum += widths[node];
  }
  return widths[0] > 0 ? Math.min(1, sum / widths[0]) : 0;
}

// The sizes of what ends with each node, added up from the leaves. These always add up, also where
// values are negative or cancel each other.
/** @type {(tree: Tree, own: Float64Array) => Float64Array} */
function addedUp(tree, own) {
  const widths = own.map(Math.abs);
  for (let node = widths.length - 1; node > 0; --node) {
    widths[tree.parent[node]] += widths[node];
  }
  return widths;
}

// Returns the value of a measure for each node alone.
/** @type {(tree: Tree, by: Measure) => Float64Array} */
function ownValues(tree, by) {
  if (by !== "change") {
    return selfValues(tree, tree[by]);
  }
  const previous = selfValues(tree, tree.previous);
  return selfValues(tree, tree.current).map((own, node) => own - previous[node]);
}

// The width of each node in units of the value, never negative.
/** @type {(tree: Tree, by: Measure) => Float64Array} */
export function widthsOf(tree, by) {
  return by !== "change" && !hasNegative(tree, by) ? tree[by] : addedUp(tree, ownValues(tree, by));
}

// Whether a tree has values that are less than zero, and so widths that are sums of sizes.
/** @type {(tree: Tree, by: Measure) => boolean} */
export function hasNegative(tree, by) {
  return by !== "change" && tree[by].some(value => value < 0);
}

// Adds up the stacks without a width: the previous values of those that vanished, and the current
// ones of all others.
/** @type {(tree: Tree, by: Measure) => number} */
export function undrawnValue(tree, by) {
  if (tree.medians) {
    return 0; // What a median leaves of its callees is no value.
  }
  const widths = ownValues(tree, by);
  const values = ownValues(tree, by === "current" ? "previous" : "current");
  return values.reduce((sum, value, node) => sum + (widths[node] === 0 ? value : 0), 0);
}

/**
 * The frames that are seen if the node `top` fills the width. Children that are together wider than
 * their parent share its width.
 * @param {Tree} tree
 * @param {Float64Array} widths
 * @param {number} top
 * @param {number} narrowest narrower frames are not seen
 */
export function layout(tree, widths, top, narrowest) {
  /** @type {Frame[]} */
  const frames = [];
  for (let node = tree.parent[top]; node >= 0; node = tree.parent[node]) {
    frames.unshift({node, x: 0, width: 1, row: tree.depth[node], isAbove: true});
  }
  /** @type {Frame[]} */
  const open = [{node: top, x: 0, width: 1, row: tree.depth[top], isAbove: false}];
  for (let frame = open.pop(); frame; frame = open.pop()) {
    frames.push(frame);
    const {node, width, row} = frame;
    /** @type {number[]} */
    const children = [];
    eachChild(tree, node, child => children.push(child));
    const whole = Math.max(children.reduce((sum, child) => sum + widths[child], 0), widths[node]);
    let x = frame.x;
    /** @type {Frame[]} */
    const seen = [];
    for (const child of whole > 0 ? children : []) {
      const part = width * widths[child] / whole;
      if (part >= narrowest) {
        seen.push({node: child, x, width: part, row: row + 1, isAbove: false});
      }
      x += part;
    }
    open.push(...seen.reverse());
  }
  return frames;
}
