#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bench::mark() of R compares expressions, by time and by mem_alloc, "total amount of memory
# allocated by R". Expected: a list of 100,000 vectors allocates what object.size() says of it, or
# more.
#
# Seen: for vectors of 17 numbers it does, 19.2 MB. For 16 numbers it is 0.8 MB instead of 18.4,
# just the list. Vectors of up to 128 bytes live in pages, and the log of R that bench reads has
# one line for a new page, without bytes, and none for what is put into a page that has been there
# before. So numbers one by one, pairs, names and all other small things count as nothing.
#
# Why it matters: which of two expressions allocates more is often decided by small vectors. Code
# that copies one large vector looks worse than code that makes small ones and needs several times
# as much. Compare gc() or n_gc, too.
#
# Debian sid's r-cran-bench 1.1.4-2 with r-base-core 4.6.2-1; November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid r-base-core=4.6.2-1 r-cran-bench=1.1.4-2 r-cran-profmem=0.7.0+dfsg-1 \
    r-cran-glue=1.8.1-2 r-cran-pillar=1.11.1+dfsg-1 r-cran-rlang=1.3.0-1 \
    r-cran-tibble=3.3.1+dfsg-2 r-cran-vctrs=0.7.3-2 r-cran-cli=3.6.6-1 \
    r-cran-lifecycle=1.0.5+dfsg-1 r-cran-magrittr=2.0.5-1 r-cran-utf8=1.2.6-2 \
    r-cran-pkgconfig=2.0.3-3 dash=0.5.12-12 debianutils=5.24 libblas3=3.12.1-8 liblapack3=3.12.1-8 \
    libgfortran5=16.2.0-4 libgomp1=16.2.0-4 libgcc-s1=16.2.0-4 libstdc++6=16.2.0-4 libc6=2.43-7 \
    libbz2-1.0=1.0.8-6+b2 liblzma5=5.8.4-1 libzstd1=1.5.7+dfsg-4 libdeflate0=1.25-1 \
    zlib1g=1:1.3.dfsg+really1.3.2-4 libicu78=78.3-2 libpcre2-8-0=10.49-1 libreadline8t64=8.3-4 \
    libtinfo6=6.6+20260608-2 libtirpc3t64=1.3.7+ds-1 libgssapi-krb5-2=1.22.1-3 \
    libkrb5-3=1.22.1-3 libkrb5support0=1.22.1-3 libk5crypto3=1.22.1-3 libcom-err2=1.47.4-1+b2 \
    libkeyutils1=1.6.3-6+b2

cat >"$work/root/tmp/mark.R" <<'END'
.libPaths("/usr/lib/R/site-library")
library(bench)
vectors <- function(length) lapply(seq_len(1e5), function(each) numeric(length))
for (length in c(1, 16, 17, 32)) {
  row <- suppressWarnings(mark(vectors(length), iterations = 1, check = FALSE))
  cat(sprintf("%d numbers: mem_alloc %.1f MB of %.1f MB\n", length,
              as.numeric(row$mem_alloc) / 1e6, object.size(vectors(length)) / 1e6))
}
END
shows "a list of 100,000 vectors" "$(in_r /tmp/mark.R)" \
"1 numbers: mem_alloc 0.8 MB of 6.4 MB
16 numbers: mem_alloc 0.8 MB of 18.4 MB
17 numbers: mem_alloc 19.2 MB of 19.2 MB
32 numbers: mem_alloc 31.2 MB of 31.2 MB"
