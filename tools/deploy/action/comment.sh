#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Keeps one comment on a pull request of GitHub, or a merge request of GitLab, about what
# `pprofdelta compare --format markdown` found:
#
#     comment.sh SUMMARY
#
# It writes one where something changed, edits it in place from then on, says when nothing changes
# any more, and writes none where nothing changed. TOKEN has to be allowed to write comments, or a
# line says why there is none. KEY tells jobs of one name apart. Whatever the server answers, the
# status is 0. Needs curl and jq 1.6.
set -euo pipefail
summary=$1

if [[ -n ${GITHUB_ACTIONS:-} ]]; then
    number=$(jq -r '.pull_request.number // empty' "$GITHUB_EVENT_PATH")
    api=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues
    all=$api/$number/comments one=$api/comments edit=PATCH
    header="Authorization: Bearer ${TOKEN:-}"
    job="$GITHUB_WORKFLOW / $GITHUB_JOB"
    commit=$(jq -r '.pull_request.head.sha // empty' "$GITHUB_EVENT_PATH")
    link=${GITHUB_RUN_ID:+$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID}
else
    number=${CI_MERGE_REQUEST_IID:-}
    all=${CI_API_V4_URL:-}/projects/${CI_PROJECT_ID:-}/merge_requests/$number/notes
    one=$all edit=PUT
    header="PRIVATE-TOKEN: ${TOKEN:-}"
    job=${CI_JOB_NAME:-}
    commit=${CI_COMMIT_SHA:-} link=${CI_JOB_URL:-}
fi
[[ -n $number ]] || exit 0 # not about a request

give_up() {
    echo "pprofdelta: no comment on $number: $*; the summary of the job has it all"
    exit 0
}
[[ -n ${TOKEN:-} ]] || give_up "there is no token"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(umask 077 && printf '%s\n' "$header" > "$folder/header") # not for the list of processes

# A comment is ours if it begins with this: in what quotes it, something stands before.
job=$job${KEY:+ / $KEY}
marker="<!-- pprofdelta: $(sed 's/[^A-Za-z0-9 ._\/-]/_/g; s/--*/-/g' <<< "$job") -->"

# What the comment is about: the job, the commit, and where to see more.
# shellcheck disable=SC2016 # these are of Markdown
source=$(printf '`%s`%s%s' "$(tr -d '`' <<< "$job")" "${commit:+ of ${commit:0:12}}" \
    "${link:+, [all of it]($link)}")

# Nothing but what this program wrote begins a line so: names stand behind figures or in code.
has_changed=no
# shellcheck disable=SC2016 # these are of Markdown
! grep -qE '^(❌ |⚠️ |- \*\*crossed\*\* |`+[^`]+`+ \*\*(grew|fell) )' "$summary" || has_changed=yes

# The first lines say it all; what is folded below has to fit as well.
write_body() {
    echo "$marker"
    if [[ $has_changed == no ]]; then
        echo "pprofdelta: no significant change any more"
        return
    fi
    awk -v most=40 -v source="$source" '
        function end_of_lines() {
            if (open != "") print open
            if (is_cut) print "\nThe summary of the job has more lines.\n"
            print source "\n"
        }
        is_below || /^<details>/ { if (!is_below) end_of_lines(); is_below = 1; print; next }
        ++lines > most { is_cut = 1; next }
        { print }
        open != "" && $0 == open { open = ""; next }
        open == "" && /^```+text$/ { open = substr($0, 1, length($0) - 4) }
        END { if (!is_below) end_of_lines() }' "$summary"
}
write_body > "$folder/body"
if (($(wc -c < "$folder/body") > 65000)); then
    sed -i '/^<details>/,$d' "$folder/body"
fi
jq -n --rawfile body "$folder/body" '{body: $body}' > "$folder/payload"

# request METHOD URL: the answer is in $folder/answer then, and its status in $code; 000 for none.
request() {
    local options=(--silent --max-time 60 --header "@$folder/header" --request "$1"
        --output "$folder/answer" --write-out '%{http_code}')
    [[ $1 == GET ]] ||
        options+=(--header 'Content-Type: application/json' --data-binary "@$folder/payload")
    : > "$folder/answer"
    code=$(curl "${options[@]}" -- "$2") || code=000
}

# Sets $id to the comment of this job, or to nothing; $code is not 200 if that is not known.
others=() most_pages=10
find_comment() {
    local page=1 count=100 found
    id=
    while ((count == 100)) && [[ -z $id ]]; do
        request GET "$all?per_page=100&page=$page"
        [[ $code == 200 ]] || return 0
        found=$(jq -r --arg marker "$marker" --arg others " ${others[*]} " \
            'if type == "array" then length, ([.[] | objects |
                select(.body | strings | startswith($marker)) | .id | numbers |
                select(" \(.) " as $id | $others | contains($id) | not)] | .[0] // "")
                else error end' "$folder/answer" 2> "$folder/nothing") || found=
        if [[ ! $found =~ ^([0-9]+)($'\n'([0-9]+))?$ ]]; then
            code="200, but no list of comments" # such as the page of a proxy to log in
            return 0
        fi
        count=${BASH_REMATCH[1]} id=${BASH_REMATCH[3]-}
        page=$((page + 1))
        if ((page > most_pages)) && [[ -z $id ]]; then
            code="with more than ${most_pages}00 comments"
            return 0
        fi
    done
}

# After a fault it is not known whether the server has done it, so the comment is looked for again.
for pause in 1 2 4 0; do
    find_comment
    if [[ $code == 200 ]]; then
        if [[ -n $id ]]; then
            request "$edit" "$one/$id"
        elif [[ $has_changed == yes ]]; then
            request POST "$all"
        fi
        case $code in
        2??) exit 0 ;;
        401 | 403 | 404)
            [[ -n $id ]] || break
            others+=("$id") # of somebody else, who copied ours
            continue
            ;;
        esac
    fi
    [[ $code =~ ^(000|429|5..)$ ]] || break
    sleep "$pause"
done
reason=$(jq -r '.message // empty' "$folder/answer" 2> "$folder/nothing" | head -c 200) || reason=
give_up "the server answers $code${reason:+, $(tr -c '[:print:]' ' ' <<< "$reason")}"
