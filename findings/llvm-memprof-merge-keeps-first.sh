#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# llvm-profdata merge adds up profiles, with MemProf those of the heap: what was allocated where,
# and for how long it lived. Expected: where two files have the same stack, its allocations are
# added up, as counters are; what only one of them has is there, too.
#
# Seen: only the first file is there, and not even a function that only the second one has. No
# word is said of it, and the status is 0. With as many threads as files, all are there, but a
# stack that two files have is there twice, each with its own numbers. Without -num-threads there
# is a thread for each two files, and no more than processors, so how many files count depends on
# the machine. A file that was merged before, given once more, has nothing left.
#
# Why it matters: profiles of many runs are merged to see what is rare, and the merged one is
# that of the first run. In its sums over stacks, a stack is a row of each run.
#
# Debian 13's llvm-22 22.1.8; sid's 23.1.4 does the same; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie llvm-22=1:22.1.8-1~deb13u5 libllvm22=1:22.1.8-1~deb13u5 \
    libbrotli1=1.1.0-2+deb13u1 libbsd0=0.12.2-2 libc6=2.41-12+deb13u5 libcom-err2=1.47.2-3+b12 \
    libcurl4t64=8.14.1-2+deb13u7 libedit2=3.1-20250104-1 libffi8=3.4.8-2 libgcc-s1=14.2.0-19 \
    libgmp10=2:6.3.0+dfsg-3 libgnutls30t64=3.8.9-3+deb13u4 libgssapi-krb5-2=1.21.3-5+deb13u1 \
    libhogweed6t64=3.10.1-1 libidn2-0=2.3.8-2 libk5crypto3=1.21.3-5+deb13u1 libkeyutils1=1.6.3-6 \
    libkrb5-3=1.21.3-5+deb13u1 libkrb5support0=1.21.3-5+deb13u1 libldap2=2.6.10+dfsg-1 \
    liblzma5=5.8.1-1+deb13u2 libmd0=1.1.0-2+b1 libnettle8t64=3.10.1-1 \
    libnghttp2-14=1.64.0-1.1+deb13u2 libnghttp3-9=1.8.0-1 libp11-kit0=0.25.5-3 \
    libpsl5t64=0.21.2-1.1+b1 librtmp1=2.4+20151223.gitfa8646d.1-2+b5 libsasl2-2=2.1.28+dfsg1-9 \
    libssh2-1t64=1.11.1-1+deb13u2 libssl3t64=3.5.9-1~deb13u1 libstdc++6=14.2.0-19 \
    libtasn1-6=4.20.0-2+deb13u1 libtinfo6=6.5+20250216-2 libunistring5=1.3-2 \
    libxml2=2.12.7+dfsg+really2.9.14-2.1+deb13u3 libz3-4=4.13.3-1 libzstd1=1.5.7+dfsg-1 \
    zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1

# usage: profile_of FILE [FUNCTION CALLER ALLOCATIONS]...
profile_of() {
    local file=$1
    shift
    {
        printf '%s\n' --- HeapProfileRecords:
        for (( ; $#; )); do
            printf '%s\n' "- GUID: 0x$1" "  AllocSites:" "  - Callstack:" \
                "    - {Function: 0x$1, LineOffset: 1, Column: 1, IsInlineFrame: false}" \
                "    - {Function: 0x$2, LineOffset: 1, Column: 1, IsInlineFrame: false}" \
                "    MemInfoBlock:" "      AllocCount: $3" "      TotalSize: $((16 * $3))" \
                "      TotalLifetime: 1" "      TotalLifetimeAccessDensity: 1" "  CallSites: []"
            shift 3
        done
    } >"$work/root/tmp/$file"
}
profile_of first 1111 aaaa 100
profile_of second 1111 aaaa 30 2222 aaaa 7

profdata() {
    in_root /usr/lib/llvm-22/bin/llvm-profdata "$@"
}
# usage: merged OUTPUT [OPTION] INPUT...
# The allocations by function.
merged() {
    local output=$1
    shift
    profdata merge "$@" -o "$output"
    profdata show --memory "$output" |
        awk '$2 == "GUID:" { name = $3 } $1 == "AllocCount:" { print name, $2 }' | sort
}
shows "one" "$(merged /tmp/one /tmp/second)" \
"0x1111 30
0x2222 7"
shows "one, merged once more" "$(merged /tmp/again /tmp/one)" ""
shows "both" "$(merged /tmp/both /tmp/first /tmp/second)" "0x1111 100"
shows "both, the other way round" "$(merged /tmp/both /tmp/second /tmp/first)" \
"0x1111 30
0x2222 7"
shows "both, with two threads" "$(merged /tmp/both -num-threads=2 /tmp/first /tmp/second)" \
"0x1111 100
0x1111 30
0x2222 7"
