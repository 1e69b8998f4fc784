/** Resources that are served while their gate is on alone, whatever `--runtime-config` says. */
import assert from "node:assert/strict";
import { withServer } from "../fixture/server.ts";

const ALL = ["--api-dialect=kubernetes", "--runtime-config=api/all=true"];

/** Path and gate. */
type Rows = readonly (readonly [string, string])[];
const ROWS: Rows = [
  ["/apis/scheduling.k8s.io/v1beta1/podgroups", "GenericWorkload"],
  ["/apis/scheduling.k8s.io/v1beta1/workloads", "GenericWorkload"],
  ["/apis/scheduling.k8s.io/v1alpha3/compositepodgroups", "CompositePodGroup"],
  ["/apis/lifecycle.k8s.io/v1alpha1/evictionrequests", "EvictionRequestAPI"],
];
/** Of versions before 1.37 alone. */
const BEFORE: Rows = [
  ["/apis/certificates.k8s.io/v1beta1/clustertrustbundles", "ClusterTrustBundle"],
  ["/apis/certificates.k8s.io/v1beta1/podcertificaterequests", "PodCertificateRequest"],
  ["/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations", "StorageVersionMigrator"],
];

const on = (rows: Rows) => `--feature-gates=AllBeta=true,${rows.map(([, gate]) => `${gate}=true`).join()}`;
const answered = (code: number, rows: Rows, ...flags: string[]) =>
  withServer([...ALL, ...flags], async ({ fetch }) => {
    for (const [path] of rows) assert.equal((await fetch(path)).status, code, path);
  });

Deno.test("gated resources are served while their gate is on", async () => {
  await answered(404, ROWS);
  await answered(200, ROWS, on(ROWS));
});

Deno.test("what lost its gate is served without it from then on", async () => {
  const older = "--emulated-version=1.36";
  await answered(200, BEFORE);
  await answered(404, BEFORE, older);
  await answered(200, BEFORE, older, on(BEFORE));
});
