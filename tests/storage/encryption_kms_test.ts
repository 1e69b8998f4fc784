/** Encryption by key management services of both versions, which answer on a Unix socket. */
import { Registry } from "prom-client";
import { EncryptionMetrics } from "../../server/storage/encryption/metrics.ts";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createDecipheriv, createHash, createHmac } from "node:crypto";
import * as grpc from "../libraries/grpc.ts";
import { type Backend, StorageError } from "../../server/storage/backend.ts";
import type { Encryption } from "../../server/storage/encryption/mod.ts";
import { aescbc, aesgcm } from "../../server/storage/encryption/ciphers.ts";
import { identity } from "../../server/storage/encryption/identity.ts";
import { encodeEncrypted, type EncryptedObject, SOURCE } from "../../server/storage/encryption/kms/messages.ts";
import { connectService } from "../../server/storage/encryption/kms/mod.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { unreadableReason } from "../../server/storage/unreadable.ts";
import { decode } from "../../schema/grpc/wire.ts";
import { concat } from "../../schema/values/bytes.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { socketsClosed } from "../fixture/sockets_closed.ts";
import { map, namesOf, openWatch, told } from "../spec/_spec.ts";
import { encryption, fileOf, keyed, secret, text, utf8 } from "./encryption_tools.ts";
import { cipher, KmsPlugin } from "./kms_plugin.ts";

const KEY = "/registry/secrets/default/a";

interface Stage {
  readonly plugin: KmsPlugin;
  /** ms by which the clock is set to another time. */
  set: number;
  /** ms added to what passes. */
  shift: number;
  /** Encryption by the plugin; closed with the stage. */
  open(version: "v1" | "v2", more?: { reload?: boolean; gate?: boolean; file?: string }): Promise<Encryption>;
  /** @param timeout of each call; a service that is not there is waited for as long */
  file(version: "v1" | "v2", timeout?: string): string;
}

async function stage(run: (s: Stage) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  const plugin = new KmsPlugin(`${dir}/kms.sock`);
  await plugin.start();
  const opened: Encryption[] = [];
  const s: Stage = {
    plugin,
    shift: 0,
    set: 0,
    file: (apiVersion, timeout = "30s") =>
      fileOf([["secrets"], { kms: { apiVersion, name: "vault", endpoint: plugin.endpoint, timeout } }]),
    open: async (version, { reload = false, gate = true, file = s.file(version) } = {}) => {
      const now = () => Date.now() + s.set, elapsed = () => performance.now() + s.shift;
      const made = await encryption(file, {
        reload,
        now,
        service: (config, metrics) =>
          connectService(config, {
            random: (n) => crypto.getRandomValues(new Uint8Array(n)),
            now,
            elapsed,
            metrics,
            log: () => {},
            v1: gate,
          }),
      });
      opened.push(made);
      return made;
    },
  };
  try {
    await run(s);
  } finally {
    for (const e of opened) e.close();
    plugin.stop();
    await socketsClosed();
    await Deno.remove(dir, { recursive: true });
  }
}

const put = (b: { commit: ReturnType<typeof memoryBackend>["commit"] }, key: string, value: string) =>
  b.commit([{ key, value: utf8(value) }]);

Deno.test("kms v2: one seed for many values, its layout, and one call to read them all again", () =>
  stage(async ({ open, plugin }) => {
    const store = memoryBackend();
    const over = (await open("v2")).over(store);
    for (let i = 0; i < 20; i++) await put(over, `/registry/secrets/default/${i}`, `plain ${i}`);
    assert.deepEqual([plugin.count("Encrypt"), plugin.count("Decrypt")], [1, 0]);

    const raw = (await store.get("/registry/secrets/default/7"))!.value;
    const prefix = "k8s:enc:kms:v2:vault:";
    assert.ok(Buffer.from(raw).toString("latin1").startsWith(prefix));
    const stored = decode<Record<string, Uint8Array>>([
      [1, "data", "bytes"],
      [2, "keyId", "string"],
      [3, "source", "bytes"],
      [5, "type", "enum"],
    ], raw.slice(prefix.length));
    assert.deepEqual([stored["keyId"], stored["type"]], ["key-1", 1]);
    // Read by hand: the service's plain seed, the derived key, the value bound to its place.
    const client = await open("v2");
    assert.equal(text((await client.over(store).get("/registry/secrets/default/7"))!.value), "plain 7");
    const seed = decryptedSeed(plugin, stored["source"]!);
    const data = stored["data"]!;
    const key = createHmac("sha256", seed).update(data.slice(0, 32)).update(Uint8Array.of(1)).digest();
    const imported = await crypto.subtle.importKey("raw", new Uint8Array(key), "AES-GCM", false, ["decrypt"]);
    const parameters = { name: "AES-GCM", iv: data.slice(32, 44), additionalData: utf8("/registry/secrets/default/7") };
    const plain = await crypto.subtle.decrypt(parameters, imported, data.slice(44));
    assert.equal(text(new Uint8Array(plain)), "plain 7");

    const before = plugin.count("Decrypt");
    const again = (await open("v2")).over(store);
    const { items } = await again.range("/registry/secrets/");
    assert.equal(items.length, 20);
    assert.ok(items.every((i) => text(i.value).startsWith("plain")));
    assert.equal(plugin.count("Decrypt") - before, 1);
  }));

