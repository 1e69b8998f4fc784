/** The log of an etcd whose watch does not go on by itself: connections that are gone, backups put back, members of several versions. */
import assert from "node:assert/strict";
import { RPC } from "../../server/storage/etcd/messages.ts";
import { openEtcd } from "../../server/storage/etcd/mod.ts";
import { RevisionError, StorageError } from "../../server/storage/backend.ts";
import type { Loose } from "../fixture/loose.ts";
import { startTestServer } from "../fixture/server.ts";
import { front } from "../storage/etcd_front.ts";
import { noEtcd, startEtcd } from "../storage/etcd_server.ts";
import { tcpProxy } from "../storage/tcp_proxy.ts";
import { bytes, Follower, put } from "../storage/tools.ts";
import { webProxy } from "../storage/web_proxy.ts";

const missing = await noEtcd();
if (missing) console.log(`tests of etcd's log under faults are skipped: ${missing}`);

function test(name: string, run: () => Promise<void>): void {
  Deno.test({ name: `etcd: ${name}`, fn: run, ignore: missing !== undefined }); // no etcd binary on this machine
}

/** Writes, again when the runtime took a connection that is gone for it: nothing that was sent over it arrives. */
async function made(write: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      return void await write();
    } catch (e) {
      if (!(e instanceof StorageError) || e.kind !== "unknown") throw e;
    }
  }
}

test("over gRPC-web, a watch whose connection is gone without an end is opened anew", async () => {
  await using cluster = await startEtcd();
  const web = webProxy(cluster.endpoints[0]!);
  const proxy = tcpProxy(web.url);
  const backend = await openEtcd({ endpoints: [`grpc-web+${proxy.address}`], prefix: "/t" });
  const other = await openEtcd({ endpoints: cluster.endpoints, prefix: "/t" });
  {
    await using follower = new Follower(backend, "k/", await backend.revision());
    await put(backend, { key: "k/a", value: bytes("1") });
    proxy.forget();
    await put(other, { key: "k/a", value: bytes("2") });
    await backend.revision();
    await follower.when(() => follower.changes.length === 2);
    assert.deepEqual(follower.told(), ["k/a=1", "k/a=2"]);
    // By a write of its own, too.
    proxy.forget();
    await put(other, { key: "k/a", value: bytes("3") });
    await made(() => put(backend, { key: "k/b", value: bytes("4") }));
    await follower.when(() => follower.changes.length === 4);
  }
  await other.close();
  await backend.close();
  await proxy.close();
  await web.close();
});

test("a backup is put in the place of the cluster: nothing of what was told since is shown, and what comes is told", async () => {
  await using cluster = await startEtcd();
  const { endpoints } = cluster;
  const backend = await openEtcd({ endpoints, prefix: "/registry", root: "/registry" });
  const maps = "/api/v1/namespaces/default/configmaps";
  const t = await startTestServer([], { backend });
  const make = (name: string) => t.fetch(maps, { body: { metadata: { name } } });
  assert.equal((await make("kept")).status, 201);
  await cluster.kill(0);
  const putBack = await cluster.save(0);
  await cluster.start(0);
  assert.equal((await t.fetch(`${maps}/kept`, { method: "DELETE" })).status, 200);
  for (let i = 0; i < 20; i++) assert.equal((await make(`lost-${i}`)).status, 201);
  const told = await backend.revision();
  await backend.compact(told);
  const follower = new Follower(backend, "/registry/", told);
  await follower.until(told);
  await cluster.kill(0);
  await putBack();
  await cluster.start(0);
  // Nobody asks for anything.
  await follower.ended();
  assert(follower.error instanceof RevisionError, `${follower.error}`);
  let listed = await t.fetch(maps);
  while (listed.status !== 200) {
    // It is being read anew.
    await t.server.cacher.whenReady();
    listed = await t.fetch(maps);
  }
  const { body } = listed;
  const names: string[] = body.items.map((item: Loose) => item.metadata.name);
  assert.deepEqual(names.filter((name) => !name.startsWith("kube-")), ["kept"]);
  assert(body.metadata.resourceVersion < told);
  await using again = new Follower(backend, "/registry/configmaps/", Number(body.metadata.resourceVersion));
  assert.equal((await make("new")).status, 201);
  assert.equal((await t.fetch(`${maps}/new`)).status, 200);
  await again.when(() => again.changes.length === 1);
  await t.stop();
  await again[Symbol.asyncDispose]();
  await backend.close();
});

test("members of several versions: each is asked for progress by its own", async () => {
  await using cluster = await startEtcd();
  const [endpoint] = cluster.endpoints;
  const young = await front(endpoint!, "3.5.13"), old = await front(endpoint!, "3.4.30");
  const backend = await openEtcd({ endpoints: [young.address, old.address], prefix: "/t" });
  const other = await openEtcd({ endpoints: cluster.endpoints, prefix: "/other" });
  {
    await using follower = new Follower(backend, "k/", await backend.revision());
    const moved = async () => {
      await put(other, { key: "a", value: bytes("1") });
      await follower.until(await backend.revision());
    };
    await moved();
    assert(young.asked > 0);
    const read = { doing: "look for a mark", repeatable: true };
    assert.deepEqual((await backend.cluster.call(RPC.range, { key: backend.keys.meta("mark") }, read)).kvs, []);
    young.close();
    await moved();
    assert.equal(old.asked, 0);
    assert.deepEqual(follower.told(), []);
  }
  await backend.close();
  await other.close();
  old.close();
});
