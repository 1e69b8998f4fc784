import assert from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import { aggregate } from "../../server/authorization/aggregation.ts";
import { describeRule, missingRules } from "../../server/authorization/rules.ts";

const rule = (verbs: string, groups: string, resources: string, names?: string) => ({
  verbs: verbs.split(" "),
  apiGroups: groups.split(",").map((g) => g.trim()),
  resources: resources.split(" "),
  ...(names ? { resourceNames: names.split(" ") } : {}),
});
const url = (verbs: string, urls: string) => ({ verbs: verbs.split(" "), nonResourceURLs: urls.split(" ") });

Deno.test("what covers what", () => {
  const rows: [string, unknown[], unknown[], boolean][] = [
    ["itself", [rule("get", "", "pods")], [rule("get", "", "pods")], true],
    ["split over rules", [rule("get", "", "pods"), rule("list", "", "pods")], [rule("get list", "", "pods")], true],
    ["star verb is more than all verbs", [rule("get list watch", "", "pods")], [rule("*", "", "pods")], false],
    ["star group", [rule("get", "*", "pods")], [rule("get", "apps,batch", "pods")], true],
    ["star resource covers subresources", [rule("get", "", "*")], [rule("get", "", "pods/log")], true],
    ["a resource covers no subresource", [rule("get", "", "pods")], [rule("get", "", "pods/log")], false],
    ["any resource with that subresource", [rule("get", "", "*/scale")], [rule("get", "", "x/scale")], true],
    ["but no other", [rule("get", "", "*/scale")], [rule("get", "", "x/y/scale")], false],
    ["names limit", [rule("get", "", "pods", "a")], [rule("get", "", "pods")], false],
    ["names within all", [rule("get", "", "pods")], [rule("get", "", "pods", "a")], true],
    ["names within names", [rule("get", "", "pods", "a b")], [rule("get", "", "pods", "b")], true],
    ["url prefix", [url("get", "/healthz/*")], [url("get", "/healthz/x")], true],
    ["url prefix is not its parent", [url("get", "/healthz/*")], [url("get", "/healthz")], false],
    ["url prefix within a wider one", [url("get", "/a*")], [url("get", "/ab*")], true],
    ["nothing covers nothing", [], [], true],
    ["one resource of two", [rule("get", "", "pods")], [rule("get", "", "pods secrets")], false],
    ["one group of two", [rule("get", "apps", "x")], [rule("get", "apps,batch", "x")], false],
    ["one verb of two", [rule("get", "", "pods")], [rule("get list", "", "pods")], false],
    [
      "names split over rules",
      [rule("get", "", "x", "a"), rule("get", "", "x", "b")],
      [rule("get", "", "x", "a b")],
      true,
    ],
    ["one name of two", [rule("get", "", "pods", "a")], [rule("get", "", "pods", "a b")], false],
    ["one url of two", [url("get", "/a")], [url("get", "/a /b")], false],
    ["a url that is no pattern is no prefix", [url("get", "/a")], [url("get", "/ab")], false],
  ];
  for (const [name, owner, wanted, ok] of rows) {
    assert.equal(missingRules(owner as never, wanted as never).length === 0, ok, name);
  }
});

Deno.test("missing rules are named together", () => {
  const missing = missingRules([rule("get", "", "pods")], [rule("get list watch", "", "pods services")]);
  const byVerbs = missing.sort((a, b) => a.verbs!.length - b.verbs!.length);
  assert.deepEqual(byVerbs, [
    { verbs: ["list", "watch"], apiGroups: [""], resources: ["pods"] },
    { verbs: ["get", "list", "watch"], apiGroups: [""], resources: ["services"] },
  ]);
});

Deno.test("rules are shown as the public server shows them", () => {
  const missing = missingRules([], [rule("get list", "", "secrets pods"), url("get post", "/a")]);
  assert.deepEqual(missing.map(describeRule).sort(), [
    '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
    '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
    '{NonResourceURLs:["/a"], Verbs:["get"]}',
    '{NonResourceURLs:["/a"], Verbs:["post"]}',
  ]);
});

Deno.test("lists whose product is without measure are missing as they are, or covered as a whole", () => {
  const many = (letter: string) => Array.from({ length: 200 }, (_, i) => `${letter}${i}`);
  const huge = { verbs: many("v"), apiGroups: many("g"), resources: many("r"), resourceNames: many("n") };
  assert.deepEqual(missingRules([rule("get", "", "pods")], [huge]), [huge]);
  assert.deepEqual(missingRules([rule("*", "*", "*")], [huge]), []);
  const small = rule("get", "", "secrets");
  assert.deepEqual(missingRules([rule("get", "", "pods")], [huge, small]), [huge, small], "others are looked at");
});

Deno.test("rules of one resource are put together, however many verbs they have", () => {
  const verbs = Array.from({ length: 200_000 }, (_, i) => `v${i}`);
  const wide = { verbs, apiGroups: [""], resources: ["pods"] };
  const [missing, ...others] = missingRules([], [wide, wide]);
  assert.deepEqual([missing!.verbs!.length, others.length], [400_000, 0]);
});

Deno.test("aggregated roles gather by label, also from each other", () => {
  const role = (name: string, labels: Record<string, string>, rules: unknown[], gathers?: string): Obj => ({
    apiVersion: "",
    kind: "ClusterRole",
    metadata: { name, labels },
    rules,
    ...(gathers ? { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [gathers]: "true" } }] } } : {}),
  });
  const view = rule("get", "", "pods"), edit = rule("create", "", "pods");
  const roles = [
    role("admin", {}, [], "to-admin"),
    role("edit", { "to-admin": "true" }, [], "to-edit"),
    role("view", { "to-edit": "true" }, [], "to-view"),
    role("parts:edit", { "to-edit": "true" }, [edit]),
    role("parts:view", { "to-view": "true" }, [view]),
  ];
  const changed = aggregate(roles);
  assert.deepEqual(changed.get("view"), [view]);
  assert.deepEqual(changed.get("edit"), [edit, view]);
  assert.deepEqual(changed.get("admin"), [edit, view]);
  for (const r of roles) if (changed.has(r.metadata.name!)) r.rules = changed.get(r.metadata.name!);
  assert.equal(aggregate(roles).size, 0, "settled");
  const itself = role("itself", { "to-itself": "true" }, [edit], "to-itself");
  assert.deepEqual(aggregate([itself, role("part", { "to-itself": "true" }, [view])]).get("itself"), [view]);
});
