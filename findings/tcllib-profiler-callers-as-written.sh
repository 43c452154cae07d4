#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tcllib's profiler measures procedures; sortFunctions gives one figure of each, such as
# exclusiveRuntime, its time without that of the procedures that it calls. Expected: this holds in
# a namespace, too, and avgRuntime is the total divided by the number of calls.
#
# Seen: a procedure that was called by its short name, in its namespace, has the time of all that it
# calls as its own: 800 ms instead of 200. The 600 ms are taken from a global procedure of its name,
# which has 500 ms less than nothing, or from none. Procedures are counted by full names, but a
# caller by its name as it was written, with "::" in front. avgRuntime divides by one call less, so
# the mean of two calls of 300 ms is 600 ms, and what is called once has no row.
#
# Why it matters: a change of one procedure is one of all its callers, and one that moves to
# a namespace has more time of its own. A second call in one of two captures halves the mean, or
# brings a new row. Call by full names, and divide totalRuntime by calls.
#
# Debian 13's tcllib 2.0+dfsg-4, tcl8.6 8.6.16; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie tcllib=2.0+dfsg-4 tcl8.6=8.6.16+dfsg-1 libtcl8.6=8.6.16+dfsg-1 \
    libc6=2.41-12+deb13u5 'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1'

cat >"$work/root/tmp/app.tcl" <<'END'
lappend auto_path /usr/share/tcltk
package require profiler
profiler::init

proc parse {} { after 300 }
proc render {} { after 300 }
proc handle {} { after 100 }
namespace eval app {
    proc handle {} { parse; parse; after 200 }
    proc answer {} { render; after 200 }
    proc short {} { handle; answer }
    proc full {} { ::app::handle; ::app::answer }
}
handle
app::$argv

# In hundreds of milliseconds, as a busy machine isn't exact.
proc show {figure names} {
    array set of [concat {*}[profiler::sortFunctions $figure]]
    foreach name $names {
        if {[info exists of($name)]} {
            puts "$figure $name [expr {round($of($name) / 1e5) * 100}]"
        }
    }
}
show exclusiveRuntime {::app::handle ::app::answer ::handle}
show avgRuntime {::parse ::render}
END
shows "calls by full names" "$(in_root tclsh8.6 /tmp/app.tcl full)" \
"exclusiveRuntime ::app::handle 200
exclusiveRuntime ::app::answer 200
exclusiveRuntime ::handle 100
avgRuntime ::parse 600"
shows "by short names" "$(in_root tclsh8.6 /tmp/app.tcl short)" \
"exclusiveRuntime ::app::handle 800
exclusiveRuntime ::app::answer 500
exclusiveRuntime ::handle -500
avgRuntime ::parse 600"
