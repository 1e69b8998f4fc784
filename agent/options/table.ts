/** All tables of the agent's options, in the order of `--help`, and the type of their values. */
import type { Camel } from "../../schema/flags/names.ts";
import type { ShutdownGracePeriodByPodPriority } from "../../schema/api/kubelet.config.k8s.io_v1beta1.ts";
import type { TracingConfiguration } from "../../schema/api/componentbase_tracing_v1.ts";
import type { OptionType, ValueOf } from "../../schema/flags/types.ts";
import { ACCESS } from "./tables/access.ts";
import { EVICTION } from "./tables/eviction.ts";
import { FIELDS } from "./tables/fields.ts";
import { HOST, LOG } from "./tables/host.ts";
import { NETWORK } from "./tables/network.ts";
import { NODE } from "./tables/node.ts";
import { OWN } from "./tables/own.ts";
import { PODS } from "./tables/pods.ts";
import { RESOURCES } from "./tables/resources.ts";
import { RUNTIME } from "./tables/runtime.ts";
import { SERVING } from "./tables/serving.ts";
import { STORAGE } from "./tables/storage.ts";
import type { AgentRow, FieldRow, SettingRow } from "./types.ts";

const TABLES = {
  "This agent": OWN,
  "Serving": SERVING,
  "Authentication and authorization": ACCESS,
  "Node and API server": NODE,
  "Pods": PODS,
  "Runtime, images, logs of containers": RUNTIME,
  "Control groups and resources": RESOURCES,
  "Eviction": EVICTION,
  "Network of pods": NETWORK,
  "Volumes": STORAGE,
  "Process and kernel": HOST,
  "Log": LOG,
} as const satisfies Readonly<Record<string, readonly AgentRow[]>>;

type Row = (typeof TABLES)[keyof typeof TABLES][number];
type Field = (typeof FIELDS)[number];

/** Fields that are JSON as it stands in the file. */
interface Wholes {
  readonly shutdownGracePeriodByPodPriority: readonly ShutdownGracePeriodByPodPriority[] | undefined;
  readonly tracing: TracingConfiguration | undefined;
}

/** Texts that a rule names are told by the type. */
type Told<R extends SettingRow> = R extends { type: "string"; rule: { oneOf: readonly (infer T)[] } } ? T
  : R["type"] extends OptionType ? ValueOf[R["type"]]
  : never;

type ValueIn<R extends SettingRow> = R extends { optional: true } ? Told<R> | undefined : Told<R>;

/** A value for every option and field: options by their name in camel case. Durations are milliseconds. */
export type SettingValues =
  & { readonly [R in Row as Camel<R["name"]>]: ValueIn<R> }
  & { readonly [R in Exclude<Field, { type: "whole" }> as R["name"]]: ValueIn<R> }
  & Wholes;

/** What the public agent says to use in place of each option that the file has. */
const IN_FILE = "the file of --config";
const NOT_DEPRECATED: ReadonlySet<string> = new Set([
  "v",
  "vmodule",
  "log-flush-frequency",
  "provider-id",
  "fail-cgroupv1",
]);

const marked = (row: AgentRow): AgentRow =>
  row.field === undefined || NOT_DEPRECATED.has(row.name) ? row : { ...row, deprecated: IN_FILE };

/** Options by title of their group. */
export const GROUPS: Readonly<Record<string, readonly AgentRow[]>> = Object.fromEntries(
  Object.entries(TABLES).map(([title, rows]) => [title, (rows as readonly AgentRow[]).map(marked)]),
);

/** All options of the command line. */
export const ROWS: readonly AgentRow[] = Object.values(GROUPS).flat();

/** Fields of the configuration file that have no flag. */
export const FIELD_ROWS: readonly FieldRow[] = FIELDS;

/** Options and fields. */
export const SETTINGS: readonly SettingRow[] = [...ROWS, ...FIELD_ROWS];

/** Options as they are warned of: that the file has them too is passed over, or hardly a command line would be quiet. */
export const WARNED: readonly AgentRow[] = Object.values(TABLES).flat();
