/** From configuration files to one tree: paths made absolute, files of the directory merged over the first. */
import { decodeObject } from "../../schema/codec/mod.ts";
import { parseYaml } from "../../schema/codec/yaml.ts";
import { applyMergePatch } from "../../schema/merge/merge_patch.ts";
import { isMap, setMember } from "../../schema/model/members.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import { fileReason } from "../files.ts";
import { SETTINGS } from "../options/table.ts";
import type { ConfigFiles } from "./files.ts";
import { configKind, PUBLIC_KIND, PUBLIC_VERSION } from "./kind.ts";

/** Which files. Empty: none. */
export interface ConfigSources {
  readonly config: string;
  readonly configDir: string;
}

/** Fields by names that the specification's options have, and by those of the public agent. */
const OWN_NAMES: ReadonlyMap<string, string> = new Map(Object.entries({
  orchReserved: "kubeReserved",
  orchReservedCgroup: "kubeReservedCgroup",
  orchAPIQPS: "kubeAPIQPS",
  orchAPIBurst: "kubeAPIBurst",
}));

/** Fields that hold a path. That of volume plugins is a directory of the host like the others. */
const PATHS = SETTINGS.flatMap((row) => row.type === "path" && row.field !== undefined ? [row.field] : []);

/** Thresholds that hold where the file has none. */
const EVICTION: JsonMap = Object.fromEntries(
  SETTINGS.find((row) => row.name === "eviction-hard")!.fileDefault!.split(",").map((t) => t.split("<")),
);

/** What the files say. */
export interface ConfigTree {
  /** Undefined: no file is named. */
  readonly tree: JsonMap | undefined;
  /** What of them is passed over, with the option and file. */
  readonly warnings: readonly string[];
}

/**
 * All that the files say, checked field by field. What no field is called is passed over, and of a field that stands twice in the
 * file of `--config` the last counts, as on the public agent. @throws Error that names the option and file
 */
export function configTree(sources: ConfigSources, files: ConfigFiles, product: Product): ConfigTree {
  let tree: JsonMap | undefined;
  const warnings: string[] = [];
  const read = (option: string, path: string) =>
    named(option, path, () => {
      const { own, unknown, duplicates } = readTree(files.absolute(path), files, product);
      if (duplicates.length > 0 && option === "config-dir") throw strict(duplicates);
      const odd = [...duplicates, ...unknown];
      if (odd.length > 0) warnings.push(`--${option}: ${JSON.stringify(path)}: passed over: ${odd.join(", ")}`);
      return own;
    });
  if (sources.config !== "") {
    tree = read("config", sources.config);
    withEviction(tree);
  }
  if (sources.configDir === "") return { tree, warnings };
  const directory = files.absolute(sources.configDir);
  const paths = named("config-dir", directory, () => files.below(directory)).filter((path) => path.endsWith(".conf"));
  for (const path of paths) {
    tree = applyMergePatch(tree ?? {}, read("config-dir", path)) as JsonMap;
  }
  return { tree, warnings };
}

const strict = (faults: readonly string[]): Error => new Error(`strict decoding error: ${faults.join(", ")}`);

function named<T>(option: string, path: string, read: () => T): T {
  try {
    return read();
  } catch (e) {
    throw new Error(`--${option}: ${JSON.stringify(path)}: ${fileReason(e)}`, { cause: e });
  }
}

/** One file: its fields, names that are none, and those that stand twice. */
interface Read {
  readonly own: JsonMap;
  readonly unknown: readonly string[];
  readonly duplicates: readonly string[];
}

function readTree(path: string, files: ConfigFiles, product: Product): Read {
  const text = files.read(path);
  if (text.trim() === "") throw new Error("the file is empty");
  const { tree, duplicates } = parseYaml(text, { duplicates: true });
  const kind = configKind(product);
  const { apiVersion = "", kind: name = "" } = isMap(tree) ? tree : {};
  const known = [kind.apiVersion, PUBLIC_VERSION].includes(String(apiVersion)) &&
    [kind.kind, PUBLIC_KIND].includes(String(name));
  if (!known) {
    const said = `kind ${JSON.stringify(name)} of ${JSON.stringify(apiVersion)}`;
    throw new Error(`${said} is no ${kind.kind} of ${kind.apiVersion}`);
  }
  const own: JsonMap = {};
  for (const [key, value] of Object.entries(tree as JsonMap)) {
    if (key === "apiVersion" || key === "kind") continue;
    const field = OWN_NAMES.get(key) ?? key;
    if (Object.hasOwn(own, field)) throw strict([`duplicate field ${JSON.stringify(field)}`]);
    setMember(own, field, value);
  }
  const { unknown } = decodeObject(kind, own, { strict: true });
  const directory = path.slice(0, path.lastIndexOf("/") + 1);
  for (const field of PATHS) absolute(own, field, (value) => files.absolute(directory + value));
  return { own, unknown, duplicates };
}

/** Puts an absolute path in the place of a relative one; no path stays none. */
function absolute(tree: JsonMap, field: string, resolved: (path: string) => string): void {
  const names = field.split("."), last = names.pop()!;
  const owner = names.reduce<Json | undefined>((t, name) => (isMap(t) ? t[name] : undefined), tree);
  if (!isMap(owner)) return;
  const value = owner[last];
  if (typeof value === "string" && value !== "" && !value.startsWith("/")) owner[last] = resolved(value);
}

/** The default thresholds count as the file's own, so that a file of the directory is merged with them. */
function withEviction(tree: JsonMap): void {
  const own = tree["evictionHard"];
  if (!isMap(own)) tree["evictionHard"] = EVICTION;
  else if (tree["mergeDefaultEvictionSettings"] === true) tree["evictionHard"] = { ...EVICTION, ...own };
}
