// SPDX-License-Identifier: Apache-2.0
// The table of rows: sorted, filtered, and a way to each function in the picture.

import {arranged, columnsOf, firstSort, nextOrder, rowsOf} from "./columns.js";
import {contentText, isReal} from "./data.js";
import {
  button, choice, foreign, html, isSelecting, onCopy, onResize, pill, searchField,
} from "./dom.js";
import {fineText, valueText} from "./format.js";
import {makeQuery} from "./names.js";
import {dots, endsOf, spark, withEnds} from "./plot.js";

const FIRST = 100;
const MORE = 400;
/** The widths in pixels: of a letter of a name, and of what else stands in its cell. */
const LETTER = 7.3;
const BESIDE_NAME = 42;
const LEAST_LETTERS = 12;
const NOUNS = new Map([["function", "Functions"], ["file", "Files"], ["package", "Packages"],
                       ["line", "Lines"], ["service", "Services"]]);
const ARROWS = {size: "\u25c6", descending: "\u25be", ascending: "\u25b4"};

/** @type {(text: string, className?: string, part?: string | null) => HTMLElement} */
function numberCell(text, className = "", part = null) {
  const none = /^0%?$/.test(text) ? " none" : "";
  return html("td", {class: `number ${className}${none}`, "--part": part}, text);
}

export class Table {
  /**
   * @param {Data} data
   * @param {Change} change
   * @param {{lead: (name: string, isSearch: boolean) => void,
   *          leadsOn: () => boolean,
   *          choose: (row: Row, isChosen: boolean) => void,
   *          isChosen: (row: Row) => boolean}} handlers
   * @param {import("./names.js").ShortNames} names
   */
  constructor(data, change, handlers, names) {
    this.data = data;
    this.names = names;
    this.change = change;
    this.handlers = handlers;
    this.type = data.types[0];
    /** @type {Row[]} */
    this.rows = [];
    /** @type {Column[]} */
    this.columns = [];
    /** @type {Column[]} Those that there is room for. */
    this.shown = [];
    this.drawn = "";
    this.most = FIRST;
    this.values = this.makeValues();
    this.filter = searchField("filter", "Filter rows by name",
                              {placeholder: `Filter ${data.by} names`},
                              text => this.change({filter: text}, false));
    /** @type {Column | undefined} */
    this.by = undefined;
    /** @type {Order} */
    this.order = "size";
    this.head = html("thead");
    this.body = html("tbody");
    this.count = html("p", {class: "note", role: "status"});
    this.more = button({class: "more"}, "Show more rows", () => {
      this.most += MORE;
      this.drawRows();
    });
    this.caption = html("caption", {class: "unseen"});
    this.heading = html("h2", {id: "table-heading"});
    this.table = html("table", {id: "rows"}, this.caption, this.head, this.body);
    this.scroll = html("div", {class: "rows-box"}, this.table);
    this.width = 0;
    onResize(this.scroll, () => this.width, () => this.draw());
    this.element = html("section", {id: "table", "aria-labelledby": "table-heading"},
      html("div", {class: "section-head"}, this.heading, this.count),
      html("div", {class: "bar controls"}, this.values.element, this.filter.element),
      this.scroll, this.more);
    this.body.addEventListener("click", event => this.lead(event));
    onCopy(this.body, isSelected => this.copied(isSelected));
  }

  makeValues() {
    const {command, by} = this.data;
    const values = choice("Values of the table", "values", command === "top" ? [
      {value: "flat", text: "Services", title: "All of each"},
      {value: "cum", text: "Functions", title: "Those of each service that changed or have most"},
    ] : [
      {value: "flat", text: "Flat", title: "Of stacks that end with the function"},
      {value: "cum", text: "Cum", title: "Of stacks that have the function"},
    ], (/** @type {State["values"]} */ chosen) => this.change({values: chosen}, true));
    values.element.hidden = command === "report" || (command === "top" && by !== "service");
    return values;
  }