function decryptedSeed(plugin: KmsPlugin, source: Uint8Array): Uint8Array {
  const d = createDecipheriv("aes-256-cbc", createHash("sha256").update(plugin.keyId).digest(), Buffer.alloc(16, 3));
  return Buffer.concat([d.update(source), d.final()]);
}

Deno.test("kms v2: another key of the service makes another seed, and old values are stale", () =>
  stage(async (s) => {
    const store = memoryBackend();
    const kms = await s.open("v2");
    const over = kms.over(store);
    await put(over, KEY, "plain");
    assert.equal(await over.stale(KEY), false);
    s.plugin.keyId = "key-2";
    s.shift += 30_000;
    await kms.checks()[0]!.check();
    assert.equal(await over.stale(KEY), true);
    await put(over, KEY, "plain");
    assert.equal(await over.stale(KEY), false);
    assert.match(text((await store.get(KEY))!.value), /key-2/);
    assert.equal(text((await over.get(KEY))!.value), "plain");
  }));

/** What others wrote, by a data key of their own. */
const written = (make: typeof aesgcm, dataKey: Uint8Array): Uint8Array =>
  concat(make(dataKey, (n) => crypto.getRandomValues(new Uint8Array(n))).seal(utf8("plain"), KEY) as Uint8Array[]);

Deno.test("kms v2: a value by a data key that is no seed is read and stale; what a value says decides, not what is held", () =>
  stage(async (s) => {
    const store = memoryBackend(), over = (await s.open("v2")).over(store), dataKey = new Uint8Array(32).fill(5);
    const annotations = [{ key: "version.example.com", value: utf8("1") }];
    const of = { keyId: "key-1", source: cipher("key-1", dataKey), annotations, sourceType: SOURCE.key };
    const read = async (more: Partial<EncryptedObject>): Promise<string> => {
      const value = encodeEncrypted({ data: written(aesgcm, dataKey), ...of, ...more });
      await store.commit([{ key: KEY, value: concat([utf8("k8s:enc:kms:v2:vault:"), value]) }]);
      const got = (await over.get(KEY))!.value;
      return unreadableReason(got) ?? text(got);
    };
    assert.equal(await read({}), "plain");
    assert.equal(await over.stale(KEY), true);
    const wrong: [Partial<EncryptedObject>, RegExp][] = [
      [{ sourceType: SOURCE.seed }, /shorter than it should be/],
      [{ sourceType: 2 }, /kind of data key 2/],
      [{ annotations: [] }, /no annotation/],
      [{ keyId: "key-2" }, /"vault": /],
      [{ keyId: "" }, /name is empty/],
      [{ source: cipher("key-1", dataKey.subarray(12)) }, /the data key has 20 bytes/],
    ];
    for (const [more, why] of wrong) assert.match(await read(more), why);
  }));

Deno.test("kms v2: a seed that the service encrypts as nothing, or by another key than it uses, writes nothing", () =>
  stage(async (s) => {
    s.plugin.instead = new Uint8Array();
    const kms = await s.open("v2"), over = kms.over(memoryBackend()), [check] = kms.checks();
    await assert.rejects(check!.check(), /no encrypted data key/);
    s.plugin.instead = undefined;
    s.plugin.encryptsBy = "key-0";
    s.shift += 5_000;
    await assert.rejects(check!.check(), /encrypts by key/);
    await assert.rejects(put(over, KEY, "plain"), /gave no key yet/);
    s.plugin.encryptsBy = undefined;
    s.shift += 5_000;
    await check!.check();
    await put(over, KEY, "plain");
  }));

