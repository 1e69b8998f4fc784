/** Whole numbers of 64 bits, which a client may send wherever the model has one. */
import assert from "node:assert/strict";
import { definition, DEFINITIONS, version } from "../customresources/_crd.ts";
import { ok, sharedServer } from "../spec/_spec.ts";

const server = sharedServer(["--feature-gates=CBORServingAndStorage=true"]);
const WIDEST = "9223372036854775807";

interface Case {
  readonly path: string;
  readonly name: string;
  /** `"W"` is sent as the widest number. */
  readonly body: object;
  /** How often an answer has it. */
  readonly shown: number;
}

const CASES: Readonly<Record<string, Case>> = {
  "items that are compared": {
    path: "/apis/node.k8s.io/v1/runtimeclasses",
    name: "wide",
    body: {
      handler: "h",
      scheduling: { tolerations: ["a", "b"].map((key) => ({ key, effect: "NoExecute", tolerationSeconds: "W" })) },
    },
    shown: 2,
  },
  "bounds of a definition's schema": {
    path: DEFINITIONS,
    name: "things.example.com",
    body: definition([version({ a: { type: "string", maxLength: "W" } })]),
    shown: 1,
  },
  "a generation that the kind does not count": {
    path: "/apis/storage.k8s.io/v1/storageclasses",
    name: "wide",
    body: { metadata: { generation: "W", finalizers: ["x.io/held"] }, provisioner: "x.io/p" },
    shown: 1,
  },
};

for (const [what, { path, name, body, shown }] of Object.entries(CASES)) {
  Deno.test({
    name: `wide numbers: ${what}`,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const t = await server();
      const { metadata } = body as { metadata?: object };
      const text = JSON.stringify({ ...body, metadata: { ...metadata, name } }).replaceAll('"W"', WIDEST);
      const numbers = (answer: string) => answer.split(WIDEST).length - 1;
      assert.equal(
        numbers((await ok(t, path, { body: text, headers: { "content-type": "application/json" } })).text),
        shown,
      );
      const read = await ok(t, `${path}/${name}`);
      assert.equal(numbers(read.text), shown);
      await ok(t, `${path}/${name}`, {
        method: "PUT",
        body: read.text,
        headers: { "content-type": "application/json" },
      });
      for (const accept of ["application/yaml", "application/vnd.kubernetes.protobuf", "application/cbor"]) {
        await ok(t, `${path}/${name}`, { headers: { accept } });
      }
      await ok(t, `${path}/${name}`, { method: "DELETE" });
    },
  });
}
