/** Parts of encryption at rest by themselves: what is random, what waits in line, what is held, what a service may say. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createCipheriv } from "node:crypto";
import type { ChangeBatch } from "../../server/storage/backend.ts";
import { EncryptedBackend } from "../../server/storage/encryption/mod.ts";
import { aescbc } from "../../server/storage/encryption/ciphers.ts";
import { identity } from "../../server/storage/encryption/identity.ts";
import { Checked } from "../../server/storage/encryption/kms/checked.ts";
import { DataKeys } from "../../server/storage/encryption/kms/keys.ts";
import { checkEncrypted } from "../../server/storage/encryption/kms/limits.ts";
import { Line } from "../../server/storage/encryption/line.ts";
import { randomPool } from "../../server/storage/encryption/random.ts";
import type { Service } from "../../server/storage/encryption/table.ts";
import type { Transformer } from "../../server/storage/encryption/types.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { StorageError } from "../../server/storage/backend.ts";
import { laterReason } from "../../server/storage/unreadable.ts";
import { encryption, fileOf, keyed, secret, utf8 } from "./encryption_tools.ts";

Deno.test("random bytes come once, stay as they were given, and are not what others get", () => {
  const random = randomPool(), given = Array.from({ length: 3_000 }, () => random(12));
  assert.equal(new Set(given.map((bytes) => bytes.toHex())).size, given.length);
  assert.ok(random(8_192).some((byte) => byte !== 0));
  assert.throws(() => random(8_193), RangeError);
});

Deno.test("aescbc: what is not padded as it should be is refused", () => {
  const key = new Uint8Array(32).fill(1), iv = Buffer.alloc(16, 7);
  const { open } = aescbc(key, (n) => new Uint8Array(n));
  const ending = (...end: number[]) => {
    const cipher = createCipheriv("aes-256-cbc", key, iv).setAutoPadding(false);
    const plain = Buffer.concat([Buffer.alloc(16 - end.length, 9), Buffer.from(end)]);
    return Buffer.concat([iv, cipher.update(plain), cipher.final()]);
  };
  assert.deepEqual(open(ending(2, 2), ""), { plain: new Uint8Array(14).fill(9), stale: false });
  for (const end of [[0], [17], [3, 2, 3]]) assert.throws(() => open(ending(...end), ""), /padded/, `${end}`);
  for (const cut of [16, 31]) assert.throws(() => open(ending(1).subarray(0, cut), ""), /whole block/, `${cut}`);
});

Deno.test("a line hands on in order, whatever takes long, and nothing after what failed", async () => {
  const told: number[] = [];
  const batch = (revision: number): ChangeBatch => ({ changes: [], revision });
  const line = new Line(({ revision }) => {
    if (revision === 9) throw new Error("not taken");
    told.push(revision);
  });
  const first = Promise.withResolvers<ChangeBatch>(), third = Promise.withResolvers<ChangeBatch>();
  line.put(first.promise);
  line.put(batch(2));
  line.put(third.promise);
  third.resolve(batch(3));
  line.put(batch(4));
  assert.deepEqual([told, line.busy], [[], true]);
  first.resolve(batch(1));
  await line.empty();
  assert.deepEqual([told, line.busy], [[1, 2, 3, 4], false]);
  line.put(batch(5));
  assert.deepEqual(told, [1, 2, 3, 4, 5]);

  const seventh = Promise.withResolvers<ChangeBatch>(), ninth = Promise.withResolvers<ChangeBatch>();
  const others = () => new Promise((done) => setTimeout(done, 0));
  line.put(Promise.resolve(batch(6)));
  line.put(seventh.promise);
  await others();
  line.put(batch(8));
  assert.deepEqual(told.slice(5), [6], "one that is ready waits for one that is not, though the line has moved");
  seventh.resolve(batch(7));
  await line.empty();
  assert.deepEqual(told.slice(5), [6, 7, 8]);

  line.put(ninth.promise);
  line.put(Promise.resolve(batch(10)));
  line.put(Promise.reject(new Error("never reached")));
  await others();
  ninth.resolve(batch(9));
  await line.empty();
  line.put(batch(11));
  assert.deepEqual([told.length, line.failure?.message, line.signal.aborted], [8, "not taken", true]);
});

Deno.test("a commit resolves when readers were told of it, after what of others is still being decrypted", async () => {
  const store = memoryBackend(), asked = Promise.withResolvers<void>(), answer = Promise.withResolvers<void>();
  const slow: Transformer = {
    seal: (plain) => [utf8("sealed:"), plain],
    async open(stored) {
      asked.resolve();
      await answer.promise;
      return { plain: stored, stale: false };
    },
  };
  const backend = new EncryptedBackend(store, () => slow), told: string[] = [], stop = new AbortController();
  const reading = backend.changes(
    "/k/",
    await store.revision(),
    ({ changes }) => void told.push(...changes.map((change) => change.key)),
    stop.signal,
  );
  await store.commit([{ key: "/k/another's", value: utf8("x") }]);
  await asked.promise;
  let done = false;
  const own = backend.commit([{ key: "/k/own", value: utf8("x") }]).then(() => done = true);
  await new Promise((next) => setTimeout(next, 0));
  assert.deepEqual([done, told], [false, []]);
  answer.resolve();
  await own;
  assert.deepEqual(told, ["/k/another's", "/k/own"]);
  stop.abort();
  await reading;
  await store.close();
});

Deno.test("what could not be read between two readers of the log is read anew by the next one", async () => {
  const store = memoryBackend();
  let key = false;
  const backend = new EncryptedBackend(store, () => ({
    seal: (plain) => [plain],
    open(plain) {
      if (!key) throw new Error("no key");
      return { plain, stale: false };
    },
  }));
  await store.commit([{ key: "/k/a", value: utf8("x") }]);
  const since = await store.revision(), follow = () => backend.changes("/k/", since, () => {}, AbortSignal.abort());
  await follow();
  await backend.range("/k/");
  backend.reread();
  await assert.rejects(follow(), { name: "RevisionError", kind: "compacted" });
  await follow();
  key = true;
  await backend.range("/k/");
  backend.reread();
  await follow();
  await store.close();
});

Deno.test("who reads much waits once for a service that is away", async () => {
  const store = memoryBackend();
  for (let i = 0; i < 600; i++) await store.commit([{ key: `/k/${i}`, value: utf8("x") }]);
  let asked = 0;
  const away: Transformer = {
    ...identity(utf8("k8s:enc:")),
    open: () => Promise.reject(new StorageError("sealed", `away ${++asked}`)),
  };
  const read: (string | undefined)[] = [];
  const take = (items: readonly { value: Uint8Array }[]) =>
    void read.push(...items.map(({ value }) => laterReason(value)));
  await new EncryptedBackend(store, () => away).scan("/k/", take);
  assert.equal(read.filter((why) => why?.includes("away")).length, 600);
  assert(asked < 600, `asked ${asked} times`);
});

Deno.test("a check is run once for all who ask, and again when what it found has stood for a while", async () => {
  let [now, runs] = [0, 0];
  let wrong: Error | undefined;
  const checked = new Checked(() => now, () => (runs++, wrong ? Promise.reject(wrong) : Promise.resolve()));
  await Promise.all([checked.check(), checked.check()]);
  now = 19_999;
  await checked.check();
  assert.equal(runs, 1);
  wrong = new Error("ill");
  now = 20_000;
  await assert.rejects(checked.check(), /ill/);
  now += 2_999;
  await assert.rejects(checked.check(), /ill/);
  assert.equal(runs, 2);
  wrong = undefined;
  now++;
  await checked.check();
  await checked.check();
  assert.equal(runs, 3);
});

Deno.test("of data keys so many are held, the least lately used go; none where none are to be", () => {
  const plain = identity(utf8("k8s:enc:")), keys = new DataKeys(2), none = new DataKeys(-1);
  for (const name of ["a", "b"]) keys.set(name, plain);
  assert.equal(keys.get("a"), plain);
  keys.set("c", plain);
  assert.deepEqual(["a", "b", "c"].map((name) => keys.get(name)), [plain, undefined, plain]);
  none.set("a", plain);
  assert.deepEqual([keys.size, none.size], [2, 0]);
});

Deno.test("what a service of v2 says has its bounds", () => {
  const good = { data: utf8("d"), keyId: "k", source: utf8("s"), annotations: [], sourceType: 1 };
  const annotation = (key: string, size = 1) => ({ annotations: [{ key, value: new Uint8Array(size) }] });
  for (
    const fine of [
      {},
      { keyId: "k".repeat(1024) },
      { source: new Uint8Array(1024) },
      annotation("a.b"),
      annotation("a.b."),
    ]
  ) {
    checkEncrypted({ ...good, ...fine });
  }
  const wrong: [Partial<typeof good>, RegExp][] = [
    [{ data: utf8("") }, /no encrypted data$/],
    [{ source: utf8("") }, /no encrypted data key/],
    [{ source: new Uint8Array(1025) }, /1025 bytes, more than 1024/],
    [{ keyId: "" }, /name is empty/],
    [{ keyId: "é".repeat(513) }, /1026 bytes, more than 1024/],
    [{ sourceType: 2 }, /kind of data key 2 is not known/],
    [annotation("local") as object, /no domain name/],
    [annotation("a.b", 32 * 1024) as object, /more than 32768/],
    [{ annotations: ["a.b", "c.d"].flatMap((key) => annotation(key, 16 * 1024).annotations) } as object, /32774 bytes/],
  ];
  for (const [more, why] of wrong) assert.throws(() => checkEncrypted({ ...good, ...more }), why);
});

Deno.test("another file whose service is not well is refused and its service ended; one in use is told when that is mended", async () => {
  let well = true, now = 0;
  const services: (Service & { closed: boolean })[] = [];
  const service = () => {
    const made = {
      version: "v2" as const,
      transformer: identity(utf8("k8s:enc:")),
      checkMs: 1,
      closed: false,
      check: () => {
        now += 5_000;
        return well ? Promise.resolve() : Promise.reject(new Error("it is not well"));
      },
      close: () => void (made.closed = true),
    };
    services.push(made);
    return Promise.resolve(made);
  };
  const kms = { kms: { apiVersion: "v2", name: "vault", endpoint: "unix:///s" } };
  const aside = keyed("secretbox", { k: secret(4) });
  const made = await encryption(fileOf([["secrets"], aside]), { reload: true, service, now: () => now });
  const file = fileOf([["secrets"], kms, aside]);
  well = false;
  await assert.rejects(made.reload(file), /it is not well/);
  assert.deepEqual(services.map(({ closed }) => closed), [true]);
  well = true;
  assert.deepEqual([await made.reload(file), await made.reload(file)], [true, false]);
  assert.equal(typeof services[1]!.mended, "function");
  // A file of which one service must not be used leaves none of the others open.
  const two = { kms: { ...kms.kms, name: "other" } };
  const refusing = (config: { name: string }) => config.name === "other" ? Promise.reject(new Error("no")) : service();
  await assert.rejects(encryption(fileOf([["secrets"], kms, two]), { service: refusing }), /no/);
  assert.deepEqual(services.map(({ closed }) => closed), [true, false, true]);
  made.close();
});