Deno.test("kms v2: a clock that is set, on or back, neither ends a seed nor keeps what a check found", () =>
  stage(async (s) => {
    const kms = await s.open("v2"), over = kms.over(memoryBackend()), [check] = kms.checks();
    s.plugin.healthz = "sick";
    s.shift += 30_000;
    await assert.rejects(check!.check(), /sick/);
    s.plugin.healthz = "ok";
    s.set -= 60 * 60_000;
    s.shift += 5_000;
    await check!.check();
    s.set += 120 * 60_000;
    await put(over, KEY, "plain");
  }));

Deno.test("kms v2: a service that is not well fails its check; writes end after three minutes, reads go on", () =>
  stage(async (s) => {
    const store = memoryBackend();
    const kms = await s.open("v2");
    const over = kms.over(store);
    await put(over, KEY, "plain");
    const [check] = kms.checks();
    assert.equal(check!.name, "kms-providers");
    await check!.check();
    s.plugin.healthz = "sick";
    s.shift += 30_000;
    await assert.rejects(check!.check(), /"vault": it says of its health: "sick"/);
    s.plugin.failure = grpc.status.UNAVAILABLE;
    s.shift += 30_000;
    await assert.rejects(check!.check(), /Unavailable: told to fail/);
    await put(over, KEY, "still");
    s.shift += 4 * 60_000;
    await assert.rejects(put(over, KEY, "no more"), (e) => e instanceof StorageError && /expired at/.test(e.message));
    assert.equal(text((await over.get(KEY))!.value), "still");
    s.plugin.failure = undefined;
    s.plugin.healthz = "ok";
    await check!.check();
    await put(over, KEY, "again");
  }));

Deno.test("kms v2: a read that cannot ask fails as the store does; one that the service refuses is told", () =>
  stage(async (s) => {
    const store = memoryBackend();
    await put((await s.open("v2")).over(store), KEY, "plain");
    const over = (await s.open("v2")).over(store);
    s.plugin.failure = grpc.status.UNAVAILABLE;
    await assert.rejects(over.get(KEY), (e) => e instanceof StorageError && e.kind === "sealed");
    await assert.rejects(over.range("/registry/"), StorageError);
    s.plugin.failure = grpc.status.INVALID_ARGUMENT;
    assert.match(unreadableReason((await over.get(KEY))!.value)!, /InvalidArgument: told to fail/);
    s.plugin.failure = undefined;
    assert.equal(text((await over.get(KEY))!.value), "plain");
  }));

Deno.test("kms v2: a service that comes later is waited for", () =>
  stage(async (s) => {
    s.plugin.stop();
    const kms = await s.open("v2", { file: s.file("v2", "5s") });
    const over = kms.over(memoryBackend());
    await assert.rejects(put(over, KEY, "plain"), /gave no key yet/);
    await s.plugin.start();
    s.shift += 5_000;
    await kms.checks()[0]!.check();
    await put(over, KEY, "plain");
  }));

Deno.test("kms v1: a data key for each value, held; the gate; one check a service", () =>
  stage(async (s) => {
    await assert.rejects(s.open("v1", { gate: false }), /KMSv1=true/);
    const store = memoryBackend();
    const kms = await s.open("v1");
    const over = kms.over(store);
    await put(over, KEY, "plain");
    await put(over, `${KEY}2`, "plain 2");
    assert.ok(Buffer.from((await store.get(KEY))!.value).toString("latin1").startsWith("k8s:enc:kms:v1:vault:\0"));
    assert.equal(text((await over.get(KEY))!.value), "plain");
    assert.deepEqual([s.plugin.count("Version"), s.plugin.count("Encrypt"), s.plugin.count("Decrypt")], [1, 2, 0]);
    assert.equal(text((await (await s.open("v1")).over(store).get(KEY))!.value), "plain");
    assert.deepEqual(kms.checks().map((c) => c.name), ["kms-provider-0"]);
    const calls = () => [s.plugin.count("Encrypt"), s.plugin.count("Decrypt")], before = calls();
    await kms.checks()[0]!.check();
    assert.deepEqual(calls(), before.map((n) => n + 1), "it has to give back what it encrypts");
    await store.commit([{ key: KEY, value: (await store.get(`${KEY}2`))!.value }]);
    assert.match(unreadableReason((await over.get(KEY))!.value)!, /not authentic/);
    const name = "apiserver_envelope_encryption_dek_cache_inter_arrival_time_seconds";
    const arrivals = kms.metrics.rows().find((row) => row.name === name)!.samples(name);
    assert.deepEqual(
      arrivals.filter((s) => s.metricName === `${name}_count`).map(({ labels, value }) => [labels, value]),
      [[{ transformation_type: "to_storage" }, 2], [{ transformation_type: "from_storage" }, 2]],
    );
  }));

