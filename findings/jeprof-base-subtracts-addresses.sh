#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# jeprof --base=OLD NEW subtracts one heap profile of jemalloc from another. With jeprof --raw, a
# profile is stored with the names of its addresses, so that it can be read without the program.
# Expected: two such profiles, of two builds, differ by function, each by its own names.
#
# Seen: what differs is addresses, and an address has the name of the profile that was read last,
# which is the base. Where the new build has check at the address of the old one's render, 50 kB of
# render are taken from the 80 kB of check, the rest is render's, and what render has at its new
# address, as much as before, is growth: render has +80 kB, and check, which is new, has no row.
# If they have no address in common, as at random ones, all is right. A sum of two has the same
# fault. Without --raw, the addresses of the base are looked up where the other's libraries were.
#
# Why it matters: a program that is no PIE, or runs where addresses are not random, has the same
# ones each time. A difference of two runs is right then, and one of two builds wrong, without a
# word. Only the total is right.
#
# Debian 12's libjemalloc-dev 5.3.0-1; sid's 5.3.1-2 does the same; November 2026

source "$(dirname "$0")/support.bash"
debian_packages bookworm libjemalloc-dev=5.3.0-1

# usage: raw FILE [ADDRESS FUNCTION KILOBYTES]...
# A profile as of --raw, of functions that main calls, each of which holds blocks of 1000 bytes.
raw() {
    local names='' stacks='' total=0
    local file=$1
    shift
    for (( ; $#; )); do
        names+="0x$1 $2"$'\n'
        stacks+="@ 0x$1 0x9001"$'\n'"  t*: $3: ${3}000 [0: 0]"$'\n'
        total=$((total + $3))
        shift 3
    done
    printf '%s\n' '--- symbol' 'binary=program' "${names}0x9000 main" '---' '--- heap' 'heap_v2/1' \
        "  t*: $total: ${total}000 [0: 0]" "${stacks%$'\n'}" >"$work/$file"
}
raw old 1001 parse 100 2001 render 50
raw new 1001 parse 100 2001 check 80 3001 render 50
raw elsewhere 51001 parse 100 52001 check 80 53001 render 50

# usage: rows ARGUMENT...
# Each function with the bytes that it has itself.
rows() {
    (cd "$work" && perl root/usr/bin/jeprof --text --show_bytes "$@") 2>"$work/log" |
        awk '/%/ && $1 { print $NF, $1 }'
}
shows "old build" "$(rows old)" \
"parse 100000
render 50000"
shows "new build" "$(rows new)" \
"parse 100000
check 80000
render 50000"
shows "their difference" "$(rows --base=old new)" "render 80000"
shows "the difference if the new one lies elsewhere" "$(rows --base=old elsewhere)" "check 80000"
shows "their sum" "$(rows old new)" \
"parse 200000
check 130000
render 50000"
