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
