#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# objgraph's get_new_ids() tells which objects of Python were allocated since its last call, to
# find what a service keeps. Expected: if all of 10,000 objects are replaced by others, 10,000 are
# new.
#
# Seen: an object is new if none of its type was at its address before. Python allocates where it
# freed last, so most of those that replace others of their type are taken for these: fewer than
# half of the 10,000 are new. If they replace objects of another class, all 10,000 are. The counts
# are right.
#
# Why it matters: a cache that is filled anew in each interval looks like one that nothing happens
# to, and the few new objects that are listed are not those of the last allocations. The same holds
# for each difference of heaps that knows objects by their addresses, unless they are counted when
# they are allocated and freed.
#
# Debian sid's python3-objgraph 3.6.2-1 with python3.15 3.15.2-1; November 2026

source "$(dirname "$0")/support.bash"
python_3_15 python3-objgraph=3.6.2-1

cat >"$work/root/tmp/app.py" <<'END'
import sys

sys.path.append("/usr/lib/python3/dist-packages")
import objgraph


class Session:
    def __init__(self):
        self.user = None


class Request:
    def __init__(self):
        self.path = None


def made(kind):
    return [kind() for _ in range(10000)]


def new(kind):
    return len(objgraph.get_new_ids(limit=0)[kind.__name__])


live = made(Session)
new(Session)
new(Session)
live = None
live = made(Session)
print("all sessions replaced:", "fewer than half are new" if new(Session) < 5000 else "new")
live = None
live = made(Request)
print("by requests:", new(Request), "new")
print("sessions:", objgraph.count("Session"), "requests:", objgraph.count("Request"))
END

shows 'what objgraph takes for new' "$(in_root python3.15 /tmp/app.py)" \
    'all sessions replaced: fewer than half are new
by requests: 10000 new
sessions: 0 requests: 10000'