  /** @type {(type: SampleType, state: State) => void} */
  show(type, state) {
    this.type = type;
    this.columns = columnsOf(this.data, type, state.values);
    const by = this.columns.find(column => column.id === state.sort && column.kind !== "check") ||
      this.columns.find(column => column.id === firstSort(this.data, "flat")) || this.columns[0];
    this.by = by;
    this.order = state.sort === "" ? "size" : state.order;
    if (this.filter.input.value !== state.filter) {
      this.filter.input.value = state.filter;
    }
    this.values.set(state.values);
    const key = [type.name, type.unit, type.label, state.values, state.filter, by.id,
                 this.order].join("\n");
    if (key === this.drawn) {
      return;
    }
    this.drawn = key;
    this.most = FIRST;
    const all = rowsOf(this.data, type, state.values);
    const query = makeQuery(state.filter);
    this.rows = arranged(all, this.columns, by, this.order, query.matches);
    const isTop = this.data.command === "top";
    const what = isTop && state.values === "cum" ? "function" : this.data.by;
    this.heading.textContent = `${NOUNS.get(what) || "Rows"} by ${contentText(type)}`;
    this.caption.textContent = `${this.heading.textContent}, sorted by ${by.group} ${by.label}`;
    const notTested = isTop ? 0 : type.rows.length - all.length;
    this.count.textContent = query.fault || [
      state.filter === "" ? `${all.length} rows` : `${this.rows.length} of ${all.length} rows`,
      notTested > 0 ? `${notTested} too small to be tested` : "",
      type.rows_left_out > 0
        ? `${type.rows_left_out} of smaller values or changes are left out` : "",
    ].filter(text => text !== "").join(", ");
    this.draw();
  }

  draw() {
    this.width = this.scroll.clientWidth;
    this.shown = this.columns.filter(({from}) => from <= this.width);
    this.drawHead();
    this.drawRows();
    this.scroll.classList.toggle("wide", this.table.offsetWidth > this.width);
  }

  drawHead() {
    const cells = this.shown.map(column => this.headCell(column));
    const groups = [];
    for (const column of this.shown) {
      const last = groups[groups.length - 1];
      if (last && last.group === column.group) {
        ++last.size;
      } else {
        groups.push({group: column.group, size: 1});
      }
    }
    const rows = [html("tr", {}, cells)];
    if (groups.length > 1) {
      rows.unshift(html("tr", {}, groups.map(({group, size}) =>
        group === "" ? html("td", {colspan: size})
          : html("th", {colspan: size, scope: "colgroup", class: "group"}, group))));
    }
    const focused = document.activeElement?.getAttribute("data-column");
    this.head.replaceChildren(...rows);
    if (focused) {
      this.head.querySelector(/** @type {"button"} */ (`[data-column="${focused}"]`))?.focus();
    }
  }

  /** @param {Column} column */
  headCell(column) {
    const order = column === this.by ? this.order : null;
    if (column.kind === "check") {
      return html("th", {scope: "col", class: "check", title: column.title}, column.label);
    }
    const sort = button(
      {class: "sort", "data-column": column.id, title: column.title || null},
      [html("span", {}, column.label),
       html("span", {class: "arrow", "aria-hidden": "true"}, order ? ARROWS[order] : "")],
      () => this.change({sort: column.id, order: nextOrder(column, order)}, false));
    return html("th", {scope: "col", class: column.kind,
                       "aria-sort": !order ? "none" : order === "size" ? "other" : order}, sort);
  }

  drawRows() {
    const shown = this.rows.slice(0, this.most);
    const isChange = this.type.content !== "profile" || this.data.command !== "report";
    const most = new Map(this.columns.filter(column => column.kind === "change").map(column =>
      [column, this.rows.reduce((size, row) => Math.max(size, Math.abs(Number(column.key(row)))),
                                0)]));
    this.body.replaceChildren(...shown.map(row => html("tr", {"data-name": row.name},
      this.shown.map(column => this.cell(row, column, most.get(column) || 0, isChange)))));
    this.fitNames(shown);
    this.more.hidden = shown.length >= this.rows.length;
    this.more.textContent = `Show more of ${this.rows.length - shown.length} rows`;
  }

