/** Rules of slices of pools of devices. */
import type { Obj } from "../../model/types.ts";
import { countChange, format, immutable } from "../checks/basic.ts";
import { dnsSubdomain } from "../checks/formats.ts";
import { nodeSelector } from "../checks/selectors.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { wasSentEmpty } from "../../codec/emptied.ts";
import { count, entryOf, isSet, items, type Tree } from "../tree.ts";
import type { KindRules, RuleContext } from "../types.ts";
import { device } from "./device.ts";
import { counterSets, driverName, poolName, qualifiedAttribute, skippedOperations } from "./names.ts";
import { dropDisabled } from "./slice_drop.ts";

const SPEC = Path.of("spec"), DEVICES = SPEC.child("devices");
const MAX_DEVICES = 128, MAX_RICH_DEVICES = 64, MAX_SETS = 8;
const LISTS = ["bools", "ints", "strings", "versions"];

/**
 * Where devices are reachable from. Counts the ways that are given.
 * `one`: a selector must have exactly one term, so that selectors of several slices can be joined.
 */
function placement(o: Tree, path: Path, errors: ErrorList, one: boolean): string[] {
  const given: string[] = [], name = o["nodeName"], selector = o["nodeSelector"];
  if (isSet(name)) {
    if (name) {
      given.push("nodeName");
      format(name, path.child("nodeName"), errors, dnsSubdomain);
    } else errors.invalid(path.child("nodeName"), name, "must not be empty");
  }
  if (selector) {
    given.push("nodeSelector");
    const at = path.child("nodeSelector");
    nodeSelector(selector, at, errors);
    if (one && count(selector.nodeSelectorTerms) !== 1) {
      errors.invalid(at.child("nodeSelectorTerms"), selector.nodeSelectorTerms ?? [], "must have exactly one term");
    }
  }
  flag(o, "allNodes", given, path, errors);
  return given;
}

function flag(o: Tree, name: string, given: string[], path: Path, errors: ErrorList): void {
  if (o[name]) given.push(name);
  else if (isSet(o[name])) errors.invalid(path.child(name), o[name], "must be true when it is set");
}

function pool(p: Tree, path: Path, errors: ErrorList): void {
  poolName(p["name"], path.child("name"), errors);
  if (BigInt(p["resourceSliceCount"] ?? 0) <= 0n) {
    errors.invalid(path.child("resourceSliceCount"), p["resourceSliceCount"] ?? 0, "must be greater than 0");
  }
  if (BigInt(p["generation"] ?? 0) < 0n) {
    errors.invalid(path.child("generation"), p["generation"], "must be greater than or equal to 0");
  }
}

/** Devices with taints, counters or lists need more room each. */
function isRich(d: Tree): boolean {
  if (count(d["taints"]) || count(d["consumesCounters"])) return true;
  for (const k in d["attributes"]) if (LISTS.some((m) => isSet(d["attributes"][k][m]))) return true;
  return false;
}

function devices(spec: Tree, was: Tree | undefined, errors: ErrorList, fractions: boolean): void {
  const list = items(spec["devices"]), max = list.some(isRich) ? MAX_RICH_DEVICES : MAX_DEVICES;
  if (list.length > max) return errors.tooMany(DEVICES, list.length, max);
  const before = new Map(items(was?.["devices"]).map((d) => [d["name"] ?? "", d])), seen = new Set<string>();
  for (const [i, d] of list.entries()) {
    const name: string = d["name"] ?? "", at = DEVICES.index(i);
    device(d, before.get(name), at, errors, { perDevice: !!spec["perDeviceNodeSelection"], placement, fractions });
    if (seen.has(name)) errors.duplicate(at, name);
    seen.add(name);
  }
}

/** The attribute that tells kinds of partitions apart: each device that consumes counters has it, as a text. */
function partitionAttribute(spec: Tree, errors: ErrorList): void {
  const name: string = spec["partitionTypeAttribute"], at = SPEC.child("partitionTypeAttribute");
  const before = errors.causes.length;
  qualifiedAttribute(name, at, errors);
  const isNamed = errors.causes.length === before;
  const consumers = items(spec["devices"]).some((d) => count(d["consumesCounters"]));
  if (!consumers) return errors.invalid(at, name, "may only be set where devices consume counters");
  if (!isNamed) return;
  const prefix = `${spec["driver"]}/`, bare = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  for (const [i, d] of items(spec["devices"]).entries()) {
    if (!count(d["consumesCounters"])) continue;
    const value = entryOf(d["attributes"], name) ?? entryOf(d["attributes"], bare);
    const place = DEVICES.index(i).child("attributes").key(name);
    if (!value) errors.required(place, "devices that consume counters must have the attribute of partition types");
    else if (!isSet(value.string)) errors.invalid(place, value, "must be a string");
  }
}

function validate(obj: Obj, errors: ErrorList, ctx: RuleContext, old?: Obj): void {
  const spec: Tree = obj["spec"] ?? {}, was: Tree | undefined = old?.["spec"];
  driverName(spec["driver"] ?? "", SPEC.child("driver"), errors);
  pool(spec["pool"] ?? {}, SPEC.child("pool"), errors);
  if (old) {
    immutable(spec["pool"]?.name, was?.["pool"]?.name, SPEC.child("pool", "name"), errors);
    immutable(spec["driver"], was?.["driver"], SPEC.child("driver"), errors);
    immutable(spec["nodeName"], was?.["nodeName"], SPEC.child("nodeName"), errors);
  }
  const given = placement(spec, SPEC, errors, true);
  flag(spec, "perDeviceNodeSelection", given, SPEC, errors);
  const ways = "`nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection`";
  if (!given.length) errors.required(SPEC, `must have one of ${ways}`);
  if (given.length > 1) errors.invalid(SPEC, `{${given.join(", ")}}`, `must have only one of ${ways}`);
  if (["sharedCounters", "devices"].every((m) => isSet(spec[m]) || wasSentEmpty(spec, m))) {
    errors.invalid(SPEC, "", "must not have both `sharedCounters` and `devices`");
  }
  devices(spec, was, errors, ctx.gate("DRAFractionalCapacityRange"));
  counterSets(spec["sharedCounters"], MAX_SETS, SPEC.child("sharedCounters"), errors);
  if (isSet(spec["partitionTypeAttribute"])) partitionAttribute(spec, errors);
  skippedOperations(spec["skipNodeOperations"], SPEC.child("skipNodeOperations"), errors);
}

const warnings = (obj: Obj): string[] => {
  const name: string = obj["spec"]?.driver ?? "";
  return name === name.toLowerCase()
    ? []
    : [`spec.driver: driver names should be lowercase; "${name}" contains uppercase characters`];
};

/** Rules of `resourceslices.resource.k8s.io`. */
export const RESOURCE_SLICE: KindRules = {
  meta: { whole: 0 },
  prepareCreate(obj, ctx) {
    obj.metadata.generation = 1;
    dropDisabled(obj["spec"], undefined, ctx);
  },
  prepareUpdate(obj, old, ctx) {
    countChange(obj, old, "spec");
    dropDisabled(obj["spec"], old["spec"], ctx);
  },
  validate,
  warnings,
};
