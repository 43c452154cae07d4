#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# go tool pprof can normalize a profile to its base, and convert units where profiles differ.
# Expected: each type is multiplied by its own factor, and rows that were not touched stay.
#
# Seen: a sample goes if it has nothing but in types whose factor is exactly 1. So two profiles
# that are equal in alloc_space differ by -400 of it under -normalize, only because another
# type, inuse_space, is scaled: what was freed has nothing of that. In the same way 5 and 1
# contentions add up to 3 where one profile has its delay in milliseconds and the other in
# nanoseconds: the 3 that waited for less than that are lost.
#
# Why it matters: in profiles of memory most stacks hold nothing, and one type is often equal in
# both. Normalize one type at a time, or check the totals.
#
# pprof of Debian 13's golang-1.24-go 1.24.4-1, profiles by pprof-format 2.3.2; November 2026

source "$(dirname "$0")/support.bash"
npm_packages pprof-format@2.3.2
debian_packages trixie golang-1.24-go=1.24.4-1
pprof=$work/root/usr/lib/go-1.24/pkg/tool/linux_amd64/pprof

profile old.pb '{"types": [["alloc_space", "bytes"], ["inuse_space", "bytes"]],
    "samples": [[["freed"], [400, 0]], [["held"], [600, 500]]]}'
profile new.pb '{"types": [["alloc_space", "bytes"], ["inuse_space", "bytes"]],
    "samples": [[["freed"], [400, 0]], [["held"], [600, 250]]]}'
profile milli.pb '{"types": [["contentions", "count"], ["delay", "milliseconds"]],
    "samples": [[["short"], [3, 0]], [["long"], [2, 5]]]}'
profile nano.pb '{"types": [["contentions", "count"], ["delay", "nanoseconds"]],
    "samples": [[["other"], [1, 5000000]]]}'

rows() {
    HOME=$work PPROF_TMPDIR=$work "$pprof" -top "$@" 2>"$work/log" | sed '1,/flat%/d' |
        awk '{ print $1, $NF }'
}

cd "$work"
shows "change of alloc_space" "$(rows -sample_index=alloc_space -diff_base=old.pb new.pb)" ""
shows "the same, normalized" \
    "$(rows -sample_index=alloc_space -normalize -diff_base=old.pb new.pb)" "-400B freed"
shows "contentions of the one" "$(rows -sample_index=contentions milli.pb)" \
"3 short
2 long"
shows "contentions of both" "$(rows -sample_index=contentions milli.pb nano.pb)" \
"2 long
1 other"
