#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Xdebug profiles PHP into a cachegrind file with two columns, time and memory. Expected: memory
# is what functions allocate, or how much more there is after them, which is below zero where they
# free.
#
# Seen: it is the second, and what is below zero is written as zero. A function that frees 4 MB
# has 0. One that calls for a string of 4 MB ten times, and frees each, has 0 of its own and 320
# bytes with all that it calls, next to ten calls of 4 MB; one that makes these strings itself has
# no such thing anywhere. Own memory adds up to 46 MB, which is neither what was allocated nor
# what is left.
#
# Why it matters: what is freed in another function than it was allocated in counts as a leak of the
# one, and moving the two into one function as a gain. A difference of two files is no difference of
# memory.
#
# Debian 13's php8.4-xdebug 3.4.5-3 with php8.4-cli 8.4.27-1~deb13u1; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie php8.4-xdebug=3.4.5-3 php8.4-cli=8.4.27-1~deb13u1 \
    libargon2-1=0~20190702+dfsg-4+b2 libc6=2.41-12+deb13u5 libgcc-s1=14.2.0-19 \
    liblzma5=5.8.1-1+deb13u2 libpcre2-8-0=10.46-1~deb13u3 libsodium23=1.0.18-1+deb13u1 \
    libssl3t64=3.5.9-1~deb13u1 libxml2=2.12.7+dfsg+really2.9.14-2.1+deb13u3 \
    libzstd1=1.5.7+dfsg-1 'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1'

cat >"$work/root/tmp/app.php" <<'END'
<?php
function text() { return str_repeat("x", 4000000); }
function keep() { global $kept; $kept = text(); }
function drop() { global $kept; $kept = null; }
function churn() {
    for ($i = 0; $i < 10; $i++) {
        $made = text();
        $made = null;
    }
}
function inlined() {
    $half = str_repeat("x", 2000000);
    for ($i = 0; $i < 10; $i++) {
        $made = $half . $half;
        $made = null;
    }
}
function app() { keep(); drop(); churn(); inlined(); }
app();
END
in_root php8.4 -n -d zend_extension=xdebug.so -d xdebug.mode=profile -d xdebug.output_dir=/tmp \
    -d xdebug.use_compression=0 -d xdebug.profiler_output_name=profile /tmp/app.php >"$work/log"

# MB of each function, and what its callers say of the calls to it, with all that it calls.
memory() {
    awk '
        function named(text) {
            match(text, /\([0-9]+\)/)
            id = substr(text, RSTART, RLENGTH)
            if (length(text) > RSTART + RLENGTH) name[id] = substr(text, RSTART + RLENGTH + 1)
            return name[id]
        }
        /^fn=/ { own = named($0) }
        /^cfn=/ { callee = named($0) }
        /^calls=/ { getline; calls[callee] += $3; next }
        /^[0-9]+ [0-9]+ [0-9-]+$/ { self[own] += $3; all += $3 }
        END {
            for (each in calls)
                printf "%s: own %.1f, calls %.1f\n", each, self[each] / 1e6, calls[each] / 1e6
            printf "all own: %.1f\n", all / 1e6
        }' "$work/root/tmp/profile" | sort
}
shows "MB" "$(memory)" \
"all own: 46.0
app: own 0.0, calls 0.0
churn: own 0.0, calls 0.0
drop: own 0.0, calls 0.0
inlined: own 0.0, calls 2.0
keep: own 0.0, calls 4.0
php::str_repeat: own 46.0, calls 46.0
text: own 0.0, calls 44.0"
