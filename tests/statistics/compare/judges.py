# SPDX-License-Identifier: Apache-2.0
"""The verdicts of `pprofdelta compare` on trials, beside the gate of `report --diff`, and its
tables."""

import re
import statistics
import sys
from collections import Counter
from pathlib import Path

from captures import PLANTS

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from judging import share  # noqa: E402

TYPES = {"heap": "alloc_space", "cpu": "cpu"}
EACH_SIDE_EQUAL = 8
EACH_SIDE_PLANTED = {"heap": 8, "cpu": 10}
ALLOWED_ALARMS = 0.05
# The other plants show what is lost in the noise, so nothing is demanded of them.
AIMS = {"heap-bufio": 0.95, "cpu-deflate": 0.75}
FORMS = {"total": "{}", "each function": "each:{}", "each, cumulative": "each:cum:{}"}
SINGLE_RUN_PERCENTS = (2, 5)


def of_name(rows, name):
    return next((row for row in rows if name in (row.get("name"), row.get("type"))), None)


def mean_of(row):
    return statistics.mean(row["base"]["values"] + row["head"]["values"])


def relative_deviation(values):
    return statistics.stdev(values) / statistics.mean(values) if len(values) > 1 else 0


def is_real(row):
    return row["verdict"] in ("grew", "fell")


class FalseAlarms:
    """Counts, of trials of one kind, those with an alarm."""

    def __init__(self, program, kind):
        self.program, self.kind, self.type = program, kind, TYPES[kind]
        self.limits = {name: f"{form.format(self.type)}>+{'0.1' if name == 'total' else '2'}%"
                       for name, form in FORMS.items()}
        self.single_limits = {
            percent: {name: f"{form.format(self.type)}>+{percent}%" for name, form in FORMS.items()}
            for percent in SINGLE_RUN_PERCENTS}
        self.counts, self.trials, self.questions = Counter(), 0, []
        self.of_benchmarks, self.alarms = {}, []

    def count(self, judge, crossed, limits):
        for name, limit in limits.items():
            self.counts[judge, name] += limit in crossed
        self.counts[judge, "any of these"] += bool(crossed)

    def add(self, benchmark, base, head):
        result = self.program.compare(self.type, base, head, self.limits.values())
        self.trials += 1
        self.questions.append(result["questions"])
        self.count("compare", result["crossed"], self.limits)
        rows = {"flat": result["flat"], "cum": result["cum"]}
        real = [f"{what} {row['name']}" for what in rows for row in rows[what] if is_real(row)]
        totals = [f"total {row['type']}" for row in result["totals"] if is_real(row)]
        self.counts["compare", "a total grew or fell"] += bool(totals)
        self.counts["compare", "a row grew or fell"] += bool(real)
        self.counts["compare", "either of both"] += bool(real or totals)
        failed = self.of_benchmarks.setdefault(benchmark, [0, 0])
        failed[0] += bool(result["crossed"])
        failed[1] += 1
        if result["crossed"] or real or totals:
            self.alarms.append((benchmark, [*sorted(result["crossed"]), *totals, *real]))
        paired = self.program.compare(self.type, base, head, options=["--paired"])
        for name, tables in (("a total grew or fell", ["totals"]),
                             ("a row grew or fell", ["flat", "cum"])):
            self.counts["compare --paired", name] += any(
                is_real(row) for table in tables for row in paired[table])
        # The other gate leaves out rows below 1 % of the total, as `compare` does.
        least = int(mean_of(of_name(result["totals"], self.type)) / 100)
        limits = [limit for each in self.single_limits.values() for limit in each.values()]
        single = self.program.compare_single(self.type, base[0], head[0], limits, least)
        for percent, each in self.single_limits.items():
            self.count(percent, single["crossed"] & set(each.values()), each)

    def print(self):
        print(f"\n{self.kind}: {self.trials} trials of equal code, {EACH_SIDE_EQUAL}+"
              f"{EACH_SIDE_EQUAL} captures; shares of false alarms. Rows are those of {self.type}, "
              f"{statistics.mean(self.questions):.0f} questions on average\n")
        print(f"  {'':24}{'compare':>22}" +
              "".join(f"{f'one run, +{percent} %':>22}" for percent in SINGLE_RUN_PERCENTS))
        for name in [*FORMS, "any of these"]:
            limit = self.limits.get(name)
            title = f"{name}, +{limit.split('>+')[1][:-1]} %" if limit else name
            print(f"  {title:24}" + "".join(
                f"{share(self.counts[judge, name], self.trials):>22}"
                for judge in ("compare", *SINGLE_RUN_PERCENTS)))
        for name in ("a total grew or fell", "a row grew or fell", "either of both"):
            print(f"  {name:24}{share(self.counts['compare', name], self.trials):>22}")
        for name in ("a total grew or fell", "a row grew or fell"):
            print(f"  {name + ', --paired':34}"
                  f"{share(self.counts['compare --paired', name], self.trials):>12}")
        print("  of each benchmark, any gate: " + ", ".join(
            f"{name} {failed} of {of}" for name, (failed, of) in self.of_benchmarks.items()))
        for benchmark, what in self.alarms:
            more = f" and {len(what) - 4} more" if len(what) > 4 else ""
            print(f"    {benchmark}: {', '.join(what[:4])}{more}")

    def meets_aim(self):
        """A limit keeps what it promises; several of them together promise nothing."""
        return max(self.counts["compare", name] for name in FORMS) <= ALLOWED_ALARMS * self.trials


