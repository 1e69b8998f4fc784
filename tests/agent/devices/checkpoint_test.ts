import assert from "node:assert/strict";
import { readCheckpoint, writeCheckpoint } from "../../../agent/devices/checkpoint.ts";

/** As the public agent writes it, with what its own code never leaves empty left empty. */
const PUBLIC =
  `{"Data":{"PodDeviceEntries":[{"PodUID":"uid-1","ContainerName":"c\\n\\"x","ResourceName":"example.com/gpu",` +
  `"DeviceIDs":{"-1":["d3"],"10":["d1","d2"],"2":[]},"AllocResp":"CgYKAWUSAWI="},` +
  `{"PodUID":"u2","ContainerName":"d","ResourceName":"r/x","DeviceIDs":null,"AllocResp":null}],` +
  `"RegisteredDevices":{"a.com/x":[],"b.com/x":null,"example.com/gpu":["a","b"]}},"Checksum":SUM}`;

Deno.test("devices: who has what is kept in the public agent's form, with its sum", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, PUBLIC.replace("SUM", "3953867845"));
  const kept = readCheckpoint(path)!;
  assert.deepEqual(Object.keys(kept.registered), ["a.com/x", "b.com/x", "example.com/gpu"]);
  const [first] = kept.entries;
  assert.deepEqual(first!.allocation.envs, { e: "b" });
  assert.deepEqual(Object.fromEntries(first!.byNode), { "-1": ["d3"], "10": ["d1", "d2"], "2": [] });
  writeCheckpoint(path, kept);
  assert.deepEqual(readCheckpoint(path), kept);
  writeCheckpoint(path, { entries: [], registered: {} });
  assert.equal(
    await Deno.readTextFile(path),
    '{"Data":{"PodDeviceEntries":null,"RegisteredDevices":{}},"Checksum":3467439661}',
  );
  await Deno.writeTextFile(path, PUBLIC.replace("SUM", "1"));
  assert.throws(() => readCheckpoint(path), /checkpoint is corrupted/);
  await Deno.remove(path);
  assert.equal(readCheckpoint(path), undefined);
});
