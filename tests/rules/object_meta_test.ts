import assert from "node:assert/strict";
import type { ObjectMeta } from "../../schema/model/types.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import {
  METADATA,
  nameFaults,
  type ObjectMetaOptions,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "../../schema/rules/object_meta.ts";

const good: ObjectMeta = { name: "x", namespace: "n", uid: "u", resourceVersion: "1" };
const texts = (e: ErrorList) => e.causes.map((c) => `${c.field} ${c.reason?.replace("FieldValue", "")}`).sort();

function create(change: Partial<ObjectMeta>, o: Partial<ObjectMetaOptions> = {}): string[] {
  const errors = new ErrorList();
  validateObjectMeta({ ...good, ...change }, { namespaced: true, ...o }, METADATA, errors);
  return texts(errors);
}
function update(old: Partial<ObjectMeta>, change: Partial<ObjectMeta>): string[] {
  const errors = new ErrorList();
  validateObjectMetaUpdate({ ...good, ...old, ...change }, { ...good, ...old }, METADATA, errors);
  return texts(errors);
}
const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "r", uid: "u" };

Deno.test("metadata of new objects", () => {
  const { namespace: _, ...clusterWide } = good;
  const errors = new ErrorList();
  validateObjectMeta(clusterWide, { namespaced: false }, METADATA, errors);
  assert.deepEqual(texts(errors), []);
  const cases: [Partial<ObjectMeta>, string[], Partial<ObjectMetaOptions>?][] = [
    [{}, []],
    [{ name: "" }, ["metadata.name Required"]],
    [{ name: "A" }, ["metadata.name Invalid"]],
    [{ name: "a.b" }, []],
    [{ name: "a.b" }, ["metadata.name Invalid"], { name: "dns1123Label" }],
    [{ name: "1a" }, ["metadata.name Invalid"], { name: "dns1035Label" }],
    [{ name: "A:b" }, [], { name: "path" }],
    [{ name: ".." }, ["metadata.name Invalid"], { name: "path" }],
    [{ generateName: "a-" }, []],
    [{ generateName: "Ab-" }, ["metadata.generateName Invalid"]],
    [{ namespace: "" }, ["metadata.namespace Required"]],
    [{ namespace: "a.b" }, ["metadata.namespace Invalid"]],
    [{}, ["metadata.namespace Forbidden"], { namespaced: false }],
    [{ generation: -1 }, ["metadata.generation Invalid"]],
    [{ labels: { "a/b/c": "" } }, ["metadata.labels Invalid"]],
    [{ labels: { a: "x".repeat(64) } }, ["metadata.labels Invalid"]],
    [{ annotations: { "Upper.Case/ok": "any text\n" } }, []],
    [{ annotations: { a: "x".repeat(2 ** 18) } }, ["metadata.annotations TooLong"]],
    [{ annotations: { a: "x".repeat(2 ** 18 - 1) } }, []],
    [{ annotations: { a: "水".repeat(2 ** 18 / 3) } }, []],
    [{ annotations: { a: "水".repeat(2 ** 18 / 3), b: "" } }, ["metadata.annotations TooLong"]],
    [{ ownerReferences: [owner] }, []],
    [{ ownerReferences: [{ ...owner, uid: "" }] }, ["metadata.ownerReferences.uid Invalid"]],
    [{ ownerReferences: [{ ...owner, apiVersion: "a/b/c" }] }, ["metadata.ownerReferences.apiVersion Invalid"]],
    [{ ownerReferences: [{ ...owner, apiVersion: "apps/" }] }, ["metadata.ownerReferences.apiVersion Invalid"]],
    [
      { ownerReferences: [{ ...owner, controller: true }, { ...owner, controller: true }] },
      ["metadata.ownerReferences Invalid"],
    ],
    [{ ownerReferences: [{ ...owner, apiVersion: "v1", kind: "Event" }] }, ["metadata.ownerReferences Invalid"]],
    [{ ownerReferences: [{ ...owner, apiVersion: "/v1", kind: "Event" }] }, ["metadata.ownerReferences Invalid"]],
    [{ ownerReferences: [{ ...owner, apiVersion: "events.k8s.io/v1", kind: "Event" }] }, []],
    [{ finalizers: ["a b"] }, ["metadata.finalizers Invalid"]],
    [{ finalizers: ["orphan", "foregroundDeletion"] }, ["metadata.finalizers Invalid"]],
    [{ finalizers: ["mine"] }, ["metadata.finalizers[0] Invalid"], { knownFinalizers: ["orphan"] }],
    [{ finalizers: ["a.io/mine"] }, [], { knownFinalizers: ["orphan"] }],
    [{ managedFields: [{ operation: "Apply", fieldsType: "FieldsV1" }] }, []],
    [
      { managedFields: [{ operation: "Apply", subresource: "s".repeat(257) }] },
      ["metadata.managedFields[0].subresource TooLong"],
    ],
    [
      { managedFields: [{ operation: "x" as "Apply", fieldsType: "y", manager: "m".repeat(129) }] },
      [
        "metadata.managedFields[0].fieldsType Invalid",
        "metadata.managedFields[0].manager TooLong",
        "metadata.managedFields[0].operation Invalid",
      ],
    ],
    [
      { managedFields: [{ operation: "Update", manager: "\u0001a\u0378" }] },
      ["metadata.managedFields[0].manager Invalid", "metadata.managedFields[0].manager Invalid"],
    ],
  ] as const;
  for (const [change, causes, o] of cases) {
    assert.deepEqual(create(change, o), causes, JSON.stringify(change).slice(0, 100));
  }
});

Deno.test("what cannot be seen in a value is told by its number", () => {
  const errors = new ErrorList();
  validateObjectMeta({ ...good, name: "a\u00a0b\x01" }, { namespaced: true }, METADATA, errors);
  assert.match(errors.causes[0]!.message!, /^Invalid value: "a\\u00a0b\\x01": /);
});

Deno.test("metadata of changed objects", () => {
  const gone = { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0, finalizers: ["a.io/b"] };
  const cases: [Partial<ObjectMeta>, Partial<ObjectMeta>, string[]][] = [
    [{}, { labels: { a: "b" } }, []],
    [{}, { uid: "v" }, ["metadata.uid Invalid"]],
    [{}, { name: "y", namespace: "m" }, ["metadata.name Invalid", "metadata.namespace Invalid"]],
    [{}, { resourceVersion: "" }, ["metadata.resourceVersion Invalid"]],
    [{ generation: 2 }, { generation: 1 }, ["metadata.generation Invalid"]],
    [gone, { finalizers: [] }, []],
    [gone, { finalizers: ["a.io/b", "a.io/c"] }, ["metadata.finalizers Forbidden"]],
    [gone, { deletionTimestamp: "2026-01-01T00:00:01Z" }, ["metadata.deletionTimestamp Invalid"]],
  ];
  for (const [old, change, causes] of cases) assert.deepEqual(update(old, change), causes, JSON.stringify(change));
});

Deno.test("names: rules of the caller's own, and prefixes of names", () => {
  assert.deepEqual(nameFaults((n, prefix) => [`${n} ${prefix}`], "x", true), ["x true"]);
  assert.deepEqual(nameFaults("dns1123Label", "a-", true), []);
  assert.equal(nameFaults("dns1123Label", "a-").length, 1);
});
