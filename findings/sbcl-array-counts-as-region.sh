#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# SBCL's statistical profiler, sb-sprof, samples allocations with :mode :alloc. Expected: two
# functions that allocate 320 MB each have about half of the samples each.
#
# Seen: a sample is a region, which is opened for 32 kB of conses, or for one array of any size.
# 320 arrays of a megabyte are 320 samples; the conses, of just as many bytes, are thirty times
# as many. "Total sampling amount" is then half of what was allocated, and its kB are a
# guess from the number of regions.
#
# Why it matters: such samples have no unit. Where a program turns lists into arrays, its
# allocations seem to vanish, and a difference of two builds has the wrong sign.
#
# Debian 13's sbcl 2:2.5.2-1; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie sbcl=2:2.5.2-1 libc6=2.41-12+deb13u5 libzstd1=1.5.7+dfsg-1

cat >"$work/root/tmp/allocate.lisp" <<'END'
(require :sb-sprof)
(defvar *keep*)
(declaim (notinline conses arrays))
(defun conses () (let (list) (dotimes (i 2000000 list) (push i list)))) ; of 16 bytes
(defun arrays () (dotimes (i 32) (setf *keep* (make-array 125000))))    ; of 8 bytes an element
(sb-sprof:with-profiling (:mode :alloc :max-samples 100000 :report :flat)
  (dotimes (i 10)
    (setf *keep* (conses))
    (arrays)))
END
in_root sbcl --script /tmp/allocate.lisp >"$work/report"
count() {
    awk -v name="$1" '$NF == name { print $2 }' "$work/report"
}
grep -E '^(Alloc interval|Total sampling)|-ALLOC-TRAMP| ALLOC-TRAMP' "$work/report"
arrays=$(count ALLOC-TRAMP)
conses=$(count LIST-ALLOC-TRAMP)
shows "samples of 320 MB in arrays of 1 MB" "$arrays" 320
shows "samples of 320 MB in conses, by ten thousand" "$(((conses + 5000) / 10000))" 1
