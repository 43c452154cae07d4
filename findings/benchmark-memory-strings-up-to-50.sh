#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# benchmark-memory of Ruby compares what its jobs allocate: memory, objects or strings. Expected of
# compare! with strings: how many strings each job allocates.
#
# Seen: all strings with the same text count as one, and no more than 50 count. A job that makes
# 100,000 strings is the same as one that makes 100, and one that makes 3 is three times as bad as
# one that makes the same text 100,000 times. The figure is the length of a list for the report of
# memory_profiler, which has those that are there most often, each with its count, up to 50.
#
# Why it matters: who compares strings looks for text that is allocated again and again, and has
# "same", or the verdict upside down. What is printed for each job, and held for a comparison with
# a later build, is the same figure. Compare objects or memory.
#
# Debian sid's ruby-benchmark-memory 0.2.0-2, ruby-memory-profiler 1.1.0-2; November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid ruby-benchmark-memory=0.2.0-2 ruby-memory-profiler=1.1.0-2 \
    ruby3.3=3.3.8-2.2 libruby3.3=3.3.8-2.2 libc6=2.43-7 libgcc-s1=16.2.0-4 \
    libcrypt1=1:4.5.2+20251210-1 libgmp10=2:6.3.0+dfsg-5+b2 \
    'zlib1g=1:1.3.dfsg+really1.3.2-4'

cat >"$work/root/tmp/strings.rb" <<'END'
# frozen_string_literal: true

require 'benchmark/memory'

different = ->(count) { -> { count.times { |i| i.to_s } } }
alike = ->(count) { -> { count.times { 'again'.dup } } }
jobs = {
  '100 different' => different[100], '100,000 different' => different[100_000],
  '100,000 alike' => alike[100_000], '3 different' => different[3]
}
metric, *names = ARGV
Benchmark.memory do |benchmark|
  names.each { |name| benchmark.report(name, &jobs[name]) }
  benchmark.compare!(metric.to_sym => :allocated)
end
END
folder=/usr/share/rubygems-integration/all/gems
# usage: compared METRIC JOB...
compared() {
    in_root ruby3.3 --disable-gems -I "$folder/benchmark-memory-0.2.0/lib" \
        -I "$folder/memory_profiler-1.1.0/lib" /tmp/strings.rb "$@" | sed '1,/^Comparison:/d'
}
shows "100 strings and 100,000" "$(compared strings '100 different' '100,000 different')" \
"       100 different:         50 allocated
   100,000 different:         50 allocated - same"
shows "as objects" "$(compared objects '100 different' '100,000 different')" \
"       100 different:        100 allocated
   100,000 different:     100000 allocated - 1000.00x more"
shows "100,000 strings and 3" "$(compared strings '100,000 alike' '3 different')" \
"       100,000 alike:          1 allocated
         3 different:          3 allocated - 3.00x more"
shows "as objects" "$(compared objects '100,000 alike' '3 different')" \
"         3 different:          3 allocated
       100,000 alike:     100000 allocated - 33333.33x more"
