/** Disks that are full or cannot be written, as clients of a server see it. */
import assert from "node:assert/strict";
import { readOrMake, replaceFile } from "../../server/listen/files.ts";
import { LogFile } from "../../server/options/audit_log.ts";
import { backup } from "../../server/storage/archive.ts";
import { openDenoKv } from "../../server/storage/denokv/mod.ts";
import { Whole } from "../../server/storage/whole.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { bytes, put, storageError } from "../storage/tools.ts";
import { smallDisk } from "./_disk.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const body = (name: string, size = 10) => ({ metadata: { name }, data: { pad: "x".repeat(size) } });

/** Names that are there by a list, and by a watch from the start. */
async function names(server: TestServer): Promise<string[]> {
  const { body } = await server.fetch(MAPS);
  return body.items.map((i: { metadata: { name: string } }) => i.metadata.name);
}

async function ready(server: TestServer): Promise<void> {
  for (let i = 0; (await server.fetch("/readyz")).status !== 200; i++) {
    assert(i < 500, "it does not get ready again");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

Deno.test("a full disk: writes answer 503 with the reason, reads go on, and space given back is used", async () => {
  await using disk = await smallDisk(14);
  if (!disk) return console.log("skipped: cannot mount a small file system");
  await Deno.writeFile(`${disk.path}/ballast`, new Uint8Array(3 << 20));
  const backend = await openDenoKv(`${disk.path}/store.db`);
  const server = await startTestServer([], { backend });
  const made: string[] = [];
  let refused = 0;
  for (let i = 0; refused < 3; i++) {
    assert(i < 2_000, "the disk never gets full");
    const answer = await server.fetch(MAPS, { body: body(`m-${String(i).padStart(4, "0")}`, 30_000) });
    if (answer.status === 201) made.push(answer.body.metadata.name);
    else {
      assert.equal(answer.status, 503, answer.text);
      assert.equal(answer.body.reason, "ServiceUnavailable");
      refused++;
    }
  }
  assert.deepEqual(await names(server), made);
  assert.equal((await server.fetch(`${MAPS}/${made[0]}`)).status, 200);
  await Deno.remove(`${disk.path}/ballast`);
  assert.equal((await server.fetch(MAPS, { body: body("z-after", 30_000) })).status, 201);
  assert.deepEqual(await names(server), [...made, "z-after"]);
  await server.stop();
  await backend.close();
});

Deno.test("a read-only disk: the store does not open, and says why; nothing is changed", async () => {
  await using disk = await smallDisk(14);
  if (!disk) return console.log("skipped: cannot mount a small file system");
  const path = `${disk.path}/store.db`;
  const first = await openDenoKv(path);
  await put(first, { key: "k/a", value: bytes("1") });
  await first.close();
  assert(await disk.remount("ro"));
  const error = await storageError(openDenoKv(path), "unavailable");
  assert.match(error.message, /[Rr]ead-only/);
  assert(await disk.remount("rw"));
  const again = await openDenoKv(path);
  assert.deepEqual((await again.range("")).items.map((i) => i.key), ["k/a"]);
  await again.close();
});

// A disk in use cannot be made read-only without tricks: here the database's own error is put in the place of its commits.
Deno.test("a disk that becomes read-only (injected): writes answer 503, reads and watches go on, and it recovers", async () => {
  const dir = await Deno.makeTempDir();
  const backend = await openDenoKv(`${dir}/store.db`);
  const server = await startTestServer([], { backend });
  assert.equal((await server.fetch(MAPS, { body: body("a") })).status, 201);
  const watch = await server.open(`${MAPS}?watch=1&resourceVersion=0`);
  const reader = watch.body!.pipeThrough(new TextDecoderStream()).getReader();
  let told = "";
  const until = async (text: string) => {
    while (!told.includes(text)) told += (await reader.read()).value;
  };
  await until('"name":"a"');
  const { kv } = backend.core.store;
  const atomic = kv.atomic;
  kv.atomic = () => {
    const real = atomic.call(kv);
    real.commit = () => Promise.reject(new Error("attempt to write a readonly database"));
    return real;
  };
  for (let i = 0; i < 3; i++) {
    const answer = await server.fetch(MAPS, { body: body("b") });
    assert.equal(answer.status, 503, answer.text);
  }
  assert.equal((await server.fetch(`${MAPS}/a`, { method: "DELETE" })).status, 503);
  assert.deepEqual(await names(server), ["a"]);
  kv.atomic = atomic;
  assert.equal((await server.fetch(MAPS, { body: body("b") })).status, 201);
  await until('"name":"b"');
  assert(!told.includes("DELETED"));
  await ready(server);
  await reader.cancel();
  await server.stop();
  await backend.close();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("damaged bytes of a long value: its object alone cannot be read, and is deleted by the unsafe path only", async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/store.db`;
  let backend = await openDenoKv(path);
  let server = await startTestServer([], { backend });
  for (const [name, size] of [["long", 100_000], ["short", 10]] as const) {
    assert.equal((await server.fetch(MAPS, { body: body(name, size) })).status, 201);
  }
  await server.stop();
  const { kv } = backend.core.store;
  const [piece] = await Array.fromAsync(kv.list<Uint8Array>({ prefix: ["blob"] }));
  await kv.set(piece!.key, piece!.value.with(50, piece!.value[50]! ^ 1));
  await backend.close();
  backend = await openDenoKv(path);
  await storageError(backup(Whole.of(backend), new Map(), () => Promise.resolve()), "corrupt");
  server = await startTestServer([], { backend });
  assert.equal((await server.fetch(`${MAPS}/short`)).status, 200);
  const refused = await server.fetch(`${MAPS}/long`);
  assert.equal(refused.status, 500);
  assert.match(refused.body.message, /configmaps\/default\/long.* is damaged/);
  assert.equal((await server.fetch(`${MAPS}/long`, { method: "DELETE" })).status, 500);
  const unsafe = { method: "DELETE", body: { ignoreStoreReadErrorWithClusterBreakingPotential: true } };
  assert.equal((await server.fetch(`${MAPS}/long`, unsafe)).status, 200);
  assert.deepEqual(await names(server), ["short"]);
  await server.stop();
  await backend.close();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("a full disk: no key is half written, and no audit event stands behind a part of another", async () => {
  await using disk = await smallDisk(1);
  if (!disk) return console.log("skipped: cannot mount a small file system");
  const LIMITS = { bytes: 0, backups: 0, age: 0, gzip: false };
  const log = new LogFile(`${disk.path}/audit.log`, LIMITS, Date.now, (e) => assert.fail(String(e)));
  log.write("first\n");
  const ballast = await Deno.open(`${disk.path}/ballast`, { write: true, create: true });
  for (let room = true; room;) room = await ballast.write(new Uint8Array(4096)).then(() => true, () => false);
  const { size } = await ballast.stat();
  await ballast.truncate(size - 8192);
  const long = "x".repeat(100_000);
  await assert.rejects(replaceFile(`${disk.path}/replaced`, long), /Cannot write ".*replaced"/);
  await assert.rejects(readOrMake(`${disk.path}/made`, () => long), /Cannot write ".*made"/);
  assert.throws(() => log.write(`${long}\n`));
  log.write("second\n");
  ballast.close();
  await log.close();
  assert.equal(await Deno.readTextFile(`${disk.path}/audit.log`), "first\nsecond\n");
  assert.deepEqual(Array.from(Deno.readDirSync(disk.path), ({ name }) => name).sort(), ["audit.log", "ballast"]);
});
