/** Encryption at rest: providers, their layout, rotation, rules, faults, the store's contract, and a whole server. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv } from "node:crypto";
import { xsalsa20poly1305 } from "@noble/ciphers/salsa.js";
import { productOf } from "../../schema/product.ts";
import type { Backend } from "../../server/storage/backend.ts";
import { EncryptedBackend } from "../../server/storage/encryption/mod.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { unreadableReason } from "../../server/storage/unreadable.ts";
import { startTestServer } from "../fixture/server.ts";
import { encryption, fileOf, keyed, secret, text, utf8 } from "./encryption_tools.ts";
import { suite } from "./suite.ts";

const KEY = "/registry/secrets/default/a";
const CIPHERS = ["aescbc", "aesgcm", "secretbox"] as const;

/** Not random: aescbc proves nothing, and of 256 values opened by a wrong key one looks padded. */
const sevens = (n: number) => new Uint8Array(n).fill(7);

async function sealed(file: string, key = KEY, value = "plain", more: Parameters<typeof encryption>[1] = {}) {
  const store = memoryBackend();
  await (await encryption(file, more)).over(store).commit([{ key, value: utf8(value) }]);
  return { store, bytes: (await store.get(key))!.value };
}

/** What a configuration reads in a store: the value, or why there is none. */
async function read(store: Backend, file: string, key = KEY): Promise<string> {
  const { value } = (await (await encryption(file)).over(store).get(key))!;
  return unreadableReason(value) ?? text(value);
}

const put = (store: Backend, key: string, value: Uint8Array) => store.commit([{ key, value }]);

for (const type of CIPHERS) {
  const one = fileOf([["secrets"], keyed(type, { k: secret(1) })]);

  Deno.test(`${type}: what is stored is not plain, begins as it should, and reads back`, async () => {
    const { store, bytes } = await sealed(one, KEY, "a secret of some length");
    assert.ok(Buffer.from(bytes).toString("latin1").startsWith(`k8s:enc:${type}:v1:k:`));
    assert.ok(!Buffer.from(bytes).toString("latin1").includes("a secret"));
    assert.equal(await read(store, one), "a secret of some length");
    assert.equal(await read((await sealed(one, KEY, "")).store, one), "");
  });

  Deno.test(`${type}: another key, a changed byte and a cut value are told, and nothing else is affected`, async () => {
    const { store, bytes } = await sealed(one, KEY, "x".repeat(40), { random: sevens });
    const wrong = await read(store, fileOf([["secrets"], keyed(type, { k: secret(2) })]));
    assert.match(wrong, /unable to transform key "\/registry\/secrets\/default\/a": the value is not/);
    const absent = await read(store, fileOf([["secrets"], keyed(type, { other: secret(1) })]));
    assert.match(absent, /no key of/);
    const flipped = Uint8Array.from(bytes);
    flipped[flipped.length - 1]! ^= 1;
    await put(store, "/registry/secrets/default/b", flipped);
    await put(store, "/registry/secrets/default/c", bytes.subarray(0, `k8s:enc:${type}:v1:k:`.length + 3));
    const items = (await (await encryption(one)).over(store).range("/registry/secrets/")).items;
    assert.equal(text(items[0]!.value), "x".repeat(40));
    assert.match(unreadableReason(items[1]!.value)!, /the value is not (authentic|padded)/);
    assert.match(unreadableReason(items[2]!.value)!, /shorter/);
  });

  Deno.test(`${type}: one commit of short and long values`, async () => {
    const store = memoryBackend();
    const values = [0, 1, 40, 65_503, 65_504, 65_505, 200_000, 7].map((n, i) => String(i).repeat(n));
    const over = (await encryption(one)).over(store);
    await over.commit(values.map((value, i) => ({ key: `/registry/secrets/default/${i}`, value: utf8(value) })));
    const { items } = await over.range("/registry/secrets/");
    assert.deepEqual(items.map(({ value }) => text(value)), values);
  });

  Deno.test(`${type}: rotation reads by the old key and asks to write by the new`, async () => {
    const { store } = await sealed(one);
    const rotated = (await encryption(fileOf([["secrets"], keyed(type, { n: secret(2), k: secret(1) })]))).over(store);
    const plain = (await rotated.get(KEY))!.value;
    assert.equal(text(plain), "plain");
    assert.equal(await rotated.stale(KEY), true);
    await put(rotated, KEY, plain);
    assert.equal(await rotated.stale(KEY), false);
    assert.match(text((await store.get(KEY))!.value), new RegExp(`^k8s:enc:${type}:v1:n:`));
    // The same prefix twice, with different keys.
    const twice = fileOf([["secrets"], keyed(type, { k: secret(9) }), keyed(type, { k: secret(1) })]);
    assert.equal(await read((await sealed(one, KEY, "plain", { random: sevens })).store, twice), "plain");
  });
}

