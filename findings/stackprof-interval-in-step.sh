#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# stackprof of Ruby, in mode :object with interval: N, samples one of N allocations. Expected:
# which one is random, so that with enough samples each function gets its share, and nothing
# that was meant to be passed over is called missed.
#
# Seen: it takes every Nth, always. A loop in which two functions allocate one object each has
# half of the samples in each with an interval of 1 or 3; with 2 or 4, all are in the second
# function, and the first is not in the profile at all. The others are "missed": 50 % with an
# interval of 2, 75 % with 4. The number of samples times the interval is right in all cases.
#
# Why it matters: a difference of two captures, or any test of them, takes samples for random.
# Here one more allocation in a loop moves the whole of a function to another, in each capture
# alike, so that repeating them looks like certainty. Take an odd, large prime interval.
#
# Debian 13's ruby-stackprof 0.2.26-3+b2, ruby3.3 3.3.8-2; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie ruby-stackprof=0.2.26-3+b2 ruby3.3=3.3.8-2 libruby3.3=3.3.8-2 \
    libc6=2.41-12+deb13u5 libgcc-s1=14.2.0-19 libgmp10=2:6.3.0+dfsg-3 libcrypt1=1:4.4.38-1 \
    zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1

cat >"$work/root/tmp/sample.rb" <<'END'
require 'stackprof'

def first = Object.new
def second = Object.new

GC.disable
1.upto(4) do |interval|
  profile = StackProf.run(mode: :object, interval: interval) do
    i = 0
    while i < 3000
      first
      second
      i += 1
    end
  end
  samples = profile[:frames].values.to_h do |frame|
    [frame[:name].split('#')[-1], frame[:total_samples]]
  end
  near = ->(count) { count.to_i.round(-1) }
  puts "#{interval}: first #{near[samples['first']]} second #{near[samples['second']]} " \
       "missed #{near[profile[:missed_samples]]}"
end
END
gems=/usr/lib/x86_64-linux-gnu/rubygems-integration/3.3.0
shows "samples by interval" "$(in_root ruby3.3 --disable-gems \
    -I "$gems/gems/stackprof-0.2.26/lib" \
    -I "$gems/extensions/x86_64-linux-gnu/3.3.0/stackprof-0.2.26" /tmp/sample.rb)" \
"1: first 3000 second 3000 missed 0
2: first 0 second 3000 missed 3000
3: first 1000 second 1000 missed 4000
4: first 0 second 1500 missed 4500"
