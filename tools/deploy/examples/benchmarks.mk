# SPDX-License-Identifier: Apache-2.0
# Fails if the benchmarks of a Go package allocate more, or take more CPU time, than those of
# another revision. Several runs of both tell that from noise. For a Makefile to include, or for
# make -f, at the top of the repository:
#
#     make benchmarks BASE=main     runs both revisions in turn, and compares them
#     make benchmarks-baseline      stores runs of this revision, for the main branch
#     make benchmarks-stored        compares with those, the heap alone: CPU times of another hour
#                                   or machine differ, and no number of runs makes up for it
#
# They need benchmarks-heap.limits and benchmarks-cpu.limits.
.PHONY: benchmarks benchmarks-baseline benchmarks-stored

BASE ?= origin/main
# The more functions a limit is about, the more runs it takes to tell a change from noise. With a
# chance of 5 % to be wrong, 8 runs of each side are enough for 321 functions, 7 runs for 85 and 6
# runs for 23.
RUNS ?= 8
# After how many runs of each side to look; the first look at which a limit is crossed is the last.
# LOOKS='5 10 15 20' finds a large change soon, and a small one at last. The chance to be wrong is
# shared out among the looks.
LOOKS ?= $(RUNS)
# A fixed number does the same work in each run. Choose one with which a run takes some seconds, as
# a CPU profile has 100 samples a second.
ROUNDS ?= 2000x
# The heap has a run of its own, in which every allocation is recorded: at the default rate of one
# sample for each 512 KiB it varies by tens of percent, and most that grows is not seen. That takes
# 9 to 23 times the time, and needs few rounds.
HEAP_ROUNDS ?= 100x
BENCH ?= .
PACKAGE ?= .
# More options of pprofdelta compare. Where neighbours slow the machine, CPU_OPTIONS='--normalize
# total' compares shares of the time; then limits are about functions only.
OPTIONS ?=
CPU_OPTIONS ?=
# If set, the tables are written to .benchmarks/*.md.
MARKDOWN ?=

out = $(CURDIR)/.benchmarks
# Only programs run in turn, so a compiler does not heat the machine for one side.
# -trimpath makes profiles independent of folders.
build = mkdir -p $(out)/$(2)/heap $(out)/$(2)/cpu && \
	(cd $(1)/$(PACKAGE) && go test -c -trimpath -o $(out)/$(2).test .)
# Where no benchmark has the name, the program succeeds, and nothing would be compared.
bench = (cd $(1)/$(PACKAGE) && $(out)/$(2).test -test.run '^$$' -test.bench '$(BENCH)' \
	-test.cpu 1 $(3) > $(out)/output || { cat $(out)/output; exit 1; }; cat $(out)/output; \
	$(if $(filter base,$(2)),true,grep -q '^Benchmark' $(out)/output) || \
		{ echo 'no benchmark matches $(BENCH)'; exit 1; })
heap = $(call bench,$(1),$(2),-test.benchtime $(HEAP_ROUNDS) -test.memprofilerate 1 \
	-test.memprofile $(out)/$(2)/heap/$$run.pb.gz)
cpu = $(call bench,$(1),$(2),-test.benchtime $(ROUNDS) \
	-test.cpuprofile $(out)/$(2)/cpu/$$run.pb.gz)
compare = pprofdelta compare --sample-type $(2) --limits benchmarks-$(1).limits \
	--flamegraph .benchmarks/$(1).svg --html .benchmarks/$(1).html \
	$(if $(MARKDOWN),--format markdown -o .benchmarks/$(1).md) \
	$(OPTIONS) --head .benchmarks/head/$(1) --base
alpha = --alpha $(shell awk 'BEGIN { print 0.05 / $(words $(LOOKS)) }')

benchmarks:
	rm -rf .benchmarks/tree .benchmarks/base .benchmarks/head .benchmarks/*.svg .benchmarks/*.md \
		.benchmarks/*.html
	git worktree add --force --detach .benchmarks/tree $(BASE)
	$(call build,.benchmarks/tree,base)
	$(call build,.,head)
	run=0; for look in $(LOOKS); do \
		while [ $$run -lt $$look ]; do \
			run=$$((run + 1)); \
			$(call heap,.benchmarks/tree,base) && $(call heap,.,head) && \
			$(call cpu,.benchmarks/tree,base) && $(call cpu,.,head) || exit 1; \
		done; \
		heap=0; cpu=0; \
		$(call compare,heap,alloc_space) .benchmarks/base/heap $(alpha) || heap=$$?; \
		$(call compare,cpu,cpu) .benchmarks/base/cpu $(alpha) $(CPU_OPTIONS) || cpu=$$?; \
		case $$heap$$cpu in \
			00 | 04 | 40 | 44) echo "no limit is crossed after $$run runs of each side" ;; \
			*) break ;; \
		esac; \
	done; \
	git worktree remove --force .benchmarks/tree; \
	[ $$heap$$cpu = 00 ]

benchmarks-baseline:
	rm -rf .benchmarks/stored
	$(call build,.,stored)
	for run in $$(seq $(RUNS)); do $(call heap,.,stored) || exit 1; done

benchmarks-stored:
	@test -e .benchmarks/stored || { echo 'first run: make benchmarks-baseline'; exit 1; }
	rm -rf .benchmarks/head .benchmarks/*.svg .benchmarks/*.md \
		.benchmarks/*.html
	$(call build,.,head)
	for run in $$(seq $(RUNS)); do $(call heap,.,head) || exit 1; done
	$(call compare,heap,alloc_space) .benchmarks/stored/heap
