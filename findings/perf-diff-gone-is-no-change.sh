#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# perf diff compares what perf recorded before and after a change: each row has its share of the
# baseline, and by how much that rose or fell. The largest changes come first. Expected: what is
# gone fell by all that it had, what is new rose, and as shares are of 100 %, changes add up to 0.
#
# Seen: what is gone has no change, and is below all others, also what did not change at all. Where
# legacy, which had 25 %, is replaced by check with 20 %, the rows say +20 %, +5 % and 0 %. The
# other way round, the same two captures say +25 %, -5 % and 0 %. With periods, of -c wdiff, what is
# new has no change either, but N/A. Changes are computed for rows of the baseline that the other
# file has, too; for what is new there is an empty one of these, for what is gone nobody makes any.
#
# Why it matters: a function that was renamed or split is a regression by all that it takes, and
# what it replaced is at the end of a table of thousands of rows. A change that saved all of
# something is not among the first rows, and in no sum of them. Look for a baseline with nothing
# beside it.
#
# Debian 13's linux-perf 6.12.117-1; sid's 7.2.13-1 does the same; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie linux-perf=6.12.117-1 libatomic1=14.2.0-19 libbabeltrace1=1.5.11-4+b2 \
    libbrotli1=1.1.0-2+deb13u1 libbz2-1.0=1.0.8-6 libc6=2.41-12+deb13u5 libcom-err2=1.47.2-3+b12 \
    libcrypt1=1:4.4.38-1 libcurl3t64-gnutls=8.14.1-2+deb13u7 libdebuginfod1t64=0.192-4 \
    libdw1t64=0.192-4 libelf1t64=0.192-4 libexpat1=2.9.0-1~deb13u1 libffi8=3.4.8-2 \
    libgcc-s1=14.2.0-19 libglib2.0-0t64=2.84.4-3~deb13u5 libgmp10=2:6.3.0+dfsg-3 \
    libgnutls30t64=3.8.9-3+deb13u4 libgssapi-krb5-2=1.21.3-5+deb13u1 libhogweed6t64=3.10.1-1 \
    libidn2-0=2.3.8-2 libjson-c5=0.18+ds-1 libk5crypto3=1.21.3-5+deb13u1 libkeyutils1=1.6.3-6 \
    libkrb5-3=1.21.3-5+deb13u1 libkrb5support0=1.21.3-5+deb13u1 libldap2=2.6.10+dfsg-1 \
    liblzma5=5.8.1-1+deb13u2 libnettle8t64=3.10.1-1 libnghttp2-14=1.64.0-1.1+deb13u2 \
    libnghttp3-9=1.8.0-1 libngtcp2-16=1.11.0-1+deb13u1 \
    libngtcp2-crypto-gnutls8=1.11.0-1+deb13u1 libnuma1=2.0.19-1 libopencsd1=1.5.5-1 \
    libp11-kit0=0.25.5-3 libpcre2-8-0=10.46-1~deb13u3 libperl5.40=5.40.1-6+deb13u1 \
    libpsl5t64=0.21.2-1.1+b1 libpython3.13=3.13.5-2+deb13u5 \
    librtmp1=2.4+20151223.gitfa8646d.1-2+b5 libsasl2-2=2.1.28+dfsg1-9 libslang2=2.3.3-5+b2 \
    libssh2-1t64=1.11.1-1+deb13u2 libssl3t64=3.5.9-1~deb13u1 libstdc++6=14.2.0-19 \
    libtasn1-6=4.20.0-2+deb13u1 libtraceevent1=1:1.8.4-2 libunistring5=1.3-2 \
    libunwind8=1.8.1-0.1 libuuid1=2.41.5-0+deb13u1 libzstd1=1.5.7+dfsg-1 \
    'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1'

cat >"$work/write.js" <<'END'
// A file of perf: one event, and for each command a process with that many samples of 1 ms.
const [, , file, ...commands] = process.argv;
const numbers = (...list) => {
  const bytes = Buffer.alloc(8 * list.length);
  list.forEach((number, i) => bytes.writeBigUInt64LE(BigInt(number), 8 * i));
  return bytes;
};
const record = (type, body) => {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(type);
  head.writeUInt16LE(type === 9 ? 2 : 0, 4);  // a sample, in user mode
  head.writeUInt16LE(8 + body.length, 6);
  return Buffer.concat([head, body]);
};
const records = [];
let time = 0;
commands.forEach((command, i) => {
  const [name, samples] = command.split('=');
  const pidAndTid = 0x100000001 * (100 + i);
  const body = Buffer.concat([numbers(pidAndTid), Buffer.alloc(16)]);
  body.write(name, 8);
  records.push(record(3, body));  // the name of a command
  for (let j = 0; j < samples; j++) {
    time += 1e6;
    records.push(record(9, numbers(0x1000, pidAndTid, time, 1e6)));
  }
});
const data = Buffer.concat(records);
// A clock as software event, its size, period, and what samples have: address, pid, time, period.
const attribute = Buffer.alloc(152);
[1 + 136 * 2 ** 32, 0, 1e6, 1 | 2 | 4 | 256].forEach((number, i) =>
  attribute.writeBigUInt64LE(BigInt(number), 8 * i));
require('fs').writeFileSync(file, Buffer.concat([Buffer.from('PERFILE2'),
  numbers(104, 152, 104, 152, 256, data.length, 0, 0, 0, 0, 0, 0), attribute, data]));
END
node "$work/write.js" "$work/root/tmp/old" parse=500 render=250 legacy=250
node "$work/write.js" "$work/root/tmp/new" parse=500 render=300 check=200

# usage: difference FILE FILE [OPTION...]
difference() {
    in_root perf diff --sort comm "${@:3}" "/tmp/$1" "/tmp/$2" 2>"$work/log" |
        sed -e '/^#/d; /^ *$/d; s/^          /      -   /; s/ *$//' | tr -s ' ' | sed 's/^ //'
}
shows "from old to new" "$(difference old new)" \
"- +20.00% check
25.00% +5.00% render
50.00% +0.00% parse
25.00% legacy"
shows "from new to old" "$(difference new old)" \
"- +25.00% legacy
30.00% -5.00% render
50.00% +0.00% parse
20.00% check"
shows "difference of periods" "$(difference old new -c wdiff:1,1)" \
"25.00% 50000000 render
50.00% 0 parse
- N/A check
25.00% legacy"
