# SPDX-License-Identifier: Apache-2.0
"""Runs the steps of a composite action of GitHub, and a job of a template for GitLab."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

# Takes files for https://github.example.org/ from the folder $RELEASES.
CURL = """#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
    --output | -o) output=$2; shift ;;
    https://*) url=$1 ;;
    --proto) [ "$2" = =https ] || exit 2; shift ;;
    --retry) shift ;;
    esac
    shift
done
cp "$RELEASES/${url#https://github.example.org/}" "$output" || exit 22
"""


class Done:
    """How a job ended."""

    def __init__(self, status, output, summary="", outputs=None, artifacts=None):
        self.status, self.output, self.summary = status, output, summary
        self.outputs, self.artifacts = outputs or {}, artifacts or {}

    def __str__(self):
        return f"status {self.status}, {self.outputs}\n{self.output}\n{self.summary}"


class Machine:
    """A machine that runs jobs, with the program on its PATH or not, in a folder with captures."""

    def __init__(self, program, testdata, folder):
        self.program, self.folder = program, folder
        self.work, self.releases = folder / "work", folder / "releases"
        self.with_program, self.tools = folder / "with-program", folder / "tools"
        for each in (self.work, self.releases, self.with_program, self.tools):
            each.mkdir()
        (self.with_program / "pprofdelta").symlink_to(program)
        (self.tools / "curl").write_text(CURL)
        (self.tools / "curl").chmod(0o755)
        for side in ("base", "head"):
            shutil.copytree(testdata / "captures" / side, self.work / side)

    def run(self, shell, script, installed, **env):
        """The status and all output of a script."""
        path = [str(self.tools), os.environ["PATH"]]
        if installed:
            path.insert(0, str(self.with_program))
        file = self.folder / "script"
        file.write_text(script)
        done = subprocess.run(
            [*shell, str(file)], cwd=self.work, check=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={"PATH": os.pathsep.join(path), "HOME": str(self.folder), "LC_ALL": "C.UTF-8",
                 "RELEASES": str(self.releases), **env})
        return done.returncode, done.stdout


class Action:
    """A composite action, in as much of GitHub's language as it uses."""

    def __init__(self, machine, folder, content):
        self.machine, self.folder, self.content = machine, folder, content

    @staticmethod
    def expand(text, values):
        """Replaces `${{ a || b }}` by the first value that is not empty."""
        return re.sub(r"\$\{\{ (.+?) \}\}",
                      lambda found: next((values.get(name, "") for name in found[1].split(" || ")
                                          if values.get(name)), ""), text)

    @staticmethod
    def holds(condition, values, failed):
        """Whether a step is to run."""
        parts = condition.split(" && ")
        if failed and "always()" not in parts:
            return False
        for part in parts:
            if part == "always()":
                continue
            name, sign, value = part.split(" ")
            if sign not in ("==", "!="):
                raise ValueError(part)
            if (f"'{values.get(name, '')}'" == value) != (sign == "=="):
                return False
        return True

    def run(self, installed=True, **inputs):
        """Runs it with inputs that have '_' for '-'."""
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        unknown = set(given) - set(self.content["inputs"])
        if unknown:
            raise ValueError(unknown)
        values = {"github.action_repository": "group/pprofdelta"}
        for name, known in self.content["inputs"].items():
            values[f"inputs.{name}"] = given.get(name, known.get("default", ""))
        temporary = Path(tempfile.mkdtemp(dir=self.machine.folder))
        status, output, summary, artifacts = 0, "", "", {}
        for number, step in enumerate(self.content["runs"]["steps"]):
            if not self.holds(step.get("if", "always()"), values, status) or \
                    (status and "if" not in step):
                continue
            if "uses" in step:
                settings = {name: self.expand(text, values) for name, text in step["with"].items()}
                artifacts[settings["name"]] = {
                    Path(path).name: Path(path).read_bytes()
                    for path in settings["path"].split("\n") if path}
                continue
            files = {name: temporary / f"{name}-{number}" for name in ("output", "summary")}
            for file in files.values():
                file.touch()
            ended, text = self.machine.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail"], step["run"], installed,
                GITHUB_ACTION_PATH=str(self.folder), GITHUB_OUTPUT=str(files["output"]),
                GITHUB_STEP_SUMMARY=str(files["summary"]), RUNNER_TEMP=str(temporary),
                GITHUB_SERVER_URL="https://github.example.org",
                **{name: self.expand(text, values) for name, text in step["env"].items()})
            status = status or ended
            output += text
            summary += files["summary"].read_text()
            for line in files["output"].read_text().splitlines():
                name, value = line.split("=", 1)
                values[f"steps.{step['id']}.outputs.{name}"] = value
        outputs = {name: self.expand(known["value"], values)
                   for name, known in self.content["outputs"].items()}
        return Done(status, output, summary, outputs, artifacts)


class Template:
    """A job that extends the template for GitLab."""

    def __init__(self, machine, content):
        self.machine, self.job = machine, content[".pprofdelta"]

    def run(self, shell="sh", installed=True, **variables):
        """Runs it with variables without the PPROFDELTA_ before."""
        given = {f"PPROFDELTA_{name.upper()}": value for name, value in variables.items()}
        unknown = set(given) - set(self.job["variables"]) - {"PPROFDELTA_TOKEN"}
        if unknown:
            raise ValueError(unknown)
        status, output = self.machine.run(
            [shell], "\n".join(self.job["script"]), installed,
            **{**self.job["variables"], **given})
        kept = self.job["artifacts"]
        variables = self.machine.work / kept["reports"]["dotenv"]
        artifacts = {}
        for path in kept["paths"]:
            for file in (self.machine.work / path).glob("*"):
                artifacts[file.name] = file.read_bytes()
        outputs = {}
        if variables.exists():
            outputs = dict(line.split("=", 1) for line in variables.read_text().splitlines())
        return Done(status, output, "", outputs, artifacts)
