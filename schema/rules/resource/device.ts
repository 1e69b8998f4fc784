/** Rules of one device of a slice. */
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { wasSentEmpty } from "../../codec/emptied.ts";
import { count, isSet, items, same, type Tree } from "../tree.ts";
import { parseQuantity } from "../../values/quantity.ts";
import { longer } from "../../values/utf8.ts";
import { isHugePages } from "../checks/resources.ts";
import { requestPolicy } from "./capacity.ts";
import { attributeName, bindingConditions, counterSets, deviceTaint, entry, shortName } from "./names.ts";

const MAX_ENTRIES = 32, MAX_VALUES = 48, MAX_TAINTS = 16, MAX_TEXT = 64, MAX_CONSUMED = 2;
const NUMBER = "(?:0|[1-9]\\d*)", PRE = "(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)", BUILD = "[0-9a-zA-Z-]+";
/** Semantic versioning 2.0.0. */
const VERSION = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${PRE}(?:\\.${PRE})*)?(?:\\+${BUILD}(?:\\.${BUILD})*)?$`,
);
const LISTS = ["bools", "ints", "strings", "versions"] as const;
const VALUES = ["bool", "int", "string", "version", ...LISTS];

/** How a device, or a whole slice, says where it is reachable from; gives the ways that are set. */
export type Placement = (o: Tree, path: Path, errors: ErrorList, oneTerm: boolean) => string[];

/** How devices of a slice are looked at. */
export interface DeviceRules {
  /** Devices say by themselves where they are reachable from. */
  readonly perDevice: boolean;
  readonly placement: Placement;
  /** Policies of capacities may have fractions of units. */
  readonly fractions: boolean;
}

/** A device; `old`: the stored one of the same name, whose unchanged parts are taken as good. */
export function device(
  d: Tree,
  old: Tree | undefined,
  path: Path,
  errors: ErrorList,
  { perDevice, placement, fractions }: DeviceRules,
): void {
  shortName(d["name"], path.child("name"), errors);
  sizes(d, path, errors);
  for (const k in d["attributes"]) {
    const at = path.child("attributes");
    attributeName(k, at, errors);
    attribute(d["attributes"][k] ?? {}, entry(at, k), errors);
  }
  if (!old || !same(old["capacity"], d["capacity"])) capacities(d, path.child("capacity"), errors, fractions);
  if (!old || !same(old["taints"], d["taints"])) taints(items(d["taints"]), path.child("taints"), errors);
  counterSets(d["consumesCounters"], MAX_CONSUMED, path.child("consumesCounters"), errors);
  where(d, path, errors, perDevice, placement);
  bindingConditions(d, path, errors);
  allocatable(d, path.child("nodeAllocatableResources"), errors);
}

function sizes(d: Tree, path: Path, errors: ErrorList): void {
  let entries = 0, values = 0;
  for (const k in d["attributes"]) {
    const a = d["attributes"][k] ?? {};
    entries++;
    values += LISTS.reduce((n, m) => n + count(a[m]), 0) || 1;
  }
  for (const _ in d["capacity"]) entries++;
  if (entries > MAX_ENTRIES) {
    errors.invalid(path, entries, `must not have more than ${MAX_ENTRIES} attributes and capacities`);
  }
  if (values > MAX_VALUES) errors.invalid(path, values, `must not have more than ${MAX_VALUES} values of attributes`);
}

function version(text: string, path: Path, errors: ErrorList): void {
  if (!VERSION.test(text)) errors.invalid(path, text, "must be a semantic version, such as 1.2.3");
  if (longer(text, MAX_TEXT)) errors.tooLong(path, MAX_TEXT);
}

function attribute(a: Tree, path: Path, errors: ErrorList): void {
  if (isSet(a["string"]) && longer(a["string"], MAX_TEXT)) errors.tooLong(path.child("string"), MAX_TEXT);
  if (isSet(a["version"])) version(a["version"], path.child("version"), errors);
  for (const m of LISTS) {
    if (isSet(a[m]) ? !count(a[m]) : wasSentEmpty(a, m)) {
      errors.invalid(path.child(m), [], "must not be empty when it is set");
    }
  }
  for (const [i, s] of items<string>(a["strings"]).entries()) {
    if (longer(s, MAX_TEXT)) errors.tooLong(path.child("strings").index(i), MAX_TEXT);
  }
  for (const [i, s] of items<string>(a["versions"]).entries()) version(s, path.child("versions").index(i), errors);
  const given = VALUES.filter((m) => isSet(a[m]) || wasSentEmpty(a, m));
  if (given.length !== 1) errors.invalid(path, `{${given.join(", ")}}`, "must have exactly one value");
}

function capacities(d: Tree, path: Path, errors: ErrorList, fractions: boolean): void {
  for (const k in d["capacity"]) {
    attributeName(k, path, errors);
    const c = d["capacity"][k] ?? {}, policy = c.requestPolicy, at = entry(path, k).child("requestPolicy");
    if (!policy) continue;
    if (d["allowMultipleAllocations"]) requestPolicy(c.value ?? "0", policy, at, errors, fractions);
    else errors.forbidden(at, "needs allowMultipleAllocations");
  }
}

function taints(list: readonly Tree[], path: Path, errors: ErrorList): void {
  if (list.length > MAX_TAINTS) return errors.tooMany(path, list.length, MAX_TAINTS);
  for (const [i, t] of list.entries()) deviceTaint(t, path.index(i), errors);
}

function where(d: Tree, path: Path, errors: ErrorList, perDevice: boolean, placement: Placement): void {
  if (!perDevice) {
    if (isSet(d["nodeName"]) || isSet(d["nodeSelector"]) || isSet(d["allNodes"])) {
      errors.invalid(
        path,
        null,
        "`nodeName`, `nodeSelector` and `allNodes` need `perDeviceNodeSelection` of the slice",
      );
    }
    return;
  }
  const given = placement(d, path, errors, false), ways = "`nodeName`, `nodeSelector`, `allNodes`";
  if (!given.length) errors.required(path, `must have one of ${ways}`);
  if (given.length > 1) errors.invalid(path, `{${given.join(", ")}}`, `must have only one of ${ways}`);
}

const ALLOCATABLE = new Set(["cpu", "memory"]);

/** What of a node's own resources the device takes. */
function allocatable(d: Tree, path: Path, errors: ErrorList): void {
  for (const name in d["nodeAllocatableResources"]) {
    const r: Tree = d["nodeAllocatableResources"][name] ?? {}, at = path.key(name);
    if (!ALLOCATABLE.has(name) && !isHugePages(name)) {
      errors.invalid(at, name, "must be a resource that nodes allocate");
    }
    if (!r["mapping"] && !r["overhead"]) errors.required(at, "must have mapping or overhead");
    if (r["mapping"]) mapping(r["mapping"], d["capacity"] ?? {}, at.child("mapping"), errors);
    if (r["overhead"]) overhead(r["overhead"], at.child("overhead"), errors);
  }
}

function mapping(m: Tree, known: Tree, path: Path, errors: ErrorList): void {
  const key = m["capacityKey"];
  if (key === "") errors.invalid(path.child("capacityKey"), "", "must not be empty");
  else if (isSet(key) && !Object.hasOwn(known, key)) errors.notFound(path.child("capacityKey"), key);
  for (const name of ["capacityMultiplier", "deviceMultiplier"]) {
    if (name === "capacityMultiplier" && isSet(m[name]) !== isSet(key)) {
      errors.required(path.child(isSet(key) ? name : "capacityKey"), "needed by the other one");
    } else if (isSet(m[name]) && parseQuantity(m[name]).sign() <= 0) {
      errors.invalid(path.child(name), m[name], "must be greater than 0");
    }
  }
}

function overhead(o: Tree, path: Path, errors: ErrorList): void {
  if (!isSet(o["perPod"]) && !isSet(o["perContainer"])) errors.invalid(path, "", "must have perPod or perContainer");
  for (const name of ["perPod", "perContainer"]) {
    if (isSet(o[name]) && parseQuantity(o[name]).sign() < 0) {
      errors.invalid(path.child(name), o[name], "must be greater than or equal to 0");
    }
  }
}
