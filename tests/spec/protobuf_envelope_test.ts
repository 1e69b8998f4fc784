import assert from "node:assert/strict";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import type { TestServer } from "../fixture/server.ts";
import { createMaps, maps, namespace, sharedServer, spec } from "./_spec.ts";

const server = sharedServer();

const PROTOBUF = "application/vnd.kubernetes.protobuf";

/** Fields of a message by number. */
function fields(bytes: Uint8Array): Map<number, Uint8Array> {
  const reader = new BinaryReader(bytes);
  const out = new Map<number, Uint8Array>();
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    assert.equal(wire, 2, `field ${number}`);
    out.set(number, reader.bytes());
  }
  return out;
}

/** A body in Protobuf: its envelope without the prefix. */
async function envelope(t: TestServer, path: string): Promise<Map<number, Uint8Array>> {
  const response = await t.server.app.fetch(new Request(`https://test${path}`, { headers: { accept: PROTOBUF } }));
  assert.equal(response.headers.get("content-type"), PROTOBUF);
  const bytes = new Uint8Array(await response.arrayBuffer());
  assert.deepEqual([...bytes.subarray(0, 4)], [0x6b, 0x38, 0x73, 0x00]);
  return fields(bytes.subarray(4));
}

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

spec("Protobuf envelope", {
  "Unknown | typeMeta": async () => {
    const t = await server();
    const type = fields((await envelope(t, "/api/v1/namespaces/default")).get(1)!);
    assert.deepEqual([...type.keys()], [1, 2]);
  },
  "Unknown | raw": async () => {
    const t = await server();
    // Field 1 of a namespace is its metadata, whose field 1 is the name.
    const raw = (await envelope(t, "/api/v1/namespaces/default")).get(2)!;
    assert.equal(text(fields(raw).get(1)!).includes("default"), true);
    // What is read is written back whole.
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    const url = `https://test${maps(ns, "a")}`;
    const got = await t.server.app.fetch(new Request(url, { headers: { accept: PROTOBUF } }));
    const put = { method: "PUT", headers: { "content-type": PROTOBUF }, body: await got.arrayBuffer() };
    assert.equal((await t.server.app.fetch(new Request(url, put))).status, 200);
  },
  "Unknown | contentEncoding": async () => {
    const t = await server();
    assert.equal(text((await envelope(t, "/api/v1/namespaces/default")).get(3)), "");
  },
  "Unknown | contentType": async () => {
    const t = await server();
    assert.equal(text((await envelope(t, "/api/v1/namespaces/default")).get(4)), "");
  },
  "TypeMeta | apiVersion": async () => {
    const t = await server();
    const type = fields((await envelope(t, "/apis/apps/v1/deployments")).get(1)!);
    assert.equal(text(type.get(1)), "apps/v1");
  },
  "TypeMeta | kind": async () => {
    const t = await server();
    const type = fields((await envelope(t, "/apis/apps/v1/deployments")).get(1)!);
    assert.equal(text(type.get(2)), "DeploymentList");
  },
});
