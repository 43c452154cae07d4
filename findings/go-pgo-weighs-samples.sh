#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# go build -pgo takes a CPU profile, and go tool preprofile shows what the compiler has of it: the
# calls, each with a weight. For several services or hosts, profiles are merged by go tool pprof
# -proto, as Go's manual advises. Expected: the weight is the time, which go tool pprof shows.
#
# Seen: it is the number of samples. Of a profile's types, samples and nanoseconds, the first one
# that is found is taken, as the other is held to be the same but for a factor. In a merged profile
# it is not, when rates differ: 30 s at 100 samples a second and 6 s at 500 have the same weight; 60
# s at 19 a second, as some profilers of whole machines have, weigh less than 3 s at 500. With
# nanoseconds alone, the weights are right.
#
# Why it matters: a build is optimized for what was sampled most often, while the merged profile,
# and the difference between the builds, show where the time is. Only merge profiles of one rate, or
# leave out the number of samples.
#
# go tool preprofile of Debian sid's golang-1.27-go 1.27.3-1, go tool pprof of Debian 13's
# golang-1.24-go 1.24.4-1; November 2026

source "$(dirname "$0")/support.bash"
npm_packages pprof-format@2.3.2
debian_packages trixie golang-1.24-go=1.24.4-1
debian_packages sid golang-1.27-go=1.27.3-1
cd "$work"
export HOME=$work PPROF_TMPDIR=$work

# usage: cpu FILE FUNCTION SECONDS RATE [time]
# Writes a CPU profile of a function that main calls, as Go's runtime does, or with times alone.
cpu() {
    node - "$@" <<'END'
const { Function, Line, Location, Profile, Sample, StringTable, ValueType } =
  require('pprof-format');
const [, , file, callee, seconds, rate, only] = process.argv;
const stringTable = new StringTable();
const type = (name, unit) =>
  new ValueType({ type: stringTable.dedup(name), unit: stringTable.dedup(unit) });
const names = [callee, 'main.main'];
const from = only ? 1 : 0;
require('fs').writeFileSync(file, new Profile({
  stringTable,
  sampleType: [type('samples', 'count'), type('cpu', 'nanoseconds')].slice(from),
  periodType: type('cpu', 'nanoseconds'),
  period: Math.round(1e9 / rate),
  function: names.map((name, i) => new Function({
    id: i + 1, name: stringTable.dedup(name), systemName: stringTable.dedup(name),
    filename: stringTable.dedup('main.go'), startLine: 10 })),
  location: names.map((_, i) => new Location(
    { id: i + 1, line: [new Line({ functionId: i + 1, line: 12 })] })),
  sample: [new Sample({ locationId: [1, 2], value: [seconds * rate, seconds * 1e9].slice(from) })],
}).encode());
END
}
# usage: merged FILE...
# What pprof and the compiler have of profiles that are merged.
merged() {
    local tool=pkg/tool/linux_amd64
    root/usr/lib/go-1.24/$tool/pprof -proto -output merged "$@" 2>log
    root/usr/lib/go-1.24/$tool/pprof -top merged 2>log |
        awk '$6 ~ /^main\.[^m]/ { print $6, $1 }' | sort
    root/usr/lib/go-1.27/$tool/preprofile -i merged |
        awk 'NR > 1 && NR % 3 == 0 { name = $1 } NR > 1 && NR % 3 == 1 { print name, $2 }' | sort
}
cpu one main.one 30 100
cpu two main.two 6 500
shows "of two services, seconds and the compiler's weights" "$(merged one two)" \
"main.one 30s
main.two 6s
main.one 3000
main.two 3000"
cpu one main.one 60 19
cpu two main.two 3 500
shows "of others, seconds and weights" "$(merged one two)" \
"main.one 60s
main.two 3s
main.one 1140
main.two 1500"
cpu one main.one 60 19 time
cpu two main.two 3 500 time
shows "with times alone, seconds and weights" "$(merged one two)" \
"main.one 60s
main.two 3s
main.one 60000000000
main.two 3000000000"
