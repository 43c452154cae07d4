#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# uftrace dump --flame-graph writes a trace of calls as folded stacks. Values are the time in a
# function without its callees, in units of --sample-time, which uftrace chooses if nobody else
# does. Expected: they add up to the time of the trace, but for what is cut off by the unit.
#
# Seen: they add up to more. Time that a call has beyond a whole number of units counts in its
# caller, but in the function itself, too, as that is not cut off before all its calls are added up.
# Where main calls a function of 0.9 us ten thousand times, and does nothing else, each has 9 ms; of
# calls of 1.5 us, a third counts twice. The unit is a power of ten that depends on how long the
# recording took, and is not in the output: of the same calls in two seconds there is a tenth.
#
# Why it matters: a loop over short calls seems to be as slow itself as all that it calls, and calls
# that became a little longer or shorter than the unit change their caller. The difference of two
# such files is one of units unless --sample-time is given; 1ns makes it right.
#
# Debian 13's uftrace 0.17-1; 0.13 and 0.19 do the same; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie uftrace=0.17-1 libc6=2.41-12+deb13u5 libgcc-s1=14.2.0-19 \
    libstdc++6=14.2.0-19 libelf1t64=0.192-4 libdw1t64=0.192-4 libcapstone5=5.0.7-1~deb13u1 \
    libtraceevent1=1:1.8.4-2 libunwind8=1.8.1-0.1 libncursesw6=6.5+20250216-2 \
    libtinfo6=6.5+20250216-2 liblzma5=5.8.1-1+deb13u2 libbz2-1.0=1.0.8-6 \
    libzstd1=1.5.7+dfsg-1 'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1'

cat >"$work/record.js" <<'END'
// Writes a recording as uftrace does: main, which calls short a number of times, and then long.
const { mkdirSync, writeFileSync } = require('fs');
const [folder, elapsed, times, duration] = process.argv.slice(2);
const u64 = value => Buffer.from(new BigUint64Array([BigInt(value)]).buffer);
const start = 0x550000000000n, functions = { main: 0x1000n, short: 0x1100n, long: 0x1200n };
const records = [], [ENTRY, EXIT] = [0n, 1n], MAGIC = 5n << 3n;
let now = 1e9;
const record = (type, depth, name) =>
  records.push(u64(now), u64(type | MAGIC | depth << 6n | start + functions[name] << 16n));
const call = (name, nanoseconds) => {
  record(ENTRY, 1n, name);
  now += nanoseconds;
  record(EXIT, 1n, name);
};
record(ENTRY, 0n, 'main');
for (let i = 0; i < times; i++)
  call('short', Number(duration));
call('long', 3e6);
record(EXIT, 0n, 'main');

mkdirSync(folder);
const write = (name, ...lines) => writeFileSync(`${folder}/${name}`, lines.join('\n') + '\n');
writeFileSync(`${folder}/1.dat`, Buffer.concat(records));
const header = Buffer.from('Ftrace!\0\x04\0\0\0\x28\0\x01\x02');
const [NAME, TASKS, DATE] = [1, 128, 2048];
writeFileSync(`${folder}/info`, Buffer.concat([header, u64(0x1262), u64(NAME | TASKS | DATE),
  u64(1024), Buffer.from(`exename:/tmp/it\ntaskinfo:lines=2\ntaskinfo:nr_tid=1\ntaskinfo:tids=1
record_date:Sat Nov 28 12:00:00 2026\nelapsed_time:${elapsed} sec\n`)]));
write('task.txt', 'SESS timestamp=0.8 pid=1 sid=0123456789abcdef exename="/tmp/it"',
      'TASK timestamp=0.900000000 tid=1 pid=1');
const build = `build-id:${'0'.repeat(40)}`, range = '550000000000-550000010000';
write('sid-0123456789abcdef.map', `${range} r-xp 00000000 00:00 0 /tmp/it ${build}`,
      '7fff00000000-7fff00010000 rw-p 00000000 00:00 0 [stack]');
write('it.sym', '# symbols: 3', '# path name: /tmp/it', `# ${build.replace(':', ': ')}`,
      ...Object.entries(functions).map(([name, address]) =>
        `${address.toString(16).padStart(16, '0')} 00000100 T ${name}`));
END
# usage: recorded SECONDS TIMES NANOSECONDS
recorded() {
    rm -rf "$work/root/tmp/it"
    node "$work/record.js" "$work/root/tmp/it" "$@"
}
folded() {
    in_root uftrace dump --flame-graph -d /tmp/it "$@"
}
recorded 0.012 10000 900
shows "time in total, and itself unless this is nothing" \
    "$(in_root uftrace report -d /tmp/it -f total,self | awk '$2 == "ms" { $1 = $1; print }')" \
"12.000 ms main
9.000 ms 9.000 ms short
3.000 ms 3.000 ms long"
shows "calls of 0.9 us" "$(folded)" \
"main 9000
main;short 9000
main;long 3000"
recorded 0.018 10000 1500
shows "calls of 1.5 us" "$(folded)" \
"main 5000
main;short 15000
main;long 3000"
shows "the same in units of 1 ns" "$(folded --sample-time=1ns)" \
"main;short 15000000
main;long 3000000"
recorded 2 10000 1500
shows "the same in a recording of two seconds" "$(folded)" \
"main 1500
main;short 1500
main;long 300"
