// SPDX-License-Identifier: Apache-2.0
// Puts the page together, and keeps what is shown, the address and the browser's history in step.

import {typeText, typesOfParts} from "./data.js";
import {arranged, columnsOf, firstSort, rowsOf} from "./columns.js";
import {html} from "./dom.js";
import {Head, footer, totalOf} from "./head.js";
import {Picture} from "./picture.js";
import {Lines} from "./plot.js";
import {keep, start} from "./start.js";
import {stateOfHash} from "./state.js";
import {Table} from "./table.js";

/** The number of rows in the plot of a trend at first. */
const FIRST_CHOSEN = 3;

class Page {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    /** The patterns typed here: an address can name these, but no others. */
    this.typed = new Set([""]);
    this.state = stateOfHash(location.hash, this.typed);
    /** @type {Change} */
    const change = (to, isStep) => this.change(to, isStep);
    this.parts = typesOfParts(data);
    this.head = new Head(data, {
      type: type => this.change({type: typeText(type), zoom: 0}, true),
      part: part => this.change({part, zoom: 0}, true),
    }, type => totalOf(type, data));
    this.picture = new Picture(data, change);
    this.table = new Table(data, change, {
      lead: (name, isSearch) => this.lead(name, isSearch),
      leadsOn: () => this.hasServices(),
      choose: (row, isChosen) => this.choose(row, isChosen),
      isChosen: row => this.chosen().has(row.id),
    }, this.picture.look.names);
    this.lines = data.command === "trend" ? new Lines(data) : null;
    /** @type {Map<string, Set<number>>} Rows in the plot of a trend, by their table. */
    this.chosenOf = new Map();
  }

  /** @returns {SampleType} */
  type() {
    const types = this.parts[this.state.part] || this.data.types;
    const {type} = this.data;
    return types.find(each => typeText(each) === this.state.type) || types[type] || types[0];
  }

  /** The rows in the plot of a trend: by type, as it is another table. */
  chosen() {
    const type = this.type();
    const key = `${typeText(type)} ${this.state.values}`;
    let found = this.chosenOf.get(key);
    if (!found) {
      found = new Set(this.rowsBySize().slice(0, FIRST_CHOSEN).map(row => row.id));
      this.chosenOf.set(key, found);
    }
    return found;
  }

  rowsBySize() {
    const type = this.type();
    const first = firstSort(this.data, this.state.values);
    const columns = columnsOf(this.data, type, this.state.values);
    const by = columns.find(column => column.id === first) || columns[0];
    return arranged(rowsOf(this.data, type, this.state.values), columns, by, "size", null);
  }

  /** @type {(row: Row, isChosen: boolean) => void} */
  choose(row, isChosen) {
    if (isChosen) {
      this.chosen().add(row.id);
    } else {
      this.chosen().delete(row.id);
    }
    this.showLines();
  }

  showLines() {
    this.lines?.show(this.type(), this.rowsBySize().filter(row => this.chosen().has(row.id)));
  }

  show() {
    const type = this.type();
    this.head.show(type, this.parts[this.state.part] ? this.state.part : 0);
    this.picture.show(type, this.state);
    this.table.show(type, this.state);
    this.showLines();
  }

  /** @type {Change} */
  change(to, isStep) {
    this.state = {...this.state, ...to};
    this.typed.add(this.state.search).add(this.state.filter);
    keep(this.state, isStep);
    this.show();
  }

  /** Whether rows are services. */
  hasServices() {
    const {command, by} = this.data;
    return command === "top" && by === "service" && this.state.values === "flat";
  }

  /**
   * Shows a function in the picture, or those of a service.
   * @param {string} name
   * @param {boolean} isSearch whether to mark it rather than to show what is around it
   */
  lead(name, isSearch) {
    if (this.hasServices()) {
      this.change({values: "cum", filter: name}, true);
    }
    if (!this.picture.tree) {
      return;
    }
    const isFrame = this.picture.tree.name.includes(this.data.names.indexOf(name));
    this.change(isSearch || !isFrame ? {search: name, view: "down", zoom: 0, center: ""}
      : {view: "around", center: name, zoom: 0}, true);
    this.picture.scrollTo();
  }

  /** The field for what is looked for: in the picture, where there is one. */
  field() {
    return (this.picture.tree ? this.picture.search : this.table.filter).input;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const fields = [this.picture.search.input, this.table.filter.input];
    const field = fields.find(input => input === event.target);
    if (event.key === "/" && !field && !event.ctrlKey && !event.metaKey && !event.altKey) {
      this.field().focus();
      this.field().select();
      event.preventDefault();
    } else if (event.key === "Escape") {
      if (!field) {
        this.picture.escape();
      } else if (field.value === "") {
        field.blur();
      } else { // Not all browsers do this themselves.
        field.value = "";
        field.dispatchEvent(new Event("input"));
        event.preventDefault();
      }
    }
  }

  hasPicture() {
    return this.lines !== null || this.data.types.some(type => type.tree);
  }

  /** Its address is not followed, as that has what is shown. */
  skipLink() {
    const {id} = this.data.types.some(type => type.tree) ? this.picture.element
      : this.table.element;
    const link = html("a", {class: "skip", href: `#${id}`}, `Skip to the ${id}`);
    link.addEventListener("click", event => {
      event.preventDefault();
      const field = this.field();
      field.closest("section")?.scrollIntoView({block: "start"});
      field.focus({preventScroll: true});
    });
    return link;
  }

  start() {
    const pictures = html("div", {class: "pictures"}, this.lines?.element,
                          this.picture.element);
    const main = html("main", {id: "main"}, this.head.overview,
      html("div", {class: this.hasPicture() ? "beside" : null}, pictures, this.table.element));
    document.body.prepend(this.skipLink(), this.head.element, main,
                          footer(this.data, this.hasPicture()));
    this.show();
    addEventListener("popstate", () => {
      this.state = stateOfHash(location.hash, this.typed);
      this.show();
    });
    document.addEventListener("keydown", event => this.key(event));
  }
}

start(data => new Page(data).start());
