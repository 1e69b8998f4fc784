/** Shapes of the tables that groups export. */
import type { Defaults, KindRules } from "./types.ts";

/** Rules by public resource id (`pods`, `deployments.apps`). */
// deno-lint-ignore no-explicit-any -- each row knows its own kind's shape
export type RulesTable = Readonly<Record<string, KindRules<any>>>;
/** Defaults by `<version>/<Kind>`. */
// deno-lint-ignore no-explicit-any -- each row knows its own kind's shape
export type DefaultsTable = Readonly<Record<string, Defaults<any>>>;
