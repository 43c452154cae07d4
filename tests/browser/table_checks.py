# SPDX-License-Identifier: Apache-2.0
"""Uses of the table of a page."""

import json

from checks import require
from opened_page import OpenedPage

# The place of each column that can be sorted, and how it is said to be sorted.
COLUMNS = """
    Array.from(document.querySelectorAll("#rows thead tr:last-child > *"), (cell, place) => ({
        place, order: cell.getAttribute("aria-sort"), kind: cell.className,
        id: cell.querySelector("[data-column]")?.dataset.column ?? ""}))
"""


class TableChecks(OpenedPage):
    """Checks of the table."""

    def sorts(self):
        """The table sorts by each column, either way, and as it says."""
        checked = 0
        for column in self.value(COLUMNS):
            if not column["id"]:
                continue
            orders, seen = [], []
            for _ in range(3):
                self.click(f'[data-column="{column["id"]}"]')
                said = {each["id"]: each["order"] for each in self.value(COLUMNS) if each["id"]}
                orders.append(said.pop(column["id"]))
                require(set(said.values()) <= {"none"}, "sorted by two columns", said)
                rows = self.rows()
                cells = [row["cells"][column["place"]] for row in rows]
                if column["id"] == "name":
                    names = [row["name"].lower() for row in rows]
                    require(names[0] <= names[-1] if orders[-1] == "ascending"
                            else names[0] >= names[-1], column, names[0], names[-1])
                seen.append(cells)
            require(any(cells != seen[0] for cells in seen) or len(set(seen[0])) < 2, column,
                    "does not sort", seen[0])
            checked += 1
            require({"ascending", "descending"} <= set(orders), column["id"], orders)
        require(checked >= 3, "only", checked, "columns")

    def leads_to_functions(self):
        """A click on a service leads to its functions."""
        services = [row["name"] for row in self.rows()]
        names = self.data["names"]
        for nth in (0, len(services) - 1):
            self.click("#rows tbody .lead", nth)
            self.browser.wait("location.hash.includes('filter=')")
            place = next(each["place"] for each in self.value(COLUMNS) if each["id"] == "service")
            found = [(row["cells"][place], row["name"]) for row in self.rows()]
            expected = [(names[row["service"]], names[row["name"]]) for row in self.type["rows"]
                        if row["cum"] and names[row["service"]] == services[nth]]
            require(found and sorted(found) == sorted(expected), services[nth], "has", found)
            self.picture("functions")
            self.value("history.back()")
            self.browser.wait("!location.hash.includes('filter=')")
        require([row["name"] for row in self.rows()] == services, "services are gone")
        self.filters("shop")

    def plots(self):
        """The course of chosen rows, and what it was at a time."""
        if self.data["command"] != "trend":
            return
        count = 'document.querySelectorAll("#lines .key li").length'
        first = self.value(count)
        require(0 < first < len(self.type["rows"]), first, "lines at first")
        for nth in (first, 0):  # is not chosen yet; is
            self.click("#rows tbody .check input", nth)
        require(self.value(count) == first, "lines", self.value(count))
        self.click("#rows tbody .check input", 0)
        require(self.value(count) == first + 1, "lines", self.value(count))
        points = self.value('document.querySelectorAll("#lines .point.total").length')
        values = [value for value in self.type["total"]["values"] if value is not None]
        require(points == len(values), points, "points of", len(values))
        self.place("#lines .plots")
        box = self.value("""(() => {
            const place = document.querySelector("#lines .plots").getBoundingClientRect();
            return [place.right - 20, place.y + 60];
        })()""")
        self.browser.point(*box)
        self.browser.wait('document.querySelector("#lines .reading").innerText !== ""', 5)
        by_mouse = self.value('document.querySelector("#lines .reading").innerText')
        self.browser.point(1, 1)
        self.value('document.querySelector("#lines .plots").focus()')
        self.press("ArrowLeft")
        by_key = self.value('document.querySelector("#lines .reading").innerText')
        require(by_mouse == by_key, "read by mouse", by_mouse, "by key", by_key)
        self.picture("plot")

    def filters(self, wanted):
        self.click("#filter")
        self.browser.type(wanted.upper())
        rows = self.rows()
        names = [row["name"] for row in rows]
        require(names and all(wanted in name.lower() for name in names), wanted, names)
        all_names = [self.data["names"][row[0] if isinstance(row, list) else row["name"]]
                     for row in self.type["rows"]]
        missing = [name for name in all_names if wanted in name.lower() and name not in names]
        require(not missing or len(names) >= 100 or self.data["command"] != "report", "without",
                missing)
        self.picture("filter")
        self.press("Escape")
        require(len(self.rows()) > len(rows), "Esc does not empty the filter")
        self.press("Escape")

    def copies(self):
        """A short name is copied as the whole one."""
        frames = self.frames()
        nth = next(i for i, frame in enumerate(frames)
                   if frame["text"] and frame["text"] != frame["label"].split(", ")[0])
        self.value(f"""getSelection().selectAllChildren(
            document.querySelectorAll("#frames .frame")[{nth}])""")
        self.press("c", "Control")
        self.value("getSelection().removeAllRanges()")
        self.click("#filter")
        self.press("v", "Control")
        copied = self.value('document.querySelector("#filter").value')
        require(copied and frames[nth]["label"].startswith(copied + ", "), "copied", copied, "of",
                frames[nth])
        self.press("Escape")
        self.press("Escape")
        self.click("#frames .frame", nth)
        self.browser.point(1, 1)
        name = frames[nth]["label"].split(", ")[0]
        self.browser.wait(
            f'document.querySelector(".details-name").textContent === {json.dumps(name)}')
        selected = self.value("""(() => {
            getSelection().selectAllChildren(document.querySelector(".details-name"));
            const text = getSelection().toString();
            getSelection().removeAllRanges();
            return text;
        })()""")
        require(selected == name, "selected", selected, "of", frames[nth])
        self.press("Escape")
