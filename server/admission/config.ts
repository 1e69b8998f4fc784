/**
 * The configuration file of admission (`--admission-control-config-file`): an AdmissionConfiguration, the plugins' own
 * configurations embedded in it or in files that it names. Nothing unknown is passed over.
 */
import { decodeObject } from "../../schema/codec/mod.ts";
import { parseYaml } from "../../schema/codec/yaml.ts";
import { isMap } from "../../schema/model/members.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import { schemeOf } from "../../schema/scheme.ts";
import { CONFIG_SHAPES, type ConfigShape, type Fault, type Fields, type Shape } from "./config_shapes.ts";
import { PLUGIN_NAMES } from "./names.ts";

/** Configurations by plugin, checked. */
export type PluginConfigs = ReadonlyMap<string, JsonMap>;

const OPTION = "--admission-control-config-file";

/**
 * Reads the file's text. `read` gives the text of a file that it names.
 * @throws Error that tells everything that is wrong, by file and path
 */
export function readAdmissionConfig(text: string, product: Product, read: (path: string) => string): PluginConfigs {
  const faults: string[] = [];
  const fault: Fault = (path, why) => faults.push(path ? `${path}: ${why}` : why);
  const plugins = pluginsOf(treeOf(text, "", fault), product, fault);
  const out = new Map<string, JsonMap>();
  plugins.forEach((plugin, i) => {
    const at = `plugins[${i}]`;
    const name = plugin["name"] as string;
    if (!(PLUGIN_NAMES as readonly string[]).includes(name)) {
      return fault(`${at}.name`, `${JSON.stringify(name)}: no such plugin`);
    }
    if (out.has(name)) return fault(`${at}.name`, `${JSON.stringify(name)} is there twice`);
    out.set(name, configOf(name, plugin, at, product, read, fault));
  });
  if (faults.length > 0) throw new Error(`${OPTION}: ${faults.join("; ")}`);
  return out;
}

function treeOf(text: string, path: string, fault: Fault): JsonMap {
  try {
    const { tree, duplicates } = parseYaml(new TextEncoder().encode(text), { duplicates: true });
    for (const d of duplicates) fault(path, d);
    if (isMap(tree)) return tree;
    fault(path, "should be an object");
  } catch (e) {
    fault(path, (e as Error).message);
  }
  return {};
}

/** What a file may call its version still, and where that version is described. */
const BEFORE = { stated: "apiserver.k8s.io/v1alpha1", described: "apiserver.config.k8s.io/v1alpha1" };

/** The plugins of a file, with what they embed put back as it stood. */
function pluginsOf(tree: JsonMap, product: Product, fault: Fault): JsonMap[] {
  if (Object.keys(tree).length === 0) return [];
  const { apiVersion, kind: name } = tree;
  const stated = product.local(String(apiVersion ?? ""));
  const version = stated === product.local(BEFORE.stated) ? product.local(BEFORE.described) : stated;
  const kind = name === "AdmissionConfiguration" ? schemeOf(product).kind(version, name) : undefined;
  if (!kind) {
    fault("", `kind ${JSON.stringify(name ?? "")} of ${JSON.stringify(apiVersion ?? "")} is no AdmissionConfiguration`);
    return [];
  }
  const given = (Array.isArray(tree["plugins"]) ? tree["plugins"] : []) as JsonMap[];
  const bare = given.map((p) => {
    const { configuration: _, ...rest } = p ?? {};
    return rest;
  });
  try {
    const { object, unknown } = decodeObject(kind, { ...tree, plugins: bare }, { strict: true });
    for (const u of unknown) fault("", u);
    const plugins = ((object as JsonMap)["plugins"] ?? []) as JsonMap[];
    return plugins.map((p, i) => ({ ...p, configuration: given[i]?.["configuration"] ?? null }));
  } catch (e) {
    fault("", (e as Error).message);
    return [];
  }
}

