#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# merge-fdata of BOLT adds up profiles of many runs or machines. Expected: each count of the
# merged profile is the sum of the counts, in whatever order the files are given.
#
# Seen: where a call has several targets, as a virtual one has, only the first target of each
# further file is added; the others keep what the first file had of them. Of two runs with 60 and
# 10 calls of parse, and 40 and 90 of render, the merged one has 70 and 40, or 70 and 90 the other
# way round. Ten runs with 50 each have 500 and 50. The block with the call has all of its counts,
# and so has the same profile in the older text format. Targets are looked up by the place of the
# call alone, where there is room for one of each file.
#
# Why it matters: the more runs are merged, the more one target seems to have nearly all calls. A
# profile of one run and a merged one differ in what was called, and no total shows it. Merge in
# the text format, or compare calls with the counts of their blocks.
#
# Debian 13's bolt-22 22.1.8; sid's bolt-23 23.1.4 does the same; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie bolt-22=1:22.1.8-1~deb13u5 libc6=2.41-12+deb13u5 libgcc-s1=14.2.0-19 \
    libstdc++6=14.2.0-19 libz3-4=4.13.3-1 libzstd1=1.5.7+dfsg-1 \
    'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1'

# usage: run FILE PARSE RENDER
# A profile of a function, run, with one call that went so often to each of two others: FILE.yaml,
# and FILE.fdata in the text format.
run() {
    cat >"$work/root/tmp/$1.yaml" <<END
---
header:
  profile-version: 1
  binary-name: program
  binary-build-id: ''
  profile-flags: [ lbr ]
  profile-origin: branch profile reader
  profile-events: ''
  dfs-order: false
  hash-func: xxh3
functions:
  - name: run
    fid: 1
    hash: 0x1
    exec: $(($2 + $3))
    nblocks: 1
    blocks:
      - bid: 0
        insns: 3
        hash: 0x2
        exec: $(($2 + $3))
        calls: [ { off: 0x4, fid: 2, cnt: $2 }, { off: 0x4, fid: 3, cnt: $3 } ]
  - { name: parse, fid: 2, hash: 0x3, exec: $2, nblocks: 1 }
  - { name: render, fid: 3, hash: 0x4, exec: $3, nblocks: 1 }
...
END
    printf '1 run 4 1 %s\n' "parse 0 0 $2" "render 0 0 $3" >"$work/root/tmp/$1.fdata"
}
run one 60 40
run other 10 90
run half 50 50

merge() {
    in_root merge-fdata-22 "$@" 2>"$work/log"
}
# usage: calls FILE...
# How often the merged block ran, and how often its call went to parse, 2, and to render, 3.
calls() {
    merge "${@/%/.yaml}" | tr -s ' \n' ' ' |
        grep -oE 'exec: [0-9]+ calls|fid: [0-9]+, cnt: [0-9]+' | paste -s -d ' '
}
text() {
    merge "${@/%/.fdata}" | sort
}
shows "one" "$(calls /tmp/one)" "exec: 100 calls fid: 2, cnt: 60 fid: 3, cnt: 40"
shows "other" "$(calls /tmp/other)" "exec: 100 calls fid: 2, cnt: 10 fid: 3, cnt: 90"
shows "one and other" "$(calls /tmp/{one,other})" \
    "exec: 200 calls fid: 2, cnt: 70 fid: 3, cnt: 40"
shows "other and one" "$(calls /tmp/{other,one})" \
    "exec: 200 calls fid: 2, cnt: 70 fid: 3, cnt: 90"
shows "half, ten times" "$(calls /tmp/half{,,,,,,,,,})" \
    "exec: 1000 calls fid: 2, cnt: 500 fid: 3, cnt: 50"
shows "one and other as text" "$(text /tmp/{one,other})" \
"1 run 4 1 parse 0 0 70
1 run 4 1 render 0 0 130"
