/** What authorizers are told of selectors, and of names that selectors pin down. */
import assert from "node:assert/strict";
import { attributesOf } from "../../server/filters/authorize.ts";
import { NO_CONNECTION } from "../../server/filters/env.ts";
import { scopeOf } from "../../server/filters/scope.ts";
import { withServer } from "../fixture/server.ts";

const PODS = "/api/v1/namespaces/x/pods";
const FIELDS = "fieldSelector=metadata.name%3Da", LABELS = "labelSelector=b";
const BOTH = { fieldSelector: "metadata.name=a", labelSelector: "b" };

Deno.test("selectors are told of what goes by them alone, names of what is read by them", () => {
  const rows: [method: string, path: string, verb: string, name: string, told: Partial<typeof BOTH>][] = [
    ["GET", `${PODS}?${FIELDS}&${LABELS}`, "list", "a", BOTH],
    ["GET", `${PODS}?watch=1&${FIELDS}&${LABELS}`, "watch", "a", BOTH],
    ["DELETE", `${PODS}?${FIELDS}&${LABELS}`, "deletecollection", "", BOTH],
    // Of one object selectors select nothing: who may read what they select is not to get it.
    ["GET", `${PODS}/c?${FIELDS}&${LABELS}`, "get", "c", {}],
    ["DELETE", `${PODS}/c?${FIELDS}`, "delete", "c", {}],
    ["PUT", `${PODS}/c?${FIELDS}`, "update", "c", {}],
    ["PATCH", `${PODS}/c?${FIELDS}`, "patch", "c", {}],
    ["POST", `${PODS}?${FIELDS}&${LABELS}`, "create", "", {}],
    ["GET", `${PODS}/c/log?${FIELDS}`, "get", "c", {}],
    ["GET", `/api/v1/watch/namespaces/x/pods?${FIELDS}`, "watch", "", {}],
    ["GET", `/api/v1/watch/namespaces/x/pods/c?${FIELDS}`, "watch", "c", {}],
    ["GET", `${PODS}?fieldSelector=metadata.name%3Da/b`, "list", "", { fieldSelector: "metadata.name=a/b" }],
    ["GET", `/version?${FIELDS}`, "get", "", {}],
  ];
  for (const [method, path, verb, name, told] of rows) {
    const request = new Request(`https://h${path}`, { method });
    const a = attributesOf(scopeOf(request, NO_CONNECTION, { now: Date.now, auditId: () => "" }));
    const { fieldSelector, labelSelector } = a;
    const selectors = { ...(fieldSelector ? { fieldSelector } : {}), ...(labelSelector ? { labelSelector } : {}) };
    assert.deepEqual([a.verb, a.name, selectors], [verb, name, told], `${method} ${path}`);
  }
});

Deno.test("who may read single names lists them by a selector, and deletes no collection by one", async () => {
  await withServer([], async (t) => {
    const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default", group = "rbac.authorization.k8s.io";
    const verbs = ["get", "list", "watch", "delete", "deletecollection"];
    const rules = [{ apiGroups: [""], resources: ["configmaps"], resourceNames: ["a"], verbs }];
    const metadata = { name: "r" }, roleRef = { apiGroup: group, kind: "Role", name: "r" };
    const subjects = [{ apiGroup: group, kind: "User", name: "low" }];
    assert.equal((await t.fetch(`${rbac}/roles`, { body: { metadata, rules } })).status, 201);
    assert.equal((await t.fetch(`${rbac}/rolebindings`, { body: { metadata, roleRef, subjects } })).status, 201);
    const maps = "/api/v1/namespaces/default/configmaps", low = { name: "low", groups: [] };
    assert.equal((await t.fetch(maps, { body: { metadata: { name: "a" } } })).status, 201);
    assert.equal((await t.fetch(`${maps}?${FIELDS}`, {}, low)).body.items.length, 1);
    assert.equal((await t.fetch(`${maps}?${FIELDS}`, { method: "DELETE" }, low)).status, 403);
    assert.equal((await t.fetch(`${maps}/a`, { method: "DELETE" }, low)).status, 200);
  });
});
