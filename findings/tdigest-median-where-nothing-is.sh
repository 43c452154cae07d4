#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# tdigest estimates percentiles of many values in little memory; prom-client's summaries are made of
# it. Expected: of 90 values of 1 ms and ten of 100 ms, the median is 1 ms, and as there are two
# values only, exactly so.
#
# Seen: it is 10.9 ms, and the 80th percentile 70.3 ms, though 90 % took 1 ms. With 60 of 1 ms it is
# 41 ms, so a median that is still 1 ms grows fourfold. Of 10,000 values, 90 % of which are spread
# from 1 to 1.04 ms, all is right. Equal values are one group, however large, where others
# are merged into small ones only, and a group is thought to be at its middle: between the middles
# of two neighbours percentiles lie on a straight line. The rank of 1.1 ms is 45 % likewise. Digest,
# the other class of the package, is exact up to 1000 different values.
#
# Why it matters: times are rounded to milliseconds, and sizes and counts have few values, so most
# of their percentiles are those of nobody. One that is compared with an earlier one tells how many
# slow values there are, far from its own rank. Take Digest, or do not round what is recorded.
#
# tdigest 0.1.3, prom-client 15.1.3; November 2026

source "$(dirname "$0")/support.bash"
npm_packages tdigest@0.1.3 prom-client@15.1.3

cat >"$work/percentiles.js" <<'END'
const { Digest, TDigest } = require('tdigest');
const { Summary } = require('prom-client');
const ranks = [0.5, 0.8, 0.89, 0.95];
const rounded = value => Math.round(value * 10) / 10;
// Of a hundred values, so many are fast.
const values = (fast, count, spread) => Array.from({ length: count }, (_, i) =>
  (i * 37 % 100 < fast ? 1 : 100) + spread * i / count);
const digest = (Class, ...of) => {
  const made = new Class();
  for (const value of values(...of)) made.push(value);
  console.log(`${Class.name} of ${of[0]} % fast, spread ${of[2]}: ` +
    `${ranks.map(rank => rounded(made.percentile(rank))).join(' ')}, rank of 1.1 ms ` +
    rounded(made.p_rank(1.1) * 100));
};
(async () => {
  digest(TDigest, 90, 100, 0);
  digest(TDigest, 60, 100, 0);
  digest(TDigest, 90, 10000, 0);
  digest(TDigest, 90, 10000, 0.04);
  digest(Digest, 90, 10000, 0);
  const summary = new Summary({ name: 'it', help: 'it', percentiles: ranks });
  for (const value of values(90, 100, 0)) summary.observe(value);
  const rows = (await summary.get()).values.filter(({ labels }) => labels.quantile);
  console.log(`Summary of 90 % fast: ${rows.map(({ value }) => rounded(value)).join(' ')}`);
})();
END
shows "percentiles 50 80 89 95" "$(node "$work/percentiles.js")" \
"TDigest of 90 % fast, spread 0: 10.9 70.3 88.1 100, rank of 1.1 ms 45.1
TDigest of 60 % fast, spread 0: 40.6 100 100 100, rank of 1.1 ms 30.1
TDigest of 90 % fast, spread 0: 10.9 70.3 88.1 100, rank of 1.1 ms 45.1
TDigest of 90 % fast, spread 0.04: 1 1 1 100, rank of 1.1 ms 90
Digest of 90 % fast, spread 0: 1 1 1 100, rank of 1.1 ms 90
Summary of 90 % fast: 10.9 70.3 88.1 100"
