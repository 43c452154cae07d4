#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @datadog/pprof, which profiles Node for several vendors, takes source maps, so that the functions
# of a bundle have the names, files and lines that they have in the source. Expected: as many
# functions as without a map, each with its own time, so that parse() of json.js and parse() of
# html.js are two, as they are in the bundle, where each has a name of its own.
#
# Seen: both are one, of one file, with the time of both. A function is told from others by its
# script, which is the bundle, and by its name, which is the one of the source, and it has the file
# that comes first as the tree is written. So nearly all is of json.js in one profile, and of
# html.js in the next one, where the two ran in another order. Lines are right, unless these are the
# same, too: then even the places are one. An arrow function of one parameter, where a minifier
# drops the parentheses, has the name of the parameter, as that is where it begins. Heap profiles
# are made in the same way, and pprof 5.0.0 of npm has the same rule.
#
# Why it matters: get, parse and run are in every other file, and all of them are one row. In the
# difference of two captures of the same program, that row is gone from one file and new in another.
# Rows by line are right, and so are, for one bundle, profiles without source maps.
#
# @datadog/pprof 5.20.0, bundles of esbuild 0.25.12; November 2026

source "$(dirname "$0")/support.bash"
npm_packages @datadog/pprof@5.20.0 esbuild@0.25.12

mkdir "$work/source"
cd "$work/source"
spin='let turns = 0; while (Date.now() < end) turns++; return turns;'
printf '%s\n' "export function parse(end) { $spin }" >json.js
printf '%s\n' '' '' "export function parse(end) { $spin }" >html.js
printf '%s\n' '' "export const format = text => { const end = text; $spin }" >text.js
cat >main.js <<'END'
import { parse as json } from './json.js';
import { parse as html } from './html.js';
import { format } from './text.js';
export default function run(order) {
  const start = Date.now();
  if (order === 'json') json(start + 1200);
  html(start + (order === 'json' ? 1800 : 600));
  if (order === 'html') json(start + 1800);
  format(start + 2000);
}
END
cat >"$work/profile.js" <<'END'
const { time, SourceMapper } = require('@datadog/pprof');
const [, , map, order] = process.argv;
(async () => {
  const sourceMapper = map === 'mapped' ? await SourceMapper.create([`${__dirname}/bundle`]) : null;
  const { default: run } = require('./bundle/main.js');
  time.start({ durationMillis: 10000, intervalMicros: 1000, sourceMapper });
  run(order);
  const { stringTable: { strings }, sample, location, function: functions } = time.stop();
  const called = new Map(functions.map(({ id, name, filename }) =>
    [id, `${strings[name]} ${strings[filename].replace(/.*[/]/, '')}`]));
  const frames = new Map(location.map(({ id, line: [{ functionId }] }) =>
    [id, called.get(functionId)]));
  const rows = new Map();
  let sum = 0;
  for (const { locationId, value: [count] } of sample) {
    const frame = frames.get(locationId[0]);
    rows.set(frame, (rows.get(frame) ?? 0) + Number(count));
    sum += Number(count);
  }
  console.error(rows);
  for (const [frame, count] of [...rows].sort())
    if (frame.endsWith('.js') && count > 0.04 * sum)
      console.log(`${frame}: ${count > 0.75 * sum ? 'nearly all' : 'some'}`);
})();
END
cd "$work"
node_modules/.bin/esbuild source/main.js --bundle --minify --platform=node \
    --sourcemap --outfile=bundle/main.js >log 2>&1
shows "without the map" "$(node profile.js plain html)" \
"f main.js: some
i main.js: some
s main.js: some"
shows "with it, html first" "$(node profile.js mapped html)" \
"parse json.js: nearly all
text text.js: some"
shows "with it, json first" "$(node profile.js mapped json)" \
"parse html.js: nearly all
text text.js: some"
