/** Rules of what nodes know of storage drivers. */
import type { Obj } from "../../model/types.ts";
import { longer } from "../../values/utf8.ts";
import { format, immutable, keep, nonNegative } from "../checks/basic.ts";
import { forgetEmpty } from "../checks/fill.ts";
import { qualifiedName } from "../checks/formats.ts";
import { keepAllButStatus } from "../checks/status_meta.ts";
import { driverName } from "../core/volume_sources.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, items, repeats, type Tree } from "../tree.ts";
import type { KindRules } from "../types.ts";
import { storageHealth } from "./storage_health.ts";

const DRIVERS = Path.of("spec", "drivers"), HEALTH = Path.of("status", "storageHealth");
/** Longest id of a node, in bytes. */
const ID_LIMIT = 256;

function driver(d: Tree, path: Path, errors: ErrorList): void {
  driverName(d["name"] ?? "", path.child("name"), errors);
  const id: string = d["nodeID"] ?? "";
  if (!id) errors.required(path.child("nodeID"));
  else if (longer(id, ID_LIMIT)) errors.invalid(path.child("nodeID"), id, `must be no more than ${ID_LIMIT} bytes`);
  nonNegative(d["allocatable"]?.count, path.child("allocatable", "count"), errors);
}

/** Keys of topology. Their causes stand at the driver. */
function topologyKeys(keys: readonly string[], path: Path, errors: ErrorList): void {
  const again = repeats(keys);
  for (const [i, k] of keys.entries()) {
    if (!k) errors.required(path);
    if (again.has(i)) errors.duplicate(path, k);
    format(k, path, errors, qualifiedName);
  }
}

function validate(obj: Obj, errors: ErrorList): void {
  const list = items(obj["spec"]?.drivers);
  const again = repeats(list, (d) => d["name"]);
  for (let i = 0; i < list.length; i++) {
    const name = list[i]!["name"];
    driver(list[i]!, DRIVERS.index(i), errors);
    if (again.has(i)) errors.duplicate(DRIVERS.index(i).child("name"), name);
    topologyKeys(items<string>(list[i]!["topologyKeys"]), DRIVERS.index(i), errors);
  }
}

const withoutAllocatable = ({ allocatable: _, ...rest }: Tree): Tree => rest;

function noEmptyLists(obj: Obj): void {
  forgetEmpty(obj["spec"], "drivers");
  for (const d of items(obj["spec"]?.drivers)) forgetEmpty(d, "topologyKeys");
}

/** Rules of `csinodes.storage.k8s.io`. Of a driver that stays, only what the node can hold may change. */
export const CSI_NODE: KindRules = {
  unconditionalUpdate: false,
  meta: { compared: 0 },
  prepareCreate(obj) {
    obj["status"] = {};
    noEmptyLists(obj);
  },
  prepareUpdate(obj, old) {
    keep(obj, old, "status");
    noEmptyLists(obj);
  },
  validate,
  validateUpdate(obj, old, errors, ctx) {
    const fixed = ctx.gate("MutableCSINodeAllocatableCount") ? withoutAllocatable : (d: Tree) => d;
    const named = Map.groupBy(items(obj["spec"]?.drivers), (d) => d["name"]);
    for (const was of items(old["spec"]?.drivers)) {
      for (const now of named.get(was["name"]) ?? []) immutable(fixed(now), fixed(was), DRIVERS, errors);
    }
  },
  subresources: {
    status: {
      prepareUpdate(obj, old, ctx) {
        keepAllButStatus(obj, old);
        if (!ctx.gate("CSIVolumeHealth") && !count(old["status"]?.storageHealth)) delete obj["status"]?.storageHealth;
      },
      validateUpdate: (obj, _old, errors) => storageHealth(obj["status"]?.storageHealth, HEALTH, errors),
    },
  },
};
