/** Nobody gives away more than they have, whoever decides about requests. */
import assert from "node:assert/strict";
import { CLOSED, startTestServer } from "../fixture/server.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const ann = { name: "ann", groups: ["system:authenticated"] };
const role = (name: string) => ({
  metadata: { name },
  rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }],
});

for (const may of [["create"], ["create", "escalate"]]) {
  Deno.test(`roles written where a webhook decides alone, which allows ${may.join(" and ")}`, async () => {
    const post = () => (body: string) => {
      const { verb } = JSON.parse(body).spec.resourceAttributes;
      return Promise.resolve({ status: 200, body: JSON.stringify({ status: { allowed: may.includes(verb) } }) });
    };
    const t = await startTestServer(
      ["--authorization-mode=Webhook", "--authorization-webhook-config-file=/hook"],
      {
        outside: { ...CLOSED, post },
      },
    );
    assert.equal((await t.fetch(RBAC, { body: role("a") }, ann)).status, may.includes("escalate") ? 201 : 403);
    assert.equal((await t.fetch(RBAC, { body: role("b") })).status, 201, "an administrator");
    await t.stop();
  });
}

Deno.test("the right to escalate a single role is not of a role that a request creates without naming it", async () => {
  const t = await startTestServer(["--authorization-mode=RBAC"]);
  const metadata = { name: "steward" },
    roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", ...metadata };
  const rules = [
    { apiGroups: [roleRef.apiGroup], resources: ["clusterroles"], verbs: ["create", "patch"] },
    { apiGroups: [roleRef.apiGroup], resources: ["clusterroles"], verbs: ["escalate"], resourceNames: ["a"] },
  ];
  const subjects = [{ apiGroup: roleRef.apiGroup, kind: "User", name: ann.name }];
  assert.equal((await t.fetch(RBAC, { body: { metadata, rules } })).status, 201);
  assert.equal(
    (await t.fetch(RBAC.replace("roles", "rolebindings"), { body: { metadata, roleRef, subjects } })).status,
    201,
  );
  assert.equal((await t.fetch(RBAC, { body: role("a") }, ann)).status, 403);
  const kind = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole" };
  const applied = {
    method: "PATCH",
    body: { ...kind, ...role("a") },
    headers: { "content-type": "application/apply-patch+yaml" },
  };
  assert.equal((await t.fetch(`${RBAC}/a?fieldManager=x`, applied, ann)).status, 201, "where its path names it");
  await t.stop();
});
