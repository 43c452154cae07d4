#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Java 25's flight recorder times methods that a filter names, with code that it adds to them:
# jdk.MethodTiming has invocations, minimum, average and maximum. Expected of a recording: what
# happened in it, as much as in any other event, and a minimum that is the shortest time.
#
# Seen: there is one counter for all recordings, from the start of the first one until none runs. A
# recording of 10 calls of 20 ms has 110 of 3 ms if another one that still runs saw 100 of 1 ms
# before, and its minimum is theirs. There is an event at the end of each part of a recording, which
# any start or end of another one ends, and it has all calls so far: three of them add up to 320
# calls, where 110 were made. A time that is a new maximum is never a minimum: calls of 20, 40 and
# 60 ms have a minimum of 40 ms, which is their average, and of 20 ms in the reverse order.
#
# Why it matters: a recording that runs all the time is usual, and a short one beside it shows the
# lifetime of the service, where what just became slow is hidden in the average. Take the difference
# of two events, of the invocations and of these times the average. Nobody can tell the minimum.
#
# Debian 13's openjdk-25 25.0.5+8; sid's openjdk-26 26.0.2.1 does the same; November 2026

source "$(dirname "$0")/support.bash"
java_25

cat >"$work/root/tmp/Time.java" <<'END'
import java.nio.file.Path;
import jdk.jfr.Recording;

public class Time {
    static void request(int milliseconds) throws InterruptedException {
        Thread.sleep(milliseconds);
    }
    static Recording start() {
        Recording recording = new Recording();
        // An event at the end of each file, as in the settings that Java brings.
        recording.enable("jdk.MethodTiming").with("period", "endChunk")
            .with("filter", "Time::request");
        recording.start();
        return recording;
    }
    static void stop(Recording recording, String name) throws Exception {
        recording.stop();
        recording.dump(Path.of("/tmp", name + ".jfr"));
        recording.close();
    }
    public static void main(String[] arguments) throws Exception {
        Recording recording = start();
        for (int i = 0; i < 10; i++) request(20);
        stop(recording, "alone");

        Recording other = start();
        for (int i = 0; i < 100; i++) request(1);
        recording = start();
        for (int i = 0; i < 10; i++) request(20);
        stop(recording, "beside");
        stop(other, "other");

        recording = start();
        for (int milliseconds : new int[] { 20, 40, 60 }) request(milliseconds);
        stop(recording, "rising");
        recording = start();
        for (int milliseconds : new int[] { 60, 40, 20 }) request(milliseconds);
        stop(recording, "falling");
    }
}
END
in_root "$java/javac" -d /tmp /tmp/Time.java
in_root "$java/java" -cp /tmp -Xlog:jfr*=off Time

cat >"$work/show.js" <<'END'
const events = JSON.parse(require('fs').readFileSync(process.argv[2])).recording.events
  .map(({ values }) => values).sort((a, b) => a.startTime < b.startTime ? -1 : 1);
const tens = text => {
  const milliseconds = 10 * Math.floor(100 * parseFloat(text.replace('PT', '')));
  return milliseconds ? `${milliseconds} ms` : 'below 10 ms';
};
const { average, minimum } = events.at(-1);
console.log(`${events.map(({ invocations }) => invocations).join(', then ')} calls,`,
  `minimum ${tens(minimum)}, average ${tens(average)}`);
END
# usage: timing RECORDING
timing() {
    in_root "$java/jfr" print --json --events MethodTiming "/tmp/$1.jfr" >"$work/events.json"
    node "$work/show.js" "$work/events.json"
}
shows "10 calls of 20 ms" "$(timing alone)" "10 calls, minimum 20 ms, average 20 ms"
shows "the same beside a recording that saw 100 of 1 ms before" "$(timing beside)" \
    "110 calls, minimum below 10 ms, average below 10 ms"
shows "events of that other recording, of 110 calls" "$(timing other)" \
    "100, then 110, then 110 calls, minimum below 10 ms, average below 10 ms"
shows "calls of 20, 40 and 60 ms" "$(timing rising)" "3 calls, minimum 40 ms, average 40 ms"
shows "calls of 60, 40 and 20 ms" "$(timing falling)" "3 calls, minimum 20 ms, average 40 ms"
