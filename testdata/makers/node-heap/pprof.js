// SPDX-License-Identifier: Apache-2.0

// Encodes a profile of call stacks as pprof's profile.proto, as agents for Node do: no mapping,
// every address 0, a location per function and line.

'use strict';

function varint(value) {
    const bytes = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 0x7fn) {
        bytes.push(Number(rest & 0x7fn) | 0x80);
        rest >>= 7n;
    }
    bytes.push(Number(rest));
    return Buffer.from(bytes);
}

function integer(field, value) {
    return Buffer.concat([varint(field << 3), varint(value)]);
}

function bytes(field, content) {
    return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
}

function message(field, ...parts) {
    return bytes(field, Buffer.concat(parts));
}

function packed(field, values) {
    return message(field, ...values.map(varint));
}

/** Gives each distinct key an id in the order of their first use. */
class Table {
    constructor(firstId) {
        this.firstId = firstId;
        this.ids = new Map();
        this.entries = [];
    }

    id(key, entry) {
        let id = this.ids.get(key);
        if (id === undefined) {
            id = this.firstId + this.entries.length;
            this.ids.set(key, id);
            this.entries.push(entry);
        }
        return id;
    }
}

/**
 * @param {object} profile
 * @param {Array<{type: string, unit: string}>} profile.sampleTypes
 * @param {{type: string, unit: string}} profile.periodType
 * @param {number} profile.period
 * @param {bigint} profile.timeNanos
 * @param {Array<{stack: Array<{name: string, file: string, line: number, startLine: number}>,
 *     values: number[]}>} profile.samples stacks have the leaf first
 * @returns {Buffer} the serialized Profile message
 */
function encode(profile) {
    const strings = new Table(0);
    const functions = new Table(1);
    const locations = new Table(1);
    const text = (s) => strings.id(s, s);
    text('');

    const functionId = ({name, file, startLine}) =>
        functions.id(JSON.stringify([name, file, startLine]), {name, file, startLine});
    const locationId = (frame) => {
        const id = functionId(frame);
        return locations.id(`${id}:${frame.line}`, {functionId: id, line: frame.line});
    };
    const valueType = (field, {type, unit}) =>
        message(field, integer(1, text(type)), integer(2, text(unit)));

    const parts = profile.sampleTypes.map((t) => valueType(1, t));
    for (const {stack, values} of profile.samples) {
        parts.push(message(2, packed(1, stack.map(locationId)), packed(2, values)));
    }
    locations.entries.forEach(({functionId: id, line}, i) => {
        parts.push(message(4, integer(1, i + 1), message(4, integer(1, id), integer(2, line))));
    });
    functions.entries.forEach(({name, file, startLine}, i) => {
        parts.push(message(5, integer(1, i + 1), integer(2, text(name)), integer(3, text(name)),
            integer(4, text(file)), integer(5, startLine)));
    });
    parts.push(integer(9, profile.timeNanos), valueType(11, profile.periodType),
        integer(12, profile.period));
    // The strings come last: everything above may add to them.
    for (const s of strings.entries) {
        parts.push(bytes(6, Buffer.from(s)));
    }
    return Buffer.concat(parts);
}

module.exports = {encode};
