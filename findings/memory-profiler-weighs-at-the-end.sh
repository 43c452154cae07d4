#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# memory_profiler of Ruby says how many bytes a block allocates, and how many of them are
# retained. Expected: a cache from before the block that gets a million entries in it has retained
# megabytes, and an array that gets as many numbers and is emptied again has allocated them.
#
# Seen: the cache, a Hash, has retained and allocated nothing. Only objects that were created in
# the block count, as large as they are when it ends, so with what they got later, but not with
# what they lost. The array, which was 11 MB, is next to nothing. A Hash of the block with the same
# entries has its 34 MB.
#
# Why it matters: what leaks is mostly a container that is older than any block, and nothing is
# retained there but new keys and values. Allocations of two builds are compared by what objects
# are left with, not by what was allocated.
#
# Debian sid's ruby-memory-profiler 1.1.0-2 with ruby3.3 3.3.8-2.2; November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid ruby-memory-profiler=1.1.0-2 ruby3.3=3.3.8-2.2 libruby3.3=3.3.8-2.2 \
    libc6=2.43-7 libgcc-s1=16.2.0-4 libgmp10=2:6.3.0+dfsg-5+b2 \
    libcrypt1=1:4.5.2+20251210-1 zlib1g=1:1.3.dfsg+really1.3.2-4

cat >"$work/root/tmp/report.rb" <<'END'
require 'memory_profiler'

def megabytes(what, &block)
  report = MemoryProfiler.report(&block)
  figures = [report.total_allocated_memsize, report.total_retained_memsize]
  puts "#{what}: allocated %.1f MB, retained %.1f MB" % figures.map { |bytes| bytes / 1e6 }
end

million = 1_000_000
cache = {}
megabytes('entries in a cache from before') { million.times { |i| cache[i] = i } }
megabytes('entries in a new cache') { cache = {}; million.times { |i| cache[i] = i } }
array = nil
megabytes('numbers in a new array') { array = []; million.times { |i| array << i } }
megabytes('numbers in a new array, emptied') do
  array = []
  million.times { |i| array << i }
  array.clear
end
END
shows 'a million' "$(in_root ruby3.3 --disable-gems \
    -I /usr/share/rubygems-integration/all/gems/memory_profiler-1.1.0/lib /tmp/report.rb)" \
'entries in a cache from before: allocated 0.0 MB, retained 0.0 MB
entries in a new cache: allocated 33.6 MB, retained 33.6 MB
numbers in a new array: allocated 11.6 MB, retained 11.6 MB
numbers in a new array, emptied: allocated 0.0 MB, retained 0.0 MB'
