import assert from "node:assert/strict";
import { configMapFiles, downwardFiles } from "../../../agent/volumes/content.ts";
import type { VolumeSetup } from "../../../agent/volumes/plugin.ts";
import { projected } from "../../../agent/volumes/projected.ts";
import { podOf } from "./_fixture.ts";

const message = "files of the volume come to more than 268435456 bytes";

Deno.test("files of a volume have room for so much together, however often one object is named", async () => {
  const pod = podOf("u", {});
  pod.metadata!.annotations = { a: "a".repeat(200_000) };
  const setup = {
    ...{ pod, ref: { namespace: "default", name: "p", uid: "u" } },
    host: {
      gate: () => false,
      node: { allocatable: () => ({}) },
      objects: { configMap: () => Promise.resolve({ data: { k: "a".repeat(1_000_000) } }) },
    },
  } as unknown as VolumeSetup;
  const items = (count: number) => Array.from({ length: count }, (_, i) => ({ key: "k", path: `p${i}` }));
  const files = (count: number) =>
    configMapFiles({ name: "m", items: items(count), optional: false, defaults: {} }, setup);
  assert.equal((await files(268)).size, 268);
  await assert.rejects(files(269), { message });
  const sources = [{ configMap: { name: "m", items: items(200) } }, { configMap: { name: "m", items: items(200) } }];
  await assert.rejects((async () => await projected.setUp({ sources }, setup))(), { message });
  const fields = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ path: `f${i}`, fieldRef: { fieldPath: "metadata.annotations" } }));
  assert.equal(downwardFiles(fields(1300), {}, setup).size, 1300);
  assert.throws(() => downwardFiles(fields(1400), {}, setup), { message });
  const none = [{ path: "x", fieldRef: { fieldPath: "none" } }, { path: "y", fieldRef: { fieldPath: "nor" } }];
  assert.throws(() => downwardFiles(none, {}, setup), { message: /unsupported fieldPath: none.*fieldPath: nor/ });
});
