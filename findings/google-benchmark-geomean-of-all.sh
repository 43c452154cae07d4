#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# compare.py of Google Benchmark has a row for each benchmark that two files have in common, and
# below them OVERALL_GEOMEAN. Expected: this is the geometric mean of the rows, or of a row for
# each benchmark, so if all are 10 % faster it says so.
#
# Seen: it divides the geometric means of the two files, each of all that is in that file. A
# slow benchmark that only the later one has makes the whole 333 % slower. One whose unit of time
# changed, from ns to us, has no row, yet counts. One with nine repetitions counts nine times.
#
# Why it matters: it is the one number that is quoted or held against a limit. It changes with
# the set of benchmarks and with the repetitions, where no benchmark changed.
#
# Debian 13's libbenchmark-tools 1.9.1-1, as in sid; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie libbenchmark-tools=1.9.1-1 python3.13-minimal=3.13.5-2+deb13u5 \
    libpython3.13-minimal=3.13.5-2+deb13u5 libpython3.13-stdlib=3.13.5-2+deb13u5 \
    python3-numpy=1:2.2.4+ds-1 python3-scipy=1.15.3-1 python3-decorator=5.2.1-2 \
    libblas3=3.12.1-6 liblapack3=3.12.1-6 libgfortran5=14.2.0-19 libquadmath0=14.2.0-19 \
    libqhull-r8.0=2020.2-6+b2 libstdc++6=14.2.0-19 libgcc-s1=14.2.0-19 libffi8=3.4.8-2 \
    libexpat1=2.9.0-1~deb13u1 'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1' libc6=2.41-12+deb13u5
ln -s blas/libblas.so.3 lapack/liblapack.so.3 "$work/root/usr/lib/x86_64-linux-gnu/"

# usage: results FILE [NAME TIME UNIT REPETITIONS]...
results() {
    local file=$1 entries=() i
    shift
    for (( ; $#; )); do
        for ((i = 0; i < $4; i++)); do
            entries+=("{\"name\": \"$1\", \"run_name\": \"$1\", \"run_type\": \"iteration\",
                \"repetitions\": $4, \"repetition_index\": $i, \"threads\": 1, \"iterations\": 1000,
                \"real_time\": $2, \"cpu_time\": $2, \"time_unit\": \"$3\"}")
        done
        shift 4
    done
    (IFS=,; echo "{\"context\": {}, \"benchmarks\": [${entries[*]}]}") >"$work/root/tmp/$file"
}
results old.json A 1000 ns 1 B 1000 ns 1
results faster.json A 900 ns 1 B 900 ns 1
results added.json A 900 ns 1 B 900 ns 1 C 100000 ns 1
results unit.json A 900 ns 1 B 2 us 1
results repeated.json A 900 ns 1 B 2000 ns 9

# usage: changes FILE
# The name and the change of time in each row.
changes() {
    in_root python3.13 /usr/share/benchmark/compare.py --no-color benchmarks /tmp/old.json \
        "/tmp/$1" | awk '$2 ~ /^[-+]/ { print $1, $2 }'
}
shows "all are 10 % faster" "$(changes faster.json)" \
"A -0.1000
B -0.1000
OVERALL_GEOMEAN -0.1000"
shows "all are, and one is new" "$(changes added.json)" \
"A -0.1000
B -0.1000
OVERALL_GEOMEAN +3.3267"
shows "one is 10 % faster, and one has another unit" "$(changes unit.json)" \
"A -0.1000
OVERALL_GEOMEAN +0.3416"
shows "one is 10 % faster, and one takes twice as long in nine repetitions" \
    "$(changes repeated.json)" \
"A -0.1000
B +1.0000
OVERALL_GEOMEAN +0.8465"
