import assert from "node:assert/strict";
import { argsOf, SOURCES } from "../../scripts/start.ts";

Deno.test("defaults of a start give way to what is given", () => {
  const defaults = ["--data-dir=.d", "--authorization-mode=RBAC", "--"];
  assert.deepEqual(argsOf([...defaults, "--v=1"]), ["--data-dir=.d", "--authorization-mode=RBAC", "--v=1"]);
  assert.deepEqual(argsOf([...defaults, "--authorization_mode", "Node,RBAC"]), [
    "--data-dir=.d",
    "--authorization_mode",
    "Node,RBAC",
  ]);
  assert.deepEqual(argsOf(["--authorization-mode=ABAC"]), ["--authorization-mode=ABAC"]);
});

Deno.test("the built file is made again after a change of whatever it is made of", async () => {
  const root = new URL("../../", import.meta.url);
  const args = ["info", "--json", "--no-lock", "main.ts"];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args, cwd: root, stderr: "null" }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as { modules: { specifier: string }[] };
  const own = modules.flatMap(({ specifier }) =>
    specifier.startsWith(root.href) ? [specifier.slice(root.href.length)] : []
  );
  assert.ok(own.includes("main.ts"));
  const isLookedAt = (path: string) => SOURCES.some((s) => s.endsWith("/") ? path.startsWith(s) : path === s);
  assert.deepEqual(own.filter((path) => !isLookedAt(path)), []);
});
