// SPDX-License-Identifier: Apache-2.0

// Allocates under V8's sampling heap profiler and writes two captures, a while apart.
//
//     node main.js PREV.pb.gz CUR.pb.gz
//
// Collected objects are included, so the values are cumulative. As agents for Node do, each size
// of object gives a sample of its own, so a stack appears more than once.

'use strict';

const fs = require('node:fs');
const inspector = require('node:inspector');
const zlib = require('node:zlib');
const {encode} = require('./pprof.js');

const SAMPLING_INTERVAL = 1024;

const session = new inspector.Session();
session.connect();

/** Answers at once: the session is that of this very thread. */
function post(method, params) {
    let answer;
    session.post(method, params, (error, result) => {
        if (error) {
            throw new Error(`${method}: ${error.message}`);
        }
        answer = result;
    });
    return answer;
}

function toSamples({head, samples}) {
    const stacks = new Map();
    const visit = ({id, callFrame, children}, callers) => {
        const line = callFrame.lineNumber + 1;
        const frame = {
            name: callFrame.functionName || '(anonymous)',
            file: callFrame.url,
            line,
            startLine: line,
        };
        const stack = [frame, ...callers];
        stacks.set(id, stack);
        children.forEach((child) => visit(child, stack));
    };
    head.children.forEach((child) => visit(child, []));
    stacks.set(head.id, []);

    const counts = new Map();
    for (const {nodeId, size} of samples) {
        const key = `${nodeId}:${size}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return [...counts].map(([key, count]) => {
        const [nodeId, size] = key.split(':').map(Number);
        return {stack: stacks.get(nodeId), values: [count, count * size]};
    }).filter(({stack}) => stack.length > 0);
}

function capture(file) {
    const {profile} = post('HeapProfiler.getSamplingProfile');
    fs.writeFileSync(file, zlib.gzipSync(encode({
        sampleTypes: [{type: 'objects', unit: 'count'}, {type: 'space', unit: 'bytes'}],
        periodType: {type: 'space', unit: 'bytes'},
        period: SAMPLING_INTERVAL,
        timeNanos: BigInt(Date.now()) * 1000000n,
        samples: toSamples(profile),
    })));
}

function grow(depth) {
    return depth === 0 ? null : {left: grow(depth - 1), right: grow(depth - 1), name: `n${depth}`};
}

class Cache {
    #entries = new Map();

    store(key, value) {
        this.#entries.set(key, value);
        if (this.#entries.size > 100) {
            this.#entries.delete(this.#entries.keys().next().value);
        }
    }
}

const cache = new Cache();

function parse(text) {
    return JSON.parse(text, (key, value) => (Array.isArray(value) ? value.map(String) : value));
}

function round(n) {
    cache.store(n, grow(3 + n % 4));
    cache.store(`page ${n}`, Buffer.alloc(600 + n % 7));
    const text = JSON.stringify({n, list: Array.from({length: 30}, (_, i) => n * i)});
    return Object.entries(parse(text)).sort();
}

function work(from, to) {
    for (let n = from; n < to; ++n) {
        round(n);
    }
}

const [prev, cur] = process.argv.slice(2);

// All that is sampled runs from timers, after the main script has ended, and has the same callers
// before each capture. V8 forgets the file and line of the script's top level once that has ended,
// so stacks with that frame would not be found again.
function start() {
    post('HeapProfiler.enable');
    post('HeapProfiler.startSampling', {
        samplingInterval: SAMPLING_INTERVAL,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
    });
}

function step(from, to, file) {
    work(from, to);
    capture(file);
}

setTimeout(start, 100);
setTimeout(step, 200, 0, 300, prev);
setTimeout(step, 1200, 300, 500, cur);
