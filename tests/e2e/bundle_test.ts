/** The server as one file (`deno task build`). */
import assert from "node:assert/strict";
import { clientMinor, Kubectl, ServerProcess } from "./_server.ts";

const ignore = await clientMinor() === undefined; // kubectl is not installed

Deno.test({ name: "the bundle that the build task makes serves what the sources do", ignore }, async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile("deno.json"));
  const dir = await Deno.makeTempDir({ prefix: "orch-bundle-" });
  const file = `${dir}/orch.js`;
  try {
    const args = tasks.build.replace(/^deno /, "").replace("dist/orch.js", file).split(" ");
    const { code, stderr } = await new Deno.Command(Deno.execPath(), { args, stdout: "null", stderr: "piped" })
      .output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    // One letter beyond has the runtime keep the text at two bytes a letter, and not where it was read.
    assert.ok((await Deno.readFile(file)).every((byte) => byte < 128), "only ASCII");
    const server = await ServerProcess.start("kubernetes", [], file);
    try {
      const kubectl = await Kubectl.of(server);
      await kubectl.run("create configmap c --from-literal=a=b");
      await server.stop("SIGKILL");
      await server.run();
      assert.equal((await kubectl.json("get configmap c")).data.a, "b");
    } finally {
      await server.end();
    }
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
