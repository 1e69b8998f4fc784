/** Members that die, stop and come back; TLS; a gRPC-web proxy between. */
import assert from "node:assert/strict";
import { openEtcd } from "../../server/storage/etcd/mod.ts";
import { noEtcd, startEtcd } from "../storage/etcd_server.ts";
import { certificates } from "../storage/certificates.ts";
import { webProxy } from "../storage/web_proxy.ts";
import { bytes, Follower, put, storageError, text } from "../storage/tools.ts";
import type { StorageError } from "../../server/storage/backend.ts";

const missing = await noEtcd();
if (missing) console.log(`etcd fault tests are skipped: ${missing}`);

function test(name: string, run: () => Promise<void>): void {
  Deno.test({ name: `etcd: ${name}`, ignore: missing !== undefined, fn: run });
}

/** Writes numbers under keys of its own until told to stop; knows what was acknowledged, and what may have happened. */
class Load {
  readonly acknowledged = new Map<string, number>();
  readonly doubtful = new Map<string, number>();
  readonly #writers: Promise<void>[];
  failures = 0;
  stopped = false;

  constructor(readonly backend: Awaited<ReturnType<typeof openEtcd>>, writers: number) {
    this.#writers = Array.from({ length: writers }, (_, i) => this.#write(`k/${i}`));
  }

  async #write(key: string): Promise<void> {
    let expect = 0;
    for (let n = 1; !this.stopped; n++) {
      try {
        const result = await this.backend.commit([{ key, value: bytes(`${n}`), expect }]);
        if (result.ok) {
          expect = result.revisions[0]!;
          this.acknowledged.set(key, n);
        } else {
          // Only a write whose outcome was not known can stand in the way: nobody else writes this key.
          assert(this.doubtful.has(key), `${key}: refused with ${text(result.current?.value)}`);
          expect = result.current?.revision ?? 0;
          n = Math.max(n, Number(text(result.current?.value)));
        }
      } catch (error) {
        await storageError(Promise.reject(error), "unavailable", "unknown");
        this.failures++;
        if ((error as StorageError).kind === "unknown") this.doubtful.set(key, n);
      }
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.#writers);
  }

