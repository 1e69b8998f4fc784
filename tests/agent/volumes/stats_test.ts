import assert from "node:assert/strict";
import type { Host, Plugin, Usage } from "../../../agent/volumes/plugin.ts";
import { treeUse, VolumeStats } from "../../../agent/volumes/stats.ts";
import { withDirectory } from "../../fixture/directory.ts";
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

Deno.test("a tree with a directory that is too large to be read is counted by the host", () =>
  withDirectory(async (dir) => {
    for (const name of ["a/b", "c"]) await Deno.mkdir(`${dir}/${name}`, { recursive: true });
    await Deno.writeTextFile(`${dir}/a/b/file`, "x".repeat(10_000));
    await Deno.link(`${dir}/a/b/file`, `${dir}/c/same`);
    await Deno.symlink(dir, `${dir}/c/link`);
    const read = await treeUse(dir), said = await treeUse(dir, 0);
    assert.deepEqual(said, read);
    assert.equal(read.inodesUsed, 6);
    assert.ok(read.usedBytes >= 10_000);
    await assert.rejects(treeUse(`${dir}/none`, 0));
  }));
