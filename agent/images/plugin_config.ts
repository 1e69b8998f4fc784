/** Which plugins give credentials, and for which images (`--image-credential-provider-config`). */
import { access, constants, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseYaml } from "../../schema/codec/yaml.ts";
import type { Product } from "../../schema/product.ts";
import { durationToNanos } from "../../schema/values/duration.ts";
import { fileFault } from "../files.ts";
import { isPlace } from "./glob.ts";

/** What tokens of the pod's service account a plugin gets. */
export interface TokenAttributes {
  readonly serviceAccountTokenAudience: string;
  /** Whether credentials are kept by token or by account. */
  readonly cacheType: "Token" | "ServiceAccount";
  /** Pods without an account are none of its business. */
  readonly requireServiceAccount: boolean;
  readonly requiredServiceAccountAnnotationKeys?: readonly string[];
  readonly optionalServiceAccountAnnotationKeys?: readonly string[];
}

/** A plugin. */
export interface PluginConfig {
  /** Of its file. */
  readonly name: string;
  readonly matchImages: readonly string[];
  /** As it is written: what it answers without a duration is kept so long. */
  readonly defaultCacheDuration: string;
  /** Of the messages, as the plugin names it. */
  readonly apiVersion: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly tokenAttributes?: TokenAttributes;
}

const VERSIONS = ["v1", "v1beta1", "v1alpha1"];
const FILE_VERSIONS = VERSIONS.map((v) => `kubelet.config.k8s.io/${v}`);
/** Of the messages to plugins; those of `v1` alone carry tokens. */
const MESSAGE_VERSIONS = VERSIONS.map((v) => `credentialprovider.kubelet.k8s.io/${v}`);
const MAX_DURATION = 64;

type Member = readonly [is: (value: unknown) => boolean, required?: "required"];

const isText = (v: unknown) => typeof v === "string";
const isTexts = (v: unknown) => Array.isArray(v) && v.every(isText);
const isFilled = (v: unknown) => isText(v) && v !== "";
const isVariable = (v: unknown) => isText((v as { name?: unknown })?.name) && isText((v as { value?: unknown })?.value);

const PLUGIN: Readonly<Record<string, Member>> = {
  name: [(v) => isFilled(v) && !/[/ ]/.test(v as string) && v !== "." && v !== "..", "required"],
  matchImages: [(v) => isTexts(v) && (v as string[]).length > 0 && (v as string[]).every(isPlace), "required"],
  defaultCacheDuration: [isDuration, "required"],
  apiVersion: [isFilled, "required"],
  args: [isTexts],
  env: [(v) => Array.isArray(v) && v.every(isVariable)],
  tokenAttributes: [(v) => typeof v === "object" && v !== null],
};
const TOKEN: Readonly<Record<string, Member>> = {
  serviceAccountTokenAudience: [isFilled, "required"],
  cacheType: [(v) => v === "Token" || v === "ServiceAccount", "required"],
  requireServiceAccount: [(v) => typeof v === "boolean", "required"],
  requiredServiceAccountAnnotationKeys: [isTexts],
  optionalServiceAccountAnnotationKeys: [isTexts],
};

/**
 * Reads a file, or all `*.json`, `*.yaml` and `*.yml` of a directory in the order of their names; the plugins' files lie in `binDir`.
 * @throws Error that says all that is wrong with a file
 */
export async function readPlugins(path: string, binDir: string, product: Product): Promise<PluginConfig[]> {
  const all: PluginConfig[] = [];
  const files = await filesOf(path).catch((e) => {
    throw "code" in e ? fileFault("read", path, e) : e;
  });
  for (const file of files) all.push(...readPluginFile(file, await readFile(file, "utf8"), product));
  const twice = all.find(({ name }, i) => all.findIndex((p) => p.name === name) < i);
  if (twice) throw new Error(`duplicate provider name ${JSON.stringify(twice.name)} found in configuration file(s)`);
  for (const { name } of all) {
    await access(join(binDir, name), constants.X_OK).catch(() => {
      throw new Error(`plugin binary executable ${join(binDir, name)} did not exist`);
    });
  }
  return all;
}

async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  const files = entries.filter((e) => !e.isDirectory() && /\.(?:json|ya?ml)$/.test(e.name)).map((e) => e.name).sort();
  if (files.length === 0) throw new Error(`no configuration files found in directory ${JSON.stringify(path)}`);
  return files.map((name) => join(path, name));
}

function readPluginFile(path: string, text: string, product: Product): PluginConfig[] {
  const faults: string[] = [];
  const { tree, duplicates } = parseYaml(text, { duplicates: true });
  faults.push(...duplicates);
  if (typeof tree !== "object" || Array.isArray(tree)) throw new Error(`${path}: should be an object`);
  const { apiVersion, kind, providers, ...others } = (tree ?? {}) as Record<string, unknown>;
  const isOne = (known: readonly string[], version: unknown) =>
    known.some((v) => product.local(v) === product.local(String(version ?? "")));
  if (kind !== "CredentialProviderConfig" || !isOne(FILE_VERSIONS, apiVersion)) {
    faults.push(`it is no CredentialProviderConfig (${FILE_VERSIONS.map(product.local).join(", ")})`);
  }
  for (const name of Object.keys(others)) faults.push(`unknown field ${JSON.stringify(name)}`);
  const list = Array.isArray(providers) ? providers : [];
  if (list.length === 0) faults.push("providers: at least 1 item in plugins is required");
  list.forEach((plugin, i) => {
    const at = `providers[${i}]`;
    faults.push(...faultsOf(plugin, PLUGIN, at));
    const { apiVersion, tokenAttributes } = plugin ?? {};
    if (apiVersion !== undefined && !isOne(MESSAGE_VERSIONS, apiVersion)) {
      faults.push(`${at}.apiVersion: supported are ${MESSAGE_VERSIONS.map(product.local).join(", ")}`);
    }
    if (tokenAttributes) faults.push(...faultsOfTokens(tokenAttributes, String(apiVersion), `${at}.tokenAttributes`));
  });
  if (faults.length > 0) throw new Error(`${path}: ${faults.join("; ")}`);
  return list as PluginConfig[];
}

function faultsOfTokens(tokens: TokenAttributes, apiVersion: string, at: string): string[] {
  const faults = faultsOf(tokens, TOKEN, at);
  const required = tokens.requiredServiceAccountAnnotationKeys ?? [];
  if (!apiVersion.endsWith("/v1")) faults.push(`${at}: only v1 of the messages has tokens`);
  if (tokens.requireServiceAccount === false && required.length > 0) {
    faults.push(`${at}: required annotations need requireServiceAccount`);
  }
  const keys = [...required, ...tokens.optionalServiceAccountAnnotationKeys ?? []];
  if (new Set(keys).size < keys.length) faults.push(`${at}: an annotation is named twice`);
  return faults;
}

function faultsOf(value: unknown, members: Readonly<Record<string, Member>>, at: string): string[] {
  if (typeof value !== "object" || value === null) return [`${at}: it is no object`];
  const given = value as Record<string, unknown>;
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(members, name)).map((name) =>
    `${at}.${name}: unknown field`
  );
  const wrong = Object.entries(members).flatMap(([name, [is, required]]) => {
    if (given[name] === undefined || given[name] === null) return required ? [`${at}.${name}: it is required`] : [];
    return is(given[name]) ? [] : [`${at}.${name}: invalid value`];
  });
  return [...unknown, ...wrong];
}

function isDuration(value: unknown): boolean {
  try {
    return isText(value) && (value as string).length <= MAX_DURATION && durationToNanos(value as string) >= 0n;
  } catch {
    return false;
  }
}
