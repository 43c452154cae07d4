#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Xdebug's profiler measures each call of a function, and its own time. Expected: a function that
# only calls another one has next to no time of its own, whatever that one does.
#
# Seen: it has about 40 % of what the other takes if that makes many calls: 50 to 140 ms with
# 200,000 calls, and twice as much with 400,000. If the other computes as long without calls, it has
# 0.02 ms. When a function ends, its time is taken, and then a record is written for each call that
# it made, so writing them is time of the caller, and of all that are further up.
#
# Why it matters: the own time of a function is, for a part, how many calls its callees make. Among
# the largest own times are functions that do nothing, and in a difference of two builds a helper
# that makes more calls makes its caller slower. Look at own times only where callees make few
# calls, and don't compare inclusive times of builds whose numbers of calls differ.
#
# Debian sid's php8.4-xdebug 3.4.5-3, php8.4-cli 8.4.27-1; November 2026

source "$(dirname "$0")/support.bash"
php_8_4 php8.4-xdebug=3.4.5-3

cat >"$work/root/tmp/calls.php" <<'END'
<?php
function calls($count) {
    for ($i = 0; $i < $count; $i++) abs($i);
}
function computes($count) {
    for ($i = 0; $i < $count; $i++) $i ^ 1;
}
function many_calls() { calls(200000); }
function twice_as_many_calls() { calls(400000); }
function no_calls() { computes(5000000); }
many_calls();
twice_as_many_calls();
no_calls();
END
in_root php8.4 -n -d display_startup_errors=0 -d zend_extension=xdebug.so -d xdebug.mode=profile \
    -d xdebug.start_with_request=yes -d xdebug.output_dir=/tmp \
    -d xdebug.profiler_output_name=profile /tmp/calls.php 2>>"$work/log"
# Each function's own time and that of the calls in it, of those that are called once.
gzip -d -c "$work/root/tmp/profile.gz" | awk '
    /^fn=/ { name = $2 }
    /^calls=/ { getline; below[name] += $2; next }
    /^[0-9]/ { own[name] += $2 }
    END {
        for (name in own)
            if (name ~ /_calls$/) {
                print name ": own", own[name] / 1e5 " ms, below", below[name] / 1e5 " ms"
            }
    }' | sort | tee "$work/times"
shows "own time of what it calls" "$(awk '{
        share = $3 / $6
        print $1, (share > 0.15 ? "a lot" : share > 0.01 ? "a bit" : "next to nothing")
    }' "$work/times")" \
"many_calls: a lot
no_calls: next to nothing
twice_as_many_calls: a lot"
