import assert from "node:assert/strict";
import { join } from "node:path";
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
