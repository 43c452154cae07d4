#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A log of HdrHistogram may have several series, by tags. HistogramLogProcessor, of HdrHistogram for
# Java, shows the lines without a tag, or those of the one that -tag names. With
# -correctLogWithKnownCoordinatedOmission N it adds the requests that were not sent while another
# one took longer than N. Expected: it is a correction within the series, and one by an interval
# longer than all values changes nothing.
#
# Seen: with a correction, all series are one. The corrected histogram is a new one, to which the
# tag is not copied; as the tag is looked at after the correction, every line has none, and -tag
# finds no line at all. Of reads of 1 ms without a tag and writes of 50 ms with one, the median is 1
# ms, and with a correction by a second, which adds no value, it is 50 ms. In a log of doubles, the
# time of the interval is not copied, either: all intervals are at time 0, here 1000 s before the
# start.
#
# Why it matters: corrected and uncorrected figures are compared to see how much was omitted, and
# the difference is that of other series. Correct when it is recorded, by the recorder's expected
# interval, or make a log for each tag before.
#
# Debian 13's libhdrhistogram-java 2.1.11-1 and openjdk-25 25.0.5+8, the source of 2.2.2 is alike;
# November 2026

source "$(dirname "$0")/support.bash"
hdr_histogram_for_java

cat >"$work/root/tmp/Log.java" <<'END'
import java.io.FileNotFoundException;
import org.HdrHistogram.DoubleHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

public class Log {
    static EncodableHistogram integers(long value, long count) {
        Histogram built = new Histogram(3);
        built.recordValueWithCount(value, count);
        return built;
    }
    static EncodableHistogram doubles(long value, long count) {
        DoubleHistogram built = new DoubleHistogram(3);
        built.recordValueWithCount(value, count);
        return built;
    }
    // Three seconds with 100 reads of 1 ms each, and with 300 writes of 50 ms.
    static void write(String file, boolean ofDoubles) throws FileNotFoundException {
        HistogramLogWriter log = new HistogramLogWriter(file);
        log.outputLogFormatVersion();
        log.outputStartTime(1_000_000);
        log.setBaseTime(1_000_000);
        log.outputBaseTime(1_000_000);
        for (int second = 0; second < 3; second++)
            for (String tag : new String[] { null, "writes" }) {
                long value = tag == null ? 1_000_000 : 50_000_000, count = tag == null ? 100 : 300;
                EncodableHistogram written =
                    ofDoubles ? doubles(value, count) : integers(value, count);
                written.setTag(tag);
                written.setStartTimeStamp(1_000_000 + second * 1000);
                written.setEndTimeStamp(1_000_000 + second * 1000 + 1000);
                log.outputIntervalHistogram(written);
            }
        log.close();
    }
    public static void main(String[] arguments) throws FileNotFoundException {
        write("/tmp/integers", false);
        write("/tmp/doubles", true);
    }
}
END
in_root "$java/javac" -cp "$jar" -d /tmp /tmp/Log.java
run() {
    in_root "$java/java" -XX:TieredStopAtLevel=1 -cp "$jar:/tmp" "$@"
}
# usage: processed LOG [OPTION...]
# The time of each interval and its count, and the count and the median of all.
processed() {
    run org.HdrHistogram.HistogramLogProcessor -i "/tmp/$1" -o /tmp/out -csv "${@:2}"
    awk -F, '/^-?[0-9]/ { printf "%d s: %d\n", $1, $2; all = $6; median = $7 }
        END { printf "all: %d, p50 %.0f ms\n", all, median }' "$work/root/tmp/out"
}
run Log
correct=(-correctLogWithKnownCoordinatedOmission 1000000000)
shows "reads" "$(processed integers)" \
"1 s: 100
2 s: 100
3 s: 100
all: 300, p50 1 ms"
shows "writes" "$(processed integers -tag writes)" \
"1 s: 300
2 s: 300
3 s: 300
all: 900, p50 50 ms"
shows "reads, corrected by a second" "$(processed integers "${correct[@]}")" \
"1 s: 100
1 s: 300
2 s: 100
2 s: 300
3 s: 100
3 s: 300
all: 1200, p50 50 ms"
shows "reads in a log of doubles" "$(processed doubles)" \
"1 s: 100
2 s: 100
3 s: 100
all: 300, p50 1 ms"
shows "corrected by a second" "$(processed doubles "${correct[@]}")" \
"-1000 s: 100
-1000 s: 300
-1000 s: 100
-1000 s: 300
-1000 s: 100
-1000 s: 300
all: 1200, p50 50 ms"
