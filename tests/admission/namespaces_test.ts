/** Namespaces that go away. */
import assert from "node:assert/strict";
import { startTestServer } from "../fixture/server.ts";
import { create, namespace, obj } from "./_cases.ts";

const map = obj("v1", "ConfigMap", "m");

Deno.test("nothing is created in a namespace that goes away", async () => {
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    const ns = await namespace(s);
    assert.equal((await s.fetch(`/api/v1/namespaces/${ns}`, { method: "DELETE" })).status, 200);
    const answer = await create(s, ns, map);
    assert.equal(answer.status, 403);
    assert.deepEqual(answer.body.details.causes, [{
      reason: "NamespaceTerminating",
      message: `namespace ${ns} is being terminated`,
      field: "metadata.namespace",
    }]);
    assert.match(answer.body.message, /unable to create new content in namespace \w+ because it is being terminated/);
  } finally {
    await s.stop();
  }
});

Deno.test("admission plugin AlwaysDeny", async (t) => {
  const s = await startTestServer(["--enable-admission-plugins=AlwaysDeny"]);
  try {
    const denied = /is forbidden: admission control is denying all modifications$/;
    const cases = [
      ["create", { body: map }],
      ["dry run", { body: map }, "?dryRun=All"],
    ] as const;
    for (const [name, init, query] of cases) {
      await t.step(name, async () => {
        const answer = await s.fetch(`/api/v1/namespaces/default/configmaps${query ?? ""}`, init);
        assert.equal(answer.status, 403);
        assert.match(answer.body.message, denied);
      });
    }
    await t.step("delete", async () => {
      const answer = await s.fetch("/api/v1/namespaces/kube-node-lease", { method: "DELETE" });
      assert.match(answer.body.message, denied);
    });
    await t.step("update", async () => {
      const answer = await s.fetch("/api/v1/namespaces/default", {
        method: "PATCH",
        headers: { "content-type": "application/merge-patch+json" },
        body: { metadata: { labels: { a: "b" } } },
      });
      assert.match(answer.body.message, denied);
    });
    await t.step("reads pass", async () => {
      assert.equal((await s.fetch("/api/v1/namespaces/default")).status, 200);
    });
  } finally {
    await s.stop();
  }
});
