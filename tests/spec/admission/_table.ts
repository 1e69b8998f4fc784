/**
 * Tables of the admission plugins (specification, "Request processing options"), one file a plugin. A table says what the
 * plugin does when it is on, where that ends (edge), under a configuration or options of its own, in a dry run, and that
 * nothing of it happens when it is off. plugins_test.ts checks that no plugin goes without.
 */
import { OFF_BY_DEFAULT, type PluginName } from "../../../server/admission/names.ts";
import { type Case, table as flatTable } from "../../admission/_cases.ts";

export { type Body, container, create, namespace, obj, pod } from "../../admission/_cases.ts";

type Group = Readonly<Record<string, Case>>;

/** The cases of a plugin. Those of `off` and `dryRun` need not say so again. */
export interface Cases {
  readonly on: Group;
  readonly edge: Group;
  readonly config?: Group;
  readonly dryRun: Group;
  readonly off: Group;
}

/** How many cases of each sort every plugin has whose file was loaded. */
export const TABLES = new Map<string, Readonly<Record<keyof Cases, number>>>();

const count = (group: Group | undefined): number => Object.keys(group ?? {}).length;

const named = (sort: string, group: Group | undefined, more: Partial<Case> = {}): [string, Case][] =>
  Object.entries(group ?? {}).map(([name, c]) => [`${sort}: ${name}`, { ...c, ...more }]);

/** One test a plugin, one step a case. @throws Error when the plugin has a table already */
export function table(plugin: PluginName, c: Cases): void {
  if (TABLES.has(plugin)) throw new Error(`${plugin}: has a table already`);
  TABLES.set(plugin, {
    on: count(c.on),
    edge: count(c.edge),
    config: count(c.config),
    dryRun: count(c.dryRun),
    off: count(c.off),
  });
  flatTable(
    plugin,
    !OFF_BY_DEFAULT.has(plugin),
    Object.fromEntries([
      ...named("on", c.on),
      ...named("edge", c.edge),
      ...named("config", c.config),
      ...named("dry run", c.dryRun, { dry: true }),
      ...named("off", c.off, { off: true }),
    ]),
  );
}

/** Prints {@linkcode TABLES} with every file of this folder loaded; `Deno.test` does nothing outside of a test run. */
async function print(): Promise<void> {
  for (const { name } of Deno.readDirSync(import.meta.dirname!)) {
    if (name.endsWith("_test.ts") && name !== "plugins_test.ts") await import(new URL(name, import.meta.url).href);
  }
  console.log(JSON.stringify([...TABLES]));
}

// Not awaited: the files that are loaded import this one.
if (import.meta.main) print();
