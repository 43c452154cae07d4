#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The step of action.yml that compares. Its inputs are the variables PROGRAM, BASE, HEAD, LIMITS,
# LIMITS_FILE, UNMATCHED, SAMPLE_TYPE, ALPHA and OPTIONS. It ends with the status of pprofdelta,
# after the summary of the job and the outputs were written.
set -euo pipefail

fail() {
    printf '::error title=pprofdelta::%s\n' "$*"
    exit 2
}

# Adds each line of a text to the arguments, behind what begins them all. With "--base=" before it,
# no line is taken for another option.
add_each() {
    local line
    while IFS= read -r line || [[ -n $line ]]; do
        line=${line%$'\r'}
        [[ $line =~ ^[[:space:]]*$ ]] || arguments+=("$1$line")
    done <<< "$2"
}

type -P -- "$PROGRAM" > /dev/null ||
    fail "there is no such program: install pprofdelta in a step before, or choose a version"
folder=$(mktemp -d "$RUNNER_TEMP/pprofdelta-XXXXXXXX")
errors=$(mktemp "$RUNNER_TEMP/pprofdelta-XXXXXXXX")
summary=$folder/summary.md
page=$folder/page.html
flamegraph=$folder/flamegraph.svg

arguments=(compare --format=markdown --output="$summary" --html="$page" --flamegraph="$flamegraph")
add_each --base= "$BASE"
add_each --head= "$HEAD"
before=${#arguments[@]}
add_each --fail-on= "${LIMITS:-}"
[[ -z ${LIMITS_FILE:-} ]] || arguments+=(--limits="$LIMITS_FILE")
has_limits=$((${#arguments[@]} > before))
((!has_limits)) || arguments+=(--annotations=github)
[[ -z ${SAMPLE_TYPE:-} ]] || arguments+=(--sample-type="$SAMPLE_TYPE")
[[ -z ${ALPHA:-} ]] || arguments+=(--alpha="$ALPHA")
[[ ${UNMATCHED:-} != pass ]] || arguments+=(--allow-empty)
add_each "" "${OPTIONS:-}"

status=0
"$PROGRAM" "${arguments[@]}" < /dev/null 2> "$errors" || status=$?
cat "$errors" >&2
if [[ -e $summary ]]; then
    cat "$summary" >> "$GITHUB_STEP_SUMMARY"
    if ((!has_limits)); then
        echo '::notice title=pprofdelta::no limit is set, so no growth can fail this job'
        printf '\nNo limit is set, so no growth can fail this job.\n' >> "$GITHUB_STEP_SUMMARY"
    fi
fi
if ((status > 1)) || [[ ! -e $summary ]]; then
    # The last line says why, after warnings.
    reason=$(grep '^pprofdelta: ' "$errors" | tail -n 1) || true
    reason=${reason:-pprofdelta: it ended with status $status}
    printf '::error title=pprofdelta::%s\n' "$(sed 's/^pprofdelta: //; s/%/%25/g' <<< "$reason")"
    printf '\n    %s\n\n' "$reason" >> "$GITHUB_STEP_SUMMARY"
fi

{
    echo "status=$status"
    case $status in
    0) echo "crossed=false" ;;
    1) echo "crossed=true" ;;
    esac
    for output in summary page flamegraph; do
        [[ ! -e ${!output} ]] || echo "$output=${!output}"
    done
} >> "$GITHUB_OUTPUT"
exit "$status"
