/** etcd whose users may do what their roles say. */
import assert from "node:assert/strict";
import { StorageError } from "../../server/storage/backend.ts";
import { openEtcd } from "../../server/storage/etcd/mod.ts";
import { certificates } from "./certificates.ts";
import { etcdAuth, type KeyRange } from "./etcd_auth.ts";
import { noEtcd, startEtcd } from "./etcd_server.ts";
import { bytes, Follower, put } from "./tools.ts";

const missing = await noEtcd();

const WHOLE: KeyRange = ["/t.meta/", "/t0"];
const OBJECTS: KeyRange = ["/t/", "/t0"];
const FACTS: KeyRange = ["/t.meta/", "/t.meta0"];
const LACKS =
  /permission denied: its user has to have the right to read and write all keys from \/t\.meta\/ to \/t0, as one range$/;

/** An etcd with users; `one` has these ranges. */
async function withUsers(ranges: readonly KeyRange[]) {
  const pki = await certificates();
  const cluster = await startEtcd(1, pki.server);
  const auth = await etcdAuth(cluster.endpoints, pki.root);
  await auth.user("one", ranges);
  await auth.enable();
  const open = (n: 1 | 2) => openEtcd({ endpoints: cluster.endpoints, prefix: "/t", tls: pki.client(n) });
  return {
    auth,
    open,
    async [Symbol.asyncDispose]() {
      await auth[Symbol.asyncDispose]();
      await cluster[Symbol.asyncDispose]();
      await pki.remove();
    },
  };
}

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `etcd: ${name}`, fn, ignore: missing !== undefined }); // no etcd binary on this machine
}

const lacks = (e: unknown) => e instanceof StorageError && e.kind === "unavailable" && LACKS.test(e.message);

test("who has no right to the store's keys is told which it takes", async () => {
  await using etcd = await withUsers([OBJECTS]);
  await assert.rejects(etcd.open(1), lacks);
  await assert.rejects(etcd.open(2), /user name not found|permission denied/);
});

test("who has a right to each key but not to all of them as one range cannot watch, and is told", async () => {
  await using etcd = await withUsers([OBJECTS, FACTS]);
  await assert.rejects(etcd.open(1), lacks);
});

test("rights that are taken away fail what needs them, and its health, until they are given back", async () => {
  await using etcd = await withUsers([WHOLE]);
  const backend = await etcd.open(1);
  await put(backend, { key: "k/a", value: bytes("1") });
  await using follower = new Follower(backend, "k/", await backend.revision());
  await etcd.auth.revoke("one", WHOLE);
  await assert.rejects(backend.commit([{ key: "k/a", value: bytes("2") }]), /permission denied/);
  await assert.rejects(backend.health(AbortSignal.timeout(60_000)), lacks);
  await etcd.auth.grant("one", WHOLE);
  await put(backend, { key: "k/a", value: bytes("3") });
  await follower.until(await backend.revision());
  assert.deepEqual(follower.told(), ["k/a=3"]);
  await backend.close();
});

test("users and roles that change refuse nothing to those whom they are not about", async () => {
  await using etcd = await withUsers([WHOLE]);
  const backend = await etcd.open(1);
  const stop = new AbortController();
  const write = async (i: number) => {
    for (let n = 0; !stop.signal.aborted; n++) await put(backend, { key: `k/${i}`, value: bytes(`${n}`) });
  };
  const writers = Promise.all(Array.from({ length: 16 }, (_, i) => write(i)));
  await etcd.auth.user("two", []);
  for (let i = 0; i < 30; i++) await etcd.auth.grant("two", [`/x${i}/`, `/x${i}0`]);
  stop.abort();
  await writers;
  await backend.close();
});
