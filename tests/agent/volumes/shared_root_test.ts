/** The agent's directory on a shared mount. */
import assert from "node:assert/strict";
import { mountedAt, mountPoints } from "../../../agent/volumes/mounts.ts";
import { shareMounts } from "../../../agent/volumes/shared_root.ts";
import { withDirectory } from "../../fixture/directory.ts";
import { mountsMissing } from "../../fixture/mounts.ts";

const missing = mountsMissing();
if (missing) console.log(`shared mounts: skipped, ${missing}`);

Deno.test({
  name: "the agent's directory is on a shared mount, made once where it is on none",
  ignore: missing !== undefined, // nobody can mount on this machine
  fn: () =>
    withDirectory(async (dir) => {
      const mount = (...args: string[]) => assert.ok(new Deno.Command("mount", { args }).outputSync().success);
      const at = async (path: string) => (await mountPoints()).filter((m) => m.path === path).length;
      mount("--bind", dir, dir);
      mount("--make-private", dir);
      const own = `${dir}/lib`;
      Deno.mkdirSync(`${own}/pods/at`, { recursive: true });
      mount("-t", "tmpfs", "tmpfs", `${own}/pods/at`);
      Deno.writeTextFileSync(`${own}/pods/at/here`, "");
      for (let starts = 0; starts < 2; starts++) await shareMounts(own);
      assert.equal((await mountedAt(own))?.isShared, true);
      assert.equal(await at(own), 1);
      assert.ok(Deno.statSync(`${own}/pods/at/here`).isFile, "what is mounted there stays");
      await shareMounts(`${own}/pods`);
      assert.equal(await at(`${own}/pods`), 0);
    }),
});
