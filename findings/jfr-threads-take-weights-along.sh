#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A jdk.ObjectAllocationSample of Java's flight recorder has a weight: what its thread allocated
# since its last sample. Weights are meant to be added up. Expected: the sum for a method is near
# what it allocated.
#
# Seen: it is, where a thread lives long. Of as many bytes, allocated by threads that live one after
# the other and allocate 2 MB each, a tenth to a quarter is left. The recorder takes 300 samples a
# second of the whole process, and what a thread allocated after its last one goes with the thread.
#
# Why it matters: with a thread for each request, allocations are several times more than a profile
# says, and another number of threads looks like a change of what is allocated. Rates of samples
# and sums of other processes scale it otherwise.
#
# Debian 13's openjdk-25 25.0.5+8 and its settings profile.jfc; 17.0.15 is alike; November 2026

source "$(dirname "$0")/support.bash"
java_25

cat >"$work/root/tmp/Threads.java" <<'END'
public class Threads {
    static final int ALL = 10_000_000;
    static volatile Object last;

    static void inOneThread(int objects) {
        for (int i = 0; i < objects; i++) last = new byte[1000];
    }
    static void inManyThreads(int objects) {
        for (int i = 0; i < objects; i++) last = new byte[1000];
    }
    static void finish(Runnable work) throws InterruptedException {
        Thread thread = new Thread(work);
        thread.start();
        thread.join();
    }
    public static void main(String[] arguments) throws InterruptedException {
        finish(() -> inOneThread(ALL));
        for (int i = 0; i < 5000; i++) finish(() -> inManyThreads(ALL / 5000));
    }
}
END
in_root "$java/javac" -d /tmp /tmp/Threads.java
in_root "$java/java" -cp /tmp -Xmx256m -Xlog:jfr*=off \
    -XX:StartFlightRecording=filename=/tmp/threads.jfr,settings=profile Threads >"$work/log"
in_root "$java/jfr" print --json --events ObjectAllocationSample /tmp/threads.jfr \
    >"$work/samples.json"
# The part of 10 GB that a method's weights add up to.
part() {
    node -e '
const { events } = JSON.parse(require("fs").readFileSync(process.argv[1])).recording;
const sum = events.map(event => event.values)
  .filter(({ stackTrace }) => stackTrace?.frames.some(
    frame => frame.method.name === process.argv[2]))
  .reduce((sum, { weight }) => sum + weight, 0);
const part = sum / (10e6 * 1016);
console.error(`${process.argv[2]}: ${(100 * part).toFixed(0)} %`);
console.log(part > 0.85 && part < 1.15 ? "all" : part < 0.5 ? "less than half" : part);
' "$work/samples.json" "$1"
}
shows "one thread" "$(part inOneThread)" all
shows "five thousand threads" "$(part inManyThreads)" "less than half"
