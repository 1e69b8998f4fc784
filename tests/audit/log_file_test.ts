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
  assert.equal(await Deno.readTextFile(`${dir}/logs/audit.log`), "three 8\n");
  await Deno.remove(dir, { recursive: true });
});

Deno.test("parts of one moment have names of their own", async () => {
  const dir = await Deno.makeTempDir();
  const file = new LogFile(`${dir}/audit.log`, LIMITS, () => 0, never);
  const lines = ["a", "b", "c", "d"].map((c) => `${c.repeat(6)}\n`);
  for (const line of lines) file.write(line);
  await file.close();
  const names = Array.from(Deno.readDirSync(dir), ({ name }) => name);
  const there = names.map((name) => Deno.readTextFileSync(`${dir}/${name}`)).sort();
  assert.deepEqual(there, lines);
  await Deno.remove(dir, { recursive: true });
});

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
    const text = new Blob([await Deno.readFile(`${dir}/audit-${at}.log.gz`)]).stream()
      .pipeThrough(new DecompressionStream("gzip"));
    assert.equal(await new Response(text).text(), "all of it\n");
  }
  await Deno.remove(dir, { recursive: true });
});

Deno.test("old parts go though a newer one cannot be compressed", async () => {
  const dir = await Deno.makeTempDir(), told: unknown[] = [];
  const [first, second] = ["01", "02"].map((day) => `audit-2026-01-${day}T03-04-05.678.log`);
  for (const name of [first, second]) await Deno.writeTextFile(`${dir}/${name}`, "text\n");
  await Deno.mkdir(`${dir}/${second}.gz`);
  const limits = { ...LIMITS, backups: 1, gzip: true };
  const file = new LogFile(`${dir}/audit.log`, limits, Date.now, (e) => told.push(e));
  await file.close();
  assert.equal(told.length, 1);
  const names = Array.from(Deno.readDirSync(dir), ({ name }) => name).sort();
  assert.deepEqual(names, [second, `${second}.gz`, "audit.log"]);
  await Deno.remove(dir, { recursive: true });
});
