import assert from "node:assert/strict";
import { join } from "node:path";
import { run } from "../../../agent/volumes/command.ts";
import { withDirectory } from "../../fixture/directory.ts";

const shell = (script: string, time?: number) => run("sh", ["-c", script], time);

Deno.test("a command that says much runs to its end", () =>
  withDirectory(async (dir) => {
    const done = join(dir, "done"), much = "head -c 300000 /dev/zero | tr '\\0' x";
    assert.equal(await shell(`${much}; ${much} >&2; touch ${done}`), "x".repeat(65_536));
    Deno.removeSync(done);
    await assert.rejects(shell(`${much}; touch ${done}; exit 4`), { status: 4, output: "x".repeat(65_536) });
    Deno.statSync(done);
  }));

Deno.test("what kept a command from its end is told", async () => {
  await assert.rejects(shell("echo a; echo b >&2; exit 3"), { message: "exit status 3", status: 3, output: "a\nb" });
  await assert.rejects(shell("kill -9 $$"), { message: "signal: SIGKILL", status: undefined });
  await assert.rejects(shell("exec sleep 1000", 100), { message: "timeout", status: undefined });
  await assert.rejects(run("/nowhere/none", []), { message: "spawn /nowhere/none ENOENT", status: undefined });
});
