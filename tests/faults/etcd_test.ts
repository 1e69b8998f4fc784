/** Members that die, stop and come back; TLS; a gRPC-web proxy between. */
import assert from "node:assert/strict";
import { openEtcd } from "../../server/storage/etcd/mod.ts";
import { noEtcd, startEtcd } from "../storage/etcd_server.ts";
import { certificates } from "../storage/certificates.ts";
import { seeded } from "../fixture/random.ts";
import { tcpProxy } from "../storage/tcp_proxy.ts";
import { webProxy } from "../storage/web_proxy.ts";
import { emptyReport, killMembers, Load } from "../../scripts/kill_etcd.ts";
import { pause } from "../../server/pause.ts";
import type { Loose } from "../fixture/loose.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { bytes, Follower, put, storageError } from "../storage/tools.ts";

const missing = await noEtcd();
if (missing) console.log(`etcd fault tests are skipped: ${missing}`);

function test(name: string, run: () => Promise<void>): void {
  Deno.test({ name: `etcd: ${name}`, fn: run, ignore: missing !== undefined }); // no etcd binary on this machine
}

test("members of three are killed ten times: nothing acknowledged is lost, the watch goes on", async () => {
  const report = await killMembers({ rounds: 10, seed: 5 });
  assert.deepEqual(report.failures, []);
  assert(report.rounds === 10 && report.acknowledged > 0);
});

test("all members are killed and come back: writes fail, then go on", async () => {
  await using cluster = await startEtcd(3);
  const backend = await openEtcd({ endpoints: cluster.endpoints, prefix: "/t" });
  const report = emptyReport();
  const load = new Load(backend, report, await backend.revision(), 4);
  await pause(300);
  await Promise.all([0, 1, 2].map((i) => cluster.kill(i)));
  await storageError(backend.health(AbortSignal.timeout(300)), "unavailable");
  await Promise.all([0, 1, 2].map((i) => cluster.start(i)));
  await put(backend, { key: "other/after", value: bytes("0"), expect: 0 });
  await load.stop();
  assert.deepEqual(report.failures, []);
  await backend.close();
});

test("a network that delays, stalls, drops and half-closes: nothing acknowledged is lost, the watch goes on", async () => {
  await using cluster = await startEtcd();
  const proxy = tcpProxy(cluster.endpoints[0]!);
  const backend = await openEtcd({ endpoints: [proxy.address], prefix: "/t" });
  const report = emptyReport();
  const load = new Load(backend, report, await backend.revision());
  const next = seeded(3);
  const mischief: readonly (() => unknown)[] = [
    () => proxy.drop(),
    () => proxy.halfClose(),
    () => proxy.mischief.delay = 30,
    () => proxy.mischief.stalled = true,
  ];
  for (let i = 0; i < 12; i++) {
    await pause(next() * 200);
    await mischief[i % mischief.length]!();
    await pause(next() * 300);
    proxy.mischief.delay = 0;
    proxy.mischief.stalled = false;
  }
  await pause(300);
  await load.stop();
  assert.deepEqual(report.failures, []);
  assert(report.acknowledged > 0);
  await backend.close();
  await proxy.close();
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

test("a server that begins on a store that is full serves what is there, and takes writes once there is space", async () => {
  await using cluster = await startEtcd(1, undefined, ["--quota-backend-bytes=3000000"]);
  const open = () => openEtcd({ endpoints: cluster.endpoints, prefix: "/registry", root: "/registry" });
  const backend = await open();
  const first = await startTestServer([], { backend });
  const path = "/api/v1/namespaces/default/configmaps", data = { x: "x".repeat(500_000) };
  const create = (t: TestServer, name: string) => t.fetch(path, { body: { metadata: { name }, data } });
  const names: string[] = [];
  while ((await create(first, `a${names.length}`)).status === 201) names.push(`a${names.length}`);
  const refused = await create(first, "b");
  assert.deepEqual([refused.status, refused.body.message], [503, "the store is full"]);
  // A process takes away at its end what it shows itself by: it cannot be made again.
  const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
  assert.equal((await first.fetch(leases, { method: "DELETE" })).body.items.length, 1);
  await first.stop();
  await backend.close();
  const again = await open();
  const second = await startTestServer([], { backend: again });
  const listed = await second.fetch(path);
  assert.deepEqual(listed.body.items.map((i: Loose) => i.metadata.name), names.sort());
  const deleted = await second.fetch(path, { method: "DELETE" });
  assert.equal(deleted.status, 200, deleted.text);
  await again.compact(await again.revision());
  const ask = (method: string, body: unknown) =>
    fetch(`${cluster.endpoints[0]}/v3/maintenance/${method}`, { method: "POST", body: JSON.stringify(body) })
      .then((r) => r.text());
  // Compaction goes on after it is acknowledged.
  for (let status = 0, tries = 0; status !== 201; tries++) {
    assert(tries < 200, "writes are taken again");
    await ask("defragment", {});
    for (const raised of JSON.parse(await ask("alarm", { action: "GET" })).alarms ?? []) {
      await ask("alarm", { action: "DEACTIVATE", ...raised });
    }
    ({ status } = await create(second, "b"));
  }
  await second.stop();
  await again.close();
});
