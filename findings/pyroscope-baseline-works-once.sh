#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @pyroscope/flamegraph has subtract(), for a profile less a baseline, and diffTwoProfiles(), for
# both side by side. Expected: the baseline can be taken from any number of profiles, and the
# same two profiles have the same difference each time.
#
# Seen: the first difference is right, and each later one with the same baseline is not. Where
# worker's render has 10 of the baseline and main's has 20, both are new in the second difference:
# main's render grew by 25, not by 5. Positions in a flamebearer are distances from the frame to the
# left; both functions add them up before they begin, in the baseline itself. The second time, sums
# are added up again, so frames stand to the right of their parents, under others or none. The
# first frame of each level stays right.
#
# Why it matters: one baseline and several captures is what both are for, and a viewer that shows
# the subtraction beside the two sides takes them twice. Work moves between callers or is new,
# and nothing of it happened. Pass structuredClone() of a profile, each time.
#
# @pyroscope/flamegraph 0.35.6; November 2026

source "$(dirname "$0")/support.bash"
npm_packages @pyroscope/flamegraph@0.35.6 react@17.0.2 react-dom@17.0.2 graphviz-react@1.2.5 \
    true-myth@5.4.0

cat >"$work/subtract.js" <<'END'
const { diffTwoProfiles, subtract } = require('@pyroscope/flamegraph');
// Samples of main's parse, main's render and worker's render.
const profile = (parse, render, worker) => ({
  version: 1,
  metadata: { format: 'single', units: 'samples', sampleRate: 100, spyName: 'it' },
  flamebearer: {
    numTicks: parse + render + worker, maxSelf: 100,
    names: ['total', 'main', 'worker', 'parse', 'render'],
    // Distance, total, self, name.
    levels: [
      [0, parse + render + worker, 0, 0],
      [0, parse + render, 0, 1, 0, worker, 0, 2],
      [0, parse, parse, 3, 0, render, render, 4, 0, worker, worker, 4],
    ],
  },
});
// Totals by level; each entry has its name last.
const totals = ({ flamebearer }, step, columns) => flamebearer.levels.slice(1).map(level => {
  const { names } = flamebearer, entries = [];
  for (let i = 0; i < level.length; i += step)
    entries.push(`${names[level[i + step - 1]]} ${columns.map(j => level[i + j]).join(' to ')}`);
  return entries.join(', ');
}).join('; ');
const later = () => profile(40, 25, 30);
let baseline = profile(30, 20, 10);
for (const which of ['first', 'second'])
  console.log(`${which}: ${totals(subtract(later(), baseline), 4, [1])}`);
baseline = profile(30, 20, 10);
for (const which of ['first', 'second'])
  console.log(`${which}: ${totals(diffTwoProfiles(baseline, later()), 7, [1, 4])}`);
baseline = profile(30, 20, 10);
const copy = () => structuredClone(baseline);
for (const which of ['first', 'second'])
  console.log(`${which} of a copy: ${totals(subtract(later(), copy()), 4, [1])}`);
END
shows "differences" "$(cd "$work" && node subtract.js)" \
"first: main 15, worker 20; parse 10, render 5, render 20
second: main 35, worker 30; parse 10, render 25, render 30
first: main 50 to 65, worker 10 to 30; parse 30 to 40, render 20 to 25, render 10 to 30
second: main 50 to 65, worker 0 to 30; parse 30 to 40, render 0 to 25, render 0 to 30
first of a copy: main 15, worker 20; parse 10, render 5, render 20
second of a copy: main 15, worker 20; parse 10, render 5, render 20"
