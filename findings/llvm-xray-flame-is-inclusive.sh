#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# llvm-xray stack -all-stacks -stack-format=flame turns a trace of calls into folded stacks, which
# it offers for FlameGraph. Expected: as in all folded stacks, a line has the time of that stack
# without its callees, so that lines add up to the length of the trace.
#
# Seen: it has the time with all callees. Of three nested calls of 1000, 850 and 700 ns, the
# innermost counts three times, and the sum is 2550. Times are ticks: of two traces, from processors
# of 1 and 2 GHz, those of the second weigh twice as much, though each file says how long a tick is.
# With -aggregation-type=count a line is the number of calls, and whoever reads it adds up, too.
#
# Why it matters: every reader of folded stacks takes the values for own ones. A stack that became
# deeper by a call has grown by all that is below it, and shares say how deep a program calls.
#
# Debian 13's llvm-22 22.1.8; llvm-14 does the same; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie llvm-22=1:22.1.8-1~deb13u5 libllvm22=1:22.1.8-1~deb13u5 \
    libc6=2.41-12+deb13u5 libgcc-s1=14.2.0-19 libstdc++6=14.2.0-19 libffi8=3.4.8-2 \
    libedit2=3.1-20250104-1 libz3-4=4.13.3-1 libzstd1=1.5.7+dfsg-1 \
    'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1' libxml2=2.12.7+dfsg+really2.9.14-2.1+deb13u3 \
    libtinfo6=6.5+20250216-2 libbsd0=0.12.2-2 libmd0=1.1.0-2+b1 liblzma5=5.8.1-1+deb13u2

# usage: trace FILE HERTZ [enter|exit FUNCTION NANOSECONDS]...
trace() {
    local file=$1 hertz=$2
    shift 2
    {
        printf '%s\n' --- header: "  version: 1" "  type: 0" "  constant-tsc: true" \
            "  nonstop-tsc: true" "  cycle-frequency: $hertz" records:
        for (( ; $#; )); do
            echo "- {type: 0, func-id: $2, cpu: 1, thread: 1, process: 1," \
                "kind: function-$1, tsc: $(($3 * hertz / 1000000000))}"
            shift 3
        done
    } >"$work/root/tmp/$file"
}
calls=(enter 1 1000 enter 2 1100 enter 3 1200 exit 3 1900 exit 2 1950 exit 1 2000)
trace slow 1000000000 "${calls[@]}"
trace fast 2000000000 "${calls[@]}"
xray() {
    in_root /usr/lib/llvm-22/bin/llvm-xray "$@"
}
folded() {
    xray stack -all-stacks -aggregate-threads -stack-format=flame -aggregation-type=time "$@"
}
lengths() {
    xray account -format=csv -sort=funcid "$1" |
        awk -F, 'NR > 1 { printf "#%d %.0f ns\n", $1, 1e9 * $8 }'
}
for file in slow fast; do
    shows "length of calls, $file" "$(lengths "/tmp/$file")" \
"#1 1000 ns
#2 850 ns
#3 700 ns"
done
shows "folded, slow" "$(folded /tmp/slow)" \
"#1; 1000
#1;#2; 850
#1;#2;#3; 700"
shows "folded, both" "$(folded /tmp/slow /tmp/fast)" \
"#1; 3000
#1;#2; 2550
#1;#2;#3; 2100"