function configOf(
  name: string,
  plugin: JsonMap,
  at: string,
  product: Product,
  read: (path: string) => string,
  fault: Fault,
): JsonMap {
  const path = (plugin["path"] ?? "") as string;
  const embedded = plugin["configuration"] as Json;
  if (path && embedded !== null) fault(`${at}.path`, "cannot go with configuration");
  const where = path ? JSON.stringify(path) : `${at}.configuration`;
  const tree = path ? treeOf(textOf(path, read, fault), where, fault) : embedded;
  if (tree === null || (typeof tree === "object" && Object.keys(tree).length === 0)) return {};
  const shape = Object.hasOwn(CONFIG_SHAPES, name) ? CONFIG_SHAPES[name]! : undefined;
  if (!shape) {
    fault(where, `plugin ${name} takes no configuration`);
    return {};
  }
  return checked(shape, tree, where, product, fault);
}

function textOf(path: string, read: (path: string) => string, fault: Fault): string {
  try {
    return read(path);
  } catch (e) {
    // The option is named once, before all that is wrong.
    fault(JSON.stringify(path), (e as Error).message.replace(`${OPTION}: `, ""));
    return "{}";
  }
}

function checked(shape: ConfigShape, tree: Json, at: string, product: Product, fault: Fault): JsonMap {
  if (typeof tree !== "object" || tree === null || Array.isArray(tree)) {
    fault(at, "should be an object");
    return {};
  }
  const { apiVersion, kind, ...config } = withoutNulls(tree);
  const wanted = shape.kind;
  if (wanted) {
    const versions = wanted.apiVersions.map(product.local);
    if (kind !== wanted.name || !versions.includes(product.local(String(apiVersion ?? "")))) {
      fault(at, `should be a ${wanted.name} of ${versions.join(" or ")}`);
    }
  } else if (apiVersion !== undefined || kind !== undefined) fault(at, "states no apiVersion and no kind");
  const before: string[] = [];
  checkFields(shape.fields, config, "", (path, why) => before.push(`${path}: ${why}`));
  if (before.length === 0) shape.check?.(config, (path, why) => before.push(`${path}: ${why}`));
  for (const text of before) fault(at, text);
  return config;
}

/** A member of no value is as absent. */
function withoutNulls<T extends Json>(tree: T): T {
  if (Array.isArray(tree)) return tree.map(withoutNulls) as T;
  if (!isMap(tree)) return tree;
  const members = Object.entries(tree).filter(([, value]) => value !== null);
  return Object.fromEntries(members.map(([name, value]) => [name, withoutNulls(value)])) as T;
}

const join = (path: string, name: string): string => path ? `${path}.${name}` : name;

function checkFields(fields: Fields, tree: JsonMap, path: string, fault: Fault): void {
  for (const [name, value] of Object.entries(tree)) {
    const at = join(path, name);
    if (!Object.hasOwn(fields, name)) fault(at, "unknown field");
    else checkValue(fields[name]!, value, at, fault);
  }
}

const isText = (v: Json): boolean => typeof v === "string";
const PLAIN: Readonly<Record<string, readonly [(v: Json) => boolean, string]>> = {
  string: [isText, "a string"],
  boolean: [(v) => typeof v === "boolean", "true or false"],
  integer: [(v) => typeof v === "number" && Number.isInteger(v), "a whole number"],
  strings: [(v) => Array.isArray(v) && v.every(isText), "a list of strings"],
  texts: [(v) => isMap(v) && Object.values(v).every(isText), "a map of strings"],
};

function checkValue(shape: Shape, value: Json, at: string, fault: Fault): void {
  if (typeof shape === "string") {
    const [test, words] = PLAIN[shape]!;
    if (!test(value)) fault(at, `should be ${words}`);
  } else if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return fault(at, "should be a list");
    value.forEach((item, i) => checkValue(shape[0] as Fields, item, `${at}[${i}]`, fault));
  } else if (!isMap(value)) fault(at, "should be an object");
  else checkFields(shape as Fields, value, at, fault);
}
