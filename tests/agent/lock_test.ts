/** The lock file, in real files. */
import assert from "node:assert/strict";
import { takeLock } from "../../agent/lock.ts";
import { realClock } from "./probes/parts.ts";

Deno.test("one agent holds the lock; who wants it waits, and is noticed if that was asked for", async () => {
  const dir = Deno.makeTempDirSync();
  const lockFile = `${dir}/lock`;
  const stop = new AbortController();
  const take = (exitOnLockContention = false, file = lockFile) =>
    takeLock({ lockFile: file, exitOnLockContention }, realClock, stop.signal);
  try {
    await assert.rejects(take(true, ""), { message: "cannot exit on lock file contention: no lock file specified" });
    await assert.rejects(take(false, `${dir}/none/lock`), /unable to acquire file lock on ".*none\/lock"/);
    assert.equal(await take(false, ""), undefined);
    const first = (await take(true))!;
    const second = take();
    await first.contended;
    first.close();
    const held = (await second)!;
    const late = take();
    stop.abort();
    assert.equal(await late, undefined);
    held.close();
    // One that does as `flock` does: it opens the file and waits.
    const again = new AbortController().signal;
    const waited = (await takeLock({ lockFile, exitOnLockContention: true }, realClock, again))!;
    const other = Deno.openSync(lockFile, { read: true });
    const locked = other.lock(true);
    await waited.contended;
    waited.close();
    await locked;
    other.close();
    const last = (await takeLock({ lockFile, exitOnLockContention: true }, realClock, again))!;
    Deno.removeSync(lockFile);
    await last.contended;
    last.close();
    // Who waits as the file is taken away has the next one.
    const before = (await takeLock({ lockFile, exitOnLockContention: false }, realClock, again))!;
    const waits = takeLock({ lockFile, exitOnLockContention: true }, realClock, again);
    Deno.removeSync(lockFile);
    const next = (await waits)!;
    before.close();
    const third = takeLock({ lockFile, exitOnLockContention: false }, realClock, again);
    await next.contended;
    next.close();
    (await third)!.close();
  } finally {
    Deno.removeSync(dir, { recursive: true });
  }
});