class Looks:
    """Counts, of trials of one plant, those in which its row alone is found to grow at a look, and
    how many captures of each side that takes."""

    LOOKS = (5, 10, 15, 20)

    def __init__(self, program, name):
        self.program, self.name, self.plant = program, name, PLANTS[name]
        self.type = TYPES[self.plant.kind]
        self.found, self.captures, self.trials = 0, 0, 0

    def add(self, base, head):
        self.trials += 1
        options = ["--alpha", str(0.05 / len(self.LOOKS)), "--func",
                   f"^{re.escape(self.plant.function)}$"]
        for look in self.LOOKS:
            result = self.program.compare(self.type, base[:look], head[:look], options=options)
            if any(row["verdict"] == "grew" for row in [*result["flat"], *result["cum"]]):
                self.found += 1
                break
        self.captures += look

    def print(self):
        print(f"  {'its row alone, at looks':32}{share(self.found, self.trials):>44}, with "
              f"{self.captures / self.trials:.1f} captures of each side on average")


class Power:
    """Counts, of trials of one plant, those in which its function is found."""

    def __init__(self, program, name):
        self.program, self.name, self.plant = program, name, PLANTS[name]
        self.captures, self.type = EACH_SIDE_PLANTED[self.plant.kind], TYPES[self.plant.kind]
        self.limit = f"func:^{re.escape(self.plant.function)}$:{self.type}>+2%"
        self.each = {"flat": f"each:{self.type}>+2%", "cum": f"each:cum:{self.type}>+2%"}
        self.counts, self.trials, self.limit_crossed = Counter(), 0, 0

    def add(self, base, head):
        limits = [self.limit, *self.each.values()]
        result = self.program.compare(self.type, base, head, limits)
        paired = self.program.compare(self.type, base, head, options=["--paired"])
        for table in ("flat", "cum"):
            row = of_name(paired[table], self.plant.function)
            self.counts["paired", table] += bool(row) and row["verdict"] == "grew"
        self.counts["paired", "either"] += any(
            (of_name(paired[table], self.plant.function) or {}).get("verdict") == "grew"
            for table in ("flat", "cum"))
        self.trials += 1
        self.limit_crossed += self.limit in result["crossed"]
        of_gates = [limit["limit"] for limit in result["limits"]
                    if of_name(limit.get("functions", []), self.plant.function)]
        for table, limit in self.each.items():
            self.counts["each", table] += limit in of_gates
        self.counts["each", "either"] += bool({*self.each.values()} & {*of_gates})
        of_tables = Counter()
        for table in ("flat", "cum"):
            row = of_name(result[table], self.plant.function)
            if not row:
                continue
            grown = row["head"]["median"] > row["base"]["median"]
            found = {"grew": row["verdict"] == "grew",
                     "first three": result[table].index(row) < 3,
                     "bare test": grown and row["p"] <= 0.05}
            for what, holds in found.items():
                self.counts[what, table] += holds
                of_tables[what] += holds
        for what, tables in of_tables.items():
            self.counts[what, "either"] += tables > 0

    def print(self, base, head):
        plant = self.plant
        print(f"\n{self.name}: +{plant.percent} % planted in {plant.function}, "
              f"{self.captures}+{self.captures} captures, {self.trials} trials")
        rows = self.program.compare(self.type, base, head)
        for table in ("flat", "cum"):
            row = of_name(rows[table], plant.function)
            if row:
                change = statistics.mean(row["head"]["values"]) / \
                    statistics.mean(row["base"]["values"]) - 1
                print(f"  {table}, all {len(base)}+{len(head)} captures: mean {100 * change:+.1f} "
                      "%, standard deviation of one capture "
                      f"{100 * relative_deviation(row['base']['values']):.1f} %")
        print(f"\n  {'':32}{'flat':>22}{'cum':>22}{'either':>22}")
        for what, title in (("grew", "grew"), ("paired", "grew, --paired"),
                            ("first three", "among the first three rows"),
                            ("each", "crosses each: >+2%"),
                            ("bare test", "bare U test, p <= 0.05")):
            print(f"  {title:32}" + "".join(f"{share(self.counts[what, table], self.trials):>22}"
                                            for table in ("flat", "cum", "either")))
        title = "crosses func:^NAME$ >+2%, alone"
        print(f"  {title:32}{share(self.limit_crossed, self.trials):>44}")

    def meets_aim(self):
        aim = AIMS.get(self.name, 0) * self.trials
        return min(self.counts["grew", "either"], self.counts["first three", "either"]) >= aim


