#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gprof -s adds up the profiles of several runs. Expected: the sum of more runs is more, or gprof
# says that it cannot be written.
#
# Seen: a profile has 16 bits for the samples at a place in the code, and 32 bits for the calls
# from a place. What is more is cut off without a word. An instruction has 65536 samples after 11
# minutes, so 8192 runs of half a second have 8 minutes in their sum rather than 74; and a function
# that each run calls a million times has fewer calls in 8192 runs than in 4096.
#
# Why it matters: runs are added up to compare what is rare. Nobody can see in such a sum that it
# is wrong, nor can a converter to another format.
#
# Debian 13's binutils 2.44-3; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie binutils-x86-64-linux-gnu=2.44-3 libbinutils=2.44-3 libctf0=2.44-3 \
    libctf-nobfd0=2.44-3 libsframe1=2.44-3 libjansson4=2.14-2+b3 libzstd1=1.5.7+dfsg-1 \
    'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1' libc6=2.41-12+deb13u5 libc6-dev=2.41-12+deb13u5 \
    gcc-14-x86-64-linux-gnu=14.2.0-19 cpp-14-x86-64-linux-gnu=14.2.0-19 \
    libgcc-14-dev=14.2.0-19 libgcc-s1=14.2.0-19 libisl23=0.27-1 libmpc3=1.3.1-1+b3 \
    libmpfr6=4.2.2-1 libgmp10=2:6.3.0+dfsg-3 libstdc++6=14.2.0-19

cat > "$work/root/tmp/busy.c" <<'END'
long clock(void); // microseconds

static volatile unsigned long count;

__attribute__((noinline)) static void step(void) { ++count; }

__attribute__((noinline)) static void spin(void) {
    const long end = clock() + 500000;
    while (clock() < end)
        for (int i = 0; i < 1000000; ++i)
            ++count;
}

int main(void) {
    for (int i = 0; i < 1000000; ++i)
        step();
    spin();
    return 0;
}
END
ln -s x86_64-linux-gnu-as "$work/root/usr/bin/as"
ln -s x86_64-linux-gnu-ld "$work/root/usr/bin/ld"
in_root x86_64-linux-gnu-gcc-14 -O1 -pg /tmp/busy.c -o /tmp/busy > "$work/log" 2>&1
in_root /tmp/busy
mv "$work/root/gmon.out" "$work/root/tmp/sum"

# The seconds of spin() and the calls of step() in the sum.
figures() {
    in_root x86_64-linux-gnu-gprof -b -p /tmp/busy /tmp/sum |
        awk '$NF == "spin" { seconds = $3 } $NF == "step" { print seconds, $4 }'
}

declare -A seconds calls
for ((runs = 1; runs <= 8192; runs *= 2)); do
    read -r "seconds[$runs]" "calls[$runs]" < <(figures)
    in_root x86_64-linux-gnu-gprof -s /tmp/busy /tmp/sum /tmp/sum > "$work/log"
    mv "$work/root/gmon.sum" "$work/root/tmp/sum"
done
echo "spin(): ${seconds[1]} s in 1 run, ${seconds[512]} in 512, ${seconds[8192]} in 8192"
shows "the sum of 8192 runs has a quarter of their time" \
    "$(awk -v one="${seconds[1]}" -v all="${seconds[8192]}" \
        'BEGIN { print all < 8192 * one / 4 ? "at most" : "more" }')" "at most"
shows "calls of step() in 4096 runs and in 8192" "${calls[4096]} ${calls[8192]}" \
    "4096000000 3897032704"
