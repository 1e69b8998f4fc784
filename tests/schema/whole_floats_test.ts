/** Whole numbers written as floats: refused where an integer is due, taken elsewhere. */
import assert from "node:assert/strict";
import { markedCborFloats, parseCbor } from "../../schema/codec/cbor.ts";
import { encodeCbor } from "../../schema/codec/cbor_write.ts";
import { markedFloats } from "../../schema/codec/json.ts";
import { decodeBody } from "../../schema/codec/mod.ts";
import { scheme } from "./_kinds.ts";

const marked = markedFloats;

Deno.test("whole floats: told from whole numbers, with their texts", () => {
  assert.deepEqual(marked('{"a":2.0,"b":[1e3,7],"c":2.5}'), {
    tree: { a: 0.5, b: [1.5, 7], c: 2.5 },
    texts: ["2.0", "1e3"],
  });
  assert.deepEqual(marked("[2.0]"), { tree: [0.5], texts: ["2.0"] });
  assert.deepEqual(marked("[2.0,1e3,2.0]"), { tree: [0.5, 1.5, 0.5], texts: ["2.0", "1e3"] });
});

Deno.test("whole floats: texts without them, strings that look so included, are left alone", () => {
  for (const text of ['{"a":2}', '{"a":"b: 2.0, 1e3 "}', '{"a":[0.5,1.25]}', "null"]) {
    assert.equal(marked(text), undefined);
  }
});

Deno.test("whole floats in CBOR: told from whole numbers", () => {
  // {"a": 2.0 (half), "b": 2, "c": 2.5 (half)}
  const item = Uint8Array.fromHex("a36161f940006162026163f94100");
  assert.deepEqual(parseCbor(item), { tree: { a: 2, b: 2, c: 2.5 }, duplicates: [], wholeFloats: true });
  assert.deepEqual(markedCborFloats(item), { a: 0.5, b: 2, c: 2.5 });
});

Deno.test("whole floats: an integer is not written as one, in JSON or in CBOR", () => {
  const body = { apiVersion: "apps/v1", kind: "Deployment", spec: { replicas: 1.5 } };
  const json = new TextEncoder().encode(JSON.stringify(body).replace("1.5", "2.0"));
  const cbor = Uint8Array.fromHex(encodeCbor(body).toHex().replace("f93e00", "f94000"));
  for (const [media, bytes] of [["json", json], ["cbor", cbor]] as const) {
    assert.throws(() => decodeBody(scheme, bytes, media, { strict: false }), /cannot unmarshal number/, media);
  }
});
