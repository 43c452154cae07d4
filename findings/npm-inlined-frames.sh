#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A location has a line for each inlined frame, the innermost first, as Go, Rust and C++ write
# them. Expected: a viewer shows main, parse, scan for a scan that is inlined into parse.
#
# Seen: no two viewers of npm agree. react-pprof reads the first line only, so parse is gone
# from the stack. pprof-to-md takes the frames of one location in the wrong order: scan calls
# parse, and what scan counted, 90.9 %, is parse's own. Go's pprof says main, parse, scan, with
# 100 for scan itself, and 10 for parse.
#
# Why it matters: rows of two reports of one profile cannot be compared across viewers. A
# function that newer builds inline vanishes in one of them, and its change with it.
#
# pprof-to-md 0.2.0, react-pprof 1.5.1, pprof-format 2.3.2; November 2026

source "$(dirname "$0")/support.bash"
npm_packages pprof-format@2.3.2 pprof-to-md@0.2.0 react-pprof@1.5.1

cat >"$work/look.mjs" <<'END'
import { writeFileSync } from 'node:fs';
import { Function, Line, Location, Profile, Sample, StringTable, ValueType } from 'pprof-format';
import { FlameDataProcessor } from './node_modules/react-pprof/dist/renderer/FlameDataProcessor.js';

const [main, parse, scan] = [1, 2, 3];
const stringTable = new StringTable();
const profile = new Profile({
  stringTable,
  sampleType: [new ValueType({ type: stringTable.dedup('alloc_space'),
                               unit: stringTable.dedup('bytes') })],
  function: ['main', 'parse', 'scan'].map(
    (name, i) => new Function({ id: i + 1, name: stringTable.dedup(name) })),
  location: [[main], [scan, parse], [parse]].map((functions, i) => new Location(
    { id: i + 1, line: functions.map(id => new Line({ functionId: id, line: 10 * id })) })),
  sample: [new Sample({ locationId: [2, 1], value: [100] }),
           new Sample({ locationId: [3, 1], value: [10] })],
});
writeFileSync('inlined.pb', profile.encode());

const show = (row, stack) => {
  for (const child of row.children) {
    console.log([...stack, child.name].join(' '), child.value);
    show(child, [...stack, child.name]);
  }
};
show(new FlameDataProcessor().processProfile(profile), []);
END
cd "$work"
shows "react-pprof" "$(node look.mjs)" \
"main 110
main scan 100
main parse 10"
shows "pprof-to-md" "$(node node_modules/pprof-to-md/dist/cli.js --format detailed inlined.pb |
    grep -E '^ *[├└│].*%')" "\
└── [  0.0% | 100.0%] main @ <native>
    ├── [  0.0% |  90.9%] scan @ <native>
    │   └── [ 90.9% |  90.9%] parse @ <native>  ◀ HOTSPOT
    └── [  9.1% |   9.1%] parse @ <native>  ◀ HOTSPOT"