  /** Every acknowledged number is there, or a later one; the follower was told what stands, in order. */
  async judge(follower: Follower): Promise<void> {
    await follower.until(await this.backend.revision());
    for (const [key, last] of this.acknowledged) {
      const there = await this.backend.get(key);
      assert(Number(text(there!.value)) >= last, `${key}: ${text(there!.value)} after ${last} was acknowledged`);
      const told = follower.changes.filter((change) => change.key === key);
      assert.deepEqual(told.at(-1)!.value, there!.value);
      const numbers = told.map((change) => Number(text(change.value)));
      assert.deepEqual(numbers, numbers.toSorted((a, b) => a - b));
      assert.equal(new Set(told.map((change) => change.revision)).size, told.length);
    }
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("a member of three is killed again and again: nothing acknowledged is lost, the watch goes on", async () => {
  await using cluster = await startEtcd(3);
  const backend = await openEtcd({ endpoints: cluster.endpoints, prefix: "/t" });
  const follower = new Follower(backend, "k/", await backend.revision());
  const load = new Load(backend, 8);
  for (let round = 0; round < 10; round++) {
    await pause(150);
    await cluster.kill(round % 3);
    await pause(150);
    await cluster.start(round % 3);
  }
  await pause(500);
  await load.stop();
  assert(load.acknowledged.size > 0);
  await load.judge(follower);
  await follower[Symbol.asyncDispose]();
  await backend.close();
});

test("all members are killed and come back: writes fail, then go on", async () => {
  await using cluster = await startEtcd(3);
  const backend = await openEtcd({ endpoints: cluster.endpoints, prefix: "/t" });
  const follower = new Follower(backend, "k/", await backend.revision());
  const load = new Load(backend, 4);
  await pause(300);
  await Promise.all([0, 1, 2].map((i) => cluster.kill(i)));
  const signal = AbortSignal.timeout(300);
  await storageError(backend.health(signal), "unavailable");
  await Promise.all([0, 1, 2].map((i) => cluster.start(i)));
  await put(backend, { key: "k/after", value: bytes("0") });
  await load.stop();
  await load.judge(follower);
  await follower[Symbol.asyncDispose]();
  await backend.close();
});

test("a member that stops answering is left for another", async () => {
  await using cluster = await startEtcd(3);
  const backend = await openEtcd({ endpoints: cluster.endpoints, prefix: "/t" });
  await put(backend, { key: "k/a", value: bytes("1") });
  cluster.signal(0, "SIGSTOP");
  const result = await backend.commit([{
    key: "k/a",
    value: bytes("2"),
    expect: (await backend.get("k/a"))!.revision,
  }]);
  assert(result.ok);
  cluster.signal(0, "SIGCONT");
  await backend.close();
});

test("a reader that was cut off for longer than history is kept starts again", async () => {
  await using cluster = await startEtcd();
  const proxy = webProxy(cluster.endpoints[0]!);
  const away = await openEtcd({ endpoints: [`grpc-web+${proxy.url}`], prefix: "/t" });
  const here = await openEtcd({ endpoints: cluster.endpoints, prefix: "/t" });
  const follower = new Follower(away, "k/", await away.revision());
  proxy.cut(true);
  for (let i = 0; i < 20; i++) await put(here, { key: "k/a", value: bytes(`${i}`) });
  await here.compact(await here.revision());
  proxy.cut(false);
  await follower.ended();
  assert.equal((follower.error as Error).name, "RevisionError");
  await using again = new Follower(away, "k/", (await away.range("k/")).revision);
  await put(here, { key: "k/a", value: bytes("new") });
  await again.until(await away.revision());
  assert.deepEqual(again.told(), ["k/a=new"]);
  await here.close();
  await away.close();
  await proxy.close();
});

test("over gRPC-web: commits, ranges, changes, refusals", async () => {
  await using cluster = await startEtcd();
  const proxy = webProxy(cluster.endpoints[0]!);
  const backend = await openEtcd({ endpoints: [`grpc-web+${proxy.url}`], prefix: "/t" });
  const follower = new Follower(backend, "k/", await backend.revision());
  const [first] = await put(backend, { key: "k/a", value: bytes("1"), expect: 0 });
  await put(backend, { key: "k/b", value: new Uint8Array(200_000).fill(3) });
  assert.equal((await backend.commit([{ key: "k/a", value: null, expect: 1 }])).ok, false);
  await put(backend, { key: "k/a", value: null, expect: first! });
  await follower.until(await backend.revision());
  assert.deepEqual(follower.changes.map((c) => `${c.key} ${c.value?.length}`), [
    "k/a 1",
    "k/b 200000",
    "k/a undefined",
  ]);
  assert.deepEqual((await backend.range("k/")).items.map((i) => i.key), ["k/b"]);
  await storageError(backend.commit([{ key: "k/c", value: new Uint8Array(2_500_000) }]), "too-large");
  await follower[Symbol.asyncDispose]();
  await backend.close();
  await proxy.close();
});

test("with TLS and client certificates, which are read again when they change", async () => {
  const pki = await certificates();
  await using cluster = await startEtcd(1, pki.server);
  await storageError(
    openEtcd({ endpoints: cluster.endpoints, prefix: "/t", tls: { ca: pki.ca }, openWithin: 1_000 }),
    "unavailable",
  );
  let tls = pki.client(1);
  const backend = await openEtcd({ endpoints: cluster.endpoints, prefix: "/t", tls: () => tls });
  await put(backend, { key: "k/a", value: bytes("1") });
  tls = pki.client(2);
  await backend.cluster.refresh();
  await put(backend, { key: "k/a", value: bytes("2") });
  await using follower = new Follower(backend, "k/", await backend.revision());
  await put(backend, { key: "k/a", value: bytes("3") });
  await follower.until(await backend.revision());
  assert.deepEqual(follower.told(), ["k/a=3"]);
  await follower[Symbol.asyncDispose]();
  await backend.close();
  await pki.remove();
});