class Causes:
    """Counts what is said to have changed, and named as its cause, of few captures."""

    SIDES = (3, 5, 8)

    def __init__(self, program, kind, function=""):
        self.program, self.type, self.function = program, TYPES[kind], function
        self.counts, self.trials = Counter(), 0

    def add(self, base, head):
        self.trials += 1
        for each in self.SIDES:
            result = self.program.compare(self.type, base[:each], head[:each])
            total = of_name(result["totals"], self.type)
            # A cause with its parts, which follow it.
            causes = []
            for cause in result["causes"]:
                causes += [[]] if cause["depth"] == 0 else []
                causes[-1].append(cause)
            named = [any(self.function in part["frames"] for part in cause) for cause in causes]
            change = sum(cause[0]["change"] for cause in causes)
            for what, holds in (
                    ("total", is_real(total)),
                    ("any total", any(is_real(row) for row in result["totals"])),
                    ("any cause", bool(causes)),
                    ("its function", any(named)),
                    ("something else", not all(named)),
                    ("sum within", bool(causes) and total["low"] <= change <= total["high"])):
                self.counts[each, what] += holds

    def print(self):
        titles = {"total": f"{self.type} grew or fell", "any total": "any total grew or fell",
                  "any cause": "a cause is named"}
        if self.function:
            titles |= {"its function": "a cause has the function",
                       "something else": "one has it not",
                       "sum within": "causes within the total's interval"}
        print(f"\n  {'captures of each side':34}" + "".join(f"{each:>22}" for each in self.SIDES))
        for what, title in titles.items():
            print(f"  {title:34}" + "".join(
                f"{share(self.counts[each, what], self.trials):>22}" for each in self.SIDES))
