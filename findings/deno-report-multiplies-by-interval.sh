#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# deno run --cpu-prof-md writes a report with the time of each function beside the .cpuprofile, and
# --cpu-prof-interval is the time between samples. Expected: the report adds up the times that the
# file has for its samples, so a function has the same time at any interval, and with a finer one
# a more precise one.
#
# Seen: each sample counts as the interval that was asked for. V8 takes a sample when it can, and
# the file says how long each was: at 10 us, less than half of them come, so of 900 ms in spin the
# report has less than half; on one machine 81 ms. At 1 ms a machine that is busy loses half.
# Samples and per cent are right, and so is the duration at the top, which is not the sum.
#
# Why it matters: of two reports, of unlike intervals or loads of the machine, every function is
# faster in the one with the finer interval or the more load. Compare per cent, or add timeDeltas of
# the .cpuprofile up; bun's report of the same form does.
#
# Deno 2.9.6 of @deno/linux-x64-glibc; November 2026

source "$(dirname "$0")/support.bash"
npm_packages @deno/linux-x64-glibc@2.9.6

cat >"$work/spin.js" <<'END'
function spin(ms) {
  const end = performance.now() + ms;
  let sum = 0;
  while (performance.now() < end) for (let i = 0; i < 1e4; i++) sum += Math.sqrt(i);
  return sum;
}
spin(900);
END
cat >"$work/compare.js" <<'END'
const { readFileSync } = require('fs');
const interval = process.argv[2];
const { nodes, samples, timeDeltas } = JSON.parse(readFileSync('it.cpuprofile', 'utf8'));
const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
const own = timeDeltas.filter((_, i) => names.get(samples[i]) === 'spin');
const file = own.reduce((sum, time) => sum + time, 0) / 1000;
const [, share, self] = readFileSync('it.md', 'utf8')
  .match(/^\| ([0-9.]+)% \| ([0-9.]+)ms \|.*`spin`/m);
console.error(`${interval} us: ${self} ms in the report, ${file} ms in the file, ${share} %`);
console.log(`the file has ${file > 600 && file < 1400 ? 'about 900 ms' : `${file} ms`}`);
console.log(`the report has ${own.length * interval / 1000 === Number(self) ?
  'samples times interval' : `${self} ms`}`);
if (interval < 1000) console.log(`that is ${self < file / 2 ? 'less' : 'more'} than half of it`);
END
# usage: times INTERVAL
times() {
    (cd "$work" && DENO_DIR=$work/deno DENO_NO_UPDATE_CHECK=1 \
        node_modules/@deno/linux-x64-glibc/deno run --no-config --cpu-prof --cpu-prof-md \
        --cpu-prof-name=it.cpuprofile --cpu-prof-interval="$1" spin.js && node compare.js "$1")
}
shows "at 1000 us" "$(times 1000)" \
"the file has about 900 ms
the report has samples times interval"
shows "at 10 us" "$(times 10)" \
"the file has about 900 ms
the report has samples times interval
that is less than half of it"
