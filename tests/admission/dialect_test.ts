/** The plugins under the specification's own names. */
import assert from "node:assert/strict";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { create, namespace, obj, pod } from "./_cases.ts";

async function withOrch(flags: readonly string[], run: (s: TestServer, ns: string) => Promise<void>): Promise<void> {
  const s = await startTestServer(["--api-dialect=orch", ...flags]);
  try {
    const ns = await namespace(s, { labels: { "pod-security.orch.io/enforce": "baseline" } });
    await run(s, ns);
  } finally {
    await s.stop();
  }
}

Deno.test("plugins know the product's own names", async (t) => {
  await withOrch([], async (s, ns) => {
    await create(s, ns, obj("v1", "ServiceAccount", "default"));
    await t.step("a pod", async () => {
      const { status, body, text } = await create(s, ns, pod());
      assert.equal(status, 201, text);
      assert.deepEqual(body.spec.tolerations.map((x: { key: string }) => x.key), [
        "node.orch.io/not-ready",
        "node.orch.io/unreachable",
      ]);
      const [volume] = body.spec.volumes;
      assert.match(volume.name, /^orch-api-access-[a-z0-9]{5}$/);
      assert.equal(volume.projected.sources[1].configMap.name, "orch-root-ca.crt");
      assert.equal(body.spec.containers[0].volumeMounts[0].mountPath, "/var/run/secrets/orch.io/serviceaccount");
    });
    await t.step("levels of security", async () => {
      const { status, body } = await create(s, ns, pod({ hostNetwork: true }, {}, "q"));
      assert.equal(status, 403);
      assert.match(body.message, /violates PodSecurity "baseline:latest"/);
    });
    await t.step("finalizers and taints", async () => {
      const claim = obj("v1", "PersistentVolumeClaim", "c", {
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      });
      assert.deepEqual((await create(s, ns, claim)).body.metadata.finalizers, ["orch.io/pvc-protection"]);
      assert.equal((await create(s, ns, obj("v1", "Node", "n"))).body.spec.taints[0].key, "node.orch.io/not-ready");
    });
    await t.step("the system's namespaces", async () => {
      const answer = await s.fetch("/api/v1/namespaces/orch-system", { method: "DELETE" });
      assert.equal(answer.status, 403, answer.text);
    });
    await t.step("quotas of other groups", async () => {
      const hard = { "count/deployments.apps": "0", "count/leases.coordination.orch.io": "0" };
      await create(s, ns, obj("v1", "ResourceQuota", "q", { spec: { hard } }));
      await s.fetch(`/api/v1/namespaces/${ns}/resourcequotas/q/status`, {
        method: "PATCH",
        headers: { "content-type": "application/merge-patch+json" },
        body: { status: { hard, used: hard } },
      });
      const lease = obj("coordination.orch.io/v1", "Lease", "l");
      const { status, body } = await create(s, ns, lease);
      assert.equal(status, 403);
      assert.match(body.message, /requested: count\/leases\.coordination\.orch\.io=1/);
    });
  });
});