Deno.test("values follow the public layout, byte by byte", async () => {
  const key = Buffer.alloc(32, 1);
  const body = (bytes: Uint8Array, type: string) => Buffer.from(bytes).subarray(`k8s:enc:${type}:v1:k:`.length);
  const file = (type: string) => fileOf([["secrets"], keyed(type, { k: secret(1) })]);

  const cbc = body((await sealed(file("aescbc"))).bytes, "aescbc");
  const decipher = createDecipheriv("aes-256-cbc", key, cbc.subarray(0, 16));
  assert.equal(decipher.update(cbc.subarray(16), undefined, "utf8") + decipher.final("utf8"), "plain");

  const gcm = body((await sealed(file("aesgcm"))).bytes, "aesgcm");
  const imported = await crypto.subtle.importKey("raw", new Uint8Array(key), "AES-GCM", false, ["decrypt"]);
  const parameters = { name: "AES-GCM", iv: new Uint8Array(gcm.subarray(0, 12)), additionalData: utf8(KEY) };
  const opened = await crypto.subtle.decrypt(parameters, imported, new Uint8Array(gcm.subarray(12)));
  assert.equal(text(new Uint8Array(opened)), "plain");

  const box = body((await sealed(file("secretbox"))).bytes, "secretbox");
  assert.equal(text(xsalsa20poly1305(key, box.subarray(0, 24)).decrypt(box.subarray(24))), "plain");

  // And what others wrote is read.
  const store = memoryBackend();
  const cipher = createCipheriv("aes-256-cbc", key, Buffer.alloc(16, 7));
  const made = Buffer.concat([Buffer.alloc(16, 7), cipher.update("theirs"), cipher.final()]);
  await put(store, KEY, Buffer.concat([utf8("k8s:enc:aescbc:v1:k:"), made]));
  assert.equal(await read(store, file("aescbc")), "theirs");
});

Deno.test("all lengths of AES keys", async () => {
  for (const type of ["aescbc", "aesgcm"]) {
    for (const length of [16, 24, 32]) {
      const file = fileOf([["secrets"], keyed(type, { k: secret(3, length) })]);
      const { store } = await sealed(file);
      assert.equal(await read(store, file), "plain");
    }
  }
});

Deno.test("a value that was moved to another key is not authentic for aesgcm", async () => {
  const file = fileOf([["secrets"], keyed("aesgcm", { k: secret(1) })]);
  const { store, bytes } = await sealed(file);
  await put(store, "/registry/secrets/default/moved", bytes);
  assert.match(await read(store, file, "/registry/secrets/default/moved"), /not authentic/);
});

Deno.test("the prefix is the dialect's", async () => {
  const store = memoryBackend();
  const product = productOf("orch");
  const file = fileOf([["ingresses.networking.orch.io"], keyed("aesgcm", { k: secret(1) })]);
  await put((await encryption(file, { product })).over(store), "/registry/ingress/default/a", utf8("x"));
  assert.match(text((await store.get("/registry/ingress/default/a"))!.value), /^orch:enc:aesgcm:v1:k:/);
});

