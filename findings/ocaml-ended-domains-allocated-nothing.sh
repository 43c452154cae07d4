#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Gc.quick_stat and Gc.stat of OCaml have counters of what was allocated since the program started,
# in all domains; benchmarks take the difference of two. Expected: they never fall.
#
# Seen: what a domain allocated is gone when it has ended, so after 30 million words in a domain
# that was joined, the difference is nothing. It comes back when another domain starts, and goes
# with that: 30, 60, 30, 60, 90 and 30 million. A domain's counters are to be added to those of
# ended ones when it ends, and there is a function for it, but nothing calls it. They stay in its
# place, and the next domain in that goes on with them. Words promoted and of the major heap are
# counted likewise.
#
# Why it matters: work that moves to domains is free, and with a pool that starts domains at
# times, the difference of two moments is anything, also below zero. Measure in each domain, with
# Gc.counters at its start and at its end.
#
# Debian sid's ocaml-interp 5.4.1-1; Debian 13's 5.3.0-3 is right; November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid ocaml-interp=5.4.1-1 ocaml-base=5.4.1-1 libstdlib-ocaml=5.4.1-1 \
    libstdlib-ocaml-dev=5.4.1-1 libcompiler-libs-ocaml-dev=5.4.1-1 libc6=2.43-7

cat >"$work/root/tmp/words.ml" <<'END'
let allocate () =
  for i = 1 to 10_000_000 do
    ignore (Sys.opaque_identity (i, i))
  done

let show moment =
  let tens (stat : Gc.stat) = 10. *. Float.round (stat.minor_words /. 1e7) in
  Printf.printf "%s: %.0f, %.0f\n" moment (tens (Gc.quick_stat ())) (tens (Gc.stat ()))

let in_domain () =
  Domain.join (Domain.spawn (fun () ->
    show "domain starts";
    allocate ();
    show "it has allocated 30"));
  show "it was joined"

let () =
  show "program starts";
  allocate ();
  show "it has allocated 30";
  in_domain ();
  in_domain ()
END
shows "million words by quick_stat and by stat" "$(in_root ocaml /tmp/words.ml)" \
"program starts: 0, 0
it has allocated 30: 30, 30
domain starts: 30, 30
it has allocated 30: 60, 60
it was joined: 30, 30
domain starts: 60, 60
it has allocated 30: 90, 90
it was joined: 30, 30"
