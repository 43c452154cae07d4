#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# jfr view shows what a recording of Java's flight recorder has of exceptions, by type, and of reads
# and writes of sockets and files, by host or path, with their number, bytes, and time. Expected:
# what happened, or of reads those that took a millisecond, as the settings say, and so a type of
# which 100000 were thrown before one of which it was 100.
#
# Seen: about 100 of both, or fewer of the first. Of 4000 reads of 4 MB, all slower than that, there
# are some 300 of 0.3 MB, and in latencies-by-type a tenth of their time. Since Java 25 the settings
# that it brings keep 100 of each such event in a second, of the whole process, or 300 with
# profile.jfc. Those that are kept have no weight, and the views count and add them up as if they
# were all. What comes evenly is all there, and what comes in a burst is nearly gone.
#
# Why it matters: twice the load has the same count, bytes and time, and half of it for each host. A
# type of exceptions falls because another one became frequent. A recording of Java 17 has all reads
# beyond its threshold, which is 20 ms. exception-count has a counter, read every second.
#
# Debian 13's openjdk-25 25.0.5+8; November 2026

source "$(dirname "$0")/support.bash"
java_25

cat >"$work/root/tmp/Throw.java" <<'END'
public class Throw {
    static class Burst extends RuntimeException { }
    static class Steady extends RuntimeException { }
    static volatile Object caught;
    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 100; i++) {
            try {
                throw new Steady();
            } catch (Steady e) {
                caught = e;
            }
            Thread.sleep(40);
        }
        for (int i = 0; i < 100_000; i++) {
            try {
                throw new Burst();
            } catch (Burst e) {
                caught = e;
            }
        }
    }
}
END
cat >"$work/root/tmp/Read.java" <<'END'
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;

public class Read {
    static void read(Socket socket) {
        byte[] bytes = new byte[1000];
        try (InputStream input = socket.getInputStream()) {
            while (input.readNBytes(bytes, 0, bytes.length) > 0) { }
        } catch (java.io.IOException e) {
            throw new IllegalStateException(e);
        }
    }
    public static void main(String[] arguments) throws Exception {
        ServerSocket server = new ServerSocket(0);
        OutputStream[] outputs = new OutputStream[8];
        for (int i = 0; i < outputs.length; i++) {
            Socket socket = new Socket("localhost", server.getLocalPort());
            outputs[i] = server.accept().getOutputStream();
            new Thread(() -> read(socket)).start();
        }
        for (int i = 0; i < 500; i++) {
            Thread.sleep(4);
            for (OutputStream output : outputs) output.write(new byte[1000]);
        }
        for (OutputStream output : outputs) output.close();
    }
}
END
in_root "$java/javac" -d /tmp /tmp/Throw.java /tmp/Read.java
for program in Throw Read; do
    in_root "$java/java" -cp /tmp -XX:+UseSerialGC -Xlog:jfr*=off \
        "-XX:StartFlightRecording=filename=/tmp/$program.jfr,settings=default" "$program"
done
# usage: view NAME PROGRAM
view() {
    in_root "$java/jfr" view "$1" "/tmp/$2.jfr"
}
exceptions() {
    view exception-by-type Throw | sort |
        awk '/Burst/ { print "burst:", ($2 < 1000 ? "below 1000" : $2) }
            /Steady/ { print "steady:", ($2 >= 90 && $2 <= 100 ? "about 100" : $2) }'
}
reads() {
    view socket-reads-by-host Read |
        awk '/localhost/ {
            print ($2 < 1000 ? "below 1000" : $2), ($4 == "kB" ? "below 1 MB" : $3 $4)
        }'
}
seconds() {
    view latencies-by-type Read |
        awk '/Socket Read/ { print ($NF == "s" && $(NF - 1) < 8 ? "below 8 s" : $(NF - 1) $NF) }'
}
shows "exceptions, of 100000 in a burst, and of 100 in four seconds" "$(exceptions)" \
"burst: below 1000
steady: about 100"
shows "reads, of 4000 of 4 MB" "$(reads)" "below 1000 below 1 MB"
shows "the time of reads, of 16 s at least" "$(seconds)" "below 8 s"
