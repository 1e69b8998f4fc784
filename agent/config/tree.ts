/** From configuration files to one tree: read strictly, paths made absolute, files of the directory merged over the first. */
import { decodeObject } from "../../schema/codec/mod.ts";
import { parseYaml } from "../../schema/codec/yaml.ts";
import { applyMergePatch } from "../../schema/merge/merge_patch.ts";
import { isMap, setMember } from "../../schema/model/members.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
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
) as JsonMap;

/** All that the files say, checked field by field; undefined when none is named. @throws Error that names the option and file */
export function configTree(sources: ConfigSources, files: ConfigFiles, product: Product): JsonMap | undefined {
  let tree: JsonMap | undefined;
  if (sources.config !== "") {
    tree = named("config", sources.config, () => readTree(files.absolute(sources.config), files, product));
    withEviction(tree);
  }
  if (sources.configDir === "") return tree;
  const directory = files.absolute(sources.configDir);
  const paths = named("config-dir", directory, () => files.below(directory)).filter((path) => path.endsWith(".conf"));
  for (const path of paths) {
    const over = named("config-dir", path, () => readTree(path, files, product));
    tree = applyMergePatch(tree ?? {}, over) as JsonMap;
  }
  return tree;
}

function named<T>(option: string, path: string, read: () => T): T {
  try {
    return read();
  } catch (e) {
    throw new Error(`--${option}: ${JSON.stringify(path)}: ${(e as Error).message}`, { cause: e });
  }
}

function readTree(path: string, files: ConfigFiles, product: Product): JsonMap {
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
  const own: JsonMap = {}, faults = [...duplicates];
  for (const [key, value] of Object.entries(tree as JsonMap)) {
    if (key === "apiVersion" || key === "kind") continue;
    const field = OWN_NAMES.get(key) ?? key;
    if (Object.hasOwn(own, field)) faults.push(`duplicate field ${JSON.stringify(field)}`);
    setMember(own, field, value);
  }
  faults.push(...decodeObject(kind, own, { strict: true }).unknown);
  if (faults.length > 0) throw new Error(`strict decoding error: ${faults.join(", ")}`);
  const directory = path.slice(0, path.lastIndexOf("/") + 1);
  for (const field of PATHS) absolute(own, field, (value) => files.absolute(directory + value));
  return own;
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
