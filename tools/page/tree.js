// SPDX-License-Identifier: Apache-2.0
// The tree of stacks, and other trees made from it: by leaf, and around one function.

/**
 * Nodes in preorder: a node stands before its children, and node 0 is the root. The values of a
 * node are of all stacks that begin with the frames up to it. Name 0 of a node other than the root
 * is for all frames that were left out at this place.
 * @typedef {object} Tree
 * @property {Int32Array} name
 * @property {Int32Array} parent -1 for the root
 * @property {Int32Array} depth
 * @property {Int32Array} end the node behind the last of its descendants
 * @property {Float64Array} previous zeros where there are no previous values
 * @property {Float64Array} current
 * @property {boolean} medians whether the values of children need not add up
 */

/**
 * @param {number} size
 * @param {boolean} medians
 * @returns {Tree}
 */
function emptyTree(size, medians) {
  return {
    name: new Int32Array(size), parent: new Int32Array(size).fill(-1),
    depth: new Int32Array(size), end: new Int32Array(size),
    previous: new Float64Array(size), current: new Float64Array(size), medians,
  };
}

/**
 * Fills in parents and ends.
 * @param {Tree} tree whose depths are right
 */
function link(tree) {
  const size = tree.depth.length;
  const above = [0];
  for (let node = 1; node <= size; ++node) {
    const depth = node < size ? tree.depth[node] : 0;
    while (above.length > depth) {
      tree.end[/** @type {number} */ (above.pop())] = node;
    }
    if (node < size) {
      tree.parent[node] = above[depth - 1];
      above.push(node);
    }
  }
}

/**
 * The tree that the data of a page has.
 * @param {{name: number[], depth: number[], previous: number[], current: number[],
 *          medians: boolean}} data
 * @returns {Tree}
 */
export function makeTree(data) {
  const tree = emptyTree(data.name.length, data.medians);
  tree.name.set(data.name);
  tree.depth.set(data.depth);
  tree.previous.set(data.previous);
  tree.current.set(data.current);
  link(tree);
  return tree;
}

/**
 * Calls `visit` with each child of a node.
 * @param {Tree} tree
 * @param {number} node
 * @param {(child: number) => void} visit
 */
export function eachChild(tree, node, visit) {
  for (let child = node + 1; child < tree.end[node]; child = tree.end[child]) {
    visit(child);
  }
}

/**
 * What of each value is not in a child: of stacks that end with the node.
 * @param {Tree} tree
 * @param {Float64Array} values
 */
export function selfValues(tree, values) {
  const self = Float64Array.from(values);
  for (let node = 1; node < self.length; ++node) {
    self[tree.parent[node]] -= values[node];
  }
  return self;
}

/**
 * A tree that grows by stacks, and becomes one in preorder.
 */
class TreeBuilder {
  constructor() {
    /** @type {number[]} */
    this.name = [0];
    /** @type {number[]} */
    this.previous = [0];
    /** @type {number[]} */
    this.current = [0];
    /** @type {(Map<number, number> | null)[]} */
    this.children = [null];
  }

  /**
   * The child of a node, which may be new, with values added.
   * @param {number} node
   * @param {number} name
   * @param {number} previous
   * @param {number} current
   */
  add(node, name, previous, current) {
    const children = this.children[node] || (this.children[node] = new Map());
    let child = children.get(name);
    if (child === undefined) {
      child = this.name.length;
      children.set(name, child);
      this.name.push(name);
      this.previous.push(0);
      this.current.push(0);
      this.children.push(null);
    }
    this.previous[child] += previous;
    this.current[child] += current;
    return child;
  }

  /**
   * Children stand in the order of their size, as they have no other.
   * @param {boolean} medians
   * @returns {Tree}
   */
  finish(medians) {
    const size = (/** @type {number} */ node) =>
      Math.max(Math.abs(this.previous[node]), Math.abs(this.current[node]));
    const tree = emptyTree(this.name.length, medians);
    const open = [0];
    const depths = [0];
    for (let place = 0; open.length > 0; ++place) {
      const node = /** @type {number} */ (open.pop());
      const depth = /** @type {number} */ (depths.pop());
      tree.name[place] = this.name[node];
      tree.depth[place] = depth;
      tree.previous[place] = this.previous[node];
      tree.current[place] = this.current[node];
      const children = [...(this.children[node] || new Map()).values()];
      children.sort((a, b) => size(a) - size(b)); // The last is taken first.
      for (const child of children) {
        open.push(child);
        depths.push(depth + 1);
      }
    }
    link(tree);
    return tree;
  }
}

/**
 * The tree by leaf: the children of the root are the functions in which stacks end, with their
 * flat values, and on them stand their callers.
 * @param {Tree} tree
 * @returns {Tree}
 */
export function inverted(tree) {
  const previous = selfValues(tree, tree.previous);
  const current = selfValues(tree, tree.current);
  const builder = new TreeBuilder();
  builder.previous[0] = tree.previous[0];
  builder.current[0] = tree.current[0];
  for (let leaf = 1; leaf < tree.name.length; ++leaf) {
    if (previous[leaf] === 0 && current[leaf] === 0) {
      continue;
    }
    let at = 0;
    for (let node = leaf; node > 0; node = tree.parent[node]) {
      at = builder.add(at, tree.name[node], previous[leaf], current[leaf]);
    }
  }
  return builder.finish(tree.medians);
}

/**
 * The outermost frames of a function: no frame of it stands under another one, so their values
 * together are those of cum, with each stack once.
 * @param {Tree} tree
 * @param {(name: number) => boolean} matches
 */
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

/**
 * What stands around one function. The root of both trees is the function, with its cum
 * values; in `callers` the children of a node are what calls it.
 * @param {Tree} tree
 * @param {number} name
 * @returns {{callers: Tree, callees: Tree}}
 */
export function sandwich(tree, name) {
  const callers = new TreeBuilder();
  const callees = new TreeBuilder();
  callers.name[0] = callees.name[0] = name;
  for (const top of outermost(tree, other => other === name)) {
    const previous = tree.previous[top];
    const current = tree.current[top];
    for (const builder of [callers, callees]) {
      builder.previous[0] += previous;
      builder.current[0] += current;
    }
    let at = 0;
    for (let node = tree.parent[top]; node > 0; node = tree.parent[node]) {
      at = callers.add(at, tree.name[node], previous, current);
    }
    const places = [0];
    for (let node = top + 1; node < tree.end[top]; ++node) {
      const depth = tree.depth[node] - tree.depth[top];
      places[depth] = callees.add(places[depth - 1], tree.name[node], tree.previous[node],
                                  tree.current[node]);
    }
  }
  return {callers: callers.finish(tree.medians), callees: callees.finish(tree.medians)};
}