Deno.test("kms v1: what others wrote as aescbc does is read, and is stale; a value cut short is told", () =>
  stage(async (s) => {
    const store = memoryBackend(), over = (await s.open("v1")).over(store), dataKey = new Uint8Array(32).fill(5);
    const held = cipher("v1", dataKey), size = Uint8Array.of(held.length >> 8, held.length & 0xff);
    const value = concat([utf8("k8s:enc:kms:v1:vault:"), size, held, written(aescbc, dataKey)]);
    await store.commit([{ key: KEY, value }]);
    assert.equal(text((await over.get(KEY))!.value), "plain");
    assert.equal(await over.stale(KEY), true);
    await put(over, KEY, "plain");
    assert.equal(await over.stale(KEY), false);
    for (const length of [22, 22 + held.length]) {
      await store.commit([{ key: KEY, value: value.subarray(0, length) }]);
      assert.match(unreadableReason((await over.get(KEY))!.value)!, /does not hold the data key that it announces/);
    }
  }));

Deno.test("kms v1: a data key that the service encrypts as nothing, or longer than its place, writes nothing", () =>
  stage(async (s) => {
    const store = memoryBackend();
    const over = (await s.open("v1")).over(store);
    for (const length of [0, 65_536]) {
      s.plugin.instead = new Uint8Array(length);
      await assert.rejects(put(over, KEY, "plain"), new RegExp(`the encrypted data key has ${length} bytes`));
    }
    assert.equal(await store.get(KEY), undefined);
    s.plugin.instead = new Uint8Array(65_535);
    await put(over, KEY, "plain");
    assert.equal(text((await over.get(KEY))!.value), "plain", "by the key that is held under its encrypted form");
  }));

Deno.test("a service that speaks another version than it is asked in is not well until it speaks that one", () =>
  stage(async (s) => {
    for (const [version, why] of [["v1", /speaks v3, not v1beta1$/], ["v2", /speaks version "v3", not v2$/]] as const) {
      s.plugin.speaks = "v3";
      const kms = await s.open(version), [check] = kms.checks();
      await assert.rejects(check!.check(), why);
      s.plugin.speaks = undefined;
      s.shift += 5_000;
      await check!.check();
      await put(kms.over(memoryBackend()), KEY, "plain");
    }
  }));

Deno.test("kms v1: what the service refuses to encrypt is not written; who writes hears why, and metrics tell the status", () =>
  stage(async (s) => {
    const store = memoryBackend();
    const kms = await s.open("v1");
    const t = await startTestServer([], { backend: kms.over(store), encryption: kms });
    s.plugin.failure = grpc.status.FAILED_PRECONDITION;
    const made = await t.fetch("/api/v1/namespaces/default/secrets", { body: { metadata: { name: "a" } } });
    assert.deepEqual([made.status, made.body.reason], [500, "InternalError"]);
    assert.match(
      made.body.message,
      /^Internal error occurred: key management service "vault": FailedPrecondition: /,
    );
    const labels = 'transformation_type="to_storage",transformer_prefix="k8s:enc:kms:v1:vault:"';
    const row = `operations_total{resource="secrets",${labels},status="FailedPrecondition"} 1`;
    assert.ok((await t.fetch("/metrics")).text.includes(row));
    await t.stop();
    await store.close();
  }));

