#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# speedscope opens what perf script prints. Expected: each sample counts once, or by its period,
# so that shares are those of perf report, and of folded stacks made from the same samples.
#
# Seen: a sample counts the time between the middle of the gap before it and the middle of the gap
# after it, of its thread. perf takes no samples while a thread sleeps, so whatever runs last before
# a sleep, and first after it, has half of that each. A function with 1 of 100 samples, after which
# its thread sleeps 0.9 s, has 45 % of the time. Periods are not read. Where perf recorded two
# events, all samples of the one that is not in the first line are left out without a word.
#
# Why it matters: the same work with less load, thus longer sleeps, makes that function grow from 1
# to 45 %, and in any comparison it is the regression. Folded stacks of the same samples are right.
#
# speedscope 1.25.0; November 2026

source "$(dirname "$0")/support.bash"
speedscope

cat >"$work/open.cjs" <<'END'
// Own weights of each frame.
require('./speedscope.cjs')(require('fs').readFileSync(0, 'utf8')).then(profiles => {
  for (const profile of profiles)
    profile.forEachFrame(frame => {
      const share = frame.getSelfWeight() / profile.getTotalWeight();
      if (share) process.stdout.write(`${frame.name} ${(100 * share).toFixed(0)} %\n`);
    });
});
END
# usage: requests PERF-OR-FOLDED SECONDS-OF-SLEEP [EVENT]
# Ten requests of 100 samples each, a millisecond from one to the next, the last of them in flush.
requests() {
    awk -v format="$1" -v sleep="$2" -v second="${3-cycles}" '
        function sample(leaf, event) {
            if (format == "folded")
                print "main;" leaf, 1
            else
                printf "app %d/%d %.6f: %d %s:\n\t%x %s (/app)\n\t%x main (/app)\n\n",
                    7, 7, now, 1000000, event, 4198400, leaf, 4198656
            now += 0.001
        }
        BEGIN {
            now = 1000
            for (request = 0; request < 10; request++) {
                for (i = 0; i < 99; i++)
                    sample("parse", "cycles")
                sample("flush", second)
                now += sleep
            }
        }'
}
opened() {
    requests "$@" | node "$work/open.cjs" 2>"$work/log"
}
shows "folded stacks, without sleep" "$(opened folded 0)" \
"parse 99 %
flush 1 %"
shows "folded stacks, with a sleep of 0.9 s" "$(opened folded 0.9)" \
"parse 99 %
flush 1 %"
shows "perf script, without sleep" "$(opened perf 0)" \
"parse 99 %
flush 1 %"
shows "perf script, with a sleep of 0.9 s" "$(opened perf 0.9)" \
"parse 55 %
flush 45 %"
shows "perf script, samples of flush of another event" "$(opened perf 0 cache-misses)" \
"parse 100 %"
