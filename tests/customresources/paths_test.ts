/** Paths of custom resources, and of what is none (specification, "Path shapes"). */
import assert from "node:assert/strict";
import { startTestServer } from "../fixture/server.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
const SCALE = { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" };
const DEFINITION = {
  metadata: { name: "gadgets.paths.example" },
  spec: {
    group: "paths.example",
    scope: "Namespaced",
    names: { plural: "gadgets", kind: "Gadget" },
    versions: [{ name: "v1", served: true, storage: true, schema, subresources: { scale: SCALE } }],
  },
};

const GADGETS = "/apis/paths.example/v1/namespaces/default/gadgets";
const ROWS: readonly [route: string, status: number, type: string][] = [
  ["GET /apis/paths.example/v1/gadgets", 200, "application/json"],
  ["POST /apis/paths.example/v1/gadgets", 404, "text/plain"],
  ["GET /apis/paths.example/v1/gadgets/a", 404, "text/plain"],
  ["GET /apis/paths.example/v1/gadgets/a?watch=1&timeoutSeconds=-1", 404, "text/plain"],
  ["GET /apis/paths.example/v1/watch/gadgets/a?timeoutSeconds=-1", 200, "application/json"],
  [
    "GET /apis/paths.example/v1/gadgets?watch=1&timeoutSeconds=-1&fieldSelector=metadata.name%3Da",
    200,
    "application/json",
  ],
  ["GET /apis/paths.example/v1/others", 404, "text/plain"],
  ["GET /apis/paths.example/v2", 404, "text/plain"],
  ["POST /apis/paths.example/v1", 200, "application/json"],
  [`PUT ${GADGETS}`, 400, "application/json"],
  [`OPTIONS ${GADGETS}`, 405, "application/json"],
  ["GET /apis/paths.example/v1/namespaces//gadgets", 200, "application/json"],
  ["PUT /apis/paths.example/v1/namespaces//gadgets/a", 404, "text/plain"],
  ["POST /apis/paths.example//", 200, "application/json"],
  [`GET ${GADGETS}/a//nothing`, 404, "application/json"],
  ["GET /apis/paths.example/v1/watch/namespaces/default/gadgets/a/scale", 405, "application/json"],
  [`GET ${GADGETS}/a/status`, 404, "application/json"],
];

Deno.test("custom resources have their paths, others are pages that are not found", async () => {
  const server = await startTestServer(["--authorization-mode=AlwaysAllow"]);
  try {
    await server.fetch(DEFINITIONS, { method: "POST", body: DEFINITION });
    while ((await server.fetch(GADGETS)).status !== 200) await new Promise((done) => setTimeout(done, 10));
    for (const [route, status, type] of ROWS) {
      const [method, path] = route.split(" ") as [string, string];
      const answer = await server.open(path, { method }), text = await answer.text();
      assert.equal(answer.status, status, route);
      assert.ok(answer.headers.get("content-type")!.startsWith(type), route);
      if (path.endsWith("/status")) {
        assert.deepEqual(JSON.parse(text).details, { name: "a", group: "paths.example", kind: "gadgets" });
      }
    }
  } finally {
    await server.stop();
  }
});
