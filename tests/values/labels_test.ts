import assert from "node:assert/strict";
import { ValueError } from "../../schema/values/error.ts";
import {
  formatSelector,
  type LabelSelector,
  labelTest,
  matches,
  parseSelector,
  selectorFromLabelSelector,
  selectorFromSet,
} from "../../schema/values/labels.ts";

Deno.test("label selector: text and its canonical form", () => {
  const table: [string, string][] = [
    ["", ""],
    ["x=a", "x=a"],
    ["x = a", "x=a"],
    ["x==a", "x==a"],
    ["x!=a", "x!=a"],
    ["x", "x"],
    ["!x", "!x"],
    ["! x", "!x"],
    ["x=", "x="],
    ["x=,y", "x=,y"],
    ["x=a,y=b,z=c", "x=a,y=b,z=c"],
    ["z=c,x=a", "x=a,z=c"],
    ["x in (a)", "x in (a)"],
    ["x in(b,a)", "x in (a,b)"],
    ["x in (b , a)", "x in (a,b)"],
    ["x notin (b,a,b)", "x notin (a,b)"],
    ["x in ()", "x in ()"],
    ["x in (,a)", "x in (,a)"],
    ["x in (a,,b)", "x in (,a,b)"],
    ["x in (a,)", "x in (,a)"],
    ["x in (,)", "x in ()"],
    ["x>5", "x>5"],
    ["x < 3", "x<3"],
    ["in in (in,notin)", "in in (in,notin)"],
    ["notin", "notin"],
    ["x=in", "x=in"],
    ["example.com/a-b_c.D in (v1)", "example.com/a-b_c.D in (v1)"],
    ["\tx\n=\r a ", "x=a"],
    ["x in (b,c),y,!z,w notin (q),v=1", "v=1,w notin (q),x in (b,c),y,!z"],
  ];
  for (const [text, want] of table) {
    const got = formatSelector(parseSelector(text));
    assert.equal(got, want, text);
    assert.equal(formatSelector(parseSelector(got)), got);
  }
});

Deno.test("label selector: what is none, and why", () => {
  const table: [string, RegExp][] = [
    ["x=a||y=b", /^unable to parse requirement: .*Invalid value: "a\|\|y"|found '='/],
    ["x==a==b", /found '==', expected: ',' or 'end of string'/],
    ["!x=a", /found '=', expected: ',' or 'end of string'/],
    ["x<a", /values\[0\]: Invalid value: "a": for 'Gt', 'Lt' operators, the value must be an integer/],
    ["x>", /the value must be an integer/],
    ["x in a", /found 'a' expected: '\('/],
    ["x in (a", /found '', expected: ',' or '\)'/],
    ["x in (a b)", /found 'b', expected: ',' or '\)'/],
    ["x in (!a)", /found '!', expected: ',', '\)' or identifier/],
    ["x in (a,=)", /found '=', expected: ',', or identifier/],
    ["x,", /^found '', expected: identifier after ','/],
    [",x", /^found ',', expected: !, identifier, or 'end of string'/],
    ["x y", /found 'y', expected: in, notin, =, ==, !=, gt, lt/],
    ["x=(a)", /found '\(', expected: identifier/],
    ["!", /found '', expected: identifier/],
    ["!!x", /found '!', expected: identifier/],
    ["-x=a", /^unable to parse requirement: <nil>: Invalid value: "-x": name part must be letters/],
    ["x=-a", /^unable to parse requirement: values\[0\]\[x\]: Invalid value: "-a": must be empty, or letters/],
    ["a/b/c", /after a subdomain and '\/' at most/],
    ["x=" + "a".repeat(64), /must be no more than 63 bytes/],
    ["a\0b", /NUL/],
    ["x notin", /found '' expected: '\('/],
    ["\u00a0", /^unable to parse requirement: <nil>: Invalid value: "\\u00a0": /],
    ["é", /Invalid value: "é"/],
  ];
  for (const [text, why] of table) {
    assert.throws(() => parseSelector(text), (e: unknown) => e instanceof ValueError && why.test(e.message), text);
  }
});

Deno.test("label selector: matching", () => {
  const labels = { a: "1", b: "x", n: "10", e: "" };
  const table: [string, boolean][] = [
    ["", true],
    ["a=1", true],
    ["a==1,b=x", true],
    ["a=2", false],
    ["q=1", false],
    ["a!=2", true],
    ["q!=2", true],
    ["a!=1", false],
    ["a in (1,2)", true],
    ["q in (1)", false],
    ["a notin (1,2)", false],
    ["q notin (1)", true],
    ["a", true],
    ["q", false],
    ["!a", false],
    ["!q", true],
    ["e=", true],
    ["q=", false],
    ["n>9", true],
    ["n>10", false],
    ["n<11", true],
    ["b>1", false],
    ["q<1", false],
    ["toString", false],
    ["!constructor", true],
  ];
  for (const [text, want] of table) {
    assert.equal(matches(parseSelector(text), labels), want, text);
    assert.equal(labelTest(parseSelector(text))(labels), want, text);
  }
  assert.equal(labelTest(parseSelector("constructor=a"))(labels), false);
  assert.equal(matches(parseSelector("!a"), undefined), true);
  assert.equal(matches(parseSelector("a"), null), false);
});

Deno.test("label selector: the object form", () => {
  const selector: LabelSelector = {
    matchLabels: { app: "web" },
    matchExpressions: [
      { key: "tier", operator: "NotIn", values: ["b", "a"] },
      { key: "env", operator: "Exists" },
      { key: "old", operator: "DoesNotExist", values: [] },
      { key: "zone", operator: "In", values: ["x"] },
    ],
  };
  assert.equal(formatSelector(selectorFromLabelSelector(selector)!), "app=web,env,!old,tier notin (a,b),zone in (x)");
  assert.equal(selectorFromLabelSelector(undefined), undefined);
  assert.deepEqual(selectorFromLabelSelector({}), []);
  const bad: LabelSelector[] = [
    { matchExpressions: [{ key: "a", operator: "Near", values: [] }] },
    { matchExpressions: [{ key: "a", operator: "In", values: [] }] },
    { matchExpressions: [{ key: "a", operator: "Exists", values: ["x"] }] },
    { matchExpressions: [{ key: "a b", operator: "Exists" }] },
    { matchLabels: { a: "-" } },
  ];
  for (const b of bad) assert.throws(() => selectorFromLabelSelector(b), ValueError, JSON.stringify(b));
});

Deno.test("label selector: a set", () => {
  const set = selectorFromSet({ b: "2", a: "1" });
  assert.equal(formatSelector(set), "a=1,b=2");
});
