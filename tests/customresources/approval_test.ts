import assert from "node:assert/strict";
import type { Loose } from "../fixture/loose.ts";
import { startTestServer } from "../fixture/server.ts";
import { define, definition, DEFINITIONS, patch, until, version } from "./_crd.ts";

const KEY = "api-approved.kubernetes.io", TYPE = "KubernetesAPIApprovalPolicyConformant";
const CRD = `${DEFINITIONS}/things.x.k8s.io`;

const said = (d: Loose): string | undefined => {
  const c = d.status?.conditions?.find((x: Loose) => x.type === TYPE);
  return c && `${c.status} ${c.reason}`;
};

Deno.test("definitions in a domain of the project say whether they were agreed on", async () => {
  const s = await startTestServer([]);
  const d = definition([version({})], { group: "x.k8s.io" });
  await define(s, { ...d, metadata: { name: "things.x.k8s.io", annotations: { [KEY]: "https://example.com/1" } } });
  assert.equal(said((await s.fetch(CRD)).body), "True ApprovedAnnotation");
  await patch(s, CRD, { metadata: { annotations: { [KEY]: "unapproved, for a test" } } });
  const now = await until(() => s.fetch(CRD), (a) => said(a.body) !== "True ApprovedAnnotation");
  assert.equal(said(now.body), "False UnapprovedAnnotation");
  await define(s, definition([version({})]));
  assert.equal(said((await s.fetch(`${DEFINITIONS}/things.example.com`)).body), undefined);
  await s.stop();
});
