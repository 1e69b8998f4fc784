import assert from "node:assert/strict";
import { join } from "node:path";
import type { Credential } from "../../../agent/images/keyring.ts";
import { PulledImages } from "../../../agent/images/pulled.ts";
import { withDirectory } from "../../fixture/directory.ts";

Deno.test("a pull that fails after another of the same image ended well takes no other's note away", () =>
  withDirectory(async (dir) => {
    const path = join(dir, "pulled.json");
    const pulled = await PulledImages.open(path, "NeverVerifyPreloadedImages", [], () => {});
    for (const image of ["a.example/x:1", "a.example/x:1", "a.example/y:1"]) await pulled.begin(image);
    await pulled.end("a.example/x:1", "sha256:1", undefined);
    await pulled.end("a.example/x:1", undefined, undefined);
    // The agent ends here; what it was pulling is not what was there before it.
    const next = await PulledImages.open(path, "NeverVerifyPreloadedImages", [], () => {});
    assert.equal(await next.mustPull("a.example/y:1", "sha256:2", () => Promise.resolve([])), true);
  }));

Deno.test("where it cannot be read any more who has opened which image, none is for all", () =>
  withDirectory(async (dir) => {
    const path = join(dir, "pulled.json"), logged: string[] = [];
    const open = () =>
      PulledImages.open(path, "NeverVerifyPreloadedImages", [], (level, text) => void logged.push(`${level} ${text}`));
    const isForAll = async (image: string) =>
      !await (await open()).mustPull(image, "sha256:1", () => Promise.resolve([]));
    assert.equal(await isForAll("a.example/x:1"), true);
    await Deno.writeTextFile(path, "{");
    assert.equal(await isForAll("a.example/x:1"), false);
    assert.match(logged[0]!, /^error .* cannot be read/);
    // What becomes known after that says nothing of the others, nor does another start.
    await (await open()).end("a.example/y:1", "sha256:2", undefined);
    assert.equal(await isForAll("a.example/x:1"), false);
    await Deno.remove(path);
    assert.equal(await isForAll("a.example/x:1"), true);
  }));

Deno.test("an image is for those who opened it, for whoever has the same login, and for all where nothing was needed", () =>
  withDirectory(async (dir) => {
    const path = join(dir, "pulled.json"), name = "a.example/x:1";
    const pulled = await PulledImages.open(path, "NeverVerifyPreloadedImages", [], () => {});
    const by = (uid: string, password: string): Credential => ({
      ...{ username: "u", password },
      owner: { kind: "Secret", namespace: "ns", name: "login", uid },
    });
    const isFor = async (ref: string, ...has: Credential[]) =>
      !await pulled.mustPull(name, ref, () => Promise.resolve(has));
    await pulled.end(name, "sha256:1", by("1", "a"));
    assert.equal(await isFor("sha256:1"), false);
    assert.equal(await isFor("sha256:1", by("2", "b")), false, "another secret of the same name");
    assert.equal(await isFor("sha256:1", by("1", "b")), true);
    assert.equal(await isFor("sha256:1", by("2", "a")), true);
    await pulled.end(name, "sha256:2", { username: "node", password: "p" });
    assert.equal(await isFor("sha256:2"), true, "the node's own login is every pod's");
    await pulled.begin(name);
    assert.equal(await isFor("sha256:3"), false);
    await pulled.end(name, undefined, undefined);
    assert.equal(await isFor("sha256:3"), true, "it was there before");
    for (let nth = 0; nth < 500; nth++) await pulled.end(name, "sha256:1", by(`${nth}`, `${nth}`));
    assert.ok((await Deno.stat(path)).size < 20_000, "the oldest of many are forgotten");
  }));
