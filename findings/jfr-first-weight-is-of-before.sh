#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A recording of Java's flight recorder may start at any time, as in a service that is recorded for
# half a minute. A jdk.ObjectAllocationSample has a weight, which is what its thread allocated since
# its last sample. Expected: weights of a recording add up to what was allocated in it.
#
# Seen: they add up to what its threads allocated since they were started. A worker allocates 4 GB,
# and then 0.1 GB in a recording: the method that it runs by then has 4.1 GB. In the next recording
# the same 0.1 GB are 4.2 GB, and after 4 GB more they are 8.3 GB. The first sample of a thread in a
# recording has all of that, wherever the thread is at that moment; the others are right. So is a
# thread that is started in the recording, and where another recording runs all the time, all are.
#
# Why it matters: the older a service is, the more each recording of it allocates. The difference of
# two shows one place more and another one less, by gigabytes, as a thread is by chance in one or
# the other. Leave out the first sample of each thread, or keep a recording running.
#
# Debian 13's openjdk-25 25.0.5+8 and its settings profile.jfc; 21.0.13 is alike, and sid's
# openjdk-26 26.0.2.1 is right; November 2026

source "$(dirname "$0")/support.bash"
java_25

cat >"$work/root/tmp/Record.java" <<'END'
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

public class Record {
    static volatile Object last;

    static void unrecorded() {
        for (int i = 0; i < 4_000_000; i++) last = new byte[984];
    }
    static void recorded() {
        try {
            for (int i = 0; i < 100; i++) {
                for (int j = 0; j < 1000; j++) last = new byte[984];
                Thread.sleep(10);
            }
        } catch (InterruptedException end) {
            throw new IllegalStateException(end);
        }
    }
    static void record(String name, ExecutorService worker) throws Exception {
        try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
            recording.start();
            worker.submit(Record::recorded).get();
            recording.stop();
            recording.dump(Path.of("/tmp", name + ".jfr"));
        }
    }
    public static void main(String[] arguments) throws Exception {
        ExecutorService worker = Executors.newSingleThreadExecutor();
        worker.submit(Record::unrecorded).get();
        record("first", worker);
        record("second", worker);
        worker.submit(Record::unrecorded).get();
        record("third", worker);
        Recording continuous = new Recording(Configuration.getConfiguration("profile"));
        continuous.start();
        worker.submit(Record::unrecorded).get();
        worker.submit(Record::recorded).get();
        record("beside", worker);
        continuous.close();
        ExecutorService late = Executors.newSingleThreadExecutor();
        record("late", late);
        worker.shutdown();
        late.shutdown();
    }
}
END
in_root "$java/javac" -d /tmp /tmp/Record.java
in_root "$java/java" -cp /tmp -Xmx256m -Xlog:jfr*=off Record

cat >"$work/sum.js" <<'END'
const { events } = JSON.parse(require('fs').readFileSync(process.argv[2])).recording;
const weights = events.map(({ values }) => values)
  .filter(({ stackTrace }) => stackTrace?.frames.some(({ method }) => method.name === 'recorded'))
  .sort((a, b) => a.startTime < b.startTime ? -1 : 1).map(({ weight }) => weight);
const gigabytes = list => (list.reduce((sum, weight) => sum + weight, 0) / 1e9).toFixed(1);
console.log(`${gigabytes(weights)} GB, without the first sample ${gigabytes(weights.slice(1))} GB`);
END
# usage: sum RECORDING
sum() {
    in_root "$java/jfr" print --json --events ObjectAllocationSample "/tmp/$1.jfr" \
        >"$work/samples.json"
    node "$work/sum.js" "$work/samples.json"
}
first=", without the first sample 0.1 GB"
shows "a worker that allocated 4 GB before" "$(sum first)" "4.1 GB$first"
shows "the same worker, at once" "$(sum second)" "4.2 GB$first"
shows "after 4 GB more" "$(sum third)" "8.3 GB$first"
shows "after 4.1 GB more in another recording, which goes on" "$(sum beside)" "0.1 GB$first"
shows "a worker that started in the recording" "$(sum late)" "0.1 GB$first"
