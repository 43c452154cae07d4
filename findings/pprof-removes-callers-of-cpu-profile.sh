#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gperftools writes CPU profiles as stacks of addresses, which go tool pprof and gperftools' own
# pprof script read. Expected: a caller has the time of what it calls in each capture.
#
# Seen: a caller that nearly all of the different stacks have right above their leaf is removed,
# as it is taken for the handler of the profiler's signal, which gperftools has left out already.
# main calls run, run calls worker, and worker calls the loop where all time goes: worker and run
# are gone in go tool pprof, which removes up to two, and main as well in the script, which goes
# on while all stacks agree. Three other samples, 0.5 % of the time, and all are there again: Go's
# allows for one in 32 stacks, however many samples each has, and the script for none.
#
# Why it matters: in the difference of two captures, worker has grown from nothing to all of the
# time, and nothing but one sample has changed. Only the script says that it removes something;
# --no-auto-signal-frm stops it there. Go's pprof has no such option.
#
# Debian 13's golang-1.24-go 1.24.4-1 and google-perftools 2.16-1; pprof of sid's golang-1.27-go
# 1.27.3-1 does the same; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie golang-1.24-go=1.24.4-1 google-perftools=2.16-1
pprof=$work/root/usr/lib/go-1.24/pkg/tool/linux_amd64/pprof

cat >"$work/capture.js" <<'END'
// Writes 64 stacks of 10 samples in a loop, and some of one sample elsewhere.
const [file, elsewhere] = process.argv.slice(2);
const loop = 0x401000, worker = 0x402011, run = 0x403011, main = 0x404011; // return addresses
const timer = 0x405011, check = 0x406000;
const words = [0, 3, 0, 10000, 0]; // 10 ms
for (let i = 0; i < 64; i++) words.push(10, 4, loop + 4 * i, worker, run, main);
for (let i = 0; i < elsewhere; i++) words.push(1, 3, check + 4 * i, timer, main);
words.push(0, 1, 0);
require('fs').writeFileSync(file, Buffer.concat([
  Buffer.from(new BigUint64Array(words.map(BigInt)).buffer),
  Buffer.from('00400000-00500000 r-xp 00000000 08:01 123 /program\n')]));
END
cd "$work"
: >program
node capture.js two.prof 2
node capture.js three.prof 3
node capture.js none.prof 0

# The callers among the rows, each with the number in a column.
callers() {
    awk -v column="$1" '
        BEGIN { name["0402010"] = "worker"; name["0403010"] = "run"; name["0404010"] = "main" }
        match($0, /0040[234]010/) { print name[substr($0, RSTART + 1, 7)], $column }' | sort
}
go() {
    HOME=$work PPROF_TMPDIR=$work "$pprof" -top -addresses -sample_index=samples "$@" 2>log |
        callers 4
}
script() {
    perl root/usr/bin/google-pprof --text --addresses "$@" 2>log | callers 4
}
shows "Go, nothing else" "$(go none.prof)" "main 640"
shows "Go, two samples elsewhere" "$(go two.prof)" "main 642"
shows "Go, three samples elsewhere" "$(go three.prof)" \
"main 643
run 640
worker 640"
shows "Go, the difference of these two" "$(go -diff_base=two.prof three.prof)" \
"main 1
run 640
worker 640"
shows "the script, nothing else" "$(script program none.prof)" ""
shows "the script, two samples elsewhere" "$(script program two.prof)" \
"main 642
run 640
worker 640"
shows "the script, nothing else, and no frames removed" \
    "$(script --no-auto-signal-frm program none.prof)" \
"main 640
run 640
worker 640"
