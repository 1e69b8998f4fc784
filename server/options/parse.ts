/** From the command line to {@linkcode Options}: everything that is wrong is told at once. */
import { type Dialect, type Product, productOf } from "../../schema/product.ts";
import { readArgs } from "./args.ts";
import { crossChecks } from "./checks.ts";
import { FeatureGates, parseGates } from "./feature_gates.ts";
import { helpText } from "./help.ts";
import { logFaults } from "./log_settings.ts";
import { metricFaults } from "./metric_faults.ts";
import { RuntimeConfig } from "./runtime_config.ts";
import { runtimeFaults } from "./runtime_faults.ts";
import { camel, type OptionName, type OptionValues, ROWS } from "./table.ts";
import { signerFaults } from "./signer_faults.ts";
import { type OptionRow, statusOf } from "./types.ts";
import { BINARY_VERSION } from "../catalog/version.ts";
import { type ComponentVersions, componentVersions } from "./versions.ts";
import { defaultOf, valueOf } from "./values.ts";

/** Every option's value, and what follows from several of them. Immutable. */
export interface Options extends OptionValues {
  readonly product: Product;
  /** Options that stood on the command line. */
  readonly given: ReadonlySet<OptionName>;
  readonly gates: FeatureGates;
  readonly runtime: RuntimeConfig;
  readonly versions: ComponentVersions;
  /** Version to report, `v1.37.0` unless `--version=vX.Y.Z`. */
  readonly gitVersion: string;
  /** The backend in force. */
  readonly backend: "denokv" | "memory" | "etcd3";
  /** Authorizers in force when there is no configuration file. */
  readonly authorizers: readonly string[];
}

/** What a command line asks for. */
export type Parsed =
  | { readonly kind: "run"; readonly options: Options; readonly warnings: readonly string[] }
  | { readonly kind: "errors"; readonly errors: readonly string[] }
  /** Text to print before exit 0: help or version. */
  | { readonly kind: "print"; readonly text: string };

/** Whether a feature is on. */
export const gateEnabled = (options: Pick<Options, "gates">, name: string): boolean => options.gates.enabled(name);

const GIT_VERSION = `v${BINARY_VERSION.major}.${BINARY_VERSION.minor}.0`;

function versionText(asked: string): string | undefined {
  if (asked === "true" || asked === "1") return `Orch ${GIT_VERSION}`;
  if (asked !== "raw") return undefined;
  return JSON.stringify({
    major: String(BINARY_VERSION.major),
    minor: String(BINARY_VERSION.minor),
    gitVersion: GIT_VERSION,
  });
}

function gitVersion(asked: string | undefined, errors: string[]): string {
  if (asked === undefined || asked === "false" || asked === "0") return GIT_VERSION;
  if (!/^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/.test(asked)) {
    errors.push(`--version: ${JSON.stringify(asked)} should be raw, true, false or vX.Y.Z`);
  }
  return asked;
}

function readValues(texts: ReadonlyMap<string, readonly string[]>, local: (s: string) => string, errors: string[]) {
  const values: Record<string, unknown> = {};
  for (const row of ROWS) {
    const given = texts.get(row.name);
    values[camel(row.name)] = defaultOf(row, local);
    if (!given) continue;
    try {
      values[camel(row.name)] = valueOf(row, given);
    } catch (e) {
      errors.push(`--${row.name}: ${given.map((t) => JSON.stringify(t)).join(", ")}: ${(e as Error).message}`);
    }
  }
  const read = values as unknown as OptionValues;
  return { ...read, storePrefix: keyPrefix(read.storePrefix) };
}

/** Parts of a key, a slash before each. */
const keyPrefix = (text: string): string => `/${text.split("/").filter(Boolean).join("/")}`;

function warningsOf(given: ReadonlySet<string>): string[] {
  const rows = ROWS.filter((row) => given.has(row.name));
  return [
    ...rows.filter((r) => r.deprecated).map((r) => `--${r.name} is deprecated: use ${(r as OptionRow).deprecated}`),
    ...rows.filter((r) => statusOf(r) === "accepted").map((r) => `--${r.name} has no effect: ${r.accepted}`),
  ];
}

const backendOf = (v: OptionValues): Options["backend"] =>
  (v.storageBackend || (v.storeServers.length ? "etcd3" : "denokv")) as Options["backend"];

/** Group names of the dialect made public again, for tables that are keyed so. */
function publicKey(product: Product, key: string): string {
  if (product.dialect === "kubernetes") return key;
  return key.replace(/^([a-z0-9.-]+\.)orch\.io(?=\/)/, "$1k8s.io");
}

/** Reads a command line (without the program's name). Pure. */
export function parseOptions(argv: readonly string[]): Parsed {
  const args = readArgs(argv);
  const dialect = args.texts.get("api-dialect")?.at(-1) ?? "orch";
  const product = productOf((dialect === "kubernetes" ? dialect : "orch") as Dialect);
  if (args.help) return { kind: "print", text: helpText(product.local) };
  const version = args.version === undefined ? undefined : versionText(args.version);
  if (version !== undefined) return { kind: "print", text: version };
  const errors = [...args.errors];
  const values = readValues(args.texts, product.local, errors);
  const given = new Set([...args.texts.keys()]) as ReadonlySet<OptionName>;
  const components = [product.component, "orch", "kube"];
  const versions = componentVersions(
    {
      emulated: values.emulatedVersion,
      minCompatible: values.minCompatibilityVersion,
      forwardCompatible: values.emulationForwardCompatible,
      newerByName: values.runtimeConfigEmulationForwardCompatible,
    },
    components,
    errors,
  );
  const gates = parseGates(values.featureGates, components, versions.emulated);
  const emulated = versions.emulated < BINARY_VERSION.minor
    ? {
      minor: versions.emulated,
      forward: values.emulationForwardCompatible,
      newerByName: values.runtimeConfigEmulationForwardCompatible,
    }
    : undefined;
  const runtime = RuntimeConfig.parse(values.runtimeConfig, (key) => publicKey(product, key), {
    emulated,
    readableBy: versions.minCompatible,
  });
  const reported = gitVersion(args.version, errors);
  const featureGates = new FeatureGates(gates.set, versions.emulated);
  const enabled = (name: string) => featureGates.enabled(name);
  errors.push(
    ...gates.errors,
    ...runtime.errors,
    ...runtimeFaults(runtime.config, product.local),
    ...crossChecks(values, given, enabled),
  );
  errors.push(...logFaults(values, enabled), ...metricFaults(values, given), ...signerFaults(values, enabled));
  if (errors.length) return { kind: "errors", errors };
  const options: Options = {
    ...values,
    product,
    given,
    gates: featureGates,
    runtime: runtime.config,
    versions,
    gitVersion: reported,
    backend: backendOf(values),
    authorizers: values.authorizationMode.length ? values.authorizationMode : ["AlwaysAllow"],
  };
  return { kind: "run", options, warnings: [...warningsOf(given), ...gates.warnings, ...runtime.warnings] };
}
