# SPDX-License-Identifier: Apache-2.0
# Fails if the benchmarks of a Go package allocate more than they did. For a Makefile to include:
#
#     make allocations-baseline     measures and stores; for the main branch
#     make allocations              measures and compares; it needs allocations.limits
#
# A fixed number of rounds does the same work each time, and a rate of 1 records every allocation,
# so the profile differs little from run to run. -trimpath makes it independent of folders. Packages
# are initialized before the rate is known, so what is recorded of that comes and goes; it is left
# out.
.PHONY: allocations allocations-baseline

BENCH ?= .

# Where no benchmark has the name, go test succeeds, and nothing would be compared.
measure = mkdir -p .allocations && \
	{ go test -run '^$$' -bench '$(BENCH)' -benchtime 100x -cpu 1 -memprofilerate 1 -trimpath \
		-o .allocations/test -memprofile .allocations/all.pb.gz . > .allocations/output || \
		{ cat .allocations/output; exit 1; }; } && \
	cat .allocations/output && \
	{ grep -q '^Benchmark' .allocations/output || \
		{ echo 'no benchmark matches $(BENCH)'; exit 1; }; } && \
	pprofdelta merge --ignore '^runtime\.doInit' -o .allocations/$(1).pb.gz .allocations/all.pb.gz

allocations-baseline:
	$(call measure,prev)

allocations:
	@test -e .allocations/prev.pb.gz || { echo 'first run: make allocations-baseline'; exit 1; }
	$(call measure,cur)
	pprofdelta report --diff --match function --limits allocations.limits \
		--sample-type alloc_space --top 10 --flamegraph .allocations/diff.svg \
		.allocations/prev.pb.gz .allocations/cur.pb.gz
