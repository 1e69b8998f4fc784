/** Corners of what is applied, and of who comes to own what by other writes. */
import assert from "node:assert/strict";
import type { Loose } from "../fixture/loose.ts";
import { APPLY, map, maps, MERGE, namespace, ok, patchOf, refused, sharedServer } from "../spec/_spec.ts";

const server = sharedServer();

const test = (name: string, fn: () => Promise<void>) =>
  Deno.test({ name: `applied: ${name}`, fn, sanitizeOps: false, sanitizeResources: false });
const managers = ({ metadata }: Loose): string[] => (metadata.managedFields ?? []).map((e: Loose) => e.manager);

test("who leaves out the metadata that it owned a part of leaves out the name", async () => {
  const t = await server(), ns = await namespace(t), path = `${maps(ns, "a")}?fieldManager=m`;
  const data = { k: "v" }, { metadata, ...rest } = map("a", data, { labels: { l: "1" } });
  await ok(t, path, patchOf(APPLY, { ...rest, metadata }));
  const { body } = await refused(t, 400, path, patchOf(APPLY, rest));
  assert.match(body.message, /name must be provided$/);
  assert.equal((await ok(t, path, patchOf(APPLY, { ...rest, metadata: {} }))).body.metadata.labels, undefined);
  await ok(t, path, patchOf(APPLY, rest)); // nothing of the metadata is its own any more
  await ok(t, path, patchOf(APPLY, { ...rest, metadata: null }));
});

test("what goes on with an object that is gone makes no other one of its name", async () => {
  const t = await server(), ns = await namespace(t), path = `${maps(ns, "a")}?fieldManager=m`;
  const again = map("a", { k: "v" }, { uid: "of-old" });
  const { body } = await refused(t, 409, path, patchOf(APPLY, again));
  assert.deepEqual([body.reason, body.message.includes("uid mismatch")], ["Conflict", true]);
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${ns}/leases/a`;
  await refused(t, 409, leases, { method: "PUT", body: { metadata: { name: "a", uid: "of-old" } } });
  for (const gone of [path, leases]) await refused(t, 404, gone);
});

test("a program's name is read as UTF-8", async () => {
  const t = await server(), ns = await namespace(t);
  // The runtime gives each byte of a header as a character.
  const agent = String.fromCharCode(...new TextEncoder().encode("été/1"));
  const { body } = await ok(t, maps(ns), { body: map("a", { k: "v" }), headers: { "user-agent": agent } });
  assert.deepEqual(managers(body), ["été"]);
});

test("owners in a version that is none own nothing, and nobody else does", async () => {
  const t = await server(), ns = await namespace(t);
  const entry = { manager: "x", operation: "Update", apiVersion: "a/b/c", fieldsType: "FieldsV1", fieldsV1: {} };
  const odd = { managedFields: [entry] };
  assert.deepEqual(managers((await ok(t, maps(ns), { body: map("a", { k: "v" }, odd) })).body), []);
  await ok(t, maps(ns, "a") + "?fieldManager=u", patchOf(MERGE, { data: { k: "w" } }));
  assert.deepEqual(
    managers((await ok(t, maps(ns, "a"), patchOf(MERGE, { metadata: odd, data: { z: "w" } }))).body),
    [],
  );
});

const UNREAD: readonly (readonly [body: string, message: RegExp])[] = [
  ["", /^invalid object type: \/, Kind=$/],
  ["null", /^invalid object type: \/, Kind=$/],
  ["[]", /^error decoding YAML: .*cannot unmarshal array into Go value of type map\[string\]interface \{\}$/],
  ['{"a"', /^error decoding YAML: error converting YAML to JSON: yaml: line 1: /],
];
test("what cannot be read is refused in known words", async () => {
  const t = await server(), ns = await namespace(t);
  for (const [body, message] of UNREAD) {
    assert.match(
      (await refused(t, 400, maps(ns, "a") + "?fieldManager=m", patchOf(APPLY, body))).body.message,
      message,
    );
  }
});
