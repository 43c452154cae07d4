#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# hdr-histogram-js writes histograms in the format that those of C, Java and others share. Expected:
# what C reads has the percentiles and the mean of what was recorded.
#
# Seen: in C, each value is one place higher. Of 90 requests of 1 ms and ten of 5 ms, in whole
# milliseconds, half took 2 ms, the slow ones 6 ms, and the mean is 2.4 ms instead of 1.4 ms. The
# maximum is 5 ms, and so is below the 91st percentile. A place is one unit up to 2048 and at most
# 0.1 % above it with three digits, and up to 6 % with one. The file has a field for how far its
# counts are shifted, where C writes 0. hdr-histogram-js writes 1, shifts nothing, and reads past
# the field, so it reads its own files and C's as they were meant.
#
# Why it matters: a service in JavaScript looks slower than one in C that answers as fast, most of
# all where it is fast. Record in a unit that is small beside the values, as microseconds, or set
# the third word to 0.
#
# hdr-histogram-js 3.0.1, Debian sid's libhdr-histogram-examples 0.11.8-4+b2; November 2026

source "$(dirname "$0")/support.bash"
npm_packages hdr-histogram-js@3.0.1
debian_packages sid libhdr-histogram-examples=0.11.8-4+b2 libhdr-histogram6=0.11.8-4+b2 \
    libc6=2.43-7 'zlib1g=1:1.3.dfsg+really1.3.2-4'

cat >"$work/write.js" <<'END'
// Writes a log of one histogram; with a second argument, the third word of it is 0.
const { build, decodeFromCompressedBase64, encodeIntoCompressedBase64 } =
  require('hdr-histogram-js');
const { deflateSync, inflateSync } = require('zlib');
const histogram = build({ highestTrackableValue: 1e6 });
histogram.recordValueWithCount(1, 90);
histogram.recordValueWithCount(5, 10);
let text = encodeIntoCompressedBase64(histogram);
if (process.argv[3]) {
  const bytes = Buffer.from(text, 'base64');
  const payload = inflateSync(bytes.subarray(8));
  payload.writeInt32BE(0, 8);
  const deflated = deflateSync(payload);
  bytes.writeInt32BE(deflated.length, 4);
  text = Buffer.concat([bytes.subarray(0, 8), deflated]).toString('base64');
}
require('fs').writeFileSync(process.argv[2],
  `#[Histogram log format version 1.2]\n0.000,1.000,5.000,${text}\n`);
const read = decodeFromCompressedBase64(text);
console.log(`50 % up to ${read.getValueAtPercentile(50)}, all up to ` +
  `${read.getValueAtPercentile(100)}, mean ${read.mean}, maximum ${read.maxValue}`);
END
javascript() {
    node "$work/write.js" "$work/root/tmp/log" "$@"
}
c() {
    in_root hdr_decoder /tmp/log | tr -d ',]' |
        awk '$2 == "0.500000" { half = $1 } $2 == "1.000000" { all = $1 } /Mean/ { mean = $3 }
            /Max/ { printf "50 %% up to %d, all up to %d, mean %.1f, maximum %d\n",
                half, all, mean, $3 }'
}
shows "in JavaScript" "$(javascript)" "50 % up to 1, all up to 5, mean 1.4, maximum 5"
shows "in C" "$(c)" "50 % up to 2, all up to 6, mean 2.4, maximum 5"
shows "in JavaScript, with the word changed" "$(javascript 0)" \
    "50 % up to 1, all up to 5, mean 1.4, maximum 5"
shows "in C, with the word changed" "$(c)" "50 % up to 1, all up to 5, mean 1.4, maximum 5"
