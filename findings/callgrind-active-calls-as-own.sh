#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# callgrind can write its profile in parts, one for each interval, and callgrind_annotate prints
# what each function cost. Expected: unless inclusive costs are asked for, the rows of a part add
# up to its total, as those of a whole run do, and who only calls others costs next to nothing.
#
# Seen: they add up to seven times the total. For a function that was active when the part began,
# callgrind writes what its callees cost below a line calls=0, and callgrind_annotate takes zero
# calls for no call: all that is below a main loop is the main loop's own, and main's. The first
# part is right, and a run without parts. A profile of the heap from --xtree-memory has no other
# calls than calls=0, so main, which allocates nothing, has allocated everything itself.
#
# Why it matters: parts are what one compares to see what a program did meanwhile. Their rows
# cannot be added up or subtracted, nor be held against those of the first part.
#
# Debian 13's valgrind 3.24.0-3; 3.19.0 and 3.27.1 do the same; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie valgrind=1:3.24.0-3 perl-base=5.40.1-6+deb13u1 libc6=2.41-12+deb13u5 \
    libcrypt1=1:4.4.38-1

# usage: profiled OPTION...
# perl_run, called by main, does no more than call the loop over all instructions of the program.
profiled() {
    in_root valgrind.bin -q "$@" perl -e "\$sum += \$_ for 1 .. 500000;" 2>"$work/log"
}
profiled --tool=callgrind --callgrind-out-file=/tmp/whole
profiled --tool=callgrind --callgrind-out-file=/tmp/part --dump-every-bb=10000000
profiled --tool=massif --massif-out-file=/tmp/massif --xtree-memory=full \
    --xtree-memory-file=/tmp/heap

# usage: rows FILE FUNCTION [OPTION...]
# How many times the total all rows are, and how much of the total is in the function's row.
rows() {
    local file=$1 function=$2
    shift 2
    in_root callgrind_annotate --threshold=100 --auto=no --show-percs=no "$@" "/tmp/$file" \
        2>"$work/log" | tr -d , | awk -v name="$function" '
            / PROGRAM TOTALS$/ { total = $1 }
            /^ *[0-9]+ +[^ ]+:/ { sum += $1 }
            $2 ~ (":" name "$") { own = $1 }
            END { printf "rows %.0f, %s %.0f %%\n", sum / total, name, 100 * own / total }'
}
shows "a run" "$(rows whole perl_run)" "rows 1, perl_run 0 %"
shows "its first part" "$(rows part.1 perl_run)" "rows 1, perl_run 0 %"
shows "its second part" "$(rows part.2 perl_run)" "rows 7, perl_run 100 %"
shows "its heap, by bytes allocated" "$(rows heap main --show=totB --sort=totB)" \
    "rows 6, main 100 %"
