#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# mimalloc 3.6 has a profiler of its own: MIMALLOC_PROFILE=NAME writes what was allocated and what
# is in use as pprof's protobuf, or as gperftools' text, sampled every 512 KiB. Expected: values add
# up to what was allocated, as those of Go, jemalloc and tcmalloc do in pprof, whatever the size of
# the blocks.
#
# Seen: a sampled block counts as one block of its size, and nobody multiplies it. A gigabyte in
# blocks of 1 KiB is less than 4 MB, in blocks of 64 KiB a fifth of it, in blocks of 4 MiB all. The
# text says "@ heapprofile", which is gperftools' word for one that is not sampled. Samples times
# the period of the protobuf are 1.8 GB: a random distance to the next sample is drawn each time,
# but the one before it holds if that is shorter, so samples are 290 kB apart.
#
# Why it matters: a leak of small blocks weighs a thousandth of a cache of large ones, and is below
# what viewers show. Code that takes the same memory in larger blocks has grown. Two profiles with
# unlike MIMALLOC_PROFILE_SAMPLE_RATE differ by about that factor in small blocks, and not at all in
# large ones.
#
# Debian sid's libmimalloc3 3.6.0+ds-1, read by pprof-format 2.3.2; November 2026

source "$(dirname "$0")/support.bash"
npm_packages pprof-format@2.3.2
mimalloc_in_python

cat >"$work/root/tmp/allocate.py" <<'END'
import sys

from mimalloc import free, malloc

size = int(sys.argv[1])
for _ in range((1 << 30) // size):
    free(malloc(size))
END
cat >"$work/show.js" <<'END'
const { Profile } = require('pprof-format');
const profile = Profile.decode(require('fs').readFileSync(process.argv[2]));
const sum = column => profile.sample.reduce((sum, { value }) => sum + Number(value[column]), 0);
const [samples, bytes] = [sum(0), sum(1)];
const percent = bytes => 100 * bytes / 2 ** 30;
const about = share => share < 1 ? 'below 1 %' : share > 99 ? 'all' :
  share > 12 && share < 30 ? 'about a fifth' : `${share} %`;
const times = percent(samples * Number(profile.period));
console.log(`${profile.stringTable.strings[Number(profile.sampleType[1].type)]}:`,
  about(percent(bytes)), 'of it; samples times period:',
  times > 150 && times < 210 ? 'more than 150 %' : times < 20 ? 'below 20 %' : `${times} %`);
END
# usage: allocate NAME SIZE
# A gigabyte in blocks of that size.
allocate() {
    MIMALLOC_PROFILE=/tmp/$1 in_root python3.15 /tmp/allocate.py "$2"
}
# usage: profiled SIZE
# Each file has all since the start, and the last one is that of the end.
profiled() {
    allocate "profile-$1" "$1"
    local files=("$work/root/tmp/profile-$1".*.pb)
    node "$work/show.js" "${files[-1]}"
}
shows "a gigabyte in blocks of 1 KiB" "$(profiled 1024)" \
    "alloc_bytes: below 1 % of it; samples times period: more than 150 %"
shows "in blocks of 64 KiB" "$(profiled 65536)" \
    "alloc_bytes: about a fifth of it; samples times period: more than 150 %"
shows "in blocks of 4 MiB" "$(profiled 4194304)" \
    "alloc_bytes: all of it; samples times period: below 20 %"
allocate text.heap 65536
shows "how the text says that it was sampled" \
    "$(sed -n '1s/.*@/@/p' "$work/root/tmp/text.0001.heap")" "@ heapprofile"
