/** Labels that the agent gives its node. */
import assert from "node:assert/strict";
import { initialLabels } from "../../../agent/node/labels.ts";
import { productOf } from "../../../schema/product.ts";

for (const dialect of ["kubernetes", "orch"] as const) {
  Deno.test(`a host is called by its own name whatever it is, dialect ${dialect}`, () => {
    const product = productOf(dialect);
    for (const name of ["kubernetes", "kube-proxy", "a.k8s.io"]) {
      assert.equal(initialLabels(product, name, {})[product.local("kubernetes.io/hostname")], name);
    }
  });
}
