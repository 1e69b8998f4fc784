/** The file of `--encryption-provider-config`: an EncryptionConfiguration, read without passing anything over. */
import { decodeObject } from "../../../schema/codec/mod.ts";
import { parseYaml } from "../../../schema/codec/yaml.ts";
import type {
  EncryptionConfiguration,
  Key,
  KMSConfiguration,
  ProviderConfiguration,
} from "../../../schema/api/apiserver.config.k8s.io_v1.ts";
import type { JsonMap, Kind } from "../../../schema/model/types.ts";
import type { Product } from "../../../schema/product.ts";
import { schemeOf } from "../../../schema/scheme.ts";
import { parseDuration } from "../../../schema/flags/duration.ts";
import { meant, resourceFaults } from "./config_resources.ts";

/** A named key, decoded. */
export interface NamedKey {
  readonly name: string;
  readonly secret: Uint8Array;
}

/** A key management service behind a socket. */
export interface KmsConfig {
  readonly type: "kms";
  readonly version: "v1" | "v2";
  readonly name: string;
  /** Path of the socket, or `@name` of one without a file. */
  readonly socket: string;
  /** Of one call, ms. */
  readonly timeout: number;
  /** Data keys held, of v1; below 1: none. */
  readonly cacheSize: number;
}

/** One provider of an entry. */
export type ProviderConfig =
  | { readonly type: "aescbc" | "aesgcm" | "secretbox"; readonly keys: readonly NamedKey[] }
  | { readonly type: "identity" }
  | KmsConfig;

/** One entry: which resources, by which providers. */
export interface EncryptionRule {
  /** As in the file, group names in the dialect. */
  readonly resources: readonly string[];
  readonly providers: readonly ProviderConfig[];
}

type Fault = (path: string, why: string) => void;

const AES_LENGTHS = [16, 24, 32];
const KEY_LENGTHS = { aescbc: AES_LENGTHS, aesgcm: AES_LENGTHS, secretbox: [32] } as const;
const PROVIDERS = ["kms", "aesgcm", "aescbc", "secretbox", "identity"] as const;
const DEFAULT_TIMEOUT = 3_000;
const DEFAULT_CACHE = 1_000;

/**
 * Reads the file's text. `reload`: the file is followed, so that services must have names of their own.
 * @throws Error that tells everything that is wrong, by path; never a secret
 */
export function readEncryptionConfig(text: string, product: Product, reload: boolean): EncryptionRule[] {
  const faults: string[] = [];
  const fault: Fault = (path, why) => void faults.push(path ? `${path}: ${why}` : why);
  const config = decoded(text, product, fault);
  const rules = config ? rulesOf(config, product, reload, fault) : [];
  if (faults.length > 0) throw new Error(`--encryption-provider-config: ${faults.join("; ")}`);
  return rules;
}

function decoded(text: string, product: Product, fault: Fault): EncryptionConfiguration | undefined {
  if (text === "") {
    fault("", "the file is empty");
    return undefined;
  }
  try {
    const { tree, duplicates } = parseYaml(new TextEncoder().encode(text), { duplicates: true });
    for (const d of duplicates) fault("", d);
    const { apiVersion, kind: name } = (tree ?? {}) as JsonMap;
    const kind = kindOf(`${apiVersion ?? ""}`, `${name ?? ""}`, product);
    if (!kind) {
      const what = `kind ${JSON.stringify(name ?? "")} of ${JSON.stringify(apiVersion ?? "")}`;
      fault("", `${what} is no EncryptionConfiguration (${product.local("apiserver.config.k8s.io/v1")})`);
      return undefined;
    }
    const { object, unknown } = decodeObject(kind, tree, { strict: true });
    for (const u of unknown) fault("", u);
    return object as unknown as EncryptionConfiguration;
  } catch (e) {
    fault("", (e as Error).message);
    return undefined;
  }
}

/** The kind that a file states, by the name that it had at first too. */
function kindOf(apiVersion: string, name: string, product: Product): Kind | undefined {
  const [version, kind] = apiVersion === "v1" && name === "EncryptionConfig"
    ? ["apiserver.config.k8s.io/v1", "EncryptionConfiguration"]
    : [apiVersion, name];
  return kind === "EncryptionConfiguration" ? schemeOf(product).kind(product.local(version), kind) : undefined;
}

