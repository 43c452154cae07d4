#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Java 25's flight recorder has jdk.CPUTimeSample, a sample for each period of CPU time. Expected:
# samples times their period is the time that a method took, whether that is one thread, or many
# one after the other; with less than a period in each thread, some of them have a sample.
#
# Seen: two seconds in 500 threads of 4 ms have no sample with a period of 10 ms. Each thread has a
# timer of its own, which starts with the thread and rings after a whole period, so what comes after
# its last ring counts nowhere: 15 ms are 10, and less than a period is nothing. The default is no
# period but 500 samples a second, and its period grows with the number of processors: 4 ms for two
# of them, 64 ms for 32, where 100 ms are 64, too.
#
# Why it matters: with a thread for each request, all that requests do may be missing, however long
# the recording is. A request that becomes a little slower is a jump from nothing, and a larger
# machine has less of the same work. Pools of threads have all of their time.
#
# Debian 13's openjdk-25 25.0.5+8; sid's openjdk-26 26.0.2.1 does the same; November 2026

source "$(dirname "$0")/support.bash"
java_25

cat >"$work/root/tmp/Work.java" <<'END'
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

public class Work {
    static final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    static volatile long last;

    static void spin(int milliseconds) {
        long end = threads.getCurrentThreadCpuTime() + milliseconds * 1_000_000L;
        while (threads.getCurrentThreadCpuTime() < end)
            for (int i = 0; i < 10_000; i++) last += i;
    }
    static void threadsOf4() { spin(4); }
    static void threadsOf15() { spin(15); }
    static void threadsOf100() { spin(100); }
    static void oneThread() { spin(2000); }

    // Two seconds of CPU time in all.
    static void inThreads(int milliseconds, Runnable work) throws InterruptedException {
        for (int i = 0; i < 2000 / milliseconds; i++) {
            Thread thread = new Thread(work);
            thread.start();
            thread.join();
        }
    }
    public static void main(String[] arguments) throws InterruptedException {
        inThreads(4, Work::threadsOf4);
        inThreads(15, Work::threadsOf15);
        inThreads(100, Work::threadsOf100);
        inThreads(2000, Work::oneThread);
    }
}
END
in_root "$java/javac" -d /tmp /tmp/Work.java

cat >"$work/sum.js" <<'END'
const [, , file, what] = process.argv;
const samples = JSON.parse(require('fs').readFileSync(file)).recording.events
  .map(({ values }) => values);
const seconds = samples => samples.reduce(
  (sum, { samplingPeriod }) => sum + parseFloat(samplingPeriod.replace('PT', '')), 0);
// How much of two seconds. A sample that is late stands for several periods, or is lost.
for (const method of ['threadsOf4', 'threadsOf15', 'threadsOf100', 'oneThread']) {
  const part = seconds(samples.filter(({ stackTrace }) =>
    stackTrace?.frames.some(frame => frame.method.name === method))) / 2;
  console.error(what, method, part.toFixed(2));
  console.log(`${method}: ${part < 0.15 ? 'nothing' : part < 0.75 ? 'a part' : 'all'}`);
}
END
# usage: recorded THROTTLE [OPTION...]
recorded() {
    local settings=filename=/tmp/work.jfr,jdk.CPUTimeSample#enabled=true
    in_root "$java/java" "${@:2}" -cp /tmp -Xlog:jfr*=off \
        "-XX:StartFlightRecording=$settings,jdk.CPUTimeSample#throttle=$1" Work >"$work/log"
    in_root "$java/jfr" print --json --events CPUTimeSample /tmp/work.jfr >"$work/samples.json"
    node "$work/sum.js" "$work/samples.json" "$1 $2"
}
shows "of two seconds each, with a period of 10 ms" "$(recorded 10ms -XX:ActiveProcessorCount=2)" \
"threadsOf4: nothing
threadsOf15: a part
threadsOf100: all
oneThread: all"
shows "by default, on 32 processors" "$(recorded 500/s -XX:ActiveProcessorCount=32)" \
"threadsOf4: nothing
threadsOf15: nothing
threadsOf100: a part
oneThread: all"
