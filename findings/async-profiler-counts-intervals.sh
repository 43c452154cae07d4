#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Allocation profiles of async-profiler estimate bytes from samples, one for about 512 KiB in the
# mean. Expected: a function has what it allocated, whatever the size of its objects, as in Go's
# heap profiles, whose samples are divided by the probability of being taken.
#
# Seen: a sample counts as its object's size or as the interval, whichever is more. That is right for
# objects that are much smaller or much larger. Where objects are as large as the interval, 63 % of
# the bytes are there: 1 - 1/e is the probability that one is sampled at all. Generally the part is
# (1 - exp(-size / interval)) * max(size, interval) / size.
#
# Why it matters: buffers that are made in 512 KiB rather than in 8 KiB look like 37 % less memory,
# and a difference between two builds has that as a gain. No converter can mend it, as folded stacks
# have no sizes.
#
# Debian's libasync-profiler-jni 3.0, on OpenJDK 25; recordAllocation() of src/objectSampler.cpp is
# the same in 4.5; November 2026

source "$(dirname "$0")/support.bash"
java_25
debian_packages sid libasync-profiler-jni=3.0+dfsg.1-3

cat >"$work/root/tmp/Sizes.java" <<'END'
public class Sizes {
    static volatile Object last;

    // Allocates 2^30 bytes; 16 of each object are its header.
    static void allocate(int size) {
        for (int i = 0; i < (1 << 30) / size; i++) last = new byte[size - 16];
    }
    static void of1KiB() { allocate(1 << 10); }
    static void of128KiB() { allocate(1 << 17); }
    static void of512KiB() { allocate(1 << 19); }
    static void of1MiB() { allocate(1 << 20); }
    static void of8MiB() { allocate(1 << 23); }

    public static void main(String[] arguments) {
        for (int i = 0; i < 4; i++) {
            of1KiB(); of128KiB(); of512KiB(); of1MiB(); of8MiB();
        }
    }
}
END
in_root "$java/javac" -d /tmp /tmp/Sizes.java
agent=/usr/lib/x86_64-linux-gnu/jni/libasyncProfiler.so
in_root "$java/java" -cp /tmp -Xmx512m \
    -agentpath:"$agent"=start,event=alloc,total,collapsed,file=/tmp/folded Sizes >"$work/log"
# The part of 4 GiB that functions have, to a tenth.
parts=$(awk '
    { split($1, frames, ";"); sum[frames[2]] += $NF }
    END { for (name in sum) if (name ~ /[.]of/) printf "%s %.1f\n", name, sum[name] / 2^32 }
' "$work/root/tmp/folded" | sort -V)
shows "bytes in the profile, as a part of those allocated" "$parts" "Sizes.of1KiB 1.0
Sizes.of1MiB 0.9
Sizes.of8MiB 1.0
Sizes.of128KiB 0.9
Sizes.of512KiB 0.6"
