import assert from "node:assert/strict";
import type { VolumeMount } from "../../../schema/api/core_v1.ts";
import { mountsOf } from "../../../agent/pods/mounts.ts";

Deno.test("mounts are read-only all the way down where the runtime can do that", async () => {
  const of = async (more: Partial<VolumeMount>, recursiveReadOnly: boolean) => {
    const [mount] = await mountsOf({
      container: { name: "main", volumeMounts: [{ name: "data", mountPath: "data", readOnly: true, ...more }] },
      volumes: new Map([["data", { path: "/pods/data", readOnly: false }]]),
      environment: [],
      podDirectory: "/pods",
      subPath: () => Promise.reject(new Error("not asked for")),
      hostsFile: undefined,
      recursiveReadOnly,
      mark: "1",
    });
    return mount!.recursiveReadOnly;
  };
  assert.equal(await of({}, true), false);
  for (const can of [true, false]) assert.equal(await of({ recursiveReadOnly: "IfPossible" }, can), can);
  assert.equal(await of({ recursiveReadOnly: "Enabled", mountPropagation: "None" }, true), true);
  const wrong = (more: Partial<VolumeMount>, can: boolean, why: RegExp) =>
    assert.rejects(of({ recursiveReadOnly: "Enabled", ...more }, can), why);
  await wrong(
    {},
    false,
    /^Error: failed to resolve recursive read-only mode: volume "data" .* supported by the runtime/,
  );
  await wrong({ readOnly: false }, true, /but it is not read-only$/);
  await wrong({ mountPropagation: "HostToContainer" }, true, /not compatible with propagation "HostToContainer"$/);
});
