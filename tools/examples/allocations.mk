# SPDX-License-Identifier: Apache-2.0
# Fails if the benchmarks of a Go package allocate more than they did. For a Makefile to include:
#
#     make allocations-baseline     measures and stores; for the main branch
#     make allocations              measures and compares; it needs allocations.limits
#
# A fixed number of rounds does the same work each time, and a rate of 1 records every allocation,
# so the profile differs little from run to run. -trimpath makes it independent of folders.
.PHONY: allocations allocations-baseline

MEASURE = go test -run '^$$' -bench . -benchtime 100x -cpu 1 -memprofilerate 1 -trimpath \
	-o .allocations/test -memprofile

allocations-baseline:
	mkdir -p .allocations
	$(MEASURE) .allocations/prev.pb.gz .

allocations:
	@test -e .allocations/prev.pb.gz || { echo 'first run: make allocations-baseline'; exit 1; }
	$(MEASURE) .allocations/cur.pb.gz .
	pprofdelta report --diff --match function --limits allocations.limits \
		--sample-type alloc_space --top 10 --flamegraph .allocations/diff.svg \
		.allocations/prev.pb.gz .allocations/cur.pb.gz
