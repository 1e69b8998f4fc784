/** Images that nobody uses are taken away, when they must and may be; images of the node's status. */
import assert from "node:assert/strict";
import { type Runtime, RuntimeError, type RuntimeImage } from "../../../agent/runtime/types.ts";
import { PAUSE_IMAGE } from "../../fixture/busybox_image.ts";
import { containerdMissing, startContainerd } from "../../fixture/containerd.ts";
import { open } from "./_fixture.ts";
import { withDirectory } from "../../fixture/directory.ts";

/** A runtime with images of such sizes, of which some are in use, pinned, or cannot be taken away. */
function runtimeOf(
  sizes: Readonly<Record<string, number>>,
  { used = () => [], volumes = [], pinned = [], stuck = [] }: {
    used?: () => string[];
    /** Those that containers use as volumes. */
    volumes?: string[];
    pinned?: string[];
    stuck?: string[];
  } = {},
) {
  const there = new Map(Object.entries(sizes));
  const removed: string[] = [];
  const image = (id: string, size: number): RuntimeImage => ({
    id,
    size,
    repoTags: [`${id}:1`],
    repoDigests: ["a", "b", "c", "d", "e"].map((d) => `${id}@${d}`).slice(0, size),
    username: "",
    pinned: pinned.includes(id),
  });
  const runtime: Partial<Runtime> = {
    listImages: async () => [...there].map(([id, size]) => image(id, size)),
    listContainers: async () =>
      used().map((id) => ({ id, imageId: "", imageRef: volumes.includes(id) ? "other" : id }) as never),
    containerStatus: async (id) => {
      if (!used().includes(id)) throw new RuntimeError("NotFound", "gone");
      return { mounts: [{ hostPath: "/x" }, ...volumes.includes(id) ? [{ image: { image: id } }] : []] } as never;
    },
    imageFilesystems: async () => [{ timestamp: 0n, fsId: { mountpoint: "/images" } }],
    removeImage: async ({ image }) => {
      if (stuck.includes(image)) throw new Error(`${image} is stuck`);
      there.delete(image);
      removed.push(image);
    },
  };
  return { runtime: runtime as Runtime, removed, there };
}

const HOUR = 3_600_000;

Deno.test("images may go as soon as they are seen, where none must lie unused for any time", () =>
  withDirectory(async (rootDir) => {
    const { runtime, removed } = runtimeOf({ a: 40, b: 40 }, { used: () => ["b"], volumes: [], pinned: [] });
    const agent = await open(runtime, rootDir, { minimumImageTtlDuration: 0 });
    // Time goes on while it looks.
    agent.clock.ticks = () => agent.clock.at++;
    agent.disk = { capacity: 1000, available: 160 - 40 };
    await assert.rejects(agent.collector.collect(), /freed 40 bytes/);
    assert.deepEqual(removed, ["a"]);
    agent.end();
  }));

Deno.test("images go, the longest unused first, until the disk is at the low threshold", () =>
  withDirectory(async (rootDir) => {
    let used = ["b", "c"];
    const { runtime, removed } = runtimeOf({ a: 40, b: 40, c: 40, d: 40, pinned: 100, young: 100 }, {
      used: () => used,
      volumes: ["c"],
      pinned: ["pinned"],
    });
    const agent = await open(runtime, rootDir);
    await agent.collector.collect(); // all are seen for the first time
    agent.disk = { capacity: 1000, available: 150 };
    await assert.rejects(agent.collector.collect(), /Insufficient free disk space/); // too young
    assert.deepEqual(removed, []);
    agent.told();
    agent.clock.at += HOUR;
    used = ["c"];
    agent.disk = { capacity: 1000, available: 160 };
    await agent.collector.collect();
    assert.deepEqual(removed, []); // 84 %
    agent.clock.at += 1;
    used = [];
    agent.disk = { capacity: 1000, available: 80 };
    await agent.collector.collect(); // 120 bytes
    assert.deepEqual(removed, ["a", "d", "young"]);
    assert.deepEqual(agent.told(), []);

    await assert.rejects(agent.collector.collect(), (e: Error) => {
      assert.deepEqual(agent.told(), [`node Warning FreeDiskSpaceFailed ${e.message}`]);
      assert.match(e.message, /\(92% of 1000 B used\)\. Failed to free .* \(freed 80 bytes\)\. Investigate disk usage/);
      return true;
    });
    assert.deepEqual(removed.slice(3), ["b", "c"]);
    agent.disk = { capacity: 0, available: 0 };
    await assert.rejects(agent.collector.collect(), /invalid capacity 0 on image filesystem/);
    assert.match(agent.told()[0]!, /^node Warning InvalidDiskCapacity /);
    agent.end();
  }));