Deno.test("in dialect orch its own resources go by their public names too, custom ones of such groups by the name they have", async () => {
  const store = memoryBackend(), product = productOf("orch");
  const names = ["vaults.keep.k8s.io", "leases.coordination.k8s.io", "things.node.k8s.io", "*.storage.k8s.io"];
  const over = (await encryption(fileOf([names, keyed("aesgcm", { k: secret(1) })]), { product })).over(store);
  const sealed = [
    "/registry/keep.k8s.io/vaults/ns/a",
    "/registry/leases/ns/a",
    "/registry/node.k8s.io/things/a",
    "/registry/storageclasses/a",
    "/registry/storage.k8s.io/things/a",
  ];
  const plain = ["/registry/keep.orch.io/vaults/ns/a", "/registry/runtimeclasses/a"];
  for (const key of [...sealed, ...plain]) {
    await put(over, key, utf8("x"));
    assert.equal(text((await store.get(key))!.value).startsWith("orch:enc:"), sealed.includes(key), key);
  }
});

Deno.test("the closest rule is taken, and each key goes to its resource", async () => {
  const by = (name: string) => keyed("secretbox", { [name]: secret(1) });
  const store = memoryBackend();
  const over = (await encryption(fileOf(
    [["secrets", "deployments.apps"], by("exact")],
    [["pods"], { identity: {} }],
    [["*."], by("core")],
    [["*.apps", "*.example.com"], by("group")],
    [["*.*"], by("all")],
  ))).over(store);
  const expected: Record<string, string> = {
    "/registry/secrets/ns/a": "exact",
    "/registry/deployments/ns/a": "exact",
    "/registry/pods/ns/a": "",
    "/registry/services/specs/ns/a": "core",
    "/registry/services/endpoints/ns/a": "core",
    "/registry/minions/a": "core",
    "/registry/events/ns/a": "core",
    "/registry/statefulsets/ns/a": "group",
    "/registry/example.com/things/ns/a": "group",
    "/registry/other.com/things/a": "all",
    "/registry/apiextensions.k8s.io/customresourcedefinitions/a": "all",
    "/registry/ranges/serviceips": "",
    "/registry/masterleases/10.0.0.1": "",
    "/registry/unknown/ns/a": "",
  };
  for (const [key, name] of Object.entries(expected)) {
    await put(over, key, utf8("x"));
    const raw = text((await store.get(key))!.value);
    assert.equal(/^k8s:enc:secretbox:v1:(\w+):/.exec(raw)?.[1] ?? raw, name || "x", key);
  }
});

Deno.test("the core group may be named by nothing after a dot", async () => {
  const k = keyed("secretbox", { k: secret(1) });
  assert.match(text((await sealed(fileOf([["secrets."], k]))).bytes), /^k8s:enc:secretbox:v1:k:/);
  await assert.rejects(encryption(fileOf([["*."], k], [["secrets."], k])), /behind the earlier rule "\*\."/);
});

Deno.test("a resource of several entries is written by the first, and read by all of them", async () => {
  const [a, b] = ["a", "b"].map((name, i) => keyed("aesgcm", { [name]: secret(i + 1) }));
  const both = fileOf([["secrets"], a], [["secrets"], b]);
  assert.match(text((await sealed(both)).bytes), /^k8s:enc:aesgcm:v1:a:/);
  assert.equal(await read((await sealed(fileOf([["secrets"], b]))).store, both), "plain");
});

Deno.test("a secret may have line ends in it", async () => {
  const broken = keyed("aesgcm", { k: `${secret(1).slice(0, 20)}\n${secret(1).slice(20)}\r\n` });
  const { store } = await sealed(fileOf([["secrets"], broken]));
  assert.equal(await read(store, fileOf([["secrets"], keyed("aesgcm", { k: secret(1) })])), "plain");
});

