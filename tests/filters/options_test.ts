/** Options that change what is stored and said. */
import assert from "node:assert/strict";
import { logger } from "../../server/log.ts";
import { served } from "./_server.ts";

const ENCODINGS: [string, RegExp][] = [
  ["application/json", /^\{/],
  ["application/yaml", /^[a-zA-Z]+:/],
  ["application/vnd.kubernetes.protobuf", /^k8s/],
];
for (const [type, start] of ENCODINGS) {
  Deno.test(`--storage-media-type=${type}`, () =>
    served([`--storage-media-type=${type}`], async (s) => {
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { k: "1" } };
      const path = "/api/v1/namespaces/default/configmaps";
      assert.equal((await s.fetch(path, { body })).status, 201);
      const stored = await s.backend.get("/registry/configmaps/default/a");
      assert.match(new TextDecoder().decode(stored!.value), start);
      assert.deepEqual((await s.fetch(`${path}/a`)).body.data, { k: "1" });
    }));
}

Deno.test("--kubernetes-service-node-port gives the API's service a node port", () =>
  served(["--kubernetes-service-node-port=30443"], async (s) => {
    const { spec } = (await s.fetch("/api/v1/namespaces/default/services/kubernetes")).body;
    assert.equal(spec.type, "NodePort");
    assert.equal(spec.ports[0].nodePort, 30443);
  }));

Deno.test("--logging-format: a text line, or one JSON object", () => {
  const lines: string[] = [];
  logger("text", () => 5, (l) => lines.push(l))("warn", "it broke", "why");
  logger("json", () => 5, (l) => lines.push(l))("info", "it works");
  assert.equal(lines[0], "warn: it broke: why");
  assert.deepEqual(JSON.parse(lines[1]!), { ts: 5, level: "info", msg: "it works" });
});
