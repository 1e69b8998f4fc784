/** Every admission plugin has its table, and the table every sort of case. */
import assert from "node:assert/strict";
import { CONFIG_SHAPES } from "../../../server/admission/config_shapes.ts";
import { PLUGIN_NAMES } from "../../../server/admission/names.ts";

/** Plugins with a configuration and no case of it, and why. */
const UNCONFIGURED: Readonly<Record<string, string>> = {
  MutatingAdmissionPolicy: "policies are not read from manifests",
  ValidatingAdmissionPolicy: "policies are not read from manifests",
};

/** Plugins that options configure. */
const BY_OPTIONS = ["DefaultTolerationSeconds"];

/** How many cases a plugin has at least. */
const LEAST = 5;

type Counts = Readonly<Record<"on" | "edge" | "config" | "dryRun" | "off", number>>;

/** The tables of this folder, read in another process: a test file that is imported here would run here. */
async function tables(): Promise<Map<string, Counts>> {
  const args = ["run", "-A", "--no-check", "--unstable-kv", new URL("_table.ts", import.meta.url).pathname];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  const text = new TextDecoder();
  assert.equal(code, 0, text.decode(stderr));
  return new Map(JSON.parse(text.decode(stdout)));
}

const configured = (plugin: string): boolean => plugin in CONFIG_SHAPES || BY_OPTIONS.includes(plugin);

/** What a plugin's table lacks. */
function lacks(plugin: string, found: Counts | undefined): string[] {
  if (!found) return [`${plugin}: no table`];
  const sorts = ["on", "edge", "dryRun", "off"] as const;
  const total = Object.values(found).reduce((sum, n) => sum + n, 0);
  const config = configured(plugin) && found.config === 0;
  return [
    ...sorts.filter((sort) => found[sort] === 0).map((sort) => `${plugin}: no case of ${sort}`),
    ...(config !== plugin in UNCONFIGURED ? [`${plugin}: ${config ? "no case of" : "has cases of"} config`] : []),
    ...(total < LEAST ? [`${plugin}: ${total} cases`] : []),
  ];
}

Deno.test("every admission plugin has its cases: on, edge, config, dry run, off", async () => {
  const found = await tables();
  assert.deepEqual(PLUGIN_NAMES.flatMap((plugin) => lacks(plugin, found.get(plugin))), []);
  assert.deepEqual([...found.keys()].filter((name) => !PLUGIN_NAMES.some((plugin) => plugin === name)), []);
});

Deno.test("what a table lacks is told", () => {
  const counts = { on: 1, edge: 1, config: 0, dryRun: 1, off: 2 };
  assert.deepEqual(lacks("Priority", counts), []);
  assert.deepEqual(lacks("Priority", undefined), ["Priority: no table"]);
  assert.deepEqual(lacks("Priority", { ...counts, off: 0 }), ["Priority: no case of off", "Priority: 3 cases"]);
  assert.deepEqual(lacks("PodSecurity", counts), ["PodSecurity: no case of config"]);
});
