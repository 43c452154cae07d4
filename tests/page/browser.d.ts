// SPDX-License-Identifier: Apache-2.0
// What browsers have and TypeScript 4.8 does not know.
declare class DecompressionStream extends TransformStream<Uint8Array, Uint8Array> {
    constructor(format: "gzip");
}
