#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# go tool pprof leaves out nodes below half a percent of the total, and with -drop_negative those
# that fell. Expected of -diff_base: what has grown by a tenth of the total is there, and with
# -drop_negative all that grew, a caller of what grew included.
#
# Seen: half a percent is compared with cum. Where 100 ms move from parse to its caller, which
# now does that work itself, the caller has +100 ms flat and 0 cum, and is dropped; parse has
# its -100 ms, so a mere move is a gain. Half a percent is not of the total that is printed, but
# of the net change: where all rows cancel out, the caller is there, and where anything else takes
# 10 ms more, it is not. -drop_negative goes by flat: a function whose own time fell by 10 ms,
# and that takes a second more with all that it calls, is gone.
#
# Why it matters: a refactoring looks like an improvement, and whether a row is there depends on
# rows that have nothing to do with it. -nodefraction=0 shows all. A file that holds a difference
# needs it, too, whoever wrote that.
#
# pprof of Debian 13's golang-1.24-go 1.24.4-1, profiles by pprof-format 2.3.2; sid's golang-1.27-go
# 1.27.3-1 does the same; November 2026

source "$(dirname "$0")/support.bash"
npm_packages pprof-format@2.3.2
debian_packages trixie golang-1.24-go=1.24.4-1
pprof=$work/root/usr/lib/go-1.24/pkg/tool/linux_amd64/pprof

# usage: cpu FILE PARSE HANDLE OTHER
# What each takes itself, in milliseconds.
cpu() {
    profile "$1" "{\"types\": [[\"cpu\", \"nanoseconds\"]], \"samples\": [
        [[\"parse\", \"handle\", \"main\"], [${2}e6]],
        [[\"handle\", \"main\"], [${3}e6]], [[\"other\", \"main\"], [${4}e6]]]}"
}
cpu old.pb 100 50 850
cpu moved.pb 0 150 850
cpu grown.pb 0 150 860
cpu nested.pb 1100 40 850

# Flat and cum of each row.
rows() {
    HOME=$work PPROF_TMPDIR=$work "$pprof" -top -unit=ms "$@" 2>"$work/log" |
        sed '1,/flat%/d' | awk '{ print $1, $4, $NF }'
}
cd "$work"
shows "100 ms moved from parse to handle, and nothing else changed" \
    "$(rows -diff_base=old.pb moved.pb)" \
"100ms 0 handle
-100ms -100ms parse"
shows "the same, and other takes 10 ms more" "$(rows -diff_base=old.pb grown.pb)" \
"-100ms -100ms parse
10ms 10ms other
0 10ms main"
shows "the same, with all rows" "$(rows -nodefraction=0 -diff_base=old.pb grown.pb)" \
"100ms 0 handle
-100ms -100ms parse
10ms 10ms other
0 10ms main"
HOME=$work PPROF_TMPDIR=$work "$pprof" -proto -diff_base=old.pb grown.pb >difference.pb 2>log
shows "a difference that was written to a file" "$(rows difference.pb)" \
"-100ms -100ms parse
10ms 10ms other
0 10ms main"
shows "parse takes a second more, and handle itself 10 ms less" \
    "$(rows -diff_base=old.pb nested.pb)" \
"1000ms 1000ms parse
-10ms 990ms handle
0 990ms main"
shows "the same with -drop_negative" "$(rows -drop_negative -diff_base=old.pb nested.pb)" \
"1000ms 1000ms parse
0 990ms main"
