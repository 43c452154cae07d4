#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# HdrHistogram for Java has Histogram, of integers, and DoubleHistogram, which is the one for times
# in seconds or milliseconds. Both subtract another histogram, and HistogramLogProcessor has -mwp, a
# moving window over the intervals of a log, which its help does not list. Expected: after a
# subtraction, the smallest and largest value are of what is left, and one that is refused, as a
# count would fall below 0, changes nothing.
#
# Seen: Histogram looks for new extremes if what had them is gone; DoubleHistogram keeps the old
# ones. Fifty values of 5 that are left have the maximum 1000 and the minimum 1, though p100 is 5:
# percentiles are taken from the counts, and extremes from fields that only recording changes. In a
# moving window of 3 s, a maximum of one interval stays to the end of the log. In both classes, the
# counts are compared and subtracted one after the other, so where the error comes, all smaller
# values have been subtracted: of 100 values of 5, 40 are left after an error about the value 10.
#
# Why it matters: the difference of two snapshots has the maximum of all time, so the worst case
# never gets better. Who keeps on with the histogram after an error has neither the later one nor
# the difference. Take p100 for the maximum, and subtract from a copy.
#
# Debian 13's libhdrhistogram-java 2.1.11-1 and openjdk-25 25.0.5+8, the source of 2.2.2 is alike;
# November 2026

source "$(dirname "$0")/support.bash"
hdr_histogram_for_java

cat >"$work/root/tmp/Subtract.java" <<'END'
import java.io.FileNotFoundException;
import org.HdrHistogram.DoubleHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

public class Subtract {
    // Pairs of a value and its count.
    static Histogram integers(long... pairs) {
        Histogram built = new Histogram(3);
        for (int i = 0; i < pairs.length; i += 2)
            built.recordValueWithCount(pairs[i], pairs[i + 1]);
        return built;
    }
    static DoubleHistogram doubles(long... pairs) {
        DoubleHistogram built = new DoubleHistogram(3);
        for (int i = 0; i < pairs.length; i += 2)
            built.recordValueWithCount(pairs[i], pairs[i + 1]);
        return built;
    }
    static void show(String what, Histogram shown) {
        System.out.printf("%s: %d values, minimum %d, p100 %d, maximum %d%n", what,
            shown.getTotalCount(), shown.getMinNonZeroValue(), shown.getValueAtPercentile(100),
            shown.getMaxValue());
    }
    static void show(String what, DoubleHistogram shown) {
        System.out.printf("%s: %d values, minimum %.0f, p100 %.0f, maximum %.0f%n", what,
            shown.getTotalCount(), shown.getMinNonZeroValue(), shown.getValueAtPercentile(100),
            shown.getMaxValue());
    }
    static void differences() {
        Histogram difference = integers(1, 3, 5, 100, 1000, 1);
        difference.subtract(integers(1, 3, 5, 50, 1000, 1));
        show("integers", difference);
        DoubleHistogram ofDoubles = doubles(1, 3, 5, 100, 1000, 1);
        ofDoubles.subtract(doubles(1, 3, 5, 50, 1000, 1));
        show("doubles", ofDoubles);
    }
    static void refused() {
        Histogram integers = integers(5, 100, 10, 2);
        try {
            integers.subtract(integers(5, 60, 10, 3));
        } catch (IllegalArgumentException error) {
            System.out.println(error.getMessage());
            show("integers", integers);
        }
        DoubleHistogram doubles = doubles(5, 100, 10, 2);
        try {
            doubles.subtract(doubles(5, 60, 10, 3));
        } catch (IllegalArgumentException error) {
            show("doubles", doubles);
        }
    }
    // A log of seconds with the value 1, but for the second one, which has 10.
    static void log(String file, boolean ofDoubles) throws FileNotFoundException {
        HistogramLogWriter log = new HistogramLogWriter(file);
        log.outputLogFormatVersion();
        log.outputStartTime(0);
        for (int second = 0; second < 6; second++) {
            long value = second == 1 ? 10 : 1;
            EncodableHistogram written = ofDoubles ? doubles(value, 100) : integers(value, 100);
            written.setStartTimeStamp(second * 1000);
            written.setEndTimeStamp(second * 1000 + 1000);
            log.outputIntervalHistogram(written);
        }
        log.close();
    }
    public static void main(String[] arguments) throws FileNotFoundException {
        switch (arguments[0]) {
            case "differences" -> differences();
            case "refused" -> refused();
            default -> log("/tmp/log", arguments[0].equals("doubles"));
        }
    }
}
END
in_root "$java/javac" -cp "$jar" -d /tmp /tmp/Subtract.java
# usage: run CLASS ARGUMENT...
run() {
    in_root "$java/java" -XX:TieredStopAtLevel=1 -cp "$jar:/tmp" "$@"
}
# usage: windows KIND
# The time of each window of 3 s, its count, the p99.9 and the maximum.
windows() {
    run Subtract "$1"
    run org.HdrHistogram.HistogramLogProcessor -i /tmp/log -o /tmp/out -csv -mwp 99.9 -mwpl 3000 \
        -outputValueUnitRatio 1
    awk -F, '/^[0-9]/ { printf "%d s: %d, p99.9 %.0f, maximum %.0f\n", $1, $2, $3, $4 }' \
        "$work/root/tmp/out.mwp"
}
shows "what is left of 1, 5 and 1000" "$(run Subtract differences)" \
"integers: 50 values, minimum 5, p100 5, maximum 5
doubles: 50 values, minimum 1, p100 5, maximum 1000"
shows "what is left after an error" "$(run Subtract refused)" \
"otherHistogram count (3) at value 10 is larger than this one's (2)
integers: 42 values, minimum 5, p100 10, maximum 10
doubles: 42 values, minimum 5, p100 10, maximum 10"
shows "moving window over integers" "$(windows integers)" \
"1 s: 100, p99.9 1, maximum 1
2 s: 200, p99.9 10, maximum 10
3 s: 300, p99.9 10, maximum 10
4 s: 300, p99.9 10, maximum 10
5 s: 300, p99.9 1, maximum 1
6 s: 300, p99.9 1, maximum 1"
shows "moving window over doubles" "$(windows doubles)" \
"1 s: 100, p99.9 1, maximum 1
2 s: 200, p99.9 10, maximum 10
3 s: 300, p99.9 10, maximum 10
4 s: 300, p99.9 10, maximum 10
5 s: 300, p99.9 1, maximum 10
6 s: 300, p99.9 1, maximum 10"
