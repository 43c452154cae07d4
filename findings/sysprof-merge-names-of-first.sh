#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# sysprof-cli --merge makes one capture of several. Each of them brings names for the addresses
# that were sampled in it, so that it can be read without the binaries. Expected: what is merged
# has the samples of all, each with the name that it has in its own capture.
#
# Seen: all samples are there, but the names are those of one capture, the earliest. Each has a file
# __symbols__, and the first of that name is read. Samples of another process have no names; in the
# same process, what was not sampled before has none. Where another build of a program has the same
# process id, as it may have in a container or after a reboot, its addresses get names of the old
# one: check(), which is new and takes most of the time, is parse(). The span of time in the header
# is that of the capture that was named last.
#
# Why it matters: captures before and after a change are merged to be seen side by side, or those of
# several runs to see what is rare. What is new is what has no name, or a wrong one. Where the
# binaries are at hand as well, the first is made good, but not the second.
#
# Debian 13's sysprof 48.0-2; sid's 51.0-2 does the same; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie sysprof=48.0-2 libatomic1=14.2.0-19 libblkid1=2.41.5-0+deb13u1 \
    libbrotli1=1.1.0-2+deb13u1 libc6=2.41-12+deb13u5 libcom-err2=1.47.2-3+b12 \
    libssl3t64=3.5.9-1~deb13u1 libcurl3t64-gnutls=8.14.1-2+deb13u7 libdebuginfod1t64=0.192-4 \
    libdex-1-1=0.10.0-1 libelf1t64=0.192-4 libffi8=3.4.8-2 libgcc-s1=14.2.0-19 \
    libglib2.0-0t64=2.84.4-3~deb13u5 libgmp10=2:6.3.0+dfsg-3 libgnutls30t64=3.8.9-3+deb13u4 \
    libgssapi-krb5-2=1.21.3-5+deb13u1 libhogweed6t64=3.10.1-1 libidn2-0=2.3.8-2 \
    libjson-c5=0.18+ds-1 libjson-glib-1.0-0=1.10.6+ds-2 libk5crypto3=1.21.3-5+deb13u1 \
    libkeyutils1=1.6.3-6 libkrb5-3=1.21.3-5+deb13u1 libkrb5support0=1.21.3-5+deb13u1 \
    libldap2=2.6.10+dfsg-1 libmount1=2.41.5-0+deb13u1 libnettle8t64=3.10.1-1 \
    libnghttp2-14=1.64.0-1.1+deb13u2 libnghttp3-9=1.8.0-1 libngtcp2-16=1.11.0-1+deb13u1 \
    libngtcp2-crypto-gnutls8=1.11.0-1+deb13u1 libp11-kit0=0.25.5-3 libpcre2-8-0=10.46-1~deb13u3 \
    libpolkit-agent-1-0=126-2 libpolkit-gobject-1-0=126-2 libpsl5t64=0.21.2-1.1+b1 \
    libsasl2-2=2.1.28+dfsg1-9 libselinux1=3.8.1-1 libssh2-1t64=1.11.1-1+deb13u2 \
    libstdc++6=14.2.0-19 libsystemd0=257.13-1~deb13u1 libtasn1-6=4.20.0-2+deb13u1 \
    libunistring5=1.3-2 liburing2=2.9-1 'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1' \
    libzstd1=1.5.7+dfsg-1 libcap2=1:2.75-10+deb13u1+b3 'librtmp1=2.4+20151223.gitfa8646d.1-2+b5'

