#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# jdk.OldObjectSample of Java's flight recorder has samples of objects that are still in use, for
# leaks. They are written when a recording is dumped, as by jcmd's JFR.dump. Expected: each object
# that was sampled is in a dump once, so two dumps show which objects were added between them.
#
# Seen: each dump has all samples of the dumps before it, too. Where nothing is allocated any more,
# the second one has twice as many events as the first, the third three times as many, and what is
# left when the recording has ended four times. A dump first writes the samples into the recording,
# like any other event, and the recording keeps them. jfr view takes the last batch of a recording
# only, but jfr summary and jfr print have all of them.
#
# Why it matters: in a service that is looked at twice, each class and each place has grown between
# the dumps, by as much as it had, and by more the older it is. Take only the events of a dump with
# the last startTime, or each pair of an address and an allocationTime once.
#
# Debian 13's openjdk-25 25.0.5+8; November 2026

source "$(dirname "$0")/support.bash"
java_25

cat >"$work/root/tmp/Old.java" <<'END'
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;

public class Old {
    static final List<byte[]> kept = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable("jdk.OldObjectSample").withoutStackTrace().with("cutoff", "0 ns");
            recording.start();
            for (int i = 0; i < 200_000; i++) kept.add(new byte[1000]);
            System.gc();
            for (int i = 1; i <= 3; i++) recording.dump(Path.of("/tmp/" + i + ".jfr"));
            recording.stop();
            recording.dump(Path.of("/tmp/end.jfr"));
        }
    }
}
END
in_root "$java/javac" -d /tmp /tmp/Old.java
in_root "$java/java" -Xmx1g -XX:+UseG1GC -Xlog:jfr*=off -cp /tmp Old
cat >"$work/count.js" <<'END'
const arrays = JSON.parse(require('fs').readFileSync(0)).recording.events
  .map(({ values }) => values).filter(({ objectSize }) => objectSize > 1000 && objectSize < 1050);
const objects = new Set(arrays.map(({ allocationTime, object }) =>
  `${allocationTime} ${object.address}`)).size;
console.error(`${arrays.length} events of ${objects} objects`);
const times = Math.round(arrays.length / objects);
console.log(objects > 50 ? `each object about ${times} times` : objects);
END
# usage: samples FILE
samples() {
    in_root "$java/jfr" print --json --events OldObjectSample "/tmp/$1.jfr" >"$work/json"
    node "$work/count.js" <"$work/json"
}
shows "a dump" "$(samples 1)" "each object about 1 times"
shows "the second one, nothing allocated" "$(samples 2)" "each object about 2 times"
shows "the third one" "$(samples 3)" "each object about 3 times"
shows "of the recording when it has ended" "$(samples end)" "each object about 4 times"
