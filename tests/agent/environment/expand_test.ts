import assert from "node:assert/strict";
import { variableIn } from "../../../agent/environment/env_file.ts";
import { expand, expanding, expandSubPath, lookupIn } from "../../../agent/environment/expand.ts";

const VARIABLES = [{ key: "A", value: "1" }, { key: "E", value: "" }, { key: "A", value: "2" }];

Deno.test("references are replaced, once, and only whole ones", () => {
  const lookup = lookupIn(VARIABLES);
  const cases: readonly [string, string][] = [
    ["$(A)", "2"],
    ["x$(A)$(A)y", "x22y"],
    ["$$(A)", "$(A)"],
    ["$$$(A)", "$2"],
    ["$(B)", "$(B)"],
    ["$(E)", ""],
    ["$(A", "$(A"],
    ["$A $( $", "$A $( $"],
    ["$()", "$()"],
    ["$($(A))", "$($(A))"],
    ["$(A$$", "$(A$"],
  ];
  for (const [text, want] of cases) assert.equal(expand(text, lookup), want, text);
});

Deno.test("references that nothing closes are no work", () => {
  const open = "$(".repeat(1 << 20), lookup = lookupIn(VARIABLES);
  assert.equal(expand(`$(A)${open}$$`, lookup), `2${open}$`);
  assert.equal(expand(`${open}A)${open}`, lookup), `${open}A)${open}`);
});

Deno.test("what references come to has a limit, in all texts that go together", () => {
  const message = "cannot expand references: their values come to more than 10 characters";
  assert.throws(() => expanding(() => "12345", 10)("$(A)$(A)$(A)"), { message });
  const expand = expanding((name) => name === "A" ? "12345" : undefined, 10);
  assert.equal(expand("$(A)$$, and this"), "12345$, and this");
  assert.equal(expand("$(A)"), "12345");
  assert.throws(() => expand("$(A)"), { message });
});

Deno.test("a path needs all its variables", () => {
  assert.equal(expandSubPath("a/$(A)/$$(E)", VARIABLES), "a/2/$(E)");
  assert.throws(() => expandSubPath("$(Z)/$(E)/$(A)", VARIABLES), { message: "missing value for E, Z" });
});

Deno.test("files of variables are read strictly", () => {
  const cases: readonly [string, string][] = [
    ["A", "line 1: missing '='"],
    ["='1'", "line 1: empty variable name"],
    ["\nA ='1'", "line 2: whitespace before '=' is not allowed"],
    [`A${" ".repeat(1 << 20)}B=1`, "line 1: value must be enclosed in single quotes"],
    ["A=1", "line 1: value must be enclosed in single quotes"],
    ["A='1' x", "line 1: unexpected content after closing quote"],
    ["A='1\n2", "starting at line 1: unclosed single quote"],
  ];
  for (const [text, why] of cases) {
    assert.throws(() => variableIn(text, "Z"), (e: Error) => {
      assert.match(e.message, /^invalid environment variable format /);
      return e.message.endsWith(why);
    }, text);
  }
  assert.equal(variableIn("A= '1'\nA='2'", "A"), "");
  assert.equal(variableIn("B='1'\r\nA='2'\r\n", "A"), "2");
});
