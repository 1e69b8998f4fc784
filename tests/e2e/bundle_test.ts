/** Server and agent as one file each (`deno task build`, `build-agent`). */
import assert from "node:assert/strict";
import { clientMinor, Kubectl, ServerProcess } from "./_server.ts";

const ignore = await clientMinor() === undefined; // kubectl is not installed

Deno.test({ name: "the bundle that the build task makes serves what the sources do", ignore }, async () => {
  await withBuilt("build", "dist/orch.js", async (file) => {
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
  });
});

Deno.test("the agent's bundle has all that it asks for", async () => {
  await withBuilt("build-agent", "dist/orchlet.js", async (file) => {
    const ran = await deno(["run", "-A", file, "--version"]);
    assert.deepEqual([ran.code, ran.out, ran.err], [0, "Orch v1.37.0\n", ""]);
  });
});

/** With the file that a task makes, made elsewhere. */
async function withBuilt(task: string, named: string, use: (file: string) => Promise<void>): Promise<void> {
  const { tasks } = JSON.parse(await Deno.readTextFile("deno.json"));
  const dir = await Deno.makeTempDir({ prefix: "orch-bundle-" });
  const file = `${dir}/built.js`;
  try {
    const { code, err } = await deno(tasks[task].replace(/^deno /, "").replace(named, file).split(" "));
    assert.equal(code, 0, err);
    await use(file);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function deno(args: string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, stdin: "null" }).output();
  return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
}
