// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import {hashOfState, initialState, stateOfHash} from "../../tools/page/state.js";

const NONE = new Set([""]);

test("a state comes back from its address", () => {
  const state = {...initialState(), type: "alloc_space/bytes", view: "around", width: "change",
                 center: "a.(*b[int]).c #&=%\u202e\u{1f525}", zoom: 12, search: "x y+z",
                 filter: "&type=1", sort: "cum-change", order: "ascending", values: "cum"};
  assert.deepEqual(stateOfHash(hashOfState(state), NONE), state);
});

test("the address of the first state is short", () => {
  assert.equal(hashOfState(initialState()), "#");
  assert.equal(hashOfState({...initialState(), zoom: 3}), "#zoom=3");
  assert.deepEqual(stateOfHash("", NONE), initialState());
});

test("an invalid part of an address is ignored", () => {
  for (const hash of ["#view=<script>", "#view=__proto__", "#width=constructor", "#zoom=-1",
                      "#zoom=1e9", "#zoom=NaN", "#zoom=99999999999", "#order=", "#__proto__=1",
                      "#constructor=1", "#hasOwnProperty=1", "#toString", "#%", "#%ff=%ff",
                      "#=", "#&&&", `#search=${"a".repeat(601)}`]) {
    assert.deepEqual(stateOfHash(hash, NONE), initialState(), hash);
  }
  assert.equal(Object.hasOwn(Object.prototype, "view"), false);
});

test("a regular expression counts only if the user typed it", () => {
  const hash = hashOfState({...initialState(), search: "/(a+)+$/", filter: "/(b+)+$/"});
  assert.deepEqual(stateOfHash(hash, NONE), initialState());
  const state = stateOfHash(hash, new Set(["/(b+)+$/"]));
  assert.equal(state.filter, "/(b+)+$/");
  assert.equal(state.search, "");
});
