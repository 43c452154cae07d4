#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# dmtracedump -d BEFORE AFTER compares method traces of Android's runtime: of each method that
# both have, the microseconds before and after, the difference, and "Diff (%)". Expected: after
# minus before, and how many per cent that is.
#
# Seen: a method that took nothing before has a difference of 0, however long it takes now; so has
# one that was called for the first time, if the first trace lists it. Where time fell, the
# difference is 2^64 less what was saved. The per cent are those of the time before that are left:
# 100 where nothing changed, and 0 where nothing grew to something. Rows are sorted by the
# difference as it should be, so savings of 1.8e19 are last, and what took nothing before is in the
# middle. Differences are made only if the time before is above 0, and are printed as unsigned.
#
# Why it matters: traces count whole microseconds, so short methods often have 0. A cache that is
# lost, or a new call of a listed method, is no change, and a sum of the column means nothing.
# Subtract the two columns of times.
#
# Debian 13's dmtracedump 14.0.0+r15-4+b1; sid's 14.0.0+r15-6 does the same; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie dmtracedump=1:14.0.0+r15-4+b1 libc6=2.41-12+deb13u5 \
    libgcc-s1=14.2.0-19 libstdc++6=14.2.0-19

cat >"$work/record.js" <<'END'
// Writes a trace of main, which calls methods of App for so many microseconds: FILE [NAME=TIME]...
const [, , file, ...calls] = process.argv;
const names = ['main', ...calls.map(call => call.split('=')[0])];
const head = Buffer.alloc(32);
head.write('SLOW');
[3, 32].forEach((number, i) => head.writeUInt16LE(number, 4 + 2 * i));  // version, own size
head.writeUInt16LE(10, 16);  // size of a record
const records = [head];
let time = 0;
// A method's number is a multiple of 4; the lowest bit tells that it ends.
const record = (name, end) => {
  const bytes = Buffer.alloc(10);
  bytes.writeUInt16LE(1);
  bytes.writeUInt32LE(4 * names.indexOf(name) + 4 + end, 2);
  bytes.writeUInt32LE(time, 6);
  records.push(bytes);
};
record('main', 0);
calls.map(call => call.split('=')).filter(([, took]) => took).forEach(([name, took]) => {
  record(name, 0);
  time += Number(took);
  record(name, 1);
});
record('main', 1);
const text = ['*version', '3', 'clock=wall', '*threads', '1\tmain', '*methods',
  ...names.map((name, i) => `0x${(4 * i + 4).toString(16)}\tApp\t${name}\t()V\tApp.java\t1`),
  '*end', ''];
require('fs').writeFileSync(file, Buffer.concat([Buffer.from(text.join('\n')), ...records]));
END
node "$work/record.js" "$work/root/tmp/before" parse=5000 render=2000 cache=0 check= log=300
node "$work/record.js" "$work/root/tmp/after" parse=4000 render=2500 cache=3000 check=900 log=300

# usage: differences FILE FILE
# Each method that main calls, with its own time in both, the difference, and the per cent.
differences() {
    in_root dmtracedump -d "/tmp/$1" "/tmp/$2" |
        awk '/^App/ && !/main/ && !seen[$1]++ { print $1, $2, $3, $4, $5 }'
}
shows "before and after" "$(differences before after)" \
"App.render 2000 2500 500 125.00
App.log 300 300 0 100.00
App.cache 0 3000 0 0.00
App.check 0 900 0 0.00
App.parse 5000 4000 18446744073709550616 80.00"
shows "after and before" "$(differences after before)" \
"App.parse 4000 5000 1000 125.00
App.log 300 300 0 100.00
App.render 2500 2000 18446744073709551116 80.00
App.check 900 0 18446744073709550716 0.00
App.cache 3000 0 18446744073709548616 0.00"
