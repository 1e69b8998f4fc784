/** Who may answer a pod's request for a certificate. */
import assert from "node:assert/strict";
import { startTestServer } from "../fixture/server.ts";
import { SAMPLES } from "../kinds/objects.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1", MERGE = { "content-type": "application/merge-patch+json" };
const { object, status } = SAMPLES["podcertificaterequests.certificates.k8s.io"]!;

for (const flags of [[], ["--disable-admission-plugins=ServiceAccount,CertificateSigning"]]) {
  Deno.test(`only who may sign answers requests of pods, ${flags.join() || "by default"}`, async () => {
    const t = await startTestServer([
      "--feature-gates=PodCertificateRequest=true",
      "--runtime-config=api/all=true",
      "--disable-admission-plugins=ServiceAccount",
      ...flags,
    ]);
    const group = (await t.fetch("/apis/certificates.k8s.io")).body.versions.map((v: { version: string }) => v.version);
    const root = `/apis/certificates.k8s.io/${group[0]}/namespaces/default/podcertificaterequests`;
    const rule = (resources: string[], verbs: string[]) => ({ apiGroups: ["certificates.k8s.io"], resources, verbs });
    const write = rule(["podcertificaterequests", "podcertificaterequests/status"], ["get", "patch"]);
    const roles = {
      plain: [write],
      signer: [write, { ...rule(["signers"], ["sign"]), resourceNames: ["example.com/*"] }],
    };
    for (const [name, rules] of Object.entries(roles)) {
      await t.fetch(`${RBAC}/clusterroles`, { body: { metadata: { name }, rules } });
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name };
      const subjects = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name }];
      await t.fetch(`${RBAC}/clusterrolebindings`, { body: { metadata: { name }, roleRef, subjects } });
    }
    assert.equal((await t.fetch(root, { body: { ...object, metadata: { name: "r" } } })).status, 201);
    const answer = (name: string, body: unknown) =>
      t.fetch(`${root}/r/status`, { method: "PATCH", headers: MERGE, body }, { name, groups: [] });
    const refused = await answer("plain", { status });
    assert.deepEqual([refused.status, refused.body.details?.causes?.[0].field], [422, "spec.signerName"], refused.text);
    assert.equal((await answer("plain", { metadata: { labels: { a: "b" } } })).status, 200);
    assert.equal((await answer("signer", { status })).status, 200);
    await t.stop();
  });
}