function rulesOf(config: EncryptionConfiguration, product: Product, reload: boolean, fault: Fault): EncryptionRule[] {
  const entries = config.resources ?? [];
  if (entries.length === 0) fault("resources", "needs at least one entry");
  const services = new Set<string>();
  return entries.map((entry, i) => {
    const resources = (entry.resources ?? []).flatMap((name) => meant(name, product));
    const given = entry.providers ?? [];
    resourceFaults(resources, `resources[${i}].resources`, product, fault);
    if (given.length === 0) fault(`resources[${i}].providers`, "needs at least one provider");
    const providers = given.map((p, j) =>
      providerOf(p, `resources[${i}].providers[${j}]`, { services, reload }, fault)
    );
    return { resources, providers: providers.filter((p) => p !== undefined) };
  });
}

interface KmsNames {
  readonly services: Set<string>;
  readonly reload: boolean;
}

function providerOf(p: ProviderConfiguration, at: string, names: KmsNames, fault: Fault): ProviderConfig | undefined {
  const types = PROVIDERS.filter((t) => p[t] !== undefined && p[t] !== null);
  if (types.length !== 1) {
    fault(
      at,
      types.length === 0 ? `needs one of ${PROVIDERS.join(", ")}` : `has ${types.join(" and ")}: one an element`,
    );
    return undefined;
  }
  const type = types[0]!;
  if (type === "identity") return { type };
  if (type === "kms") return kmsOf(p.kms!, `${at}.kms`, names, fault);
  const path = `${at}.${type}.keys`;
  const keys = p[type]!.keys ?? [];
  if (keys.length === 0) fault(path, "needs at least one key");
  return { type, keys: keys.map((k, i) => keyOf(k, `${path}[${i}]`, KEY_LENGTHS[type], fault)) };
}

function keyOf({ name, secret }: Key, at: string, lengths: readonly number[], fault: Fault): NamedKey {
  if (!name) fault(`${at}.name`, "a key needs a name");
  if (!secret) fault(`${at}.secret`, "a key needs a secret");
  const bytes = secret ? base64(secret) : new Uint8Array();
  if (bytes === undefined) fault(`${at}.secret`, "should be base64");
  else if (secret && !lengths.includes(bytes.length)) {
    fault(`${at}.secret`, `has ${bytes.length} bytes, should have ${lengths.join(" or ")}`);
  }
  return { name: name ?? "", secret: bytes ?? new Uint8Array() };
}

/** Standard base64 with its padding; line ends may be inside. */
function base64(text: string): Uint8Array | undefined {
  const bare = text.replace(/[\r\n]/g, "");
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(bare)) return undefined;
  return Uint8Array.from(atob(bare), (c) => c.charCodeAt(0));
}

function kmsOf(kms: KMSConfiguration, at: string, { services, reload }: KmsNames, fault: Fault): KmsConfig {
  const { name = "", endpoint = "" } = kms;
  const version = kms.apiVersion || "v1";
  const known = version === "v1" || version === "v2";
  if (!known) fault(`${at}.apiVersion`, `${JSON.stringify(version)} should be v1 or v2`);
  if (!name) fault(`${at}.name`, "a service needs a name");
  if (version !== "v1" && name.includes(":")) fault(`${at}.name`, `${JSON.stringify(name)} should have no colon`);
  if ((reload || version !== "v1") && services.has(name)) {
    fault(`${at}.name`, `${JSON.stringify(name)} is the name of another service`);
  }
  services.add(name);
  const timeout = kms.timeout === undefined ? DEFAULT_TIMEOUT : parseDuration(String(kms.timeout)) ?? 0;
  if (timeout <= 0) fault(`${at}.timeout`, `${JSON.stringify(kms.timeout)} should be a duration above 0`);
  const size = kms.cachesize;
  if (version !== "v1" && size !== undefined) fault(`${at}.cachesize`, "only services of v1 have one");
  if (version === "v1" && size === 0) fault(`${at}.cachesize`, "should be above 0, or below to hold no keys");
  return {
    type: "kms",
    version: version === "v2" ? "v2" : "v1",
    name,
    socket: socketOf(endpoint, `${at}.endpoint`, fault),
    timeout,
    cacheSize: size ?? DEFAULT_CACHE,
  };
}

/** `unix:///run/kms.sock`; `unix:///@name` is a socket without a file. */
function socketOf(endpoint: string, at: string, fault: Fault): string {
  if (!endpoint) {
    fault(at, "a service needs an endpoint");
    return "";
  }
  const parts = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/[^/]*)?(.*)$/.exec(endpoint);
  if (parts?.[1] !== "unix") {
    fault(at, `${JSON.stringify(endpoint)} should be unix:///path`);
    return "";
  }
  const path = parts[2]!;
  if (path === "") fault(at, `${JSON.stringify(endpoint)} has no path`);
  return path.startsWith("/@") ? path.slice(1) : path;
}
