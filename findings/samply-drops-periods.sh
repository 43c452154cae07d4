#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# samply import turns what perf recorded into a profile of the Firefox Profiler. Each sample there
# has a weight; each of perf has a period, the events for which it stands, which varies where
# perf was told a frequency, as it is by default. Expected: the weight is the period, so shares
# are those that perf report prints.
#
# Seen: each weight is 1. Where 10 samples of 100000 events each are in one function, and 100 of
# 1000 in another, the first has 91 % of the events, and 9 % of the weights. The periods are there
# as threadCPUDelta, in thousands and of whatever event, for the graph of the processor only.
#
# Why it matters: perf adapts the period, so both parts of a program have as many samples in a
# second, be it one that is stalled or one with ten times the events. The two tools differ on
# what is hot, and a share that changed from one to the other is no change.
#
# Debian sid's samply 0.13.1-1+b2; November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid samply=0.13.1-1+b2 libsqlite3-0=3.53.4-2 libzstd1=1.5.7+dfsg-4 libc6=2.43-7 \
    libgcc-s1=16.2.0-4

cat >"$work/record.js" <<'END'
// Writes a file of perf: samples with an address, a thread, a time and a period each, in two
// functions of process 1 that /tmp/perf-1.map names.
const { writeFileSync } = require('fs');
const [folder, ...periods] = process.argv.slice(2);
const u32 = (...values) => Buffer.from(new Uint32Array(values).buffer);
const u64 = (...values) => Buffer.from(new BigUint64Array(values.map(BigInt)).buffer);
const event = (type, misc, ...parts) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(type, misc | (body.length + 8) << 16), body]);
};
const thread = u32(1, 1);
const [COMM, MMAP, SAMPLE] = [3, 1, 9], USER = 2;
const events = [
  event(COMM, 0, thread, Buffer.from('program\0'), thread, u64(0)),
  event(MMAP, USER, thread, u64(0x10000, 0x10000, 0), Buffer.from('//anon\0\0'), thread, u64(0)),
];
[[100, 0x10800, periods[0]], [10, 0x11800, periods[1]]].forEach(([count, address, period]) => {
  for (; count > 0; --count)
    events.push(event(SAMPLE, USER, u64(address), thread, u64(events.length * 1e6, period)));
});
const [CYCLES, IP_TID_TIME_PERIOD, FREQUENCY_AND_IDS] = [0, 0x107, 1 << 10 | 1 << 18];
const attribute = Buffer.concat([u32(0, 128),
  u64(CYCLES, 1000, IP_TID_TIME_PERIOD, 0, FREQUENCY_AND_IDS), Buffer.alloc(128 - 48), u64(0, 0)]);
const data = Buffer.concat(events), start = 104, end = start + attribute.length;
writeFileSync(`${folder}/perf.data`, Buffer.concat([Buffer.from('PERFILE2'),
  u64(start, attribute.length, start, attribute.length, end, data.length, 0, 0),
  Buffer.alloc(32), attribute, data]));
writeFileSync(`${folder}/perf-1.map`, '10000 1000 many\n11000 1000 few\n');
END
cat >"$work/show.js" <<'END'
const [thread] = JSON.parse(
  require('zlib').gunzipSync(require('fs').readFileSync(process.argv[2]))).threads;
const { samples, stackTable, frameTable, funcTable, stringArray } = thread;
const name = stack => stringArray[funcTable.name[frameTable.func[stackTable.frame[stack]]]];
const share = (values, of) => {
  const sum = keep => values.reduce((sum, v, i) => sum + (keep(samples.stack[i]) ? v : 0), 0);
  return Math.round(100 * sum(stack => name(stack) === of) / sum(() => true));
};
for (const of of ['many', 'few'])
  console.log(of, 'weights', share(samples.weight, of), '% threadCPUDelta',
              share(samples.threadCPUDelta, of), '%');
END
# usage: imported PERIOD PERIOD
imported() {
    node "$work/record.js" "$work/root/tmp" "$@"
    in_root samply import --save-only -o /tmp/profile.json.gz /tmp/perf.data >"$work/log" 2>&1
    node "$work/show.js" "$work/root/tmp/profile.json.gz"
}
shows "100 samples and 10, of equal periods" "$(imported 1000 1000)" \
"many weights 91 % threadCPUDelta 91 %
few weights 9 % threadCPUDelta 9 %"
shows "100 of period 1000 and 10 of 100000" "$(imported 1000 100000)" \
"many weights 91 % threadCPUDelta 9 %
few weights 9 % threadCPUDelta 91 %"
