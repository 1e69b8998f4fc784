import assert from "node:assert/strict";
import { join } from "node:path";
import { type FileContent, writeAtomically } from "../../../agent/volumes/atomic.ts";
import { withDirectory } from "../../fixture/directory.ts";

const NOW = Date.parse("2026-03-04T05:06:07Z");
const files = (texts: Record<string, string>, mode = 0o640) =>
  new Map<string, FileContent>(Object.entries(texts).map(([k, v]) => [k, { data: new TextEncoder().encode(v), mode }]));
const names = (dir: string) => [...Deno.readDirSync(dir)].map((e) => e.name).sort();

Deno.test("files show through ..data, and what is gone goes", () =>
  withDirectory(async (dir) => {
    await writeAtomically(dir, files({ a: "1", "sub/deep/b": "2" }), NOW);
    const first = Deno.readLinkSync(join(dir, "..data"));
    assert.match(first, /^\.\.2026_03_04_05_06_07\.\d+$/);
    assert.deepEqual(names(dir), ["..data", first, "a", "sub"].sort());
    assert.equal(Deno.readLinkSync(join(dir, "sub")), "..data/sub");
    assert.equal(Deno.readTextFileSync(join(dir, "sub/deep/b")), "2");
    assert.equal(Deno.statSync(join(dir, "a")).mode! & 0o777, 0o640);

    await writeAtomically(dir, files({ a: "1", "sub/deep/b": "2" }), NOW);
    assert.equal(Deno.readLinkSync(join(dir, "..data")), first, "the same content is left alone");

    await writeAtomically(dir, files({ a: "3", c: "4" }), NOW + 1000);
    assert.notEqual(Deno.readLinkSync(join(dir, "..data")), first);
    assert.deepEqual(names(dir).slice(2), ["a", "c"]);
    assert.equal(Deno.readTextFileSync(join(dir, "a")), "3");

    await writeAtomically(dir, files({ a: "3" }, 0o666), NOW + 2000);
    assert.deepEqual(names(join(dir, "..data")), ["a"], "nothing is left of what is gone");
    assert.equal(Deno.statSync(join(dir, "a")).mode! & 0o777, 0o666, "whatever the agent's own mask is");
  }));

Deno.test("what fails before it shows leaves the old files", () =>
  withDirectory(async (dir) => {
    await writeAtomically(dir, files({ a: "1" }), NOW);
    const before = names(dir);
    await assert.rejects(writeAtomically(dir, files({ a: "2" }), NOW, () => Promise.reject(new Error("no"))));
    assert.deepEqual(names(dir), before);
    assert.equal(Deno.readTextFileSync(join(dir, "a")), "1");
  }));

Deno.test("paths that lead elsewhere are refused", () =>
  withDirectory(async (dir) => {
    for (
      const [path, why] of [
        ["", 'invalid path: must not be empty: ""'],
        ["/a", "invalid path: must be relative path: /a"],
        ["a/../b", "invalid path: must not contain '..': a/../b"],
        ["..a", "invalid path: must not start with '..': ..a"],
        ["x".repeat(256), "invalid path: filenames must be less than or equal to 255 characters"],
      ] as const
    ) {
      await assert.rejects(writeAtomically(dir, files({ [path]: "1" }), NOW), { message: why });
    }
  }));
