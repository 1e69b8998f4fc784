/** Shapes of the tables that groups export. Each row knows its own kind's shape. */
import type { Untyped } from "../model/types.ts";
import type { Defaults, KindRules } from "./types.ts";

/** Rules by public resource id (`pods`, `deployments.apps`). */
export type RulesTable = Readonly<Record<string, KindRules<Untyped>>>;
/** Defaults by `<version>/<Kind>`. */
export type DefaultsTable = Readonly<Record<string, Defaults<Untyped>>>;
