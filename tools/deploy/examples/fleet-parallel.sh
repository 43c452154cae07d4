#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Deltas of the profiles in a manifest, on several machines, by GNU parallel over ssh.
#
# usage: fleet-parallel.sh FOLDER HOST...
#
# FOLDER is one that all hosts have under this path. FOLDER/manifest has a line for each profile: a
# series, a TAB, and a path from FOLDER or a URL. Deltas are written to FOLDER/out, and a line of
# JSON for each profile to FOLDER/results.
#
# The shard of a host that fails goes on at another one. If the status is 5, some shards are not
# done: call this again, and it does those, and in them what is left. Else the round is over, and
# the next call begins another. Then 1, 3 and 4 mean what pprofdelta means by them.
set -euo pipefail

# More than hosts, so that a failed one leaves little to do again. Each shard has a folder of
# states, so the number is to stay.
SHARDS=${SHARDS:-64}
# How often a shard is tried before it counts as failed, each time on another host.
TRIES=${TRIES:-3}

if (($# < 2)); then
    sed -n 's/^# usage/usage/p' "$0" >&2
    exit 2
fi
cd "$1"
shift
[[ -e joblog ]] || rm -rf results
mkdir -p results
# A host that is gone is to be an error soon, and not to wait for a password.
export PARALLEL_SSH="${PARALLEL_SSH:-ssh} -o BatchMode=yes -o ConnectTimeout=10 \
-o ServerAliveInterval=10"

# A shard with status 1, 3 or 4 is done: another try would do nothing.
# shellcheck disable=SC2016 # The hosts have to expand this.
shard='pprofdelta batch --quiet --shard {}/'$SHARDS' --state-dir state/{} \
    -o "out/{series}/{time}.pb.gz" --results results/{}.jsonl manifest || {
        status=$?
        case $status in 1 | 3 | 4) ;; *) exit $status ;; esac
    }'
# One at a time on each host, as it uses all processors.
if ! seq "$SHARDS" | parallel --joblog joblog --resume-failed --retries "$TRIES" --jobs 1 \
    --sshlogin "$(IFS=, && echo "$*")" --workdir "$PWD" "$shard"; then
    echo "fleet-parallel.sh: some shards are not done; call this again" >&2
    exit 5
fi
mv joblog joblog.done

status=0
for finding in limit:1 incompatible:4 malformed:3; do
    if grep -qs "\"status\":\"${finding%:*}\"" results/*.jsonl; then status=${finding#*:}; fi
done
exit "$status"
