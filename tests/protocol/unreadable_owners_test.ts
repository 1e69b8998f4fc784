/** Owners of fields that somebody sends and nobody can read. */
import assert from "node:assert/strict";
import { encodeObject } from "../../schema/codec/mod.ts";
import type { Obj } from "../../schema/model/types.ts";
import { startTestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const HEADERS = { "content-type": "application/vnd.kubernetes.protobuf", accept: "application/json" };

/** Of one length: one stands in the object as it is encoded, the other takes its place. */
const MARK = `{"f:data":{"f:place":{}}}`, UNREADABLE = ['{"f:data":{}} {"f:data":1', "{".repeat(25), "\x00".repeat(25)];

function replaced(bytes: Uint8Array, text: string): Uint8Array {
  const at = new TextDecoder("latin1").decode(bytes).indexOf(MARK);
  assert.ok(at > 0 && text.length === MARK.length);
  const out = bytes.slice();
  out.set(new TextEncoder().encode(text), at);
  return out;
}

Deno.test("fields that are no JSON, as only Protobuf can bring them, say nothing and let their object be", async () => {
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  const kind = s.server.catalog.scheme.kind("v1", "ConfigMap")!;
  const sent = (name: string, data: Loose, text: string): Uint8Array => {
    const entry = { manager: "m", operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1" };
    const metadata = { name, managedFields: [{ ...entry, fieldsV1: JSON.parse(MARK) }] };
    const obj = { apiVersion: "v1", kind: "ConfigMap", metadata, data } as Obj;
    return replaced(encodeObject(obj, kind, "protobuf"), text);
  };
  for (const [i, text] of UNREADABLE.entries()) {
    const made = await s.fetch(MAPS, { headers: HEADERS, body: sent(`a${i}`, { a: "b" }, text) });
    assert.equal(made.status, 201, made.text);
    const fields = (o: Loose) => o.metadata.managedFields.map((e: Loose) => e.fieldsV1["f:data"]);
    assert.deepEqual(fields(made.body), [{ ".": {}, "f:a": {} }]);
    const body = sent(`a${i}`, { a: "c", d: "e" }, text);
    const put = await s.fetch(`${MAPS}/a${i}`, { method: "PUT", headers: HEADERS, body });
    assert.equal(put.status, 200, put.text);
    assert.deepEqual(fields(put.body), [{ ".": {}, "f:a": {}, "f:d": {} }]);
  }
  await s.stop();
});
