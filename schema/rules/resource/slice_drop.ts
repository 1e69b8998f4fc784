/** What a slice may only have while a feature is on, or where the stored one already uses it. */
import { forgetSentEmpty } from "../../codec/emptied.ts";
import { count, emptyMap, isSet, items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";

/** One feature: its gates (all must be on), and the members it brings, of the spec, of devices, and of their parts. */
interface Feature {
  readonly gates: readonly string[];
  readonly spec?: readonly string[];
  readonly device?: readonly string[];
  readonly attribute?: readonly string[];
  readonly capacity?: readonly string[];
  /** Of what devices take from shared counters. */
  readonly consumption?: readonly string[];
}

const FEATURES: readonly Feature[] = [
  { gates: ["DRADeviceTaints"], device: ["taints"] },
  {
    gates: ["DRAPartitionableDevices"],
    spec: ["sharedCounters", "perDeviceNodeSelection"],
    device: ["consumesCounters", "nodeName", "nodeSelector", "allNodes"],
  },
  {
    gates: ["DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"],
    device: ["bindingConditions", "bindingFailureConditions", "bindsToNode"],
  },
  { gates: ["DRAConsumableCapacity"], device: ["allowMultipleAllocations"], capacity: ["requestPolicy"] },
  { gates: ["DRANodeAllocatableResources"], device: ["nodeAllocatableResources"] },
  { gates: ["DRAListTypeAttributes"], attribute: ["bools", "ints", "strings", "versions"] },
  { gates: ["DRADeviceCompatibilityGroups"], consumption: ["compatibilityGroups"] },
  { gates: ["DRAPartitionableDevicesType"], spec: ["partitionTypeAttribute"] },
  { gates: ["DRAOptionalNodeOperations"], spec: ["skipNodeOperations"] },
];

function has(o: Tree | undefined, members: readonly string[] | undefined): boolean {
  return !!o && !!members?.some((m) => Array.isArray(o[m]) ? count(o[m]) > 0 : isSet(o[m]));
}

const used = (spec: Tree, f: Feature): boolean =>
  has(spec, f.spec) ||
  items(spec["devices"]).some((d) =>
    has(d, f.device) || Object.values(d["attributes"] ?? {}).some((a) => has(a as Tree, f.attribute)) ||
    Object.values(d["capacity"] ?? {}).some((c) => has(c as Tree, f.capacity)) ||
    items(d["consumesCounters"]).some((c) => has(c, f.consumption))
  );

function drop(o: Tree, members: readonly string[] | undefined): void {
  for (const m of members ?? []) {
    delete o[m];
    forgetSentEmpty(o, m);
  }
}

function dropFeature(spec: Tree, f: Feature): void {
  drop(spec, f.spec);
  for (const d of items(spec["devices"])) {
    drop(d, f.device);
    if (f.attribute && !emptyMap(d["attributes"])) {
      for (const k in d["attributes"]) drop(d["attributes"][k], f.attribute);
    }
    if (f.capacity && !emptyMap(d["capacity"])) { for (const k in d["capacity"]) drop(d["capacity"][k], f.capacity); }
    for (const c of items(d["consumesCounters"])) drop(c, f.consumption);
  }
}

/** Drops what belongs to features that are off, in place. */
export function dropDisabled(spec: Tree | undefined, old: Tree | undefined, ctx: RuleContext): void {
  if (!spec) return;
  for (const f of FEATURES) {
    if (!f.gates.every((g) => ctx.gate(g)) && !(old && used(old, f))) dropFeature(spec, f);
  }
}
