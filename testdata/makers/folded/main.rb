# SPDX-License-Identifier: Apache-2.0
require 'stackprof'

def parse(size)
  sum = 0
  size.times { |i| sum += i % 7 }
  sum
end

StackProf.run(mode: :wall, interval: 1000, raw: true, out: ARGV[0]) { 30.times { parse(20_000) } }
