import assert from "node:assert/strict";
import { cycles, floorFaults, type Module, readModules } from "../../scripts/check_floors.ts";

const module = (path: string, imports: string[] = [], source = ""): Module => ({ path, imports, source });

Deno.test("floors: what each room may import", () => {
  const allowed: [string, string][] = [
    ["schema/a.ts", "schema/b.ts"],
    ["schema/a.ts", "npm:/yaml@2"],
    ["server/app.ts", "schema/a.ts"],
    ["server/app.ts", "node:crypto"],
    ["server/listen/a.ts", "node:tls"],
    ["server/listen/a.ts", "host/a.ts"],
    ["agent/a.ts", "schema/a.ts"],
    ["agent/a.ts", "host/a.ts"],
    ["host/a.ts", "node:net"],
    ["agent/a.ts", "node:fs"],
    ["main.ts", "server/app.ts"],
    ["tests/a_test.ts", "scripts/a.ts"],
  ];
  for (const [from, to] of allowed) assert.deepEqual(floorFaults(module(from, [to])), [], `${from} → ${to}`);
  const refused: [string, string][] = [
    ["schema/a.ts", "server/b.ts"],
    ["schema/a.ts", "node:fs"],
    ["schema/a.ts", "node:util"],
    ["server/app.ts", "agent/a.ts"],
    ["server/app.ts", "tests/a.ts"],
    ["server/app.ts", "main.ts"],
    ["server/cache/a.ts", "node:net"],
    ["server/cache/a.ts", "host/a.ts"],
    ["host/a.ts", "server/a.ts"],
    ["agent/a.ts", "server/a.ts"],
    ["main.ts", "tests/a.ts"],
  ];
  for (const [from, to] of refused) assert.equal(floorFaults(module(from, [to])).length, 1, `${from} → ${to}`);
});

Deno.test("floors: Deno.* counts in code, not in comments and strings", () => {
  assert.equal(floorFaults(module("server/app.ts", [], "const x = Deno.env;")).length, 1);
  assert.equal(floorFaults(module("schema/a.ts", [], "const x = Deno .pid;")).length, 1);
  const quiet = '/** `Deno.serve` */\n// Deno.exit\nconst url = "https://Deno.land"; // as Deno.x\n';
  assert.deepEqual(floorFaults(module("server/app.ts", [], quiet)), []);
  assert.equal(floorFaults(module("server/app.ts", [], 'const u = "http://x"; Deno.exit();')).length, 1);
  for (const path of ["server/storage/a.ts", "server/options/a.ts", "main.ts", "agent/a.ts", "scripts/a.ts"]) {
    assert.deepEqual(floorFaults(module(path, [], "Deno.exit();")), [], path);
  }
});

Deno.test("cycles: found once each, as the shortest way round", () => {
  const graph = [
    module("a", ["b", "d"]),
    module("b", ["c"]),
    module("c", ["a", "b"]),
    module("d", ["e", "npm:x"]),
    module("e", []),
    module("self", ["self"]),
  ];
  const found = cycles(graph);
  assert.equal(found.length, 2);
  const [loop, self] = found;
  assert.deepEqual(self, ["self", "self"]);
  assert.equal(loop![0], loop!.at(-1));
  assert.ok(loop!.length >= 3 && loop!.length <= 4);
});

Deno.test("cycles: none in a tree that shares leaves", () => {
  assert.deepEqual(cycles([module("a", ["b", "c"]), module("b", ["d"]), module("c", ["d"]), module("d")]), []);
});

Deno.test("reading a project: type-only and dynamic imports count", async () => {
  const dir = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${dir}/server`);
    await Deno.writeTextFile(`${dir}/deno.json`, "{}");
    await Deno.writeTextFile(`${dir}/server/a.ts`, 'import type { B } from "./b.ts";\nexport type A = B;\n');
    await Deno.writeTextFile(
      `${dir}/server/b.ts`,
      'export type B = string;\nexport const later = () => import("./c.ts");\n',
    );
    await Deno.writeTextFile(`${dir}/server/c.ts`, 'export type { A } from "./a.ts";\n');
    const modules = await readModules(new URL(`file://${dir}/`));
    assert.deepEqual(modules.map((m) => m.path), ["server/a.ts", "server/b.ts", "server/c.ts"]);
    assert.deepEqual(cycles(modules), [["server/a.ts", "server/b.ts", "server/c.ts", "server/a.ts"]]);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
