import assert from "node:assert/strict";
import { type EtcdBackend, openEtcd } from "../../server/storage/etcd/mod.ts";
import { replay } from "../../server/storage/etcd/replay.ts";
import { type EtcdCluster, noEtcd, startEtcd } from "./etcd_server.ts";
import { startTestServer } from "../fixture/server.ts";
import { scanAll } from "../../server/storage/scan.ts";
import { suite } from "./suite.ts";
import { bytes, Follower, put, revisionError, type Site, storageError, text } from "./tools.ts";

const missing = await noEtcd();
let cluster: EtcdCluster | undefined;
let sites = 0;

if (missing) {
  // Skipped where no etcd can be started; the line below names what is missing.
  Deno.test({ name: "etcd (no etcd binary on this machine)", ignore: true, fn() {} });
  console.log(`etcd tests are skipped: ${missing}`);
} else {
  Deno.test.beforeAll(async () => {
    cluster = await startEtcd();
  });
  Deno.test.afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });
  suite({ name: "etcd", dense: false, create });
  more();
}

/** A store under a prefix of its own. */
async function create(): Promise<Site> {
  const prefix = `/test-${++sites}`;
  const open = () => openEtcd({ endpoints: cluster!.endpoints, prefix });
  let backend = await open();
  return {
    get backend() {
      return backend;
    },
    async reopen() {
      await backend.close();
      return backend = await open();
    },
    second: open,
    [Symbol.asyncDispose]: () => backend.close(),
  };
}