Deno.test("kms v1: keys that were asked for by reads fill the cache, too", () =>
  stage(async (s) => {
    const store = memoryBackend();
    await put((await s.open("v1")).over(store), KEY, "plain");
    const kms = await s.open("v1");
    await kms.over(store).get(KEY);
    const registry = new Registry();
    kms.metrics.register(registry);
    assert.match(await registry.metrics(), /dek_cache_fill_percent 0\.001\n/);
  }));

Deno.test("the keys of a service that metrics tell apart are bounded, the oldest given up first", async () => {
  const metrics = new EncryptionMetrics("sha256:a", () => 5_000);
  const registry = new Registry();
  metrics.register(registry);
  for (let i = 0; i < 150; i++) metrics.used("to_storage", "vault", `key ${i < 149 ? i : 60}`);
  const lines = (await registry.metrics()).split("\n").filter((l) =>
    l.startsWith("apiserver_envelope_encryption_key_id_hash")
  );
  assert.equal(lines.filter((l) => l.includes("_total{")).length, 100);
  assert.equal(lines.filter((l) => l.endsWith(" 5")).length, 100);
  assert.equal(lines.filter((l) => l.endsWith(" 2")).length, 1);
});

Deno.test("another file is taken into use once its services are well, and refused with the old one kept", () =>
  stage(async (s) => {
    const store = memoryBackend();
    const first = fileOf([["secrets"], keyed("aescbc", { k: secret(1) })]);
    const e = await s.open("v2", { reload: true, file: first });
    const over = e.over(store);
    await put(over, KEY, "plain");
    assert.equal(await e.reload(first), false);
    await assert.rejects(e.reload("kind: Pod"), /no EncryptionConfiguration/);
    await put(over, `${KEY}2`, "plain");
    assert.match(text((await store.get(`${KEY}2`))!.value), /^k8s:enc:aescbc/);
    assert.deepEqual(e.checks().map((c) => c.name), ["kms-providers"]);

    const kms = { kms: { apiVersion: "v2", name: "vault", endpoint: s.plugin.endpoint } };
    assert.equal(await e.reload(fileOf([["secrets"], kms, keyed("aescbc", { k: secret(1) })])), true);
    assert.equal(text((await over.get(KEY))!.value), "plain");
    assert.equal(await over.stale(KEY), true);
    await put(over, KEY, "plain");
    assert.match(text((await store.get(KEY))!.value), /^k8s:enc:kms:v2:vault:/);
    await e.checks()[0]!.check();
  }));

