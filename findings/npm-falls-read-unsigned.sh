#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A value of a profile is an int64, so a difference may be negative: pprof-format writes one
# right, and Go's pprof reads it. Expected: pprof-format reads back what it wrote.
#
# Seen: it reads every varint as unsigned. -5 becomes 2^64 - 5, and so for the viewers that
# are built on it: pprof-to-md calls the one function that shrank the primary bottleneck, with
# 100 % of allocations, and react-pprof draws it over the whole width. pprof of npm, whose
# decoder is protobufjs, reads the same bytes right.
#
# Why it matters: with these viewers a difference must be free of negative rows.
#
# pprof-format 2.3.2, pprof-to-md 0.2.0, react-pprof 1.5.1, pprof 5.0.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages pprof-format@2.3.2 pprof-to-md@0.2.0 react-pprof@1.5.1 pprof@5.0.0

cat >"$work/look.mjs" <<'END'
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Function, Line, Location, Profile, Sample, StringTable, ValueType } from 'pprof-format';
import { FlameDataProcessor } from './node_modules/react-pprof/dist/renderer/FlameDataProcessor.js';

const stringTable = new StringTable();
const names = ['shrank', 'grew'];
const written = new Profile({
  stringTable,
  sampleType: [new ValueType({ type: stringTable.dedup('alloc_space'),
                               unit: stringTable.dedup('bytes') })],
  function: names.map((name, i) => new Function({ id: i + 1, name: stringTable.dedup(name) })),
  location: names.map((name, i) => new Location({ id: i + 1,
                                                  line: [new Line({ functionId: i + 1 })] })),
  sample: [-5, 1000].map((value, i) => new Sample({ locationId: [i + 1], value: [value] })),
}).encode();
writeFileSync('delta.pb', written);

const read = Profile.decode(written);
console.log('pprof-format', ...read.sample.map(sample => sample.value[0]));
const again = Profile.decode(read.encode());
console.log('written again', ...again.sample.map(sample => sample.value[0]));

const { perftools } = createRequire(import.meta.url)('pprof/proto/profile.js');
const other = perftools.profiles.Profile.decode(written);
console.log('protobufjs', ...other.sample.map(sample => Number(sample.value[0])));

for (const row of new FlameDataProcessor().processProfile(read).children) {
  console.log('react-pprof', row.name, row.value, `${(100 * row.width).toFixed(1)} %`);
}
END
cd "$work"
shows "values -5 and 1000, as read" "$(node look.mjs)" \
"pprof-format 18446744073709551611n 1000
written again 18446744073709551611n 1000
protobufjs -5 1000
react-pprof shrank 18446744073709552000 100.0 %
react-pprof grew 1000 0.0 %"
shows "pprof-to-md's summary" \
    "$(node node_modules/pprof-to-md/dist/cli.js delta.pb | grep bottleneck)" \
"- **Primary bottleneck:** \`shrank\` (**100.0%** of allocations)"