function more(): void {
  Deno.test("etcd: compaction by somebody else is known at the start, and learned whole from the first refusal", async () => {
    await using site = await create();
    await using other = await create();
    const start = await site.backend.revision();
    for (let i = 0; i < 50; i++) await put(other.backend, { key: "k/a", value: bytes(`${i}`) });
    const end = await other.backend.revision();
    await other.backend.compact(end - 10);
    await revisionError(site.backend.get("k/a", start), "compacted");
    assert.equal(site.backend.compacted(), end - 10);
    assert.equal(await site.backend.get("k/a", end - 10), undefined);
    await other.backend.compact(end);
    await site.backend.compact(end - 5);
    const again = await site.second!();
    assert.equal(again.compacted(), end);
    await again.close();
  });

  Deno.test("etcd: a server starts on a cluster that somebody else has compacted", async () => {
    await using other = await create();
    for (let i = 0; i < 30; i++) await put(other.backend, { key: "k/a", value: bytes(`${i}`) });
    await other.backend.compact(await other.backend.revision());
    await using site = await create();
    const server = await startTestServer(["--store-prefix=/x"], { backend: site.backend });
    assert.equal((await server.fetch("/readyz")).status, 200);
    await server.stop();
  });

  Deno.test("etcd: progress comes although what moved the revision is not the store's", async () => {
    await using site = await create();
    await using other = await create();
    await using follower = new Follower(site.backend, "k/", await site.backend.revision());
    for (let i = 0; i < 3; i++) {
      await put(other.backend, { key: "k/a", value: bytes(`${i}`) });
      await follower.until(await site.backend.revision());
    }
    assert.deepEqual(follower.told(), []);
  });

  Deno.test("etcd: objects lie where the public server has them", async () => {
    const backend = await openEtcd({ endpoints: cluster!.endpoints, prefix: "/registry", root: "/registry" });
    const raw = await openEtcd({ endpoints: cluster!.endpoints, prefix: "/registry/pods" });
    await put(backend, { key: "/registry/pods/default/a", value: bytes("1") });
    await backend.writeMeta("dialect", bytes("kubernetes"));
    assert.equal(text((await raw.get("default/a"))!.value), "1");
    assert.deepEqual((await backend.range("/registry/")).items.map((i) => i.key), ["/registry/pods/default/a"]);
    assert.deepEqual((await backend.range("")).items.map((i) => i.key), ["/registry/pods/default/a"]);
    assert.deepEqual((await backend.range("/elsewhere/")).items, []);
    await backend.close();
    await raw.close();
  });

  Deno.test("etcd: a reader that starts before what is in memory reads on from the log", async () => {
    await using site = await create();
    const start = await site.backend.revision();
    for (let i = 0; i < 30; i++) {
      await put(site.backend, { key: `k/${i % 4}`, value: bytes(`${i}`) }, { key: "o/1", value: bytes("another's") });
    }
    const fresh = await site.reopen!();
    await using follower = new Follower(fresh, "k/", start);
    await follower.until(await fresh.revision());
    await put(fresh, { key: "k/last", value: bytes("x") });
    assert.equal(follower.told().at(-1), "k/last=x");
    assert.deepEqual(follower.told().slice(0, -1), Array.from({ length: 30 }, (_, i) => `k/${i % 4}=${i}`));
  });

  Deno.test("etcd: a reader that goes before its part of the log is read leaves no watch open", async () => {
    const cluster = null as unknown as Parameters<typeof replay>[0];
    await replay(cluster, [bytes("a"), bytes("b")], 1, 2, () => {}, AbortSignal.abort());
  });

  Deno.test("etcd: what is too large for it is refused as such", async () => {
    await using site = await create();
    await storageError(site.backend.commit([{ key: "k/a", value: new Uint8Array(2_500_000) }]), "too-large");
    const many = Array.from({ length: 200 }, (_, i) => ({ key: `k/${i}`, value: bytes("x") }));
    await storageError(site.backend.commit(many), "too-large");
    assert.deepEqual((await site.backend.range("")).items, []);
  });

  Deno.test("etcd: a large commit comes whole by the watch", async () => {
    await using site = await create();
    await using follower = new Follower(site.backend, "k/", await site.backend.revision());
    const value = new Uint8Array(12_000).fill(7);
    const [revision] = await put(site.backend, ...Array.from({ length: 100 }, (_, i) => ({ key: `k/${i}`, value })));
    assert.equal(follower.revision >= revision!, true);
    assert.equal(follower.changes.length, 100);
  });

  Deno.test("etcd: a range of long values comes in short pages, each key once", async () => {
    await using site = await create();
    const value = new Uint8Array(200_000).fill(7);
    const keys = Array.from({ length: 80 }, (_, i) => `k/${i}`);
    for (const key of keys) await put(site.backend, { key, value });
    const { cluster } = site.backend as EtcdBackend, call = cluster.call, pages: number[] = [];
    cluster.call = async (rpc, request, options) => {
      const answer = await call.call(cluster, rpc, request, options);
      pages.push((answer as { kvs: unknown[] }).kvs.length);
      return answer as never;
    };
    const found: string[] = [];
    await scanAll(site.backend, "k/", (items) => void found.push(...items.map(({ key }) => key)));
    cluster.call = call;
    assert.deepEqual(found, keys.toSorted());
    assert.deepEqual(pages, [50, 20, 10]);
  });

  Deno.test("etcd: leases are shared", async () => {
    await using site = await create();
    const at = Date.now() + 3_600_000;
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => put(site.backend, { key: `e/${i}`, value: bytes("x"), expiresAt: at + i })),
    );
    const endpoint = cluster!.endpoints[0]!;
    const answer = await fetch(`${endpoint}/v3/kv/range`, {
      method: "POST",
      body: JSON.stringify({ key: btoa(`/test-${sites}/e/`), range_end: btoa(`/test-${sites}/e0`) }),
    });
    const { kvs } = await answer.json() as { kvs: { lease: string }[] };
    assert.equal(kvs.length, 50);
    assert(new Set(kvs.map((kv) => kv.lease)).size <= 3);
  });

  Deno.test("etcd: nobody there is told as such, in bounded time", async () => {
    await storageError(openEtcd({ endpoints: ["http://127.0.0.1:1"], prefix: "/x", openWithin: 500 }), "unavailable");
  });
}
