#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Grafana's flame graph shows a difference of two profiles, and its new call tree does so in
# columns: baseline, comparison, difference. Expected: the callers of a function have in each
# column what they have in the tree itself, summed up over the places they call it from.
#
# Seen: every caller is removed. What was 60 and is 70 is 130 in the baseline, 0 in the comparison
# and -100 %. The tree has two numbers for each node, the sum of both profiles and the part of the
# comparison. Subtrees are merged for a view of callers, as for the sandwich view, and then only
# the sum is added up; the missing part is taken for none.
#
# Why it matters: one goes from a function to its callers to see which of them changed it. Here
# each says that the comparison never calls it, in the same table that has the right numbers one
# click before.
#
# @grafana/flamegraph 13.0.1 with @grafana/data 13.0.1; November 2026

source "$(dirname "$0")/support.bash"
npm_packages @grafana/data@13.0.1 react@18.3.1 react-dom@18.3.1 lodash@4.17.23 d3@7.9.0 \
    tinycolor2@1.6.0 esbuild@0.27.7 --legacy-peer-deps
# Its tables are enough. Its widgets need a package that npm cannot install everywhere.
flamegraph=node_modules/@grafana/flamegraph
(cd "$work" && mkdir "$flamegraph" && npm pack @grafana/flamegraph@13.0.1 >log 2>&1 &&
    tar -xzf grafana-flamegraph-13.0.1.tgz -C "$flamegraph" --strip-components 1) ||
    missing @grafana/flamegraph@13.0.1

cat >"$work/tree.mjs" <<END
import { FieldType, toDataFrame } from '@grafana/data';
import { buildAllCallTreeNodes, buildCallersTree } from './$flamegraph/dist/esm/CallTree/utils.mjs';
import { FlameGraphDataContainer } from './$flamegraph/dist/esm/FlameGraph/dataTransform.mjs';
END
cat >>"$work/tree.mjs" <<'END'

const columns = ['label', 'level', 'value', 'self', 'valueRight', 'selfRight'];
const rows = [
  ['total', 0, 100, 0, 150, 0],
  ['get', 1, 60, 0, 70, 0],
  ['parse', 2, 60, 60, 70, 70],
  ['put', 1, 40, 0, 80, 0],
  ['parse', 2, 40, 40, 80, 80],
];
const data = new FlameGraphDataContainer(toDataFrame({ fields: columns.map((name, i) => ({
  name, type: i ? FieldType.number : FieldType.string, values: rows.map(row => row[i]),
  config: {} })) }), { collapsing: false });
const show = (node, indent = '') => {
  console.log(`${indent}${node.label}: baseline ${node.total}, comparison ${node.totalRight},`,
              `${node.diffPercent.toFixed(0)} %`);
  for (const child of node.children ?? []) show(child, `${indent}  `);
};
const trees = process.argv[2] === 'callers' ?
  buildCallersTree(data.getSandwichLevels('parse')[0], data) : buildAllCallTreeNodes(data);
for (const tree of trees) show(tree);
END
navigator='globalThis.navigator ??= { language: "en", languages: ["en"] };' # as in a browser
(cd "$work" && node_modules/.bin/esbuild tree.mjs --bundle --platform=node --outfile=tree.cjs \
    --main-fields=module,main --banner:js="$navigator" >log 2>&1)
tree() { node "$work/tree.cjs" "$1" | grep baseline; }

shows "call tree" "$(tree all)" \
"total: baseline 100, comparison 150, 0 %
  get: baseline 60, comparison 70, -22 %
    parse: baseline 60, comparison 70, -22 %
  put: baseline 40, comparison 80, 33 %
    parse: baseline 40, comparison 80, 33 %"
shows "callers of parse" "$(tree callers)" \
"parse: baseline 250, comparison 0, -100 %
  get: baseline 130, comparison 0, -100 %
    total: baseline 130, comparison 0, -100 %
  put: baseline 120, comparison 0, -100 %
    total: baseline 120, comparison 0, -100 %"
