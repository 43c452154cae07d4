# SPDX-License-Identifier: Apache-2.0
"""A project with several revisions, and what runs its CI recipes: the steps of a GitHub workflow
with a cache, and a job of GitLab with the artifacts of others."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "support"))
from checks import require  # noqa: E402

HERE = Path(__file__).resolve().parent
# Answers for the artifact that is asked for, if there is one.
CURL = """#!/bin/sh
while [ "$1" != -o ]; do shift; done
artifacts=$CI_API_V4_URL/projects/7/jobs/artifacts
test "$3" = "$artifacts/main/raw/${ARTIFACT##*/}?job=$JOB" || exit 22
cp "$ARTIFACT" "$2"
"""


def raised(limits, growth):
    """A file of limits with another growth in all of them."""
    text, number = re.subn(r"(?m)^([\w:]+ > )\+\d+%$", rf"\1+{growth}%", limits)
    require(number, "no limit in:", limits)
    return text


class Project:
    """A repository with the revisions main, `same`, which does as much, `more`, which allocates
    more, `little`, which does so in one function that takes a thousandth of it all, and `much`,
    which allocates more than twice as much and takes some times the time."""

    def __init__(self, program, examples, folder):
        self.examples, self.folder = examples, folder
        self.origin = folder / "origin"
        tools = folder / "tools"
        tools.mkdir()
        (tools / "pprofdelta").symlink_to(Path(program).resolve())
        (tools / "curl").write_text(CURL)
        (tools / "curl").chmod(0o755)
        self.env = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
                    "LC_ALL": "C", "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GO111MODULE": "on",
                    "GOTOOLCHAIN": "local", "GIT_CONFIG_GLOBAL": os.devnull,
                    "GIT_AUTHOR_NAME": "test", "GIT_AUTHOR_EMAIL": "test@example.org",
                    "GIT_COMMITTER_NAME": "test", "GIT_COMMITTER_EMAIL": "test@example.org"}
        self.env.setdefault("HOME", str(folder))
        shutil.copytree(HERE / "wordindex", self.origin)
        for file in ("allocations.limits", "benchmarks-heap.limits", "benchmarks.mk"):
            shutil.copy(examples / file, self.origin)
        shutil.copy(examples / "allocations.mk", self.origin / "Makefile")
        limits = (examples / "benchmarks-cpu.limits").read_text()
        (self.origin / "benchmarks-cpu.limits").write_text(raised(limits, 100))
        self.git("init", "-q", "-b", "main")
        self.commit("The package")
        for name, patch in (("same", "same-work.patch"), ("more", "regression.patch"),
                            ("little", "little-regression.patch"),
                            ("much", "large-regression.patch")):
            self.git("switch", "-q", "-c", name, "main")
            self.git("apply", str(HERE / patch))
            self.commit(name)
        self.git("switch", "-q", "main")

    def git(self, *arguments, folder=None):
        return subprocess.run(["git", *arguments], cwd=folder or self.origin, env=self.env,
                              check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def checkout(self, revision, name):
        """A fresh clone at a revision, as a CI job has it."""
        folder = self.folder / name
        self.git("clone", "-q", str(self.origin), str(folder), folder=self.folder)
        self.git("checkout", "-q", "--detach", f"origin/{revision}", folder=folder)
        return folder

    def run(self, script, folder, **env):
        """The status and all output of a step."""
        done = subprocess.run(["bash", "-e", "-c", script], cwd=folder, env={**self.env, **env},
                              check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout


def as_environment(variables):
    """Variables of a YAML file as services hand them to programs."""
    return {name: str(value).lower() if isinstance(value, bool) else str(value)
            for name, value in variables.items()}


def copy(source, target):
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def holds(condition, event, env, cache_hit):
    """Whether a condition of GitHub's holds, of the forms that the workflows have."""
    values = {"always()": True, "steps.baseline.outputs.cache-hit != 'true'": not cache_hit}

    def part_holds(part):
        if part in values:
            return values[part]
        compared = re.fullmatch(r"(github\.event_name|env\.(\w+)) == '(\w+)'", part)
        require(compared, "if:", condition)
        return (env[compared[2]] if compared[2] else event) == compared[3]

    return all(part_holds(part) for part in (condition or "always()").split(" && "))


def run_workflow(project, workflow, event, revision, cache, **variables):
    """Runs the job, with the cache as a dictionary of paths. Its status, output and summary."""
    base, head = project.git("rev-parse", "main"), project.git("rev-parse", revision)
    temporary = Path(tempfile.mkdtemp(dir=project.folder))
    folder = project.checkout(revision, f"{temporary.name}-checkout")
    summary = temporary / "summary"
    env = {**as_environment(workflow["env"]), "RUNNER_TEMP": str(temporary),
           "GITHUB_WORKSPACE": str(folder), "GITHUB_STEP_SUMMARY": str(summary), **variables}

    def expand(text):
        return (text.replace("${{ runner.os }}", "Linux").replace("${{ github.sha }}", head)
                .replace("${{ github.event.pull_request.base.sha }}", base))

    status, output, cache_hit = 0, "", False
    [job] = workflow["jobs"].values()
    for step in job["steps"]:
        if status or not holds(step.get("if"), event, env, cache_hit) or \
                step.get("name", "").startswith("Install"):
            continue
        action = step.get("uses", "").split("@")[0]
        if action == "actions/cache/save":
            path = cache[expand(step["with"]["key"])] = temporary / "cached"
            copy(folder / step["with"]["path"], path)
        elif action == "actions/cache/restore":
            saved = cache.get(expand(step["with"]["key"]))
            cache_hit = saved is not None
            if cache_hit:
                copy(saved, folder / step["with"]["path"])
        elif "run" in step:
            more = {name: expand(value) for name, value in step.get("env", {}).items()}
            status, text = project.run(step["run"], folder, **env, **more)
            output += text
        else:
            require(action in ("actions/checkout", "actions/setup-go",
                               "actions/upload-artifact"), "unknown step", step)
    return status, output, summary.read_text() if summary.exists() else ""


def run_job(project, recipe, revision, artifact, **variables):
    """Runs the one job of GitLab that a recipe has; its status, output and folder."""
    [(name, job)] = recipe.items()
    temporary = Path(tempfile.mkdtemp(dir=project.folder))
    folder = project.checkout(revision, f"{temporary.name}-checkout")
    env = {**as_environment(job["variables"]),
           "CI_API_V4_URL": "https://gitlab.example.org/api/v4", "CI_PROJECT_ID": "7",
           "CI_JOB_TOKEN": "token", "CI_DEFAULT_BRANCH": "main", "CI_PROJECT_DIR": str(folder),
           "ARTIFACT": str(artifact), "JOB": name, "TMPDIR": str(temporary), **variables}
    if revision == "main":
        env["CI_COMMIT_BRANCH"] = "main"
    else:
        env["CI_MERGE_REQUEST_DIFF_BASE_SHA"] = project.git("merge-base", "main", revision)
    status, output = project.run("set -eo pipefail\n" + "\n".join(job["script"]), folder, **env)
    return status, output, folder
