import assert from "node:assert/strict";
import { join } from "node:path";
import { writeWhole, writeWholeSync } from "../../agent/files.ts";
import { withDirectory } from "../fixture/directory.ts";
import { mountsMissing } from "../fixture/mounts.ts";

Deno.test({
  name: "a file for which there is no room is not there, or as it was",
  ignore: mountsMissing() !== undefined, // nothing can be mounted on this machine
  fn: () =>
    withDirectory(async (dir) => {
      const run = (command: string, ...args: string[]) => new Deno.Command(command, { args }).outputSync().success;
      assert.ok(run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", dir));
      try {
        const old = join(dir, "old"), fresh = join(dir, "fresh");
        for (const text of ["", "a"]) await writeWhole(old, text, 0o600);
        assert.equal(Deno.statSync(old).mode! & 0o777, 0o600);
        assert.throws(() => Deno.writeFileSync(join(dir, "all"), new Uint8Array(1 << 20)));
        for (const path of [old, fresh]) {
          await assert.rejects(writeWhole(path, "b"), { code: "ENOSPC" });
          assert.throws(() => writeWholeSync(path, "b"), { code: "ENOSPC" });
        }
        assert.deepEqual([...Deno.readDirSync(dir)].map((e) => e.name).sort(), ["all", "old"]);
        assert.equal(Deno.readTextFileSync(old), "a");
      } finally {
        run("umount", "-l", dir);
      }
    }),
});
