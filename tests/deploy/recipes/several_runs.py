# SPDX-License-Identifier: Apache-2.0
"""Checks the recipes that judge several runs of both sides.

The runs are short, so CPU profiles vary a lot: with 6 to 20 samples in one by 20 to 40 %. The
change that is judged, of 8+8 runs, varies by half as much. So the limit is raised, to +100 %: equal
code would have to miss by 5 standard deviations or more to cross it, and be significant as well. No
verdict on equal code without a limit is looked at: some are wrong by design. The regression takes
+160 % of the memory and +350 % of the time.
"""

import re

from services import run_job, run_workflow
from checks import require

SHORT = {"BENCH": "New", "ROUNDS": "600x", "HEAP_ROUNDS": "50x"}
HEAP = {"BENCH": "New", "HEAP_ROUNDS": "50x"}
# Short runs vary by more than even the raised limit.
CPU_PASSES = re.compile(r"(?m)^(kept|unknown)  each:cum:cpu >")
NAMED = re.compile(r"(?m)grew  +example\.org/wordindex\.words$")


def in_turn(folder):
    """Whether the captures were taken in turn, in pairs of both sides."""
    captures = list((folder / ".benchmarks").glob("*/heap/*.pb.gz"))
    captures.sort(key=lambda path: path.stat().st_mtime_ns)
    sides = [path.parent.parent.name for path in captures]
    return len(sides) >= 10 and all({*pair} == {"base", "head"}
                                    for pair in zip(sides[::2], sides[1::2]))


def check_in_turn(project):
    folder = project.checkout("same", "several")
    status, output = project.run("make -f benchmarks.mk benchmarks BASE=origin/main", folder,
                                 **SHORT, LOOKS="6 8")
    require(status == 0, "fails on equal code:", output)
    for kept in ("kept  each:cum:alloc_space >", "after 6 runs", "after 8 runs"):
        require(kept in output, kept, "is not in:", output)
    require(CPU_PASSES.search(output), output)
    require("ns/op" not in output.split("allocs/op")[0] and "esac" not in output, output)
    require((folder / ".benchmarks/.gitignore").read_text() == "*\n", "would be committed")
    require(in_turn(folder), "not in turn:", output)

    project.git("checkout", "-q", "origin/much", folder=folder)
    # A run may have been broken off with the base checked out.
    project.git("worktree", "add", "-q", "--detach", ".benchmarks/tree", folder=folder)
    (folder / "benchmarks-cpu.limits").write_text(
        "func:^example\\.org/wordindex\\.words$:cpu > +20%\n")
    status, output = project.run(
        "make -f benchmarks.mk benchmarks BASE=HEAD^ CPU_OPTIONS='--normalize total'", folder,
        **SHORT, LOOKS="6 8")
    require(status, "does not fail on more:", output)
    runs = len(list((folder / ".benchmarks/head/heap").glob("*.pb.gz")))
    require(runs == 6 and "after 6 runs" not in output, "looks again:", runs, output)
    for crossed in ("crossed  each:cum:alloc_space >", "crossed  func:", "normalized by total"):
        require(crossed in output, crossed, "is not in:", output)
    require(len(NAMED.findall(output)) > 1, "does not say where:", output)
    for name in ("heap", "cpu"):
        require((folder / f".benchmarks/{name}.svg").stat().st_size > 1000, "no flame graph")
        require((folder / f".benchmarks/{name}.html").stat().st_size > 1000, "no page")


def check_slip(project):
    """A name that no benchmark has is no reason to pass."""
    folder = project.checkout("same", "slip")
    for target in ("benchmarks BASE=origin/main", "benchmarks-baseline"):
        status, output = project.run(f"make -f benchmarks.mk {target}", folder, BENCH="Nwe")
        require(status and "no benchmark matches Nwe" in output, target, output)


def check_stored(project):
    folder = project.checkout("main", "stored")
    status, output = project.run("make -f benchmarks.mk benchmarks-stored", folder)
    require(status and "first run: make benchmarks-baseline" in output, output)
    for revision, target, passes in (("main", "benchmarks-baseline", True),
                                     ("same", "benchmarks-stored", True),
                                     ("much", "benchmarks-stored", False)):
        project.git("checkout", "-q", f"origin/{revision}", folder=folder)
        status, output = project.run(f"make -f benchmarks.mk {target}", folder, **HEAP)
        require((status == 0) == passes, revision, output)
    require("crossed  each:cum:alloc_space >" in output and NAMED.search(output), output)
    print("make: several runs in turn, and stored ones")


def check_github(project, yaml):
    workflow = yaml.safe_load((project.examples / "benchmarks.github.yml").read_text())
    require(not workflow["env"]["STORED"], "not in turn by default")
    cache = {}
    status, output, _ = run_workflow(project, workflow, "push", "main", cache)
    require(status == 0 and not output and not cache, output)
    status, output, _ = run_workflow(project, workflow, "push", "main", cache, STORED="true",
                                     **HEAP)
    require(status == 0 and len(cache) == 1, output)
    for revision, more in (("same", SHORT), ("much", SHORT), ("same", {"STORED": "true", **HEAP})):
        status, output, summary = run_workflow(project, workflow, "pull_request", revision, cache,
                                               **more)
        require((status == 0) == (revision == "same"), output)
        for profile in ("alloc_space", "cpu"):
            crossed = f"::error title=pprofdelta::limit crossed: each:cum:{profile} >" in output
            require(crossed == (revision == "much"), output)
        in_turn_too = "STORED" not in more
        require(("Preparing worktree" in output) == in_turn_too, output)
        require(("cpu/nanoseconds" in summary) == in_turn_too, summary)
        require("| total |" in summary, summary)
    print("GitHub: several runs in turn, and from the cache")


def check_gitlab(project, yaml):
    recipe = yaml.safe_load((project.examples / "benchmarks.gitlab-ci.yml").read_text())
    require(recipe["benchmarks"]["variables"]["STORED"] == "false", "not in turn by default")
    paths = recipe["benchmarks"]["artifacts"]["paths"]
    status, output, folder = run_job(project, recipe, "main", "none", STORED="true", **HEAP)
    artifact = folder / "baseline.tar"
    require(status == 0 and artifact.name in paths, output)
    status, output, _ = run_job(project, recipe, "much", artifact, STORED="true", **HEAP)
    require(status and "crossed  each:cum:alloc_space >" in output and NAMED.search(output), output)
    require("Preparing worktree" not in output, "the baseline is not used:", output)
    for path, more in ((artifact, {}), ("none/baseline.tar", {"STORED": "true"})):
        status, output, folder = run_job(project, recipe, "same", path, **SHORT, **more)
        require(status == 0 and CPU_PASSES.search(output), output)
        require("Preparing worktree" in output and in_turn(folder), "not in turn:", output)
        missing = [path for path in paths if not (folder / path).exists()]
        require(missing == ["baseline.tar"], *missing, "are missing")
    print("GitLab: several runs in turn, and from an artifact")


def check(project, yaml):
    check_in_turn(project)
    check_slip(project)
    check_stored(project)
    check_github(project, yaml)
    check_gitlab(project, yaml)
