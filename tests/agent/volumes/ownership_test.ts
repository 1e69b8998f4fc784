/** Files of a volume that go while it is given to a pod's group. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { giveToGroup } from "../../../agent/volumes/ownership.ts";
import { withDirectory } from "../../fixture/directory.ts";

const GROUP = { group: 1234, readOnly: false };

Deno.test({
  name: "what goes from a volume while it is given to a group keeps nothing else from it",
  ignore: Deno.uid() !== 0, // nobody else may give files away
  fn: () =>
    withDirectory(async (dir) => {
      const paths = ["a", "b", "c", "d"].map((name) => join(dir, name));
      for (const path of paths) Deno.mkdirSync(path);
      const gid = (path: string) => Deno.statSync(path).gid;
      // All are listed by then, and one is done.
      const progress = (files: number) => {
        if (files === 1) { for (const path of paths) if (gid(path) !== GROUP.group) Deno.removeSync(path); }
      };
      await giveToGroup(dir, { ...GROUP, progress });
      const left = [...Deno.readDirSync(dir)].map(({ name }) => gid(join(dir, name)));
      assert.deepEqual([gid(dir), ...left], [GROUP.group, GROUP.group]);
      await assert.rejects(giveToGroup(join(dir, "none"), GROUP), { code: "ENOENT" });
    }),
});

Deno.test("files of a volume are given to a group as they are read, however many there are", () =>
  withDirectory(async (dir) => {
    for (const name of ["a", "b", "c"]) await Deno.writeTextFile(join(dir, name), "");
    const read = Deno.readDir, listed: number[] = [];
    let done = 0;
    Deno.readDir = async function* (path) {
      for await (const entry of read(path)) {
        listed.push(done);
        yield entry;
      }
    };
    try {
      await giveToGroup(dir, { ...GROUP, progress: (files) => void (done = files) });
    } finally {
      Deno.readDir = read;
    }
    assert.deepEqual([listed, done], [[0, 1, 2], 4]);
  }));
