/** From the command line and the files that it names to {@linkcode AgentOptions}: everything that is wrong is told at once. */
import { readArgs } from "../../schema/flags/args.ts";
import { FeatureGates, parseGates } from "../../schema/flags/gates/feature_gates.ts";
import { helpText } from "../../schema/flags/help.ts";
import { camel } from "../../schema/flags/names.ts";
import { readValues, warningsOf } from "../../schema/flags/read.ts";
import type { OptionRow } from "../../schema/flags/types.ts";
import { defaultOf } from "../../schema/flags/values.ts";
import { gitVersion, versionText } from "../../schema/flags/version.ts";
import { logFaults } from "../../schema/log/settings.ts";
import { type Product, productOf } from "../../schema/product.ts";
import type { ConfigFiles } from "../config/files.ts";
import { type ConfigTree, configTree } from "../config/tree.ts";
import { nameInFile, valuesIn } from "../config/values.ts";
import { crossChecks } from "./checks.ts";
import { GROUPS, ROWS, SETTINGS, type SettingValues, WARNED } from "./table.ts";
import type { SettingRow } from "./types.ts";

/** The value of every option and field, whether flag, file or default says it, and what follows from several. Immutable. */
export interface AgentOptions extends Omit<SettingValues, "featureGates"> {
  readonly product: Product;
  /** Names of options that stood on the command line, and of options and fields that a file has. */
  readonly given: ReadonlySet<string>;
  /** Gates that were set. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly gates: FeatureGates;
  /** Version to report, `v1.37.0` unless `--version=vX.Y.Z`. */
  readonly gitVersion: string;
}

/** What a command line asks for. */
export type Parsed =
  | { readonly kind: "run"; readonly options: AgentOptions; readonly warnings: readonly string[] }
  | { readonly kind: "errors"; readonly errors: readonly string[] }
  /** Text to print before exit 0: help or version. */
  | { readonly kind: "print"; readonly text: string };

const PROGRAM = {
  about: "Runs the pods of a node: what the API server, files and a URL say.",
  usage: "orchlet [options]",
  groups: GROUPS,
};

/** Reads a command line (without the program's name), and by `files` what `--config` and `--config-dir` name. Pure but for that. */
export function parseOrchletOptions(argv: readonly string[], files: ConfigFiles): Parsed {
  const args = readArgs(ROWS, argv);
  const product = productOf(args.texts.get("api-dialect")?.at(-1) === "kubernetes" ? "kubernetes" : "orch");
  if (args.help) return { kind: "print", text: helpText(PROGRAM, product.local) };
  const version = versionText(args.version, "Orch");
  if (version !== undefined) return { kind: "print", text: version };
  const errors = [...args.errors];
  const flags = readValues(ROWS, args.texts, product.local, errors);
  const reported = gitVersion(args.version, errors);
  const { tree, warnings: passed } = treeOf(flags, files, product, errors);
  if (errors.length > 0) return { kind: "errors", errors };
  const fromFile = tree === undefined ? new Map<string, unknown>() : valuesIn(tree, product, errors);
  const defaults = defaultsOf(flags["config"] !== "", fromFile, product);
  const onLine = new Set(args.texts.keys());
  const asked = [fromFile.get("feature-gates") ?? [], flags[camel("feature-gates")]] as readonly (readonly string[])[];
  const gates = parseGates(asked.flat(), [product.component, "orch", "kube"]);
  const featureGates = new FeatureGates(gates.set);
  const values = settled(
    Object.fromEntries(SETTINGS.map((row) => [
      camel(row.name),
      onLine.has(row.name)
        ? flags[camel(row.name)]
        : fromFile.has(row.name)
        ? fromFile.get(row.name)
        : defaults.get(row.name),
    ])) as unknown as SettingValues,
  );
  const given = new Set([...onLine, ...fromFile.keys()]);
  const enabled = (name: string) => featureGates.enabled(name);
  errors.push(...gates.errors, ...crossChecks(values, { given, product, enabled }), ...logFaults(values, enabled));
  if (errors.length > 0) return { kind: "errors", errors };
  const options: AgentOptions = {
    ...values,
    // The runtime is told paths below it, and may have been started elsewhere.
    rootDir: files.absolute(values.rootDir),
    // Who starts pods and ends serves nobody.
    ...values.runonce && { enableServer: false, readOnlyPort: 0, healthzPort: 0 },
    product,
    given,
    featureGates: Object.fromEntries(gates.set),
    gates: featureGates,
    gitVersion: reported,
  };
  const accepted = SETTINGS.filter((row) =>
    row.accepted !== undefined && fromFile.has(row.name) && !onLine.has(row.name)
  )
    .map((row) => `${nameInFile(row)} has no effect: ${row.accepted}`);
  return { kind: "run", options, warnings: [...warningsOf(WARNED, onLine), ...passed, ...accepted, ...gates.warnings] };
}

function treeOf(
  flags: Readonly<Record<string, unknown>>,
  files: ConfigFiles,
  product: Product,
  errors: string[],
): ConfigTree {
  try {
    return configTree({ config: flags["config"] as string, configDir: flags["configDir"] as string }, files, product);
  } catch (e) {
    errors.push((e as Error).message);
    return { tree: undefined, warnings: [] };
  }
}

/** Values of what nobody gives, by name. Where there is a configuration file some are others, and some follow from what it says. */
function defaultsOf(withFile: boolean, fromFile: ReadonlyMap<string, unknown>, product: Product): Map<string, unknown> {
  const defaults = new Map(SETTINGS.map((row) => [row.name, defaultValue(row, withFile, product)]));
  const frequency = fromFile.get("node-status-update-frequency");
  if (frequency !== undefined) defaults.set("nodeStatusReportFrequency", frequency);
  if (Number(fromFile.get("maxParallelImagePulls") ?? 1) > 1) defaults.set("serialize-image-pulls", false);
  return defaults;
}

function defaultValue(row: SettingRow, withFile: boolean, product: Product): unknown {
  if (row.type === "whole" || ("optional" in row && row.optional)) return undefined;
  const text = withFile ? row.fileDefault ?? row.default : row.default;
  return defaultOf({ ...row, ...(text === undefined ? {} : { default: text }) } as OptionRow, product.local);
}

/** Numbers that stand for others, and names that are two. */
function settled(values: SettingValues): SettingValues {
  return {
    ...values,
    address: values.address || "0.0.0.0",
    healthzBindAddress: values.healthzBindAddress || "127.0.0.1",
    orchApiQps: values.orchApiQps || 50,
    orchApiBurst: values.orchApiBurst || 100,
    eventBurst: values.eventBurst || 100,
    podMaxPids: Math.max(values.podMaxPids, -1),
    enforceNodeAllocatable: values.enforceNodeAllocatable.map((name) => name.replace(/^kube-/, "orch-")),
  };
}
