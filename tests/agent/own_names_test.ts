/** Objects that others named like the product keep their names: only the API's own words take the dialect. */
import assert from "node:assert/strict";
import { Registry } from "prom-client";
import { NodeClaims } from "../../agent/claims/mod.ts";
import { lookups } from "../../agent/lookups.ts";
import { withDirectory } from "../fixture/directory.ts";
import { realClock, withWorld, zeros } from "./client/_client.ts";

for (const dialect of ["kubernetes", "orch"] as const) {
  Deno.test(`a runtime class and a namespace are asked for by their names (${dialect})`, async () => {
    await withWorld(dialect, async ({ t, api, product }) => {
      const make = async (group: string, path: string, body: Record<string, unknown>) => {
        const { status, text } = await t.fetch(product.local(group) + path, { body });
        assert.ok(status === 201 || status === 409, text);
      };
      await make("/apis/node.k8s.io/v1", "/runtimeclasses", { metadata: { name: "kube-proxy" }, handler: "special" });
      assert.equal(await lookups(api, product).runtimeHandler("kube-proxy"), "special");
      await assert.rejects(lookups(api, product).runtimeHandler("none"), {
        message: `${product.local("runtimeclass.node.k8s.io")} "none" not found`,
      });

      await make("/api/v1", "/namespaces", { metadata: { name: "kube-system" } });
      await make("/apis/resource.k8s.io/v1", "/namespaces/kube-system/resourceclaims", {
        metadata: { name: "mine" },
        spec: { devices: { requests: [{ name: "one", exactly: { deviceClassName: "dev" } }] } },
      });
      const pod = {
        metadata: { namespace: "kube-system", name: "p", uid: "u" },
        spec: { containers: [], resourceClaims: [{ name: "c", resourceClaimName: "mine" }] },
      };
      await withDirectory(async (rootDir) => {
        const claims = new NodeClaims({ rootDir }, {
          api,
          product,
          nodeName: "n",
          metrics: new Registry(),
          clock: realClock,
          random: zeros,
          log: () => {},
          signal: new AbortController().signal,
          pods: () => [],
          changed: () => {},
          gate: () => false,
        });
        await assert.rejects(claims.prepare(pod), /pod p \(u\) is not allowed to use ResourceClaim mine/);
      });
    });
  });
}
