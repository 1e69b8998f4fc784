import assert from "node:assert/strict";
import type { TestServer } from "../fixture/server.ts";
import {
  createMaps,
  maps,
  namesOf,
  namespace,
  ok,
  openWatch,
  refused,
  sharedServer,
  spec,
  told,
  withServer,
} from "./_spec.ts";

const server = sharedServer();

/** A namespace with a, b and c, made at known versions, and the version of the list now. */
async function three(t: TestServer) {
  const ns = await namespace(t);
  const versions = await createMaps(t, ns, "a", "b", "c");
  return { ns, path: maps(ns), versions, now: versions[2]! };
}

const gated = ["--feature-gates=ShardedListAndWatch=true"];

const shard = (start: string, end: string, field = "uid") =>
  `shardRange(object.metadata.${field}, '${start}', '${end}')`;

const HALF = "0x8000000000000000", LOW = "0x0000000000000000", TOP = "0x10000000000000000";

const sharded = (path: string, selector: string) => `${path}?shardSelector=${encodeURIComponent(selector)}`;

/** 64-bit FNV-1a, as its authors give it. */
function fnv1a(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash;
}

/** A server with the gate on and twenty config maps in a namespace. */
const withShards = (run: (t: TestServer, path: string) => Promise<void>) => () =>
  withServer(gated, async (t) => {
    const ns = await namespace(t);
    await createMaps(t, ns, ...Array.from({ length: 20 }, (_, i) => `m-${i + 10}`));
    await run(t, maps(ns));
  });

spec("Sharded list and watch (alpha, gate ShardedListAndWatch, default off)", {
  "rule 1": withShards(async (t, path) => {
    await ok(t, sharded(path, shard(LOW, HALF)));
    await ok(t, sharded(path, `( (${shard(LOW, HALF)}) || shardRange ${shard(HALF, TOP).slice("shardRange".length)})`));
    for (const bad of ["x", "(x", "shardRange(object.metadata.uid)", shard(LOW, HALF).slice(0, -1)]) {
      await refused(t, 400, sharded(path, bad));
    }
  }),
  "rule 2": withShards(async (t, path) => {
    await ok(t, sharded(path, shard(LOW, TOP, "uid")));
    await ok(t, sharded(path, shard(LOW, TOP, "namespace")));
    await refused(t, 400, sharded(path, shard(LOW, TOP, "name")));
  }),
  "rule 3": withShards(async (t, path) => {
    await ok(t, sharded(path, shard(LOW, TOP)));
    for (
      const [start, end] of [["0", HALF], [LOW, "0x1"], [LOW, "0x10000000000000001"], [LOW.replace("0x", "0X"), TOP]]
    ) {
      await refused(t, 400, sharded(path, shard(start!, end!)));
    }
    await refused(t, 400, sharded(path, shard(LOW, "0xABCDEFABCDEFABCD")));
  }),
  "rule 4": withShards(async (t, path) => {
    const all = (await ok(t, path)).body.items as { metadata: { name: string; uid: string } }[];
    const wanted = all.filter((i) => fnv1a(i.metadata.uid) < 1n << 63n).map((i) => i.metadata.name);
    assert.deepEqual(namesOf((await ok(t, sharded(path, shard(LOW, HALF)))).body), wanted);
    // The start is inclusive, the end exclusive.
    const hash = fnv1a(all[0]!.metadata.uid);
    const hex = (n: bigint) => `0x${n.toString(16).padStart(16, "0")}`;
    assert.deepEqual(namesOf((await ok(t, sharded(path, shard(hex(hash), hex(hash + 1n))))).body), [
      all[0]!.metadata.name,
    ]);
    assert.deepEqual(namesOf((await ok(t, sharded(path, shard(hex(hash - 1n), hex(hash))))).body), []);
  }),
  "rule 5": withShards(async (t, path) => {
    const joined = `${shard(LOW, HALF)} || ${shard(HALF, TOP)}`;
    assert.equal((await ok(t, sharded(path, joined))).body.items.length, 20);
    await refused(t, 400, sharded(path, `${shard(LOW, HALF)} || ${shard(HALF, TOP, "namespace")}`));
  }),
  "rule 6": withShards(async (t, path) => {
    const low = (await ok(t, sharded(path, shard(LOW, HALF)))).body;
    const high = (await ok(t, sharded(path, shard(HALF, TOP)))).body;
    assert.equal(low.metadata.shardInfo.selector, shard(LOW, HALF));
    assert.equal(low.items.length + high.items.length, 20);
    for (const as of ["Table", "PartialObjectMetadataList"]) {
      const headers = { accept: `application/json;as=${as};v=v1;g=meta.k8s.io` };
      const { body } = await ok(t, sharded(path, shard(LOW, HALF)), { headers });
      assert.deepEqual([(body.rows ?? body.items).length, body.metadata.shardInfo], [low.items.length, undefined], as);
    }
    const gone = await ok(t, `${sharded(path, shard(LOW, HALF))}&dryRun=All`, { method: "DELETE" });
    assert.deepEqual([namesOf(gone.body), gone.body.metadata.shardInfo], [namesOf(low), low.metadata.shardInfo]);
    const w = await openWatch(t, `${sharded(path, shard(HALF, TOP))}&watch=1`);
    assert.deepEqual(told(await w.take(high.items.length)), namesOf(high).map((n) => `ADDED ${n}`));
    await w.stop();
    // Beside each other, too, each hears of its own.
    const halves = [shard(LOW, HALF), shard(HALF, TOP)].map((of) => sharded(path, of));
    const query = `&watch=1&resourceVersion=${high.metadata.resourceVersion}`;
    const watches = await Promise.all(halves.map((half) => openWatch(t, half + query)));
    for (let i = 0; i < 9; i++) await ok(t, path, { body: { metadata: { name: `n-${i}` } } });
    for (const [i, half] of halves.entries()) {
      const added = namesOf((await ok(t, half)).body).filter((name) => name.startsWith("n-"));
      assert.deepEqual(told(await watches[i]!.take(added.length)), added.map((name) => `ADDED ${name}`));
      await watches[i]!.stop();
    }
  }),
  "rule 7": async () => {
    const t = await server(); // the gate is off
    const { path } = await three(t);
    const { body } = await ok(t, sharded(path, shard(LOW, "0x0000000000000001")));
    assert.deepEqual(namesOf(body), ["a", "b", "c"]);
    assert.equal(body.metadata.shardInfo, undefined);
    await ok(t, sharded(path, "nonsense"));
  },
});
