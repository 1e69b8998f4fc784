import assert from "node:assert/strict";
import type { Host, Plugin, Usage } from "../../../agent/volumes/plugin.ts";
import { VolumeStats } from "../../../agent/volumes/stats.ts";
import { partsOf, podOf, StandingClock } from "./_fixture.ts";

Deno.test("a volume that does not answer keeps nobody waiting, and is not asked again while it does not", async () => {
  const clock = new StandingClock(), stats = new VolumeStats(60_000, partsOf(undefined, clock) as unknown as Host);
  const asked: PromiseWithResolvers<Usage>[] = [];
  const plugin = { use: () => asked[asked.push(Promise.withResolvers<Usage>()) - 1]!.promise };
  const pod = podOf("u", { volumes: [{ name: "v" }] });
  const made = new Map([["v", {
    plugin: plugin as unknown as Plugin<unknown>,
    mounted: { path: "/v", readOnly: false },
  }]]);
  const use = (usedBytes: number) => ({
    availableBytes: 0,
    capacityBytes: 0,
    usedBytes,
    inodes: 0,
    inodesFree: 0,
    inodesUsed: 0,
  });
  const figures = async () => (await stats.of(pod, made)).map((v) => v.usedBytes);
  const first = figures();
  clock.advance(5_000);
  assert.deepEqual(await first, []);
  clock.advance(600_000);
  assert.deepEqual(await figures(), []);
  assert.equal(asked.length, 1);
  asked[0]!.resolve(use(1));
  await new Promise((rest) => setTimeout(rest));
  const second = figures();
  clock.advance(5_000);
  assert.deepEqual(await second, [1]);
  assert.equal(asked.length, 2);
});
