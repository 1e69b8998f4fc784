/** What `deno task start` runs: the sources, and from the next start on the file that was made of them. */
import assert from "node:assert/strict";
import { SOURCES } from "../../scripts/start.ts";

/** Stands for the server: says where it was loaded from, and lives until the file named is there. */
const MAIN = `export async function run([file]: readonly string[]) {
  console.log(import.meta.url.split("/").at(-1));
  for (;;) {
    if (await Deno.stat(file!).then(() => true, () => false)) return;
    await new Promise((done) => setTimeout(done, 100));
  }
}
`;

Deno.test("task start: the sources first, then the built file until a source is newer", async () => {
  const root = new URL("../../", import.meta.url);
  const dir = await Deno.makeTempDir({ prefix: "orch start " });
  try {
    const folders = SOURCES.filter((name) => name.endsWith("/"));
    for (const folder of [...folders, "scripts/"]) await Deno.mkdir(`${dir}/${folder}`);
    const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
    await Deno.writeTextFile(`${dir}/deno.json`, JSON.stringify({ tasks, lock: false }));
    await Deno.writeTextFile(`${dir}/main.ts`, MAIN);
    await Deno.writeTextFile(`${dir}/server/a.ts`, "export {};\n");
    for (const script of ["scripts/build.ts", "scripts/start.ts"]) {
      await Deno.copyFile(new URL(script, root), `${dir}/${script}`);
    }
    const start = async (until: string) => {
      const args = ["run", "-A", "scripts/start.ts", until];
      const { stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: dir }).output();
      assert.doesNotMatch(new TextDecoder().decode(stderr), /warning/);
      return new TextDecoder().decode(stdout).trim();
    };
    assert.equal(await start("main.ts"), "main.ts", "nothing was built yet");
    assert.equal(await start("dist/orch.js"), "main.ts", "nor when this one began");
    assert.equal(await start("main.ts"), "orch.js");
    const later = new Date(Date.now() + 60_000);
    await Deno.utime(`${dir}/server/a.ts`, later, later);
    assert.equal(await start("main.ts"), "main.ts", "a source is newer");
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
