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
# With 5 runs of each side, a test that learns the noise from all functions together finds what
# changes by more than the runs differ; 3 find large changes, and 8 or more smaller ones. A run of
# each side takes as long as the benchmarks do, 10 to 24 times over.
RUNS ?= 5
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
# More options of pprofdelta compare. Each run does the same work, so its CPU time is compared as it
# is, and not by how long the run took. Where neighbours slow the machine, CPU_OPTIONS='--normalize
# total' compares shares of the time; then limits are about functions only.
OPTIONS ?=
CPU_OPTIONS ?= --normalize none
# If set, the tables are written to .benchmarks/*.md.
MARKDOWN ?=

out = $(CURDIR)/.benchmarks
# Only programs run in turn, so a compiler does not heat the machine for one side. Which side of a
# pair comes first is as good as drawn by lot: the digits of the head's hash say it, so that a job
# can be repeated.
# -trimpath makes profiles independent of folders.
build = mkdir -p $(out)/$(2)/heap $(out)/$(2)/cpu && echo '*' > $(out)/.gitignore && \
	(cd $(1)/$(PACKAGE) && go test -c -trimpath -o $(out)/$(2).test .)
# Where no benchmark has the name, the program succeeds, and nothing would be compared.
bench = (cd $(1)/$(PACKAGE) && $(out)/$(2).test -test.run '^$$' -test.bench '$(BENCH)' \
	-test.cpu 1 $(3) > $(out)/output || { cat $(out)/output; exit 1; }; \
	cat $(out)/output >> $(out)/$(2)/results; \
	sed -n '/^Benchmark/ { $(4) s/^/$(2): /; p; }' $(out)/output; \
	$(if $(filter base,$(2)),true,grep -q '^Benchmark' $(out)/output) || \
		{ echo 'no benchmark matches $(BENCH)'; exit 1; })
# The results give the table of the summary its B/op and allocs/op.
results = --go-test .benchmarks/$(1)/results .benchmarks/head/results
# What is shown of the runs for the heap has no times, which that rate multiplies.
heap = $(call bench,$(1),$(2),-test.benchtime $(HEAP_ROUNDS) -test.memprofilerate 1 -test.benchmem \
	-test.memprofile $(out)/$(2)/heap/$$run.pb.gz,s: *[0-9.]* ns/op::;)
cpu = $(call bench,$(1),$(2),-test.benchtime $(ROUNDS) \
	-test.cpuprofile $(out)/$(2)/cpu/$$run.pb.gz)
compare = pprofdelta compare --sample-type $(2) --limits benchmarks-$(1).limits \
	--flamegraph .benchmarks/$(1).svg --html .benchmarks/$(1).html \
	$(if $(MARKDOWN),--format markdown -o .benchmarks/$(1).md) \
	$(OPTIONS) --head .benchmarks/head/$(1) --base
alpha = --alpha $(shell awk 'BEGIN { print 0.05 / $(words $(LOOKS)) }')

benchmarks:
	@rm -rf .benchmarks/tree .benchmarks/base .benchmarks/head .benchmarks/*.svg .benchmarks/*.md \
		.benchmarks/*.html
	@git worktree add --force --detach .benchmarks/tree $(BASE)
	@$(call build,.benchmarks/tree,base)
	@$(call build,.,head)
	@run=0; hash=$$(git rev-parse HEAD); for look in $(LOOKS); do \
		while [ $$run -lt $$look ]; do \
			case $$(echo $$hash | cut -c $$((run % 40 + 1))) in \
				[02468ace]) sides='base head' ;; \
				*) sides='head base' ;; \
			esac; \
			run=$$((run + 1)); \
			for kind in heap cpu; do for side in $$sides; do \
				case $$kind-$$side in \
					heap-base) $(call heap,.benchmarks/tree,base) ;; \
					heap-head) $(call heap,.,head) ;; \
					cpu-base) $(call cpu,.benchmarks/tree,base) ;; \
					cpu-head) $(call cpu,.,head) ;; \
				esac || exit 1; \
			done; done; \
		done; \
		heap=0; cpu=0; \
		echo; echo "Heap, $$run runs of each side:"; \
		$(call compare,heap,alloc_space) .benchmarks/base/heap $(call results,base) \
			$(alpha) || heap=$$?; \
		echo; echo "CPU, $$run runs of each side:"; \
		$(call compare,cpu,cpu) .benchmarks/base/cpu $(alpha) $(CPU_OPTIONS) || cpu=$$?; \
		case $$heap$$cpu in \
			00 | 04 | 40 | 44) echo "no limit is crossed after $$run runs of each side" ;; \
			*) break ;; \
		esac; \
	done; \
	git worktree remove --force .benchmarks/tree; \
	[ $$heap$$cpu = 00 ]

benchmarks-baseline:
	@rm -rf .benchmarks/stored
	@$(call build,.,stored)
	@for run in $$(seq $(RUNS)); do $(call heap,.,stored) || exit 1; done

benchmarks-stored:
	@test -e .benchmarks/stored || { echo 'first run: make benchmarks-baseline'; exit 1; }
	@rm -rf .benchmarks/head .benchmarks/*.svg .benchmarks/*.md \
		.benchmarks/*.html
	@$(call build,.,head)
	@for run in $$(seq $(RUNS)); do $(call heap,.,head) || exit 1; done
	@$(call compare,heap,alloc_space) .benchmarks/stored/heap $(call results,stored)