Deno.test("identity first writes plain values and reads encrypted ones; alone it refuses them", async () => {
  const one = keyed("aescbc", { k: secret(1) });
  const { store } = await sealed(fileOf([["secrets"], one]));
  const leaving = fileOf([["secrets"], { identity: {} }, one]);
  assert.equal(await read(store, leaving), "plain");
  assert.equal(await (await encryption(leaving)).over(store).stale(KEY), true);
  assert.match(await read(store, fileOf([["secrets"], { identity: {} }])), /no provider/);
  assert.match(await read(store, fileOf([["pods"], one])), /only identity may read it/);
  const plain = await sealed(fileOf([["secrets"], { identity: {} }]));
  assert.equal(text(plain.bytes), "plain");
  assert.match(await read(plain.store, fileOf([["secrets"], one])), /no provider/);
});

Deno.test("a file may name itself as it did at first", async () => {
  const file = JSON.parse(fileOf([["secrets"], keyed("aescbc", { k: secret(1) })]));
  const first = { ...file, apiVersion: "v1", kind: "EncryptionConfig" };
  const { store } = await sealed(JSON.stringify(first));
  assert.equal(await read(store, JSON.stringify(file)), "plain");
  for (const wrong of [{ ...first, apiVersion: "apiserver.config.k8s.io/v1" }, { ...file, apiVersion: "v1" }]) {
    await assert.rejects(encryption(JSON.stringify(wrong)), /is no EncryptionConfiguration/);
  }
});

Deno.test("wrong files are refused with all that is wrong, by path, and without secrets", async () => {
  const k = keyed("aescbc", { k: secret(1) });
  const kms = (more: object) => ({ kms: { apiVersion: "v2", name: "n", endpoint: "unix:///s", ...more } });
  const wrong: [string, RegExp][] = [
    ["", /the file is empty/],
    ["a: [", /encryption-provider-config/],
    ["kind: Pod\napiVersion: v1", /"v1" is no EncryptionConfiguration \(apiserver\.config\.(orch|k8s)\.io\/v1\)/],
    [fileOf(), /resources: needs at least one entry/],
    [fileOf([[], k]), /resources\[0\].resources: needs at least one/],
    [fileOf([["secrets"]]), /resources\[0\].providers: needs at least one/],
    [fileOf([["secrets"], {}]), /providers\[0\]: needs one of/],
    [fileOf([["secrets"], { ...k, identity: {} }]), /aescbc and identity: one an element/],
    [fileOf([["secrets"], { aescbc: { keys: [] } }]), /keys: needs at least one key/],
    [fileOf([["secrets"], keyed("aescbc", { "": secret(1) })]), /keys\[0\].name: a key needs a name/],
    [fileOf([["secrets"], keyed("aescbc", { k: "" })]), /a key needs a secret/],
    [fileOf([["secrets", "secrets."], k]), /resources\[0\]\.resources: names a resource twice/],
    [fileOf([["secrets"], keyed("aescbc", { k: "???" })]), /should be base64/],
    [fileOf([["secrets"], keyed("aesgcm", { k: secret(1, 31) })]), /has 31 bytes, should have 16 or 24 or 32/],
    [fileOf([["secrets"], keyed("secretbox", { k: secret(1, 16) })]), /has 16 bytes, should have 32/],
    [fileOf([["secrets"], { ...k, more: 1 }]), /unknown field/],
    [fileOf([["Secrets"], k]), /capital letters/],
    [fileOf([["*"], k]), /should be \*\. for the core group/],
    [fileOf([["secrets", "secrets"], k]), /twice/],
    [fileOf([["secrets", "*."], k]), /all of its group/],
    [fileOf([["secrets", "*.*"], k]), /all of its group/],
    [fileOf([["pods.*"], k]), /one resource of all groups/],
    [fileOf([["events.events.k8s.io"], k]), /name events/],
    [fileOf([["ingresses.extensions"], k]), /served no more/],
    [fileOf([["serviceipallocations"], k]), /has no API/],
    [fileOf([["*.apps"], k], [["deployments.apps"], k]), /behind the earlier rule "\*\.apps"/],
    [fileOf([["*.*"], k], [["secrets"], k]), /behind the earlier rule "\*\.\*"/],
    [fileOf([["secrets"], kms({ apiVersion: "v3" })]), /should be v1 or v2/],
    [fileOf([["secrets"], kms({ name: "" })]), /a service needs a name/],
    [fileOf([["secrets"], kms({ name: "a:b" })]), /no colon/],
    [fileOf([["secrets"], kms({}), kms({})]), /the name of another service/],
    [fileOf([["secrets"], kms({ endpoint: "" })]), /needs an endpoint/],
    [fileOf([["secrets"], kms({ endpoint: "http://a" })]), /should be unix/],
    [fileOf([["secrets"], kms({ endpoint: "unix:" })]), /has no path/],
    [fileOf([["secrets"], k]).replace('"kind":', '"kind":"Pod","kind":'), /kind/],
    [fileOf([["secrets"], kms({ timeout: "-1s" })]), /should be a duration above 0/],
    [fileOf([["secrets"], kms({ cachesize: 5 })]), /only services of v1/],
    [fileOf([["secrets"], kms({ apiVersion: "v1", cachesize: 0 })]), /should be above 0/],
  ];
  for (const [file, why] of wrong) {
    await assert.rejects(encryption(file), (e: Error) => {
      assert.match(e.message, why, file);
      assert.ok(!e.message.includes(secret(1)) && !e.message.includes(secret(1, 31)), "tells a secret");
      return true;
    });
  }
  const twice = fileOf([["secrets"], kms({ apiVersion: "v1" }), kms({ apiVersion: "v1" })]);
  await assert.rejects(encryption(twice, { reload: true }), /the name of another service/);
});

