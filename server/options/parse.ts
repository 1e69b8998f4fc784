/** From the command line to {@linkcode Options}: everything that is wrong is told at once. */
import { type Dialect, type Product, productOf } from "../../schema/product.ts";
import { readArgs } from "../../schema/flags/args.ts";
import { crossChecks, idleOptions } from "./checks.ts";
import { FeatureGates, parseGates } from "../../schema/flags/gates/feature_gates.ts";
import { helpText } from "../../schema/flags/help.ts";
import { logFaults } from "../../schema/log/settings.ts";
import { metricFaults } from "./metric_faults.ts";
import { type Emulated, RuntimeConfig } from "./runtime_config.ts";
import { runtimeFaults } from "./runtime_faults.ts";
import { GROUPS, type OptionName, type OptionValues, ROWS } from "./table.ts";
import { signerFaults } from "./signer_faults.ts";
import { readValues, warningsOf } from "../../schema/flags/read.ts";
import { gitVersion, versionText } from "../../schema/flags/version.ts";
import { BINARY_VERSION } from "../../schema/version.ts";
import { type ComponentVersions, componentVersions } from "./versions.ts";

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

const PROGRAM = {
  about: "Serves the resource API of a cluster.",
  usage: "orch [options]\n  orch store [command [file] [options]]",
  groups: GROUPS,
};

/** Parts of a key, a slash before each. */
const keyPrefix = (text: string): string => `/${text.split("/").filter(Boolean).join("/")}`;

const backendOf = (v: OptionValues): Options["backend"] =>
  (v.storageBackend || (v.storeServers.length ? "etcd3" : "denokv")) as Options["backend"];

/** Group names of the dialect made public again, for tables that are keyed so. */
function publicKey(product: Product, key: string): string {
  if (product.dialect === "kubernetes") return key;
  return key.replace(/^([a-z0-9.-]+\.)orch\.io(?=\/)/, "$1k8s.io");
}

const authorizersOf = ({ authorizationMode }: OptionValues): readonly string[] =>
  authorizationMode.length ? authorizationMode : ["AlwaysAllow"];

/** Whether whoever reaches the port could do everything. */
const openToAll = (v: OptionValues): boolean =>
  v.anonymousAuth && !v.authorizationConfig && authorizersOf(v).includes("AlwaysAllow");

/** The older version that is emulated, if any. */
function emulationOf(v: OptionValues, { emulated }: ComponentVersions): Emulated | undefined {
  return emulated < BINARY_VERSION.minor
    ? {
      minor: emulated,
      forward: v.emulationForwardCompatible,
      newerByName: v.runtimeConfigEmulationForwardCompatible,
    }
    : undefined;
}

/** Reads a command line (without the program's name). Pure. */
export function parseOptions(argv: readonly string[]): Parsed {
  const args = readArgs(ROWS, argv);
  const dialect = args.texts.get("api-dialect")?.at(-1) ?? "orch";
  const product = productOf((dialect === "kubernetes" ? dialect : "orch") as Dialect);
  if (args.help) return { kind: "print", text: helpText(PROGRAM, product.local) };
  const version = versionText(args.version, "Orch");
  if (version !== undefined) return { kind: "print", text: version };
  const errors = [...args.errors];
  const read = readValues(ROWS, args.texts, product.local, errors) as OptionValues;
  const values = { ...read, storePrefix: keyPrefix(read.storePrefix) };
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
  const runtime = RuntimeConfig.parse(values.runtimeConfig, (key) => publicKey(product, key), {
    emulated: emulationOf(values, versions),
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
    ...logFaults(values, enabled),
    ...metricFaults(values, given),
    ...signerFaults(values, enabled),
  );
  if (errors.length) return { kind: "errors", errors };
  const authorizers = authorizersOf(values), closed = openToAll(values);
  const options: Options = {
    ...values,
    anonymousAuth: values.anonymousAuth && !closed,
    product,
    given,
    gates: featureGates,
    runtime: runtime.config,
    versions,
    gitVersion: reported,
    backend: backendOf(values),
    authorizers,
  };
  const warnings = [
    ...warningsOf(ROWS, given),
    ...gates.warnings,
    ...runtime.warnings,
    ...idleOptions(values),
    ...(closed ? ["--anonymous-auth is off, as everything is allowed by --authorization-mode=AlwaysAllow"] : []),
  ];
  return { kind: "run", options, warnings };
}
