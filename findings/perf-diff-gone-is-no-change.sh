#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# perf diff compares what perf recorded before and after a change: each row has its share of the
# baseline, and by how much that rose or fell. The largest changes come first. Expected: what is
# gone fell by all that it had, what is new rose, and as shares are of 100 %, changes add up to 0.
#
# Seen: what is gone has no change, and is below all others, also what did not change at all. Where
# legacy, which had 25 %, is replaced by check with 20 %, the rows say +20 %, +5 % and 0 %. The
# other way round, the same two captures say +25 %, -5 % and 0 %. With periods, of -c wdiff, what is
# new has no change either, but N/A. Changes are computed for rows of the baseline that the other
# file has, too; for what is new there is an empty one of these, for what is gone nobody makes any.
#
# Why it matters: a function that was renamed or split is a regression by all that it takes, and
# what it replaced is at the end of a table of thousands of rows. A change that saved all of
# something is not among the first rows, and in no sum of them. Look for a baseline with nothing
# beside it.
#
# Debian 13's linux-perf 6.12.117-1; sid's 7.2.13-1 does the same; November 2026

source "$(dirname "$0")/support.bash"
perf_6_12

cat >"$work/write.js" <<'END'
// A file of perf: one event, and for each command a process with that many samples of 1 ms.
const [, , file, ...commands] = process.argv;
const numbers = (...list) => {
  const bytes = Buffer.alloc(8 * list.length);
  list.forEach((number, i) => bytes.writeBigUInt64LE(BigInt(number), 8 * i));
  return bytes;
};
const record = (type, body) => {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(type);
  head.writeUInt16LE(type === 9 ? 2 : 0, 4);  // a sample, in user mode
  head.writeUInt16LE(8 + body.length, 6);
  return Buffer.concat([head, body]);
};
const records = [];
let time = 0;
commands.forEach((command, i) => {
  const [name, samples] = command.split('=');
  const pidAndTid = 0x100000001 * (100 + i);
  const body = Buffer.concat([numbers(pidAndTid), Buffer.alloc(16)]);
  body.write(name, 8);
  records.push(record(3, body));  // the name of a command
  for (let j = 0; j < samples; j++) {
    time += 1e6;
    records.push(record(9, numbers(0x1000, pidAndTid, time, 1e6)));
  }
});
const data = Buffer.concat(records);
// A clock as software event, its size, period, and what samples have: address, pid, time, period.
const attribute = Buffer.alloc(152);
[1 + 136 * 2 ** 32, 0, 1e6, 1 | 2 | 4 | 256].forEach((number, i) =>
  attribute.writeBigUInt64LE(BigInt(number), 8 * i));
require('fs').writeFileSync(file, Buffer.concat([Buffer.from('PERFILE2'),
  numbers(104, 152, 104, 152, 256, data.length, 0, 0, 0, 0, 0, 0), attribute, data]));
END
node "$work/write.js" "$work/root/tmp/old" parse=500 render=250 legacy=250
node "$work/write.js" "$work/root/tmp/new" parse=500 render=300 check=200

# usage: difference FILE FILE [OPTION...]
difference() {
    in_root perf diff --sort comm "${@:3}" "/tmp/$1" "/tmp/$2" 2>"$work/log" |
        sed -e '/^#/d; /^ *$/d; s/^          /      -   /; s/ *$//' | tr -s ' ' | sed 's/^ //'
}
shows "from old to new" "$(difference old new)" \
"- +20.00% check
25.00% +5.00% render
50.00% +0.00% parse
25.00% legacy"
shows "from new to old" "$(difference new old)" \
"- +25.00% legacy
30.00% -5.00% render
50.00% +0.00% parse
20.00% check"
shows "difference of periods" "$(difference old new -c wdiff:1,1)" \
"25.00% 50000000 render
50.00% 0 parse
- N/A check
25.00% legacy"
