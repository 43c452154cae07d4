#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The memory profiler of Emacs counts the bytes that each function allocates. Expected: a function
# that makes the same list each time has the same bytes each time.
#
# Seen: a list of a million elements is 16 MB in a new session, however often it is made, and
# nothing once a large cache was made of which a tenth is left. Counted are blocks of a kilobyte,
# for the function that needs one more. Those that aren't all free are kept at a garbage collection,
# and what fits into their holes is free of charge.
#
# Why it matters: the figure is one of the session, too. A capture early in a session and one later
# differ by what has left holes in between, so the later one shows a gain, and a function that is
# not there may allocate the most. Take both in new sessions after the same steps;
# memory-use-counts, called before and after, has the objects that are made.
#
# Debian 13's emacs-nox 1:30.1+1-6+deb13u1; sid's 30.2 does the same; November 2026

source "$(dirname "$0")/support.bash"
emacs=1:30.1+1-6+deb13u1
debian_packages trixie "emacs-nox=$emacs" "emacs-bin-common=$emacs" "emacs-common=$emacs" \
    libacl1=2.3.2-2+b1 libasound2t64=1.2.14-1+deb13u1 libattr1=1:2.5.2-3 libc6=2.41-12+deb13u5 \
    libcap2=1:2.75-10+deb13u1+b3 libdbus-1-3=1.16.2-2 libffi8=3.4.8-2 libgcc-s1=14.2.0-19 \
    libgccjit0=14.2.0-19 libgmp10=2:6.3.0+dfsg-3 libgnutls30t64=3.8.9-3+deb13u4 \
    libgpm2=1.20.7-11+b2 libhogweed6t64=3.10.1-1 libidn2-0=2.3.8-2 libisl23=0.27-1 \
    libjansson4=2.14-2+b3 liblcms2-2=2.16-2+deb13u2 liblzma5=5.8.1-1+deb13u2 libmpc3=1.3.1-1+b3 \
    libmpfr6=4.2.2-1 libnettle8t64=3.10.1-1 libp11-kit0=0.25.5-3 \
    libpcre2-8-0=10.46-1~deb13u3 libselinux1=3.8.1-1 libsqlite3-0=3.46.1-7+deb13u2 \
    libsystemd0=257.13-1~deb13u1 libtasn1-6=4.20.0-2+deb13u1 libtinfo6=6.5+20250216-2 \
    libtree-sitter0.22=0.22.6-6+b1 libunistring5=1.3-2 \
    libxml2=2.12.7+dfsg+really2.9.14-2.1+deb13u3 libzstd1=1.5.7+dfsg-1 \
    'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1'

cat >"$work/root/tmp/lists.el" <<'END'
;; -*- lexical-binding: t -*-
(defun make (count)
  (let (made)
    (dotimes (i count)
      (push i made))
    made))
(defvar cache nil)
(defun fill (count)
  (let ((all (make count)))
    ;; Every tenth stays.
    (while all
      (let ((kept (nthcdr 9 all)))
        (setq all (cdr kept))
        (setq cache (prog1 kept (when kept (setcdr kept cache))))))))
(defun lists (count) (length (make count)))
(mapc #'byte-compile '(make fill lists))

(defun measured (name count)
  "Print what the profile has of NAME, and what it made."
  (garbage-collect)
  (let ((conses (car (memory-use-counts))) (bytes 0))
    (profiler-memory-start)
    (funcall name count)
    (profiler-memory-stop)
    (setq conses (- (car (memory-use-counts)) conses))
    (maphash (lambda (stack count)
               (when (seq-contains-p stack name) (setq bytes (+ bytes count))))
             (profiler-memory-log))
    (princ (format "%s: %.0f MB, %.0f million conses\n" name (/ bytes 1e6) (/ conses 1e6)))))

(measured 'lists 1000000)
(measured 'lists 1000000)
(measured 'fill 10000000)
(measured 'lists 1000000)
(measured 'lists 1000000)
END
shows "memory" "$(in_root emacs-nox --batch --quick --load /tmp/lists.el)" \
"lists: 16 MB, 1 million conses
lists: 16 MB, 1 million conses
fill: 161 MB, 10 million conses
lists: 0 MB, 1 million conses
lists: 0 MB, 1 million conses"
