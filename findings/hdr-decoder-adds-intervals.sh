#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# hdr_decoder of HdrHistogram_c shows the histograms of a log, which has one for each interval, as
# its hiccup and others write it. Expected: percentiles, mean and count of each interval.
#
# Seen: each has all that came before it, too. Of a log with 10 requests of 1 ms, then 20 of 5 ms,
# then 10 of 100 us, the last one has 40 requests, a mean of 2.8 ms and a maximum of 5 ms, and in
# the second, the fastest took 1 ms. The reader of logs adds what it finds to the histogram that it
# is given, and makes a new one only if there is none; the decoder gives it the previous one.
#
# Why it matters: a second of trouble is in all tables after it, and what is new in an interval is
# thinner the later it comes. Two intervals that are compared are a sum and a part of this sum.
# Who reads logs by the library has to clear the histogram, or to pass none, each time.
#
# Debian sid's libhdr-histogram-examples 0.11.8-4+b2; November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid libhdr-histogram-examples=0.11.8-4+b2 libhdr-histogram6=0.11.8-4+b2 \
    libc6=2.43-7 'zlib1g=1:1.3.dfsg+really1.3.2-4'

# What the library writes for 10 values of 1000, for 20 of 5000, and for 10 of 100.
fast=HISTFAAAACJ4nJNpmSzMwMDAzAABMJoRRFybvITB/gNE4Dy/CABhegV8
slow=HISTFAAAACJ4nJNpmSzMwMDAzAABMJoRRFybvITB/gNE4LCxBgBhsgWo
faster=HISTFAAAACJ4nJNpmSzMwMDAzAABMJoRRFybvITB/gNE4DijCABhRgVm

# usage: decoded HISTOGRAM...
# The mean, largest value and count of each, of a log of them.
decoded() {
    local i=0 histogram
    {
        echo '#[Histogram log format version 1.2]'
        for histogram; do
            echo "$i.000,1.000,5000.0,$histogram"
            i=$((i + 1))
        done
    } >"$work/root/tmp/log"
    in_root hdr_decoder /tmp/log >"$work/tables"
    tr -d ',]' <"$work/tables" |
        awk '/Mean/ { mean = $3 } /Max/ { printf "%.0f %.0f %d\n", mean, $3, $7 }'
}
shows "10 of 1000" "$(decoded $fast)" "1000 1000 10"
shows "20 of 5000" "$(decoded $slow)" "5002 5003 20"
shows "10 of 100" "$(decoded $faster)" "100 100 10"
shows "a log of these" "$(decoded $fast $slow $faster)" \
"1000 1000 10
3668 5003 30
2776 5003 40"
