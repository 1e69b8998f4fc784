/**
 * Tables of the admission plugins (specification, "Request processing options"), one file a plugin. A table says what the
 * plugin does when it is on, where that ends (edge), under a configuration or options of its own, in a dry run, and that
 * nothing of it happens when it is off. plugins_test.ts checks that no plugin goes without.
 */
import { OFF_BY_DEFAULT, type PluginName } from "../../../server/admission/names.ts";
import { type Case, table as flatTable } from "../../admission/_cases.ts";

export { container, create, namespace, obj, pod } from "../../admission/_cases.ts";

/** The sorts of cases, and what steps are called by. */
const SORTS = { on: "on", edge: "edge", config: "config", dryRun: "dry run", off: "off" } as const;

/** A sort of cases. */
export type Sort = keyof typeof SORTS;

/** Cases of any form, by sort. */
export interface CasesOf<C> extends Readonly<Record<Exclude<Sort, "config">, Readonly<Record<string, C>>>> {
  readonly config?: Readonly<Record<string, C>>;
}

/** The cases of a plugin. Those of `off` and `dryRun` need not say so again. */
export type Cases = CasesOf<Case>;

/** How many cases of each sort every plugin has whose file was loaded. */
export const TABLES = new Map<string, Readonly<Record<Sort, number>>>();

/** Every case with its sort and the name of its step. Counts them. @throws Error when the plugin has a table already */
function* stepsOf<C>(plugin: PluginName, cases: CasesOf<C>): Generator<readonly [step: string, sort: Sort, C]> {
  if (TABLES.has(plugin)) throw new Error(`${plugin}: has a table already`);
  const counts: Record<Sort, number> = { on: 0, edge: 0, config: 0, dryRun: 0, off: 0 };
  for (const sort of Object.keys(SORTS) as Sort[]) {
    for (const [name, c] of Object.entries(cases[sort] ?? {})) {
      counts[sort]++;
      yield [`${SORTS[sort]}: ${name}`, sort, c];
    }
  }
  TABLES.set(plugin, counts);
}

/** What a sort says of its cases. */
const SAYS: Readonly<Partial<Record<Sort, Partial<Case>>>> = { dryRun: { dry: true }, off: { off: true } };

/** One test a plugin, one step a case. @throws Error when the plugin has a table already */
export function table(plugin: PluginName, cases: Cases): void {
  const steps = [...stepsOf(plugin, cases)].map(([step, sort, c]) => [step, { ...c, ...SAYS[sort] }] as const);
  flatTable(plugin, !OFF_BY_DEFAULT.has(plugin), Object.fromEntries(steps));
}

/** The same for cases that are played in another way. */
export function tableOf<C>(plugin: PluginName, cases: CasesOf<C>, play: (sort: Sort, c: C) => Promise<void>): void {
  const steps = [...stepsOf(plugin, cases)];
  Deno.test(`admission plugin ${plugin}`, async (t) => {
    for (const [step, sort, c] of steps) await t.step(step, () => play(sort, c));
  });
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
