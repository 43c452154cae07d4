// SPDX-License-Identifier: Apache-2.0

// Writes what @datadog/pprof of the folder makes: START-heap.prev.pb.gz and .cur of one process,
// and START-wall.pb.gz. With "allocations", which needs Node 26, heaps of what was allocated too.

"use strict";
const fs = require("fs");
const pprof = require("@datadog/pprof");

const [start, mode] = process.argv.slice(2);
const kept = [];

const fill = count => {
  for (let i = 0; i < count; i++) kept.push(new Array(100).fill(i));
};

const spin = until => {
  let sum = 0;
  while (Date.now() < until) sum++;
  return sum;
};

const main = async () => {
  pprof.heap.start(8192, 64, mode === "allocations");
  for (const when of ["prev", "cur"]) {
    fill(500);
    const file = `${start}-heap.${when}.pb.gz`;
    fs.writeFileSync(file, await pprof.encode(pprof.heap.profile()));
  }
  pprof.time.start({durationMillis: 1000, intervalMicros: 10000});
  spin(Date.now() + 300);
  fs.writeFileSync(`${start}-wall.pb.gz`, await pprof.encode(pprof.time.stop()));
};

main();
