#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# perf stat record -I counts events in intervals, shows the counts of each while it runs, and
# writes them to a file. perf stat report shows the file. Expected: the same table once more.
#
# Seen: with the same times, the report's counts are those since the start. A program that faults
# 1000, 2000, 3000 and 4000 pages in four intervals has 1000, 3000, 6000 and 10000, so the rows add
# up to twice the faults, and after more intervals to many times as many. Rates in the same rows
# are of all the time so far, too. The file holds what the counters were at each time; while it
# records, perf subtracts the previous ones, and the report does not.
#
# Why it matters: in a table of a recording, everything grows until the end. What a run had in its
# last second is compared with what it had in all, and a sum over rows counts the first interval as
# often as there are rows. Subtract each row from the next one.
#
# Debian 13's linux-perf 6.12.117-1; the report of sid's 7.2.13-1 reads none of its own recordings;
# November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie linux-perf=6.12.117-1 libatomic1=14.2.0-19 libbabeltrace1=1.5.11-4+b2 \
    libbrotli1=1.1.0-2+deb13u1 libbz2-1.0=1.0.8-6 libc6=2.41-12+deb13u5 libcom-err2=1.47.2-3+b12 \
    libcrypt1=1:4.4.38-1 libcurl3t64-gnutls=8.14.1-2+deb13u7 libdebuginfod1t64=0.192-4 \
    libdw1t64=0.192-4 libelf1t64=0.192-4 libexpat1=2.9.0-1~deb13u1 libffi8=3.4.8-2 \
    libgcc-s1=14.2.0-19 libglib2.0-0t64=2.84.4-3~deb13u5 libgmp10=2:6.3.0+dfsg-3 \
    libgnutls30t64=3.8.9-3+deb13u4 libgssapi-krb5-2=1.21.3-5+deb13u1 libhogweed6t64=3.10.1-1 \
    libidn2-0=2.3.8-2 libjson-c5=0.18+ds-1 libk5crypto3=1.21.3-5+deb13u1 libkeyutils1=1.6.3-6 \
    libkrb5-3=1.21.3-5+deb13u1 libkrb5support0=1.21.3-5+deb13u1 libldap2=2.6.10+dfsg-1 \
    liblzma5=5.8.1-1+deb13u2 libnettle8t64=3.10.1-1 libnghttp2-14=1.64.0-1.1+deb13u2 \
    libnghttp3-9=1.8.0-1 libngtcp2-16=1.11.0-1+deb13u1 \
    libngtcp2-crypto-gnutls8=1.11.0-1+deb13u1 libnuma1=2.0.19-1 libopencsd1=1.5.5-1 \
    libp11-kit0=0.25.5-3 libpcre2-8-0=10.46-1~deb13u3 libperl5.40=5.40.1-6+deb13u1 \
    libpsl5t64=0.21.2-1.1+b1 libpython3.13=3.13.5-2+deb13u5 \
    python3.13-minimal=3.13.5-2+deb13u5 libpython3.13-minimal=3.13.5-2+deb13u5 \
    librtmp1=2.4+20151223.gitfa8646d.1-2+b5 libsasl2-2=2.1.28+dfsg1-9 libslang2=2.3.3-5+b2 \
    libssh2-1t64=1.11.1-1+deb13u2 libssl3t64=3.5.9-1~deb13u1 libstdc++6=14.2.0-19 \
    libtasn1-6=4.20.0-2+deb13u1 libtraceevent1=1:1.8.4-2 libunistring5=1.3-2 \
    libunwind8=1.8.1-0.1 libuuid1=2.41.5-0+deb13u1 libzstd1=1.5.7+dfsg-1 \
    'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1'

cat >"$work/root/tmp/it.py" <<'END'
import time

kept = []
for i in range(1, 5):
    kept.append(b"x" * (i << 22))
    time.sleep(0.2)
END
in_root perf stat record -e page-faults -I 200 -o /tmp/recorded python3.13 -S -E /tmp/it.py \
    >"$work/log" 2>&1 || missing "counters of page faults"
# usage: faults FILE
# The times, each with its page faults.
faults() {
    awk '$3 ~ /^page-faults/ { print $1, $2 }' "$1"
}
faults "$work/log" >"$work/live"
[[ -s $work/live ]] || missing "counters of page faults"
in_root perf stat report -i /tmp/recorded >"$work/report" 2>&1
faults "$work/report" >"$work/reported"
paste -d ' ' "$work/live" "$work/reported" >"$work/both"

# usage: always CONDITION
# Whether a condition holds in all rows, of the time and faults while it ran, and in the report.
always() {
    awk "{ live += \$2; reported += \$4; if (!($1)) failed = 1 }
        END { print failed || NR < 4 ? \"no\" : \"yes\" }" "$work/both"
}
cat "$work/both"
shows "the times are the same" "$(always "\$1 == \$3")" yes
shows "from the second on, the report has more" "$(always "NR == 1 || \$4 > \$2")" yes
shows "it has what the rows up to there add up to" "$(always "\$4 == live")" yes
