#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# jdk.ExecutionSample of Java's flight recorder samples threads that run Java, every 20 ms by
# default. Expected: samples times 20 ms are the time that a method ran, or, where threads have to
# wait for a processor, more than that, as they are in a state to run all the time.
#
# Seen: with 40 busy threads on one processor it is a fifth of what they ran, though the processor
# is as busy as with one thread, where it is all of that. The recorder stops one thread after the
# other to sample it, and waits 2 ms for each. One that is not on a processor by then has no sample,
# and the next 20 ms begin when all had their turn: after 80 ms for 40 threads. jdk.CPUTimeSample,
# new in Java 25, has all of the time for any number of threads.
#
# Why it matters: the more there is to do, the fewer samples there are. Under load, or in a smaller
# container, a method that takes as long as before loses four fifths of its time. Compare shares of
# recordings, neither numbers of samples nor times.
#
# Debian 13's openjdk-25 25.0.5+8; 21.0.13 and sid's openjdk-26 26.0.2.1 do the same; November 2026

source "$(dirname "$0")/support.bash"
java_25

cat >"$work/root/tmp/Busy.java" <<'END'
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Recording;

public class Busy {
    static final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    static final AtomicLong nanoseconds = new AtomicLong();
    static volatile boolean stopped;
    static volatile long last;

    static void busy() {
        while (!stopped) last++;
        nanoseconds.addAndGet(threads.getCurrentThreadCpuTime());
    }
    // Records so many threads for four seconds, and prints how long they ran.
    public static void main(String[] arguments) throws Exception {
        Thread[] all = new Thread[Integer.parseInt(arguments[0])];
        Recording recording = new Recording();
        recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(20));
        recording.enable("jdk.CPUTimeSample").with("throttle", "10ms");
        recording.start();
        for (int i = 0; i < all.length; i++) (all[i] = new Thread(Busy::busy)).start();
        Thread.sleep(4000);
        stopped = true;
        for (Thread each : all) each.join();
        recording.stop();
        recording.dump(Path.of("/tmp/busy.jfr"));
        System.out.println(nanoseconds.get());
    }
}
END
in_root "$java/javac" -d /tmp /tmp/Busy.java

# All on one processor from here on.
one=$(sed -n 's/^Cpus_allowed_list:\s*\([0-9]*\).*/\1/p' /proc/self/status)
taskset -c -p "$one" $$ >"$work/log"

cat >"$work/sum.js" <<'END'
const [, , file, what, nanoseconds] = process.argv;
const samples = JSON.parse(require('fs').readFileSync(file)).recording.events
  .map(({ values }) => values)
  .filter(({ stackTrace }) => stackTrace?.frames.some(({ method }) => method.name === 'busy'));
const seconds = samples.reduce((sum, { samplingPeriod = 'PT0.02S' }) =>
  sum + parseFloat(samplingPeriod.replace('PT', '')), 0);
const part = 1e9 * seconds / nanoseconds;
console.error(`${what}: ${seconds.toFixed(1)} s of ${(nanoseconds / 1e9).toFixed(1)} s`);
console.log(what, part > 0.7 ? 'all, or more' : part < 0.4 ? 'less than 40 %' : part);
END
# usage: samples EVENT NANOSECONDS
# Prints which part of the time they are.
samples() {
    in_root "$java/jfr" print --json --events "$1" /tmp/busy.jfr >"$work/samples.json"
    node "$work/sum.js" "$work/samples.json" "$1" "$2"
}
# usage: recorded THREADS
recorded() {
    local nanoseconds
    nanoseconds=$(in_root "$java/java" -cp /tmp -Xlog:jfr*=off Busy "$1")
    samples ExecutionSample "$nanoseconds"
    samples CPUTimeSample "$nanoseconds"
}
shows "one thread" "$(recorded 1)" \
"ExecutionSample all, or more
CPUTimeSample all, or more"
shows "40 threads" "$(recorded 40)" \
"ExecutionSample less than 40 %
CPUTimeSample all, or more"
