#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# jdk.ObjectCount of Java's flight recorder has the objects in use by class, at the start and at the
# end of a recording and as often as its period says. jfr view object-statistics shows for each
# class the size at the end and its increase. Expected: the increase is the last size less the first
# one; a class that is new has increased by all of its size, and one that is gone by less than
# nothing.
#
# Seen: a class that had no objects at the start and has 92 MB at the end has an increase of 0. The
# event is written only for a class with half a percent of the heap in use (the heading says 1 %),
# so the increase is counted from when it first had that share. One of 0.4 % that is a hundred times
# as large at the end did not increase, and one that falls below, here from 46 MB to nothing, has no
# row. Where a class had half a percent before, its increase is right. The share is of all objects,
# so which classes are there depends on the others.
#
# Why it matters: a fast leak is at the top of the table as what did not grow, below it are small
# ones with their growth, and what was freed is not there. The experimental
# -XX:ObjectCountCutOffPercent has more classes, but new ones and those that are gone stay as they
# are. Compare two outputs of jcmd's GC.class_histogram.
#
# Debian 13's openjdk-25 25.0.5+8; November 2026

source "$(dirname "$0")/support.bash"
java_25

cat >"$work/root/tmp/Grow.java" <<'END'
import java.nio.file.Path;
import jdk.jfr.Recording;

public class Grow {
    // Each has 48 bytes.
    static class Node { long a, b, c, d; Node next; }
    static class New extends Node { }
    static class Small extends Node { }
    static class Large extends Node { }
    static class Gone extends Node { }

    interface Maker { Node make(); }

    static Node list(int length, Maker maker, Node next) {
        for (int i = 0; i < length; i++) {
            Node node = maker.make();
            node.next = next;
            next = node;
        }
        return next;
    }
    static Node new_, small, large, gone;

    public static void main(String[] arguments) throws Exception {
        small = list(7_000, Small::new, small);
        large = list(1_000_000, Large::new, large);
        gone = list(1_000_000, Gone::new, gone);
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ObjectCount").with("period", "everyChunk");
            recording.start();
            new_ = list(2_000_000, New::new, new_);
            small = list(700_000, Small::new, small);
            large = list(500_000, Large::new, large);
            gone = null;
            recording.stop();
            recording.dump(Path.of("/tmp/grow.jfr"));
        }
    }
}
END
in_root "$java/javac" -d /tmp /tmp/Grow.java
in_root "$java/java" -Xmx1g -XX:+UseSerialGC -Xlog:jfr*=off -cp /tmp Grow
in_root "$java/jfr" view --width 100 object-statistics /tmp/grow.jfr >"$work/view"
shows "class, size, increase" \
    "$(sed -n 's/^Grow\$//p' "$work/view" | awk '{ print $1, $3, $4, $5, $6 }')" \
"New 91.6 MB 0 bytes
Large 68.7 MB 22.9 MB
Small 32.4 MB 0 bytes"