# usage: node capture.js FILE SECOND PROCESS {NAME: ADDRESS...} {NAME: SAMPLES...}
# Writes a capture of main(), which calls each other function; each of them is 256 bytes long.
cat >"$work/capture.js" <<'END'
const [, , file, second, process_, addresses, samples] = process.argv;
const [start, id] = [1e9 * second, Number(process_)];
const [places, counts] = [JSON.parse(addresses), JSON.parse(samples)];
const text = (string, length = string.length + 1) => {
  const bytes = Buffer.alloc(length);
  bytes.write(string);
  return bytes;
};
const long = value => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const int = value => long(value).subarray(0, 4);
const frame = (type, time, ...parts) => {
  const body = Buffer.concat(parts);
  const length = 24 + Math.ceil(body.length / 8) * 8;
  const bytes = Buffer.alloc(length);
  bytes.writeUInt16LE(length);
  bytes.writeInt32LE(id, 4);
  bytes.writeBigInt64LE(BigInt(time), 8);
  bytes.writeUInt8(type, 16);
  body.copy(bytes, 24);
  return bytes;
};
const base = 0x400000;
const userSpace = 0xfffffffffffffe00n;
let time = start;
const frames = [
  frame(4, time, text('server')),
  frame(3, time, long(base), long(base + 0x10000), long(0), long(1), text('/opt/server')),
];
for (const name in counts)
  for (let i = 0; i < counts[name]; i++)
    frames.push(frame(2, time += 1e6, int(3), int(id), long(userSpace),
                      long(base + places[name] + 8), long(base + places.main + 8)));
// A table of those functions that were sampled, in the order of their addresses, and the names.
const names = ['main', ...Object.keys(counts)].sort((a, b) => places[a] - places[b]);
let offset = 32 * (names.length + 1);
const table = names.map(name => {
  const entry = [long(base + places[name]), long(base + places[name] + 256), int(id), int(offset),
                 long(0)];
  offset += name.length + 1;
  return Buffer.concat(entry);
});
const symbols = Buffer.concat([...table, Buffer.alloc(32), ...names.map(name => text(name))]);
const size = Buffer.alloc(4);
size.writeUInt8(1);
size.writeUInt16LE(symbols.length, 2);
frames.push(frame(13, time, size, text('__symbols__', 256), symbols));
const header = Buffer.alloc(256);
header.writeUInt32LE(0xfdca975e);
header.writeUInt16LE(0x0101, 4);
header.write('2026-11-28T00:00:00Z', 8);
header.writeBigInt64LE(BigInt(start), 72);
header.writeBigInt64LE(BigInt(time), 80);
require('fs').writeFileSync(file, Buffer.concat([header, ...frames]));
END
capture() {
    node "$work/capture.js" "$work/root/tmp/$1" "${@:2}"
}
build1='{"parse": 256, "send": 512, "main": 768, "check": 1024}'
build2='{"check": 256, "parse": 512, "send": 768, "main": 1024}'
capture before 100 1 "$build1" '{"parse": 10, "send": 20}'
capture later 200 1 "$build1" '{"parse": 10, "send": 20, "check": 40}'
capture rebuilt 300 1 "$build2" '{"parse": 10, "send": 20, "check": 40}'
capture other 400 2 "$build1" '{"parse": 10, "send": 20}'

# usage: own FILE
# Samples in each function itself.
own() {
    in_root sysprof-cat "/tmp/$1" 2>"$work/log" | awk -F '[:,"]+' '
        / symbol: / { name = $3 }
        / self: / && $2 > 0 { own[name] += $2 }
        END { for (name in own) print name ": " own[name] }' | sort
}
# usage: merged FILE FILE
merged() {
    in_root sysprof-cli --merge "/tmp/$1" "/tmp/$2" >"$work/root/tmp/merged"
    own merged
}
shows "before" "$(own before)" \
"parse: 10
send: 20"
shows "later, check() is new" "$(own later)" \
"check: 40
parse: 10
send: 20"
shows "before and later" "$(merged before later)" \
"In File /opt/server+0x408: 40
parse: 20
send: 40"
shows "another build" "$(own rebuilt)" \
"check: 40
parse: 10
send: 20"
for order in "before rebuilt" "rebuilt before"; do
    read -r -a files <<<"$order"
    shows "$order" "$(merged "${files[@]}")" \
"main: 20
parse: 50
send: 30"
done
shows "before and another process" "$(merged before other)" \
"In File /opt/server+0x108: 10
In File /opt/server+0x208: 20
parse: 10
send: 20"
shows "from 100 s to 400 s, its span of nanoseconds" \
    "$(in_root sysprof-cat /tmp/merged 2>"$work/log" | grep -o 'timespan.*[0-9]')" \
    "timespan: 400000000000 400030000000"
