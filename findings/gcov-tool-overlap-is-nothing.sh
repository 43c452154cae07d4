#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gcov-tool compares and scales profiles of GCC, its counts of branches for -fprofile-use: overlap
# says how much two have in common, by shares of their totals, rewrite --normalize sets the largest
# count, and rewrite --scale multiplies by a number or a fraction. Expected: a profile has 100 % in
# common with itself, and 3/2 does the same as 1.5, but for rounding.
#
# Seen: the overlap of any two profiles is 0 %, of shares that are inf %, with status 1: counts are
# divided by totals that nobody adds up any more. --normalize changes nothing, as without --scale a
# fraction of 1/1 goes first. A fraction divides and rounds before it multiplies: with 99/100 all
# counts below 50 are 0, and 50 and 149 are 99. With 0.99 they are right. merge adds up right.
#
# Why it matters: training runs are compared to see whether one stands for the other, and scaled
# before they are merged, so that a long one does not count more. The first says that none does,
# and the second does nothing, or takes away all that is rare. Scale by a decimal number, or merge
# with --weight; llvm-profdata overlap is right for profiles of Clang.
#
# Debian sid's gcc-16 16.2.0-4; 12.2 does the same; November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid gcc-16-x86-64-linux-gnu=16.2.0-4 libc6=2.43-7

cat >"$work/write.js" <<'END'
// A file of GCC 16: a summary of one run, and for each function its counts.
const [, , file, ...functions] = process.argv;
const words = [0x67636461, 0x4236322a, 1, 1];
const counts = functions.map(list => list.split(',').map(Number));
words.push(0xa1000000, 8, 1, Math.max(...counts.flat()));
counts.forEach((list, i) => {
  words.push(0x01000000, 12, i + 1, i + 1, i + 1, 0x01a10000, 8 * list.length);
  for (const count of list) words.push(count, 0);
});
words.push(0);
const bytes = Buffer.alloc(4 * words.length);
words.forEach((word, i) => bytes.writeUInt32LE(word, 4 * i));
require('fs').writeFileSync(file, bytes);
END
# usage: counts FOLDER COUNT,...
counts() {
    mkdir -p "$work/root/tmp/$1"
    node "$work/write.js" "$work/root/tmp/$1/program.gcda" "${@:2}"
}
gcov_tool() {
    in_root x86_64-linux-gnu-gcov-tool-16 "$@" 2>"$work/log"
}
# usage: read_counts FOLDER
read_counts() {
    in_root x86_64-linux-gnu-gcov-dump-16 -l "/tmp/$1/program.gcda" |
        sed -n 's/.* 0: \(.*\) $/\1/p' | paste -s -d ' '
}
counts training 49,50,149 1000
counts other 49,50,149 10

# usage: overlap FOLDER FOLDER
overlap() {
    {
        gcov_tool overlap -o "/tmp/$1" "/tmp/$2" || echo "status $?"
    } | sed -n 's/^ *SUM: *//p; /Program/p; /status/p' | tr -s ' '
}
# usage: rewritten OPTION VALUE
rewritten() {
    gcov_tool rewrite "$1" "$2" -o /tmp/written /tmp/training
    read_counts written
}
shows "counts" "$(read_counts training)" "49 50 149 1000"
for file in training other; do
    shows "overlap of training with $file" "$(overlap training $file)" \
"overlap = 0.00% ( inf% inf%)
status 1"
done
shows "normalized to 500" "$(rewritten --normalize 500)" "49 50 149 1000"
shows "times 0.99" "$(rewritten --scale 0.99)" "48 49 147 990"
shows "times 99/100" "$(rewritten --scale 99/100)" "0 99 99 990"
shows "times 1.5" "$(rewritten --scale 1.5)" "73 75 223 1500"
shows "times 3/2" "$(rewritten --scale 3/2)" "75 75 225 1500"
