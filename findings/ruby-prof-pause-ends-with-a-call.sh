#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# RubyProf::Profile has pause and resume, to leave out what is not to be measured. Expected: what
# happens in between counts nowhere, in any mode, and calls in between aren't calls.
#
# Seen: it counts, but for what methods written in C do themselves. Of 2000 objects that a method
# allocates, and 10,000 that it allocates in a pause, the profile has 12,000 in two calls; of 10,000
# of each_slice in a pause, one is left. Of the time of a loop in a pause, most counts. A call in a
# pause resumes its caller, which inherits the callee's pause when that returns, but is not paused
# again. Operators are calls, too, so hardly a line is left out.
#
# Why it matters: a pause around a setup or a debug output adds these to the methods that they call,
# and the difference of two builds has what was to be left out of both. A pause around a query or a
# sleep looks right. Stop instead, and have a profile for each part.
#
# Debian sid's ruby-prof 2.0.5-1, ruby3.3 3.3.8-2.2; November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid ruby-prof=2.0.5-1 ruby3.3=3.3.8-2.2 libruby3.3=3.3.8-2.2 libc6=2.43-7 \
    libgcc-s1=16.2.0-4 libcrypt1=1:4.5.2+20251210-1 libgmp10=2:6.3.0+dfsg-5+b2 \
    'zlib1g=1:1.3.dfsg+really1.3.2-4'

cat >"$work/root/tmp/pause.rb" <<'END'
require 'ruby-prof'

def build(count)
  i = 0
  while i < count
    last = [i]
    i += 1
  end
  last
end

def measured(mode)
  profile = RubyProf::Profile.new(measure_mode: mode)
  profile.start
  build(2000)
  profile.pause
  yield
  profile.resume
  profile.stop
  methods = profile.threads.first.methods
  [methods.sum(&:self_time), methods.find { |method| method.method_name == :build }]
end

def allocated(paused, &block)
  sum, build = measured(RubyProf::ALLOCATIONS, &block)
  puts "#{paused}: #{sum.round} objects, of build #{build.self_time.round} in #{build.called} calls"
end

allocated('nothing in the pause') {}
allocated('10,000 objects in it') { build(10_000) }
allocated('10,000 by a method of C in it') { (1..10_000).each_slice(1) {} }
seconds = 0
sum, = measured(RubyProf::WALL_TIME) do
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  build(1_000_000)
  seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
end
puts "of the time of a loop in it: #{sum > seconds / 2 ? 'most' : 'little'}"
END
folder=/usr/lib/x86_64-linux-gnu/rubygems-integration/3.3.0
shows "with a pause" "$(in_root ruby3.3 --disable-gems -I "$folder/gems/ruby-prof-2.0.5/lib" \
    -I "$folder/extensions/x86_64-linux-gnu/3.3.0/ruby-prof-2.0.5" /tmp/pause.rb)" \
"nothing in the pause: 2000 objects, of build 2000 in 1 calls
10,000 objects in it: 12000 objects, of build 12000 in 2 calls
10,000 by a method of C in it: 2001 objects, of build 2000 in 1 calls
of the time of a loop in it: most"
