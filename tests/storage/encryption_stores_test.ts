/** What every backend does, it does with its values encrypted too: on Deno KV and on etcd. */
import assert from "node:assert/strict";
import { EncryptedBackend } from "../../server/storage/encryption/backend.ts";
import { openDenoKv } from "../../server/storage/denokv/mod.ts";
import { openEtcd } from "../../server/storage/etcd/mod.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { startTestServer } from "../fixture/server.ts";
import { encryption, fileOf, keyed, secret } from "./encryption_tools.ts";
import { type EtcdCluster, noEtcd, startEtcd } from "./etcd_server.ts";
import { suite } from "./suite.ts";
import { bytes, put, type Site, text } from "./tools.ts";

const KEY = "/registry/secrets/default/a";
const FILE = fileOf([["secrets"], keyed("aesgcm", { k: secret(1) })]);

/** Keys of the suite are of no resource: here all are of one. */
async function sealing() {
  const whole = await encryption(FILE);
  const chain = whole.over(memoryBackend()).transformerOf(KEY);
  return (inner: ConstructorParameters<typeof EncryptedBackend>[0]) => new EncryptedBackend(inner, () => chain);
}

async function onDenoKv(): Promise<Site> {
  const over = await sealing();
  const dir = await Deno.makeTempDir({ prefix: "denokv-" });
  const open = async () => over(await openDenoKv(`${dir}/store.db`));
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
    async [Symbol.asyncDispose]() {
      await backend.close();
      await Deno.remove(dir, { recursive: true });
    },
  };
}

suite({ name: "denokv, encrypted", dense: true, create: onDenoKv });

const missing = await noEtcd();
let cluster: EtcdCluster | undefined;
let sites = 0;

async function onEtcd(): Promise<Site> {
  const over = await sealing();
  const prefix = `/sealed-${++sites}`;
  const open = async () => over(await openEtcd({ endpoints: cluster!.endpoints, prefix }));
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

if (missing) {
  Deno.test({ name: "etcd, encrypted (no etcd binary on this machine)", ignore: true, fn() {} });
  console.log(`tests of encryption on etcd are skipped: ${missing}`);
} else {
  Deno.test.beforeAll(async () => {
    cluster = await startEtcd();
  });
  Deno.test.afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });
  suite({ name: "etcd, encrypted", dense: false, create: onEtcd });
  more();
}

function more(): void {
  Deno.test("etcd, encrypted: bytes lie as the public layout says; two servers with different keys first read each other's", async () => {
    const k1 = { k1: secret(1) }, k2 = { k2: secret(2) };
    const file = (keys: Record<string, string>) => fileOf([["secrets"], keyed("aesgcm", keys)]);
    const open = () => openEtcd({ endpoints: cluster!.endpoints, prefix: "/registry", root: "/registry" });
    const [one, two] = [await encryption(file({ ...k1, ...k2 })), await encryption(file({ ...k2, ...k1 }))];
    const [left, right] = [one.over(await open()), two.over(await open())];
    await put(left, { key: KEY, value: bytes("from the left") });
    const raw = await openEtcd({ endpoints: cluster!.endpoints, prefix: "/registry" });
    const stored = async () => text((await raw.get("secrets/default/a"))!.value)!;
    assert.match(await stored(), /^k8s:enc:aesgcm:v1:k1:/);
    assert.equal(text((await right.get(KEY))!.value), "from the left");
    assert.equal(await left.stale(KEY), false);
    assert.equal(await right.stale(KEY), true);
    const a = await startTestServer([], { backend: left, encryption: one });
    const b = await startTestServer([], { backend: right, encryption: two });
    const SECRETS = "/api/v1/namespaces/default/secrets";
    const body = { metadata: { name: "s" }, stringData: { a: "b" } };
    assert.equal((await a.fetch(SECRETS, { body })).status, 201);
    const { body: read } = await b.fetch(`${SECRETS}/s`);
    assert.equal(atob(read.data.a), "b");
    // An update that changes nothing is written again by the other's key.
    const put1 = await b.fetch(`${SECRETS}/s`, { method: "PUT", body: read });
    assert.notEqual(put1.body.metadata.resourceVersion, read.metadata.resourceVersion);
    assert.match(text((await raw.get("secrets/default/s"))!.value)!, /^k8s:enc:aesgcm:v1:k2:/);
    const put2 = await b.fetch(`${SECRETS}/s`, { method: "PUT", body: put1.body });
    assert.equal(put2.body.metadata.resourceVersion, put1.body.metadata.resourceVersion);
    await a.stop();
    await b.stop();
    for (const each of [left, right, raw]) await each.close();
    one.close();
    two.close();
  });
}
