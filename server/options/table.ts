/** All option tables, in the order of `--help`, and the type of their values. */
import { ADMISSION } from "./tables/admission.ts";
import { AUDIT } from "./tables/audit.ts";
import { AUTHENTICATION } from "./tables/authentication.ts";
import { AUTHORIZATION } from "./tables/authorization.ts";
import { LIMITS } from "./tables/limits.ts";
import { NETWORK } from "./tables/network.ts";
import { OBSERVABILITY } from "./tables/observability.ts";
import { OWN } from "./tables/own.ts";
import { SERVING } from "./tables/serving.ts";
import { STORAGE } from "./tables/storage.ts";
import { VERSIONS } from "./tables/versions.ts";
import type { Camel } from "../../schema/flags/names.ts";
import type { OptionRow, ValueOf } from "../../schema/flags/types.ts";

/** Groups by title. */
export const GROUPS = {
  "This server": OWN,
  "Serving": SERVING,
  "Storage": STORAGE,
  "Cluster network": NETWORK,
  "Authentication": AUTHENTICATION,
  "Authorization": AUTHORIZATION,
  "Admission": ADMISSION,
  "Limits": LIMITS,
  "Auditing": AUDIT,
  "Versions and features": VERSIONS,
  "Metrics, logs, traces": OBSERVABILITY,
} as const satisfies Readonly<Record<string, readonly OptionRow[]>>;

type Row = (typeof GROUPS)[keyof typeof GROUPS][number];

/** Names of all options. */
export type OptionName = Row["name"];

/** A value for every option, by its name in camel case. Durations are milliseconds; absent ones have the default or zero. */
export type OptionValues = { readonly [R in Row as Camel<R["name"]>]: ValueOf[R["type"]] };

/** All rows. */
export const ROWS: readonly OptionRow[] = Object.values(GROUPS).flat();
