#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# go tool pprof -mean divides each value by the first one, such as bytes by objects.
# Expected: with -diff_base, how much the mean grew or fell.
#
# Seen: it divides the difference of the bytes by that of the objects. A function whose objects
# got smaller, 80 bytes each instead of 100, has +60B. Where the number of objects is the same,
# nothing is divided: objects of 40 bytes instead of 20 have +100B, the growth of five of them.
#
# Why it matters: a mean of a difference is no difference of means, and has not even its sign.
#
# pprof of Debian 13's golang-1.24-go 1.24.4-1, profiles by pprof-format 2.3.2; November 2026

source "$(dirname "$0")/support.bash"
npm_packages pprof-format@2.3.2
debian_packages trixie golang-1.24-go=1.24.4-1
pprof=$work/root/usr/lib/go-1.24/pkg/tool/linux_amd64/pprof

types='"types": [["alloc_objects", "count"], ["alloc_space", "bytes"]]'
profile old.pb "{$types, \"samples\": [[[\"smaller\"], [10, 1000]], [[\"larger\"], [5, 100]]]}"
profile new.pb "{$types, \"samples\": [[[\"smaller\"], [20, 1600]], [[\"larger\"], [5, 200]]]}"

means() {
    HOME=$work PPROF_TMPDIR=$work "$pprof" -top -mean -sample_index=alloc_space "$@" 2>"$work/log" |
        sed '1,/flat%/d' | awk '{ print $1, $NF }' | sort
}
cd "$work"
shows "bytes of an object, before" "$(means old.pb)" \
"100B smaller
20B larger"
shows "after" "$(means new.pb)" \
"40B larger
80B smaller"
shows "their difference, as pprof has it" "$(means -diff_base=old.pb new.pb)" \
"100B larger
60B smaller"
