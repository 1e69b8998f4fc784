/** Versions that are on their way out say so once the version that deprecates them is reached, and not before. */
import assert from "node:assert/strict";
import { withServer } from "../fixture/server.ts";

const ALL = ["--runtime-config=api/all=true", "--feature-gates=AllAlpha=true,AllBeta=true"];
const ROWS: readonly [path: string, warned: boolean][] = [
  ["/apis/resource.k8s.io/v1beta1/resourceclaims", true],
  ["/apis/resource.k8s.io/v1beta2/devicetaintrules", false],
  ["/apis/resource.k8s.io/v1alpha3/resourcepoolstatusrequests", false],
  ["/apis/lifecycle.k8s.io/v1alpha1/evictionrequests", false],
  ["/apis/scheduling.k8s.io/v1beta1/workloads", false],
];

Deno.test("lists of deprecated versions warn", () =>
  withServer(["--api-dialect=kubernetes", ...ALL], async ({ fetch }) => {
    for (const [path, warned] of ROWS) {
      const { status, headers } = await fetch(path);
      assert.equal(status, 200, path);
      assert.equal(headers.has("warning"), warned, path);
    }
  }));
