/** Options that change what is stored and said. */
import assert from "node:assert/strict";
import { logger } from "../../schema/log/log.ts";
import { oneStream } from "../../schema/log/streams.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
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

Deno.test("--storage-media-type: what rests in another one is read, and stays until it really changes", async () => {
  const backend = memoryBackend({});
  const path = "/api/v1/namespaces/default/configmaps", one = `${path}/a`;
  const rests = async () => new TextDecoder().decode((await backend.get("/registry/configmaps/default/a"))!.value);
  await served([], async (s) => {
    assert.equal((await s.fetch(path, { body: { metadata: { name: "a" }, data: { k: "1" } } })).status, 201);
  }, { backend });
  await served(["--storage-media-type=application/json"], async (s) => {
    const { body } = await s.fetch(one);
    const same = await s.fetch(one, { method: "PUT", body });
    assert.deepEqual(same.body, body);
    assert.match(await rests(), /^k8s/);
    const changed = await s.fetch(one, { method: "PUT", body: { ...body, data: { k: "2" } } });
    assert.equal(changed.status, 200);
    assert.match(await rests(), /^\{/);
  }, { backend });
});

Deno.test("--kubernetes-service-node-port gives the API's service a node port", () =>
  served(["--kubernetes-service-node-port=30443"], async (s) => {
    const { spec } = (await s.fetch("/api/v1/namespaces/default/services/kubernetes")).body;
    assert.equal(spec.type, "NodePort");
    assert.equal(spec.ports[0].nodePort, 30443);
  }));

Deno.test("--logging-format: a text line, or one JSON object", () => {
  const lines: string[] = [];
  const streams = oneStream((l) => lines.push(l));
  logger("text", () => 5, streams)("warn", "it broke", "why");
  logger("json", () => 5, streams)("info", "it works");
  assert.equal(lines[0], "warn: it broke: why");
  assert.deepEqual(JSON.parse(lines[1]!), { ts: 5, level: "info", msg: "it works" });
});

Deno.test("versions that objects rest in are told by discovery where the gate StorageVersionHash is on", async () => {
  for (const on of [true, false]) {
    await served([`--feature-gates=StorageVersionHash=${on}`], async (s) => {
      const { resources } = (await s.fetch("/api/v1")).body;
      const { storageVersionHash } = resources.find(({ name }: { name: string }) => name === "configmaps");
      assert.equal(storageVersionHash !== undefined, on);
    });
  }
});
