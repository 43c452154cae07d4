#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# uftrace report -d A --diff B compares two recordings: time in each function, and how often it
# was called. Expected: both are B without A, or both are A without B.
#
# Seen: times are A without B, and calls are B without A. Of 1000 reads against 10 the row says
# that more time was spent in 990 calls fewer. With --diff-policy percent times change their sign,
# too, and that of -d is the base.
#
# Why it matters: who reads one column takes a regression for a gain, and who divides the columns
# gets negative times for each call.
#
# Debian 13's uftrace 0.17-1; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie uftrace=0.17-1 coreutils=9.7-3 libc6=2.41-12+deb13u5 \
    libgcc-s1=14.2.0-19 libstdc++6=14.2.0-19 libelf1t64=0.192-4 libdw1t64=0.192-4 \
    libcapstone5=5.0.7-1~deb13u1 libtraceevent1=1:1.8.4-2 libunwind8=1.8.1-0.1 \
    libncursesw6=6.5+20250216-2 libtinfo6=6.5+20250216-2 liblzma5=5.8.1-1+deb13u2 \
    libbz2-1.0=1.0.8-6 libzstd1=1.5.7+dfsg-1 'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1' \
    libssl3t64=3.5.9-1~deb13u1 libgmp10=2:6.3.0+dfsg-3 \
    libacl1=2.3.2-2+b1 libattr1=1:2.5.2-3 libselinux1=3.8.1-1 libpcre2-8-0=10.46-1~deb13u3 \
    libsystemd0=257.13-1~deb13u1 libcap2=1:2.75-10+deb13u1+b3

for calls in 10 1000; do
    in_root uftrace record -d "/tmp/reads-$calls" --force \
        /usr/bin/dd if=/dev/zero of=/dev/null bs=1 count="$calls" 2> "$work/log"
done

# The signs of the columns of total time and of calls in the row of read().
signs() {
    in_root uftrace report -d /tmp/reads-1000 --diff /tmp/reads-10 "$@" |
        sed -n 's/^ *\([-+]\)[0-9.]* *[a-z%]* *[-+][0-9.]* *[a-z%]* *\([-+][0-9]*\) *read$/time \1, calls \2/p'
}
shows "1000 reads" "$(in_root uftrace report -d /tmp/reads-1000 | awk '$NF == "read" { print $(NF - 1) }')" 1000
shows "with a difference from 10" "$(signs)" "time +, calls -990"
shows "in percent" "$(signs --diff-policy percent)" "time -, calls -990"
