#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Go writes its heap profile as text under debug=1, "@ heap/1048576", in the format that
# gperftools invented. Expected: gperftools' pprof and jemalloc's jeprof, which read "heap/" and
# "heap_v2/", make of it what go tool pprof does.
#
# Seen: for small blocks only. Rows are what was sampled, every 524288 bytes on average. Go's
# pprof scales a row by 1 / (1 - e^(-size/524288)); both Perl scripts, for this header, by
# 524288/size, and not at all from there on. Blocks of 16 bytes agree, but of blocks of 512 kB
# Go's has 58 % more: 15.8 MiB where the scripts have 10 MiB. The same rows under a header
# "@ heap_v2/524288" agree to the byte.
#
# Why it matters: totals of the two are no two versions. What has large blocks grows by half
# when a script moves from one tool to the other.
#
# Debian 12's google-perftools 2.10-1 and libjemalloc-dev 5.3.0-1, Debian 13's golang-1.24-go
# 1.24.4-1; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie golang-1.24-go=1.24.4-1
debian_packages bookworm google-perftools=2.10-1 libjemalloc-dev=5.3.0-1
pprof=$work/root/usr/lib/go-1.24/pkg/tool/linux_amd64/pprof

for header in heap/1048576 heap_v2/524288; do
    cat >"$work/${header%%/*}" <<END
heap profile: 120: 10487360 [120: 10487360] @ $header
100: 1600 [100: 1600] @ 0x401011
20: 10485760 [20: 10485760] @ 0x402011

MAPPED_LIBRARIES:
00400000-00500000 r-xp 00000000 08:01 123 /bin/program
END
done
cd "$work"
: >program
go() {
    HOME=$work PPROF_TMPDIR=$work "$pprof" -top -addresses -unit=B -sample_index=inuse_space "$@" \
        2>"$work/log" | awk '$NF == "[program]" { print $1 + 0 }' | paste -s -d ' '
}
script() {
    perl "root/usr/bin/$1" --text --addresses --show_bytes --inuse_space program "$2" \
        2>"$work/log" | awk '/%/ { print $1 }' | paste -s -d ' '
}
shows "heap/1048576, by Go" "$(go heap)" "52429600 16588228"
shows "heap/1048576, by google-pprof" "$(script google-pprof heap)" "52428800 10485760"
shows "heap/1048576, by jeprof" "$(script jeprof heap)" "52428800 10485760"
shows "heap_v2/524288, by Go" "$(go heap_v2)" "52429600 16588228"
shows "heap_v2/524288, by google-pprof" "$(script google-pprof heap_v2)" "52429600 16588228"
shows "heap_v2/524288, by jeprof" "$(script jeprof heap_v2)" "52429600 16588228"