  // Names get what other columns leave.
  /** @param {Row[]} rows */
  fitNames(rows) {
    const heads = this.head.querySelectorAll("tr:last-child th.name");
    const width = heads.length > 0 ? heads[0].clientWidth : 0;
    const room = Math.max(LEAST_LETTERS, Math.floor((width - BESIDE_NAME) / LETTER));
    const names = [...new Set(rows.map(row => row.name))];
    const texts = this.names.allShort(names, room);
    const short = new Map(names.map((name, i) => [name, texts[i]]));
    this.body.querySelectorAll(".lead").forEach((lead, i) => {
      lead.replaceChildren(foreign(short.get(rows[i].name) || ""));
    });
  }

  // The cells that are selected, if names are among them.
  /** @param {(node: Node) => boolean} isSelected */
  copied(isSelected) {
    if (![...this.body.querySelectorAll(".lead")].some(isSelected)) {
      return "";
    }
    const text = (/** @type {HTMLTableCellElement} */ cell) =>
      cell.matches(".name") ? cell.parentElement?.dataset.name : cell.innerText;
    return [...this.body.rows].filter(isSelected).map(row =>
      [...row.cells].filter(isSelected).map(text).join("\t")).join("\n");
  }

  // A cell of a column in which `most` is the largest size; signs have colors if it is of changes.
  /** @type {(row: Row, column: Column, most: number, isChange: boolean) => HTMLElement} */
  cell(row, column, most, isChange) {
    switch (column.kind) {
    case "name": {
      const lead = this.type.tree || this.handlers.leadsOn()
        ? button({class: "lead", title: row.name, "aria-label": row.name}, "", () => {})
        : html("span", {class: "lead", title: row.name});
      return html("th", {scope: "row", class: "name"},
        !this.type.tree ? lead : html("span", {class: "name-box"}, lead,
          button({class: "quiet find", "aria-label": `Search ${row.name} in the picture`,
                  title: "Search in the picture"}, "\u2315", () => {})));
    }
    case "check": {
      const box = html("input", {type: "checkbox", "aria-label": `Plot ${row.name}`});
      box.checked = this.handlers.isChosen(row);
      box.addEventListener("change", () => this.handlers.choose(row, box.checked));
      return html("td", {class: "check"}, box);
    }
    case "text":
      return html("td", {class: "text"}, foreign(column.text(row)));
    case "verdict":
      return html("td", {class: "verdict"}, pill(column.text(row)));
    case "dots":
      return this.plot(dots(row.values, this.data, valueText(this.type)),
                       endsOf(row.values, valueText(this.type)));
    case "line":
      return this.plot(spark(row.values, this.data.captures || [], fineText(this.type)),
                       [row.values.first, row.values.last].map(fineText(this.type)));
    case "change": {
      const value = Number(column.key(row));
      const mayBeNoise = this.data.command !== "report" && !isReal(row.values.verdict);
      const sign = !isChange || mayBeNoise || this.type.content === "delta" ? ""
        : value > 0 ? "up" : value < 0 ? "down" : "";
      return numberCell(column.text(row), `change ${sign}`,
                        `${most === 0 ? 0 : Math.abs(value) / most * 100}%`);
    }
    default:
      return numberCell(column.text(row));
    }
  }

  /** @type {(drawing: SVGElement, ends: string[]) => HTMLElement} */
  plot(drawing, ends) {
    return html("td", {class: "plot"}, withEnds(drawing, ends));
  }

  /** @param {MouseEvent} event */
  lead(event) {
    const target = event.target instanceof Element ? event.target : null;
    const row = target?.closest("tr");
    if (target && row && !target.closest(".check") && !isSelecting()) {
      this.handlers.lead(row.dataset.name || "", target.closest(".find") !== null);
    }
  }
}
