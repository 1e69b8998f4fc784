import assert from "node:assert/strict";
import type { Pod } from "../../../schema/api/core_v1.ts";
import { nestedMountPoints } from "../../../agent/volumes/nested.ts";

const nested = (...mounts: readonly (readonly [volume: string, path: string])[]) => {
  const volumeMounts = mounts.map(([name, mountPath]) => ({ name, mountPath }));
  return nestedMountPoints({ spec: { containers: [{ name: "c", volumeMounts }] } } as Pod, "v");
};

Deno.test("places of other volumes in a volume: the uppermost of each", () => {
  assert.deepEqual(nested(["v", "/a"], ["w", "/a/b/c"], ["x", "/a/b"], ["y", "/a/b-c"], ["z", "/a-b"]), ["b-c", "b"]);
  assert.deepEqual(nested(["v", "/a/"], ["w", "/a//b/"], ["v", "/c"], ["w", "/c/d"], ["v", "/c/d/e"]), ["b", "d"]);
  assert.deepEqual(nested(["w", "/a"], ["w", "/a/b"], ["v", "/"]), []);
  assert.throws(() => nested(["v", "../a"]), { message: "invalid container mount point ../a" });
  assert.deepEqual(nested(...Array.from({ length: 100_000 }, (_, i) => ["v", `/${i}`] as const)), []);
});
