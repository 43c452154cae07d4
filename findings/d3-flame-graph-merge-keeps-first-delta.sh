#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# d3-flame-graph draws differences: each node of its tree has a value, which is its width, and a
# delta, which is its color; computeDelta() adds up own deltas over callees. merge() adds another
# tree to the one that is shown. Expected: both are added up, so that two differences of the same
# program, as of two processes, become one.
#
# Seen: values are added up, and deltas are those of the first tree. parse() grew by 20 in one and
# shrank by 50 in the other, so by 30 in both, and is drawn as grown by 20. A node that only the
# second tree has is there with its delta. So main(), which grew by 15 and shrank by 20, has +45
# with computeDelta(), and -25 where the trees come in the other order.
#
# Why it matters: merge() is how a graph is kept up to date, one interval after another. It has the
# width of all and the color of the first, and which one is first decides what is red. Merge the
# trees before they are drawn.
#
# d3-flame-graph 5.0.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages d3-flame-graph@5.0.0 d3-selection@3.0.0 jsdom@26.1.0

cat >"$work/merge.js" <<'END'
const { JSDOM } = require('jsdom');
globalThis.window = new JSDOM('<div id="chart"></div>').window;
globalThis.document = window.document;
const { select } = require('d3-selection');
const { default: flamegraph, colorMapper } = require('d3-flame-graph');

const node = (name, value, delta, ...children) => ({ name, value, delta, children });
const first = node('main', 100, 0, node('parse', 60, 20), node('store', 40, -5));
const second = node('main', 100, 0, node('parse', 60, -50), node('send', 40, 30));
const merged = (...trees) => {
  const chart = flamegraph().computeDelta(true)
    .setColorMapper(colorMapper.differentialColorMapper);
  const [one, ...others] = structuredClone(trees);
  const drawn = select(document.getElementById('chart')).html('').datum(one).call(chart);
  others.forEach(other => chart.merge(other));
  drawn.datum().each(({ data, value, delta }) => {
    const [, red, , blue] = colorMapper.differentialColorMapper({ data, value, delta }, '')
      .match(/(\d+),(\d+),(\d+)/).map(Number);
    console.log(data.name, 'value', value, 'delta', delta, red > blue ? 'red' : 'blue');
  });
};
const order = { first: [first], second: [second], both: [first, second],
                'the other way round': [second, first] };
merged(...order[process.argv[2]]);
process.exit();
END
merged() {
    (cd "$work" && node merge.js "$1")
}
shows "one" "$(merged first)" \
"main value 100 delta 15 red
parse value 60 delta 20 red
store value 40 delta -5 blue"
shows "the other" "$(merged second)" \
"main value 100 delta -20 blue
parse value 60 delta -50 blue
send value 40 delta 30 red"
shows "merged" "$(merged both)" \
"main value 200 delta 45 red
parse value 120 delta 20 red
store value 40 delta -5 blue
send value 40 delta 30 red"
shows "the other way round" "$(merged "the other way round")" \
"main value 200 delta -25 blue
parse value 120 delta -50 blue
send value 40 delta 30 red
store value 40 delta -5 blue"
