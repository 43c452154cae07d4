#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# pmlogreduce makes archives of Performance Co-Pilot coarser, for example from samples of 10 s to
# ones of a minute. Expected, as its manual says: a value of an interval is the mean of what was
# observed in it, and where a counter of 32 bits wraps, the new one, which has 64, goes on.
#
# Seen: a value is that at the interval's end, and nothing else counts. A queue of 100, which is
# empty at each full minute, was always empty; one of 0 with 100 at full minutes was always full.
# Their means were 83 and 17. A counter that wraps is 4294967296 too low from then on, and as it
# has 64 bits now, no reader can tell that from a restart. Where means and wraps should be
# computed, the program has a remark that this is to be done; what it writes are values
# interpolated there.
#
# Why it matters: old archives are reduced to be kept, and new ones are compared with them. Peaks
# between the ends are gone, and what recurs each minute is all or nothing. Rates over a wrap are
# lost, or enormous. Take means from the archive as recorded, by pmlogsummary.
#
# Debian 13's pcp 6.3.8-1; sid's 7.2.2-1 does the same; November 2026

source "$(dirname "$0")/support.bash"
python=3.13.5-2+deb13u5
debian_packages trixie pcp=6.3.8-1 pcp-conf=6.3.8-1 libpcp3=6.3.8-1 libpcp-archive1=6.3.8-1 \
    libpcp-import1=6.3.8-1 "python3.13-minimal=$python" "libpython3.13-minimal=$python" \
    "libpython3.13-stdlib=$python" libffi8=3.4.8-2 libc6=2.41-12+deb13u5 \
    libexpat1=2.9.0-1~deb13u1 liblzma5=5.8.1-1+deb13u2 libsasl2-2=2.1.28+dfsg1-9 \
    libssl3t64=3.5.9-1~deb13u1 libzstd1=1.5.7+dfsg-1 'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1'

cat >"$work/root/tmp/record.py" <<'END'
# Writes an archive of a value each 10 s: FILE TYPE SEMANTICS VALUE...
import ctypes
import sys

library = ctypes.CDLL("libpcp_import.so.1")
file, type_of, semantics, *values = sys.argv[1:]
library.pmiStart(file.encode(), 0)
library.pmiSetHostname(b"it")
library.pmiSetTimezone(b"UTC")
library.pmiAddMetric(b"it", 245 << 22 | 1, int(type_of), -1, int(semantics), 0)
for i, value in enumerate(values):
    library.pmiPutValue(b"it", b"", value.encode())
    library.pmiWrite(1700000040 + 10 * i, 0)
library.pmiEnd()
END
# usage: recorded FILE TYPE SEMANTICS VALUE...
# Records FILE, and makes of it FILE.less, with a value each minute.
recorded() {
    in_root python3.13 -S -E /tmp/record.py "/tmp/$1" "${@:2}"
    in_root pmlogreduce -t 60 "/tmp/$1" "/tmp/$1.less" 2>"$work/log"
}
# usage: values FILE
# Its values, each with its minute and second.
values() {
    in_root pmdumplog -z "/tmp/$1" it 2>"$work/log" |
        awk '/ metric/ { time = substr($1, 4, 5) } / value / { print time, $NF }'
}
# usage: mean FILE
mean() {
    in_root pmlogsummary "/tmp/$1" it 2>"$work/log" | awk '{ printf "%.0f", $2 }'
}
# The numbers of libpcp for types and semantics.
u32=1 double=5 counter=1 instant=3

high=(100 100 100 100 100)
recorded queue $double $instant 0 "${high[@]}" 0 "${high[@]}" 0 "${high[@]}" 0
shows "mean of a queue that is empty at each full minute" "$(mean queue)" 83
shows "its value each minute" "$(values queue.less)" \
"14:00 0
15:00 0
16:00 0
17:00 0"
low=(0 0 0 0 0)
recorded ticks $double $instant 100 "${low[@]}" 100 "${low[@]}" 100 "${low[@]}" 100
shows "mean of what is 100 at each full minute" "$(mean ticks)" 17
shows "its value each minute" "$(values ticks.less)" \
"14:00 100
15:00 100
16:00 100
17:00 100"

requests=()
for ((i = 0; i <= 18; i++)); do
    requests+=($(((4294960000 + 1000 * i) % 4294967296)))
done
recorded requests $u32 $counter "${requests[@]}"
shows "a counter of 32 bits around its wrap" "$(values requests | sed -n 7,10p)" \
"15:00 4294966000
15:10 4294967000
15:20 704
15:30 1704"
shows "the one of 64 bits that is made of it" \
    "$(in_root pmdumplog -d /tmp/requests.less 2>"$work/log" | grep -o '..-bit [a-z]*')
$(values requests.less)" \
"64-bit unsigned
14:00 4294960000
15:00 4294966000
16:00 4704
17:00 10704"