Deno.test("an image is used by its id, though its container goes meanwhile, and one that is gone is forgotten", () =>
  withDirectory(async (rootDir) => {
    const { runtime, removed } = runtimeOf({ a: 1, b: 1 });
    const listContainers = async () => [{ id: "gone", imageId: "a", imageRef: "a@sha256:1" } as never];
    const agent = await open({ ...runtime, listContainers }, rootDir, { minimumImageTtlDuration: 0 });
    const { pulled } = agent.collector.parts;
    for (const ref of ["a", "b", "c"]) await pulled.end(`x.example/${ref}:1`, ref, undefined);
    await agent.collector.collect();
    assert.deepEqual(pulled.refs, ["a", "b"]);
    agent.clock.at += 1;
    await agent.collector.deleteUnused();
    assert.deepEqual(removed, ["b"]);
    agent.end();
  }));

Deno.test("old images go whatever the disk, those that cannot be taken away are told", () =>
  withDirectory(async (rootDir) => {
    let used = ["used"];
    const { runtime, removed } = runtimeOf({ old: 1, used: 1, stuck: 1 }, { used: () => used, stuck: ["stuck"] });
    const agent = await open(runtime, rootDir, { imageMaximumGCAge: 24 * HOUR, imageGcHighThreshold: 100 });
    await agent.collector.collect();
    agent.clock.at += 24 * HOUR;
    await agent.collector.collect();
    assert.deepEqual(removed, []);
    agent.clock.at += 1;
    used = [];
    await assert.rejects(agent.collector.collect(), /older than 24h0m0s, encountered errors .*: stuck is stuck$/);
    assert.deepEqual(removed, ["old"]);
    await assert.rejects(agent.collector.deleteUnused(), /freed 1 bytes space with errors in image deletion: stuck is/);
    assert.deepEqual(removed, ["old", "used"]);
    agent.end();
  }));

Deno.test("the second failure in a row is an event of the node", () =>
  withDirectory(async (rootDir) => {
    const { runtime } = runtimeOf({});
    const agent = await open({ ...runtime, imageFilesystems: async () => [] }, rootDir);
    let rounds = 0;
    const ended = new AbortController();
    agent.clock.wait = async (ms) => {
      assert.equal(ms, 300_000);
      if (++rounds === 2) ended.abort();
    };
    await agent.collector.run(ended.signal);
    assert.deepEqual(agent.told(), ["node Warning ImageGCFailed the runtime does not say where images lie"]);
    agent.end();
  }));

Deno.test("the node's status shows the largest images, with five names each", () =>
  withDirectory(async (rootDir) => {
    const { runtime } = runtimeOf({ small: 1, large: 10, other: 1 });
    const agent = await open(runtime, rootDir);
    assert.deepEqual(agent.list.images(50), []);
    await agent.list.refresh();
    assert.deepEqual(agent.list.images(-1).map((i) => i.sizeBytes), [10, 1, 1]);
    assert.deepEqual(agent.list.images(2), [
      { names: ["large@a", "large@b", "large@c", "large@d", "large@e"], sizeBytes: 10 },
      { names: ["small@a", "small:1"], sizeBytes: 1 },
    ]);
    assert.deepEqual(agent.list.images(0), []);
    agent.end();
  }));

const missing = containerdMissing();
Deno.test({ name: `on containerd${missing ? `: ${missing}` : ""}`, ignore: missing !== undefined }, async () => {
  const containerd = await startContainerd();
  try {
    const runtime = containerd.runtime(), agent = await open(runtime, `${containerd.directory}/agent`);
    const config = { metadata: { name: "p", namespace: "n", uid: "u" }, logDirectory: containerd.directory };
    const sandbox = await runtime.runPodSandbox(config, "");
    const container = { metadata: { name: "c" }, image: { image: PAUSE_IMAGE }, logPath: "c" };
    await runtime.createContainer(sandbox, container, config);
    await agent.collector.collect();
    agent.clock.at += HOUR;
    await agent.collector.deleteUnused();
    await agent.list.refresh();
    assert.deepEqual(agent.list.images(-1).map((i) => i.names), [[PAUSE_IMAGE]]);
    agent.end();
  } finally {
    await containerd.stop();
  }
});
