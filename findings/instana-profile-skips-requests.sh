#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Instana's agent for Node traces requests, and takes CPU profiles for a few seconds of each minute,
# without the frames of the agent itself. Expected: a handler that takes most of the time has most
# of the samples, whether its requests are traced or not.
#
# Seen: with tracing it has none. Below a frame of the agent all is left out, not only that frame,
# and tracing runs each request from within the agent, whose code calls the handler. The samples are
# nowhere else either, so the profile is that much smaller. What a handler does after it has waited
# for something is there, as that is called by nobody. Profiles of allocations are built alike.
#
# Why it matters: the synchronous part of each request is what a profile is meant to show. Against a
# profile before tracing, or without the agent, all handlers are gone; a call that becomes
# asynchronous appears from nothing. includeAgentFrames has all of it.
#
# @instana/autoprofile and @instana/core 5.5.0, with Node 26.10.0 and 20.20.2; November 2026

source "$(dirname "$0")/support.bash"
npm_packages @instana/autoprofile@5.5.0 @instana/core@5.5.0

cat >"$work/service.js" <<'END'
const { fork } = require('child_process');
const http = require('http');
const [, , mode, port] = process.argv;

if (mode === 'client') {
  const agent = new http.Agent({ keepAlive: true });
  const request = left => left ?
    http.get({ port, agent }, response => response.resume().on('end', () => request(left - 1))) :
    process.exit();
  return request(60);
}
const nothing = () => {};
const logger = { trace: nothing, debug: nothing, info: nothing, warn: nothing,
                 error: console.error };
if (mode === 'traced') { // as @instana/collector starts it
  const core = require('@instana/core');
  core.coreConfig.init(logger);
  const config = core.coreConfig.normalize();
  core.preInit(config);
  core.init(config, { sendSpans: (spans, sent) => sent() },
            { getEntityId: () => '1', getFrom: () => ({}) });
  core.tracing.activate({});
}
const work = milliseconds => {
  let turns = 0;
  for (const end = Date.now() + milliseconds; Date.now() < end;) turns++;
  return turns;
};
const parse = () => work(20) + 1;
const store = () => work(10) + 2;
const server = http.createServer(async (request, response) => {
  parse();
  await undefined;
  store();
  response.end('done');
});
const { AutoProfiler } = require('@instana/autoprofile');
const profiler = new AutoProfiler();
profiler.getLogger = () => logger;
profiler.start({ disableTimers: true, disableAllocationSampler: true, disableAsyncSampler: true,
                 includeAgentFrames: process.argv[3] === 'included' });
server.listen(0, () => {
  const { sampler } = profiler.cpuSamplerScheduler;
  sampler.startSampler();
  fork(__filename, ['client', server.address().port]).on('exit', () => {
    sampler.stopSampler();
    const samples = name => function count({ method_name: method, num_samples: own, children },
                                           below = false) {
      const here = below || method === name;
      return children.reduce((sum, child) => sum + count(child, here), here ? own : 0);
    };
    const { roots } = sampler.buildProfile(0, 0).toJson();
    for (const name of ['parse', 'store']) {
      const found = roots.reduce((sum, root) => sum + samples(name)(root), 0);
      console.error(name, found);
      console.log(`${name}: ${found > 20 ? 'some' : found ? 'hardly any' : 'none'}`);
    }
    process.exit();
  });
});
END
service() {
    (cd "$work" && node service.js "$@")
}
shows "60 requests, samples without tracing" "$(service plain)" \
"parse: some
store: some"
shows "with tracing" "$(service traced)" \
"parse: none
store: some"
shows "with tracing, and with the frames of the agent" "$(service traced included)" \
"parse: some
store: some"
