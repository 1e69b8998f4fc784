import assert from "node:assert/strict";
import { bindSubPath, unbindSubPaths } from "../../../agent/pods/subpath.ts";

const canMount = Deno.build.os === "linux" && Deno.uid() === 0;
if (!canMount) console.log("parts of volumes: skipped, mounts need root on Linux");

Deno.test({ name: "parts of volumes are made, bound and given back", ignore: !canMount }, async () => {
  const top = await Deno.makeTempDir();
  const volume = `${top}/volume`, podDirectory = `${top}/pod`, outside = `${top}/outside`;
  for (const path of [volume, podDirectory, outside]) await Deno.mkdir(path);
  await Deno.chmod(volume, 0o2770);
  await Deno.writeTextFile(`${volume}/file`, "in");
  await Deno.symlink("made", `${volume}/inner`);
  await Deno.symlink(outside, `${volume}/outer`);
  await Deno.symlink("../outside", `${volume}/up`);
  const bind = (path: string, index = 0) =>
    bindSubPath({ volume, path, volumeName: "data", container: "main", index, podDirectory });
  try {
    const made = await bind("made/deep");
    assert.equal((await Deno.stat(`${volume}/made/deep`)).mode! & 0o7777, 0o2770, "as the volume");
    await Deno.writeTextFile(`${made}/seen`, "yes");
    assert.equal(await Deno.readTextFile(`${volume}/made/deep/seen`), "yes");
    const linked = await bind("inner/deep", 1);
    assert.equal(await Deno.readTextFile(`${linked}/seen`), "yes", "links within are followed");
    assert.equal(await Deno.readTextFile(await bind("file", 2)), "in");
    assert.equal(await bind("made/deep"), made);
    assert.equal((await Deno.readTextFile("/proc/self/mounts")).split(made).length, 2, "once");
    for (const path of ["outer", "up", "outer/new", "up/new/deep"]) await assert.rejects(bind(path, 3), path);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(outside)), []);
  } finally {
    await unbindSubPaths(podDirectory);
    await unbindSubPaths(podDirectory);
  }
  assert.ok(!(await Deno.readTextFile("/proc/self/mounts")).includes(top));
  assert.deepEqual(await Array.fromAsync(Deno.readDir(podDirectory)), []);
  await Deno.remove(top, { recursive: true });
});
