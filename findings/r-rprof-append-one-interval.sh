#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Rprof(append = TRUE) of R adds a capture to a file that has one, to get a profile of several
# runs, or of some parts of one. Expected: summaryRprof() adds up the times of all, whatever the
# interval of each, as each capture begins with a line that says it.
#
# Seen: the first line of the file holds for all. Two seconds in each of two functions, captured
# every 50 ms and then every 10 ms, are 2 s and 10 s; the other way around, 2 s and 0.4 s. The
# line of each further capture is read as a sample, of a function with the name
# sample.interval=10000.
#
# Why it matters: a rare thing is captured with a short interval and added to what there is.
# Nothing in the result shows that a part is five times too large, and shares are as wrong as
# times. With one interval only, times are right, but for a sample for each capture.
#
# Debian sid's r-base-core 4.6.2-1; November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid r-base-core=4.6.2-1 dash=0.5.12-12 debianutils=5.24 libblas3=3.12.1-8 \
    liblapack3=3.12.1-8 libgfortran5=16.2.0-4 libgomp1=16.2.0-4 libgcc-s1=16.2.0-4 \
    libstdc++6=16.2.0-4 libc6=2.43-7 libbz2-1.0=1.0.8-6+b2 liblzma5=5.8.4-1 \
    libzstd1=1.5.7+dfsg-4 libdeflate0=1.25-1 zlib1g=1:1.3.dfsg+really1.3.2-4 libicu78=78.3-2 \
    libpcre2-8-0=10.49-1 libreadline8t64=8.3-4 libtinfo6=6.6+20260608-2 \
    libtirpc3t64=1.3.7+ds-1 libgssapi-krb5-2=1.22.1-3 libkrb5-3=1.22.1-3 \
    libkrb5support0=1.22.1-3 libk5crypto3=1.22.1-3 libcom-err2=1.47.4-1+b2 \
    libkeyutils1=1.6.3-6+b2

cat >"$work/root/tmp/append.R" <<'END'
spin <- function() {
  end <- sum(proc.time()[1:2]) + 2
  while (sum(proc.time()[1:2]) < end) for (i in 1:10000) i
}
first <- function() spin()
second <- function() spin()
for (intervals in list(c(0.05, 0.05), c(0.05, 0.01), c(0.01, 0.05))) {
  Rprof("/tmp/profile", interval = intervals[1])
  first()
  Rprof(NULL)
  Rprof("/tmp/profile", interval = intervals[2], append = TRUE)
  second()
  Rprof(NULL)
  total <- summaryRprof("/tmp/profile")$by.total
  ratio <- total["\"second\"", "total.time"] / total["\"first\"", "total.time"]
  cat(sprintf("every %.0f and %.0f ms: second() has %s; not a function: %s\n", intervals[1] * 1000,
              intervals[2] * 1000,
              if (ratio > 4) "five times as much" else if (ratio < 0.25) "a fifth" else "as much",
              paste(grep("interval", rownames(total), value = TRUE), collapse = " ")))
}
END
shows "first() and second(), as long as each other" "$(in_r /tmp/append.R)" \
"every 50 and 50 ms: second() has as much; not a function: sample.interval=50000
every 50 and 10 ms: second() has five times as much; not a function: sample.interval=10000
every 10 and 50 ms: second() has a fifth; not a function: sample.interval=50000"
