/** Names of dynamic resource allocation: pools, attributes, taints, and parameters that drivers define. */
import { stringifyJson } from "../../codec/json.ts";
import type { Json } from "../../model/types.ts";
import { byteLength, longer } from "../../values/utf8.ts";
import { format } from "../checks/basic.ts";
import { cIdentifier, dnsLabel, dnsSubdomain, labelValue, qualifiedName } from "../checks/formats.ts";
import { MOST_SEGMENTS } from "../checks/tag_formats.ts";
import { driverName } from "../core/volume_sources.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { items, repeats, type Tree } from "../tree.ts";

export { driverName };

const MAX_POOL = 253, MAX_ID = 32, MAX_KEY = 63 + 1 + MAX_ID;

/** A pool's name: DNS subdomains joined by `/`. */
export function poolName(name: string | undefined, path: Path, errors: ErrorList): void {
  if (!name) return errors.required(path);
  if (longer(name, MAX_POOL)) errors.tooLong(path, MAX_POOL);
  for (const part of name.split("/", MOST_SEGMENTS)) format(part, path, errors, dnsSubdomain);
}

/** A DNS label, an empty one being a bad one. */
export const shortName = (name: string | undefined, path: Path, errors: ErrorList): void =>
  format(name ?? "", path, errors, dnsLabel);

/** A C identifier, with or without a driver's domain before it. */
export function attributeName(name: string, path: Path, errors: ErrorList): void {
  const [first = "", second, more] = name.split("/");
  if (more !== undefined) return; // names of more parts have always been taken
  if (second === undefined) return identifier(first, path, errors);
  if (first) driverName(first, path, errors);
  else errors.invalid(path, "", "domain must not be empty");
  if (second) identifier(second, path, errors);
  else errors.invalid(path, "", "name must not be empty");
}

function identifier(id: string, path: Path, errors: ErrorList): void {
  if (longer(id, MAX_ID)) errors.tooLong(path, MAX_ID);
  format(id, path, errors, cIdentifier);
}

/** An attribute's name that must have a domain. */
export function qualifiedAttribute(name: string, path: Path, errors: ErrorList): void {
  attributeName(name, path, errors);
  if (!name.includes("/")) errors.invalid(path, name, "must be a domain and a name joined by '/'");
}

/** The place of a map's entry; long keys are shortened in the middle. */
export function entry(path: Path, key: string): Path {
  if (byteLength(key) <= MAX_KEY) return path.key(key);
  const rest = MAX_KEY - 3;
  return path.key(`${key.slice(0, (rest + 1) >> 1)}...${key.slice(key.length - (rest >> 1))}`);
}

/** An object that a driver defines, of at most `max` bytes of JSON. `stored`: it may be longer. */
export function parameters(value: unknown, path: Path, errors: ErrorList, max: number, stored: boolean): void {
  if (value === undefined || value === null) return errors.required(path);
  if (!stored && longer(stringifyJson(value as Json), max)) return errors.tooLong(path, max);
  if (typeof value !== "object" || Array.isArray(value)) {
    errors.invalid(path, "<value omitted>", "must be a JSON object");
  }
}

const CONFIG_LIMIT = 10 * 1024;

/** Configuration that only the driver understands. */
export function opaqueConfig(c: Tree, path: Path, errors: ErrorList, stored: boolean): void {
  const o = c["opaque"], at = path.child("opaque");
  if (!o) return errors.required(at);
  driverName(o.driver ?? "", at.child("driver"), errors);
  parameters(o.parameters, at.child("parameters"), errors, CONFIG_LIMIT, stored);
}

/** A taint of a device. What its effect may be stands in the model. */
export function deviceTaint(t: Tree, path: Path, errors: ErrorList): void {
  format(t["key"] ?? "", path.child("key"), errors, qualifiedName);
  if (t["value"]) format(t["value"], path.child("value"), errors, labelValue);
}

/** A toleration of such a taint. */
export function deviceToleration(t: Tree, path: Path, errors: ErrorList): void {
  const value: string = t["value"] ?? "";
  if (t["key"]) format(t["key"], path.child("key"), errors, qualifiedName);
  if (!t["operator"]) errors.required(path.child("operator"));
  else if (t["operator"] === "Equal") format(value, path.child("value"), errors, labelValue);
  else if (t["operator"] === "Exists" && value) {
    errors.invalid(path.child("value"), value, "must be empty when `operator` is 'Exists'");
  }
}

/** Conditions that tell whether a binding went well, and those that tell that it did not: either both or none. */
export function bindingConditions(o: Tree, path: Path, errors: ErrorList): void {
  const good = items<string>(o["bindingConditions"]), bad = items<string>(o["bindingFailureConditions"]);
  if (!good.length && !bad.length) return;
  const goodAt = path.child("bindingConditions"), badAt = path.child("bindingFailureConditions");
  for (const [list, at] of [[good, goodAt], [bad, badAt]] as const) {
    if (list.length > 4) continue; // the model's own limit
    for (const [i, c] of list.entries()) format(c, at.index(i), errors, qualifiedName);
  }
  for (const i of repeats(good)) errors.duplicate(goodAt.index(i), good[i]);
  const again = repeats(bad), known = new Set(good);
  for (const [i, c] of bad.entries()) {
    if (again.has(i)) errors.duplicate(badAt.index(i), c);
    if (known.has(c)) errors.invalid(badAt.index(i), c, "must not be a binding condition too");
  }
  if (!good.length) errors.invalid(goodAt, good, "required with bindingFailureConditions");
  if (!bad.length) errors.invalid(badAt, bad, "required with bindingConditions");
}

/** Steps of a node that a driver does not want: preparing cannot be skipped alone. */
export function skippedOperations(list: readonly string[] | undefined, path: Path, errors: ErrorList): void {
  const skipped = items<string>(list);
  if (
    skipped.includes("NodePrepareResources") && !skipped.includes("NodeUnprepareResources") && !skipped.includes("*")
  ) errors.invalid(path, skipped, "NodePrepareResources cannot be skipped unless NodeUnprepareResources is");
}

/** Most counters of one set, and of what a device takes of one. */
const MAX_COUNTERS = 32;

/** Sets of counters, or what is taken of them. What else they may be stands in the model, as how many there may be. */
export function counterSets(list: readonly Tree[] | undefined, most: number, path: Path, errors: ErrorList): void {
  const all = items<Tree>(list);
  if (all.length > most) return;
  for (const [i, s] of all.entries()) {
    const n = Object.keys(s["counters"] ?? {}).length;
    if (n > MAX_COUNTERS) errors.tooMany(path.index(i).child("counters"), n, MAX_COUNTERS);
  }
}