suite({
  name: "memory, encrypted",
  dense: true,
  async create() {
    // Keys of the suite are of no resource: here they are of one.
    const whole = await encryption(fileOf([["secrets"], keyed("aesgcm", { k: secret(1) })]));
    const chain = whole.over(memoryBackend()).transformerOf(KEY);
    const backend = new EncryptedBackend(memoryBackend(), () => chain);
    return { backend, [Symbol.asyncDispose]: () => backend.close() };
  },
});

suite({
  name: "memory, encrypted by a service",
  dense: true,
  async create() {
    const whole = await encryption(fileOf([["secrets"], keyed("aesgcm", { k: secret(1) })]));
    const chain = whole.over(memoryBackend()).transformerOf(KEY);
    const later = <T>(value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), 0));
    const backend = new EncryptedBackend(memoryBackend(), () => ({
      seal: async (plain, key) => later(await chain.seal(plain, key)),
      open: async (stored, key) => later(await chain.open(stored, key)),
    }));
    return { backend, [Symbol.asyncDispose]: () => backend.close() };
  },
});

const SECRETS = "/api/v1/namespaces/default/secrets";
const secretNamed = (name: string) => ({ metadata: { name }, stringData: { password: "correct horse" } });

Deno.test("a server stores secrets encrypted and gives them plain; what is damaged is told and hurts nothing else", async () => {
  const store = memoryBackend();
  const one = keyed("aesgcm", { k: secret(1) });
  const first = await encryption(fileOf([["secrets"], one]));
  const a = await startTestServer([], { backend: first.over(store), encryption: first });
  assert.equal((await a.fetch(SECRETS, { body: secretNamed("s") })).status, 201);
  assert.equal((await a.fetch(SECRETS, { body: secretNamed("t") })).status, 201);
  const raw = (await store.get("/registry/secrets/default/s"))!;
  assert.match(text(raw.value), /^k8s:enc:aesgcm:v1:k:/);
  assert.ok(!text(raw.value).includes("correct horse"));
  assert.equal(atob((await a.fetch(`${SECRETS}/s`)).body.data.password), "correct horse");

  // A change made below the server's hands, unreadable: the server goes on.
  const broken = Uint8Array.from(raw.value);
  broken[broken.length - 1]! ^= 1;
  await put(store, "/registry/secrets/default/s", broken);
  const got = await a.fetch(`${SECRETS}/s`);
  assert.equal(got.status, 500);
  assert.equal(got.body.reason, "InternalError");
  assert.match(
    got.body.message,
    /^Internal error occurred: unable to transform key "\/registry\/secrets\/default\/s": /,
  );
  const list = await a.fetch(SECRETS);
  assert.equal(list.status, 500);
  const [cause] = list.body.details.causes;
  assert.deepEqual([list.body.reason, cause.field], ["StoreReadError", "/registry/secrets/default/s"]);
  assert.match(cause.message, /unable to transform key/);
  assert.equal((await a.fetch(`${SECRETS}/t`)).status, 200);
  assert.equal((await a.fetch(`${SECRETS}/s`, { method: "DELETE" })).status, 500);
  assert.equal((await a.fetch(SECRETS, { body: secretNamed("s") })).body.reason, "AlreadyExists");
  assert.equal((await a.fetch("/readyz")).status, 200);
  const unsafe = {
    apiVersion: "v1",
    kind: "DeleteOptions",
    ignoreStoreReadErrorWithClusterBreakingPotential: true,
  };
  assert.equal((await a.fetch(`${SECRETS}/t`, { method: "DELETE", body: unsafe })).status, 422);
  assert.equal((await a.fetch(`${SECRETS}/s`, { method: "DELETE", body: unsafe })).status, 200);
  assert.equal((await a.fetch(`${SECRETS}/s`)).status, 404);
  assert.equal((await a.fetch(SECRETS)).body.items.length, 1);
  await a.stop();

  // The next server has another key in front: an update that changes nothing writes by it.
  await put(store, "/registry/secrets/default/s", raw.value);
  const second = await encryption(fileOf([["secrets"], keyed("aescbc", { n: secret(2) }), one]));
  const b = await startTestServer([], { backend: second.over(store), encryption: second });
  const { body } = await b.fetch(`${SECRETS}/s`);
  assert.equal(atob(body.data.password), "correct horse");
  assert.equal((await b.fetch(`${SECRETS}/s`, { method: "PUT", body })).status, 200);
  const again = (await store.get("/registry/secrets/default/s"))!;
  assert.match(text(again.value), /^k8s:enc:aescbc:v1:n:/);
  const settled = (await b.fetch(`${SECRETS}/s`)).body;
  await b.fetch(`${SECRETS}/s`, { method: "PUT", body: settled });
  assert.equal((await store.get("/registry/secrets/default/s"))!.revision, again.revision);
  await b.stop();

  // Without the file nothing is decoded as if it were an object.
  const c = await startTestServer([], { backend: store });
  const refused = await c.fetch(`${SECRETS}/s`);
  assert.equal(refused.status, 500);
  assert.match(refused.body.message, /encrypted at rest/);
  await c.stop();
  await store.close();
});

Deno.test("a server starts on a store whose first content it cannot read, and what it needs not is served", async () => {
  const store = memoryBackend();
  const KINDS = ["configmaps", "*.rbac.authorization.k8s.io"];
  const first = await encryption(fileOf([KINDS, keyed("aesgcm", { k: secret(1) })]));
  const a = await startTestServer([], { backend: first.over(store), encryption: first });
  await a.stop();
  const second = await encryption(fileOf([KINDS, keyed("aesgcm", { other: secret(2) })]));
  const b = await startTestServer([], { backend: second.over(store), encryption: second });
  const trust = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
  assert.equal((await b.fetch(trust)).status, 500);
  assert.equal((await b.fetch("/apis/rbac.authorization.k8s.io/v1/clusterroles/admin")).status, 500);
  assert.equal((await b.fetch(SECRETS, { body: secretNamed("s") })).status, 201);
  await b.stop();
});
