/** Resources that are served while their gate is on alone, whatever `--runtime-config` says. */
import assert from "node:assert/strict";
import { withServer } from "../fixture/server.ts";

const ALL = ["--api-dialect=kubernetes", "--runtime-config=api/all=true"];
const ROWS: readonly [path: string, gate: string][] = [
  ["/apis/scheduling.k8s.io/v1beta1/podgroups", "GenericWorkload"],
  ["/apis/scheduling.k8s.io/v1beta1/workloads", "GenericWorkload"],
  ["/apis/scheduling.k8s.io/v1alpha3/compositepodgroups", "CompositePodGroup"],
  ["/apis/lifecycle.k8s.io/v1alpha1/evictionrequests", "EvictionRequestAPI"],
];

const codes = (code: number, ...flags: string[]) =>
  withServer([...ALL, ...flags], async ({ fetch }) => {
    for (const [path] of ROWS) assert.equal((await fetch(path)).status, code, path);
  });

Deno.test("gated resources are served while their gate is on", async () => {
  await codes(404);
  const gates = new Set(ROWS.map(([, gate]) => `${gate}=true`));
  await codes(200, `--feature-gates=${[...gates].join()},AllBeta=true`);
});
