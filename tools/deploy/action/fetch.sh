#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The step of action.yml that takes the program out of a release: VERSION of the repository
# REPOSITORY, if its archive has the checksum SHA256, or else the one in the release's SHA256SUMS.
# The latter tells a damaged archive, and the former one that somebody has replaced.
set -euo pipefail

fail() {
    printf '::error title=pprofdelta::%s\n' "$*"
    exit 5
}

# Only after these can the inputs be a part of a URL or of a message.
[[ $VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "the version has to be one such as 1.0.0"
[[ ${REPOSITORY:-} =~ ^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$ ]] ||
    fail "the repository of the release has to be given as OWNER/NAME"
[[ ${SHA256:=} =~ ^([0-9a-f]{64})?$ ]] || fail "sha256 has to be 64 digits, 0 to 9 and a to f"
case $(uname -s)-$(uname -m) in
Linux-x86_64) architecture=amd64 ;;
Linux-aarch64) architecture=arm64 ;;
*) fail "there is no program for $(uname -s) on $(uname -m) in releases; install one" ;;
esac

name=pprofdelta-$VERSION-linux-$architecture
release=$GITHUB_SERVER_URL/$REPOSITORY/releases/download/v$VERSION
folder=$(mktemp -d "$RUNNER_TEMP/pprofdelta-XXXXXXXX")
cd "$folder"

fetch() {
    curl --fail --silent --show-error --location --proto '=https' --retry 3 --output "$1" \
        "$release/$1" || fail "$release/$1 cannot be fetched"
}

fetch "$name.tar.gz"
if [[ -z $SHA256 ]]; then
    fetch SHA256SUMS
    SHA256=$(awk -v name="$name.tar.gz" '$2 == name { print $1 }' SHA256SUMS)
fi
sum=$(sha256sum "$name.tar.gz")
[[ ${sum%% *} == "$SHA256" ]] ||
    fail "$name.tar.gz has the checksum ${sum%% *}, and not ${SHA256:-any in SHA256SUMS}"
tar -xzf "$name.tar.gz" "$name/bin/pprofdelta"
echo "program=$folder/$name/bin/pprofdelta" >> "$GITHUB_OUTPUT"
