#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# speedscope opens profiles of callgrind, which have the own cost of each function, and what each
# call cost, callees included, but no stacks. Expected: stacks are a guess, as a function is taken
# to do the same for all of its callers; own costs are those of the file, as in callgrind_annotate.
#
# Seen: hash_search of bash, with 77 % of all instructions, is not there, and "(below main)", with
# none, has 50 %. Costs are handed down from the root by the shares of calls, and own cost is what
# is left. A function that is on the stack already is left out, with all below it, which is own cost
# of whoever calls it; yet it counts in the shares, with the cost of each level of the recursion. So
# nearly all goes to the functions that close a cycle. "(below main)" is in the dynamic loader and
# in the C library, which it calls. As objects are not read, that is a recursion, and without
# debugging information of these two, half of every program is its own cost. Small calls, below a
# ten-thousandth, are left out, too. With --dump-instr=yes line numbers are taken for costs, and
# unknown ones are 0.
#
# Why it matters: with the same functions and a deeper recursion, as of a parser or an interpreter,
# their costs move to others, and what became slower may be in neither profile. Compare own costs of
# callgrind_annotate.
#
# speedscope 1.25.0, Debian 13's valgrind 3.24.0-3; November 2026

source "$(dirname "$0")/support.bash"
speedscope
debian_packages trixie valgrind=1:3.24.0-3 perl-base=5.40.1-6+deb13u1 libc6=2.41-12+deb13u5 \
    libcrypt1=1:4.4.38-1 bash=5.2.37-2+b10 libtinfo6=6.5+20250216-2

cat >"$work/open.cjs" <<'END'
// Own weights of the largest frames.
require('./speedscope.cjs')(require('fs').readFileSync(0, 'utf8')).then(([profile]) => {
  const total = profile.getTotalWeight(), rows = [];
  profile.forEachFrame(frame => rows.push([frame.name, frame.getSelfWeight() / total]));
  for (const [name, share] of rows.sort(([, a], [, b]) => b - a))
    if (share > 0.05) process.stdout.write(`${name} ${(100 * share).toFixed(0)} %\n`);
  if (!total) process.stdout.write('nothing\n');
});
END
# usage: profiled FILE [OPTION...]
# A function of bash that calls itself 300 times.
profiled() {
    local file=$1
    shift
    # shellcheck disable=SC2016  # it is for the bash that is profiled
    in_root valgrind.bin -q --tool=callgrind --callgrind-out-file="/tmp/$file" "$@" bash -c \
        'f() { local n=$1; if (( n > 0 )); then local text="$n of $1"; f $(( n - 1 )); fi; }
         f 300' 2>"$work/log"
}
opened() {
    node "$work/open.cjs" <"$work/root/tmp/$1" 2>"$work/log"
}
profiled it
profiled instructions --dump-instr=yes
shows "own costs by callgrind_annotate" \
    "$(in_root callgrind_annotate --auto=no --show-percs=yes /tmp/it 2>"$work/log" |
        sed -n 's/^ *[0-9,]* *( *\([0-9.]*\)%)  [^ ]*:\(.*\) \[.*/\1 \2/p' |
        awk '$1 > 5 { printf "%s %.0f %%\n", $2, $1 }')" \
    "hash_search 77 %"
shows "by speedscope" "$(opened it)" "\
(below main) 50 %
0x000000000004f150'2 20 %
execute_command_internal'2 10 %
0x000000000004dfd0'2 10 %
execute_command'2 10 %"
shows "by speedscope, with --dump-instr=yes" "$(opened instructions)" "nothing"