Deno.test("a server with a service: health, metrics, and what was unreadable is read after the file has its key", () =>
  stage(async (s) => {
    const store = memoryBackend();
    const other = keyed("secretbox", { k: secret(4) });
    const theirs = await s.open("v2", { file: fileOf([["secrets"], other]) });
    const secretOf = (name: string) => ({ metadata: { name }, stringData: { a: "b" } });
    const SECRETS = "/api/v1/namespaces/default/secrets";
    const before = await startTestServer([], { backend: theirs.over(store), encryption: theirs });
    await before.fetch(SECRETS, { body: secretOf("old") });
    await before.stop();

    const mine = await s.open("v2", { reload: true });
    const server = await startTestServer([], { backend: mine.over(store), encryption: mine });
    assert.equal((await server.fetch(SECRETS, { body: secretOf("new") })).status, 201);
    assert.equal((await server.fetch(`${SECRETS}/old`)).status, 500);
    assert.match((await server.fetch("/readyz?verbose")).text, /\[\+\]kms-providers ok/);
    const kms = { kms: { apiVersion: "v2", name: "vault", endpoint: s.plugin.endpoint } };
    assert.equal(await mine.reload(fileOf([["secrets"], kms, other])), true);
    // The caches read everything again.
    for (let i = 0; i < 2_000; i++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      if ((await server.fetch(`${SECRETS}/old`)).status === 200 && (await server.fetch("/readyz")).status === 200) {
        break;
      }
    }
    assert.equal(atob((await server.fetch(`${SECRETS}/old`)).body.data.a), "b");
    const metrics = (await server.fetch("/metrics")).text;
    assert.match(metrics, /apiserver_encryption_config_controller_automatic_reloads_total\{status="success",/);
    assert.match(metrics, /last_config_info\{apiserver_id_hash="sha256:[0-9a-f]{64}",hash="sha256:[0-9a-f]{64}"\} 1/);
    assert.match(
      metrics,
      /operations_total\{resource="secrets",transformation_type="to_storage",transformer_prefix="k8s:enc:kms:v2:vault:",status="OK"\} 1/,
    );
    assert.match(metrics, /kms_operations_latency_seconds_count\{provider_name="vault",method_name="\/v2/);
    const used = 'transformation_type="to_storage",provider_name="vault",key_id_hash="sha256:[0-9a-f]{64}"';
    for (const name of ["key_id_hash_total", "key_id_hash_last_timestamp_seconds"]) {
      assert.match(metrics, new RegExp(`apiserver_envelope_encryption_${name}\\{${used},apiserver_id_hash="sha256:`));
    }
    assert.match(metrics, /envelope_encryption_dek_source_cache_size\{provider_name="vault"\} [12]\n/);
    const took = 'transformation_type="to_storage",transformer_prefix="k8s:enc:kms:v2:vault:"';
    assert.match(metrics, new RegExp(`transformation_duration_seconds_bucket\\{${took},le="1e-05"\\} \\d`));
    assert.match(metrics, new RegExp(`transformation_duration_seconds_bucket\\{${took},le="\\+Inf"\\} 1`));
    assert.match(metrics, new RegExp(`transformation_duration_seconds_count\\{${took}\\} 1`));
    s.plugin.failure = grpc.status.UNAVAILABLE;
    s.shift += 60_000;
    assert.equal((await server.fetch("/readyz")).status, 500);
    const rest = await server.fetch("/readyz?exclude=kms-providers");
    assert.equal(rest.status, 200, rest.text);
    // A restart would not make the service come back.
    assert.equal((await server.fetch("/livez")).status, 200);
    assert.equal((await server.fetch("/livez/kms-providers")).status, 404);
    assert.match(
      (await server.fetch("/healthz/kms-providers")).text,
      /^internal server error: kms-provider-0: key management service "vault": Unavailable: /,
    );
    await server.stop();
    await store.close();
  }));

Deno.test("what a service of v2 refuses for a moment is read when it is well again", () =>
  stage(async (s) => {
    const SECRETS = "/api/v1/namespaces/default/secrets", store = memoryBackend();
    const theirs = await s.open("v2");
    const before = await startTestServer([], { backend: theirs.over(store), encryption: theirs });
    assert.equal((await before.fetch(SECRETS, { body: { metadata: { name: "a" } } })).status, 201);
    await before.stop();

    const mine = await s.open("v2");
    s.plugin.failure = grpc.status.INTERNAL;
    const server = await startTestServer([], { backend: mine.over(store), encryption: mine });
    assert.equal((await server.fetch(`${SECRETS}/a`)).status, 500);
    s.plugin.failure = undefined;
    s.shift += 60_000;
    await mine.checks()[0]!.check();
    let status = 0;
    for (let i = 0; i < 2_000 && status !== 200; i++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      ({ status } = await server.fetch(`${SECRETS}/a`));
    }
    assert.equal(status, 200);
    await server.stop();
    await store.close();
  }));

Deno.test("what a service of v2 refused is asked for again as it was: of what a store gives no part is kept", () =>
  stage(async (s) => {
    const store = memoryBackend();
    await put((await s.open("v2")).over(store), KEY, "a");
    const page = (await store.get(KEY))!.value.slice(),
      get = () => Promise.resolve({ key: KEY, revision: 1, value: page });
    const mine = await s.open("v2");
    s.plugin.failure = grpc.status.INTERNAL;
    const refused = (await mine.over({ ...store, get } as unknown as Backend).get(KEY))!;
    assert.match(unreadableReason(refused.value) ?? "", /unable to transform key/);
    page.fill(0);
    s.plugin.failure = undefined;
    s.shift += 60_000;
    await mine.checks()[0]!.check();
    s.plugin.failure = grpc.status.INTERNAL;
    assert.equal(text((await mine.over(store).get(KEY))!.value), "a", "its seed is there");
    await store.close();
  }));

Deno.test("kms v2: readers of what was refused start again when it is given, whoever had its seed or could not ask for it meanwhile", () =>
  stage(async (s) => {
    const store = memoryBackend();
    await put((await s.open("v2")).over(store), KEY, "plain");
    for (const between of [undefined, grpc.status.UNAVAILABLE]) {
      const mine = await s.open("v2"), over = mine.over(store), stop = new AbortController();
      s.plugin.failure = grpc.status.INTERNAL;
      assert.ok(unreadableReason((await over.get(KEY))!.value));
      let why: unknown;
      const following = over.changes("/registry/", await over.revision(), () => {}, stop.signal).catch((e) => why = e);
      s.plugin.failure = between;
      const meanwhile = await over.get(KEY).then((stored) => text(stored!.value), (e: StorageError) => e.kind);
      assert.equal(meanwhile, between === undefined ? "plain" : "sealed");
      s.plugin.failure = undefined;
      s.shift += 60_000;
      await mine.checks()[0]!.check();
      await new Promise((resolve) => setTimeout(resolve, 0));
      stop.abort();
      await following;
      assert.match(String(why), /may be readable now/, meanwhile);
    }
    await store.close();
  }));

Deno.test("an encryption that is closed ends the services that it replaced", () =>
  stage(async (s) => {
    let open = 0;
    const transformer = identity(utf8("k8s:enc:"));
    const service = () => {
      open++;
      const none = () => Promise.resolve();
      return Promise.resolve(
        { version: "v2", transformer, checkMs: 1000, check: none, close: () => void open-- } as const,
      );
    };
    const made = await encryption(s.file("v2"), { reload: true, service });
    assert.equal(await made.reload(fileOf([["secrets"], keyed("secretbox", { k: secret(4) })])), true);
    assert.equal(open, 1, "what is under way with it may end");
    made.close();
    assert.equal(open, 0);
  }));

Deno.test("a service that is away: what it encrypts waits for it, at the start and later; all else is served", () =>
  stage(async (s) => {
    const SECRETS = "/api/v1/namespaces/default/secrets", MAPS = "/api/v1/namespaces/default/configmaps";
    const secret = (name: string) => ({ body: { metadata: { name } } });
    const serve = async (store: Backend) => {
      const encryption = await s.open("v1");
      return await startTestServer([], { backend: encryption.over(store), encryption });
    };
    const watch = async (server: TestServer, path: string) => {
      const { metadata } = (await server.fetch(`${path}?limit=1`)).body;
      return await openWatch(server, `${path}?watch=1&resourceVersion=${metadata.resourceVersion}`);
    };
    const store = memoryBackend(), before = await serve(store);
    for (const name of ["a", "b"]) assert.equal((await before.fetch(SECRETS, secret(name))).status, 201);
    const sealed = await store.get("/registry/secrets/default/b");
    await store.commit([{ key: sealed!.key, value: null }]);
    await before.stop();

    s.plugin.failure = grpc.status.UNAVAILABLE;
    const server = await serve(store), ready = () => server.server.cacher.mustHave("secrets").ready;
    assert.equal(ready(), false);
    assert.equal((await server.fetch(`${SECRETS}?watch=1`)).status, 429);
    assert.match((await server.fetch("/readyz?verbose")).text, /\[-\]informer-sync failed/);
    const { status, body } = await server.fetch(`${SECRETS}/a`);
    assert.equal(status, 500);
    assert.match(
      body.message,
      /^Internal error occurred: unable to transform key "\/registry\/secrets\/default\/a": .*"vault"/,
    );
    assert.equal((await server.fetch(SECRETS, secret("c"))).status, 500);
    const maps = await watch(server, MAPS);
    await server.fetch(MAPS, { body: map("early") });
    assert.deepEqual(told([(await maps.next())!]), ["ADDED early"]);
    s.plugin.failure = undefined;
    await server.server.cacher.whenReady();
    s.shift += 60_000;
    assert.equal((await server.fetch("/readyz")).status, 200);

    // A change of another server, whose key this one has to ask for.
    const secrets = await watch(server, SECRETS);
    s.plugin.failure = grpc.status.UNAVAILABLE;
    await store.commit([{ key: sealed!.key, value: sealed!.value }]);
    await server.fetch(MAPS, { body: map("late") });
    assert.deepEqual(told([(await maps.next())!]), ["ADDED late"]);
    assert.equal(ready(), false);
    assert.equal(await secrets.next(), undefined);
    s.plugin.failure = undefined;
    await server.server.cacher.whenReady("secrets");
    assert.deepEqual(namesOf((await server.fetch(SECRETS)).body), ["a", "b"]);
    await server.stop();
    await store.close();
  }));
