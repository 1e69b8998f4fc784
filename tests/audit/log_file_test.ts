/** The file of audit events, when others take it away and when several parts are made at once. */
import assert from "node:assert/strict";
import { LogFile } from "../../server/options/audit_log.ts";

const LIMITS = { bytes: 10, backups: 0, age: 0, gzip: false };
const never = (e: unknown) => assert.fail(String(e));

Deno.test("a log that was taken away is made anew when it would be rotated", async () => {
  const dir = await Deno.makeTempDir();
  const file = new LogFile(`${dir}/logs/audit.log`, LIMITS, Date.now, never);
  file.write("one 56\n");
  await Deno.rename(`${dir}/logs/audit.log`, `${dir}/kept`);
  file.write("two 56\n");
  assert.equal(await Deno.readTextFile(`${dir}/logs/audit.log`), "two 56\n");
  await Deno.remove(`${dir}/logs`, { recursive: true });
  file.write("three 8\n");
  await file.close();
  assert.equal(Deno.statSync(`${dir}/logs`).mode! & 0o77, 0);
  assert.equal(await Deno.readTextFile(`${dir}/logs/audit.log`), "three 8\n");
  await Deno.remove(dir, { recursive: true });
});

Deno.test("a log is filled to the byte, after a restart too; what no file may hold is refused, and moves nothing", async () => {
  const dir = await Deno.makeTempDir(), names = () => Array.from(Deno.readDirSync(dir), ({ name }) => name).length;
  const open = () => new LogFile(`${dir}/audit.log`, LIMITS, Date.now, never);
  let file = open();
  for (const [line, files] of [["first\n", 1], ["end\n", 1], ["next\n", 2], ["last\n", 2], ["new\n", 3]] as const) {
    file.write(line);
    assert.throws(() => file.write("of 11 bytes"), /11 bytes are more than a file may have/);
    assert.equal(names(), files, line);
    if (line !== "first\n") continue;
    await file.close();
    file = open();
  }
  await file.close();
  assert.equal(await Deno.readTextFile(`${dir}/audit.log`), "new\n");
  await Deno.remove(dir, { recursive: true });
});

Deno.test("nobody else may read a log, its parts or where they lie", async () => {
  const dir = await Deno.makeTempDir(), logs = `${dir}/of/logs`, { umask } = Deno;
  const before = umask(0);
  try {
    const file = new LogFile(`${logs}/audit.log`, { ...LIMITS, gzip: true }, Date.now, never);
    for (const line of ["one 56\n", "two 56\n"]) file.write(line);
    await file.close();
  } finally {
    umask(before);
  }
  const names = Array.from(Deno.readDirSync(logs), ({ name }) => name);
  assert.equal(names.filter((name) => name.endsWith(".gz")).length, 1);
  for (const name of [".", ...names]) assert.equal(Deno.statSync(`${logs}/${name}`).mode! & 0o77, 0, name);
  await Deno.remove(dir, { recursive: true });
});

/** What a file holds, compressed or not. */
async function textOf(path: string): Promise<string> {
  const bytes = new Blob([await Deno.readFile(path)]).stream();
  return await new Response(path.endsWith(".gz") ? bytes.pipeThrough(new DecompressionStream("gzip")) : bytes).text();
}

Deno.test("parts of one moment have names of their own, and none is kept open", async () => {
  for (const gzip of [false, true]) {
    const dir = await Deno.makeTempDir(),
      path = `${dir}/audit.log`,
      lines = ["a", "b", "c", "d", "e"].map((c) => `${c}\n`);
    for (const part of [lines.slice(0, 3), lines.slice(3)]) {
      const file = new LogFile(path, { ...LIMITS, bytes: 2, gzip }, () => 0, never);
      for (const line of part) file.write(line);
      await file.close();
    }
    const names = Array.from(Deno.readDirSync(dir), ({ name }) => name);
    const there = await Promise.all(names.map((name) => textOf(`${dir}/${name}`)));
    assert.deepEqual(there.sort(), lines);
    const open = Array.from(Deno.readDirSync("/proc/self/fd"), ({ name }) => linkOf(`/proc/self/fd/${name}`));
    assert.deepEqual(open.filter((name) => name.startsWith(dir)), []);
    await Deno.remove(dir, { recursive: true });
  }
});

/** Where a link leads; empty where it is gone. */
function linkOf(path: string): string {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return "";
  }
}

Deno.test("a part whose compression was broken off is one part, and is compressed anew", async () => {
  const dir = await Deno.makeTempDir(), at = "2026-01-02T03-04-05.678", before = "2026-01-01T03-04-05.678";
  await Deno.writeTextFile(`${dir}/audit-${at}.log`, "all of it\n");
  await Deno.writeFile(`${dir}/audit-${at}.log.gz`, new Uint8Array([0x1f, 0x8b]));
  await Deno.writeFile(`${dir}/audit-${before}.log.gz`, new Uint8Array([0x1f, 0x8b]));
  for (const backups of [2, 1]) {
    const file = new LogFile(`${dir}/audit.log`, { ...LIMITS, backups, gzip: true }, Date.now, never);
    await file.close();
    const names = Array.from(Deno.readDirSync(dir), ({ name }) => name).sort();
    const kept = [`audit-${before}.log.gz`, `audit-${at}.log.gz`].slice(-backups);
    assert.deepEqual(names, [...kept, "audit.log"]);
    assert.equal(await textOf(`${dir}/audit-${at}.log.gz`), "all of it\n");
  }
  await Deno.remove(dir, { recursive: true });
});

Deno.test("old parts go though a newer one cannot be compressed; what only looks like one stays", async () => {
  const dir = await Deno.makeTempDir(), told: unknown[] = [];
  const others = ["audio-2026-01-01T03-04-05.678.log", "audit-2026-01-01T03-04-05.678.txt", "audit-old.log"];
  const [first, second] = ["01", "02"].map((day) => `audit-2026-01-${day}T03-04-05.678.log`);
  for (const name of [first, second, ...others]) await Deno.writeTextFile(`${dir}/${name}`, "text\n");
  await Deno.mkdir(`${dir}/${second}.gz`);
  const limits = { ...LIMITS, backups: 1, gzip: true };
  const file = new LogFile(`${dir}/audit.log`, limits, Date.now, (e) => told.push(e));
  await file.close();
  assert.equal(told.length, 1);
  const names = Array.from(Deno.readDirSync(dir), ({ name }) => name).sort();
  assert.deepEqual(names, [second, `${second}.gz`, "audit.log", ...others].sort());
  await Deno.remove(dir, { recursive: true });
});
