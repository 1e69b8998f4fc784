/** Defaults of the group of devices. */
import { fill, fillZero, part } from "../checks/fill.ts";
import type { DefaultsTable } from "../tables.ts";
import { isSet, items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";
import { nowTime } from "../../values/time.ts";

function requestDefaults(r: Tree): void {
  fillZero(r, { allocationMode: "ExactCount" });
  if (r["allocationMode"] === "ExactCount") fillZero(r, { count: 1 });
  for (const t of items(r["tolerations"])) fillZero(t, { operator: "Equal" });
}

/** `flat`: version v1beta1, whose requests hold the exact form themselves. */
function claimDefaults(spec: Tree | undefined, flat: boolean): void {
  for (const r of items(spec?.["devices"]?.requests)) {
    if (flat) {
      if (r["deviceClassName"]) requestDefaults(r);
    } else if (r["exactly"]) requestDefaults(r["exactly"]);
    for (const sub of items(r["firstAvailable"])) requestDefaults(sub);
  }
}

/** Tolerations stand in what was allocated too. */
function allocationDefaults(status: Tree | undefined): void {
  for (const r of items(status?.["allocation"]?.devices?.results)) {
    for (const t of items(r["tolerations"])) fillZero(t, { operator: "Equal" });
  }
}

function taintDefaults(taint: Tree | undefined, ctx: RuleContext): void {
  if (taint && !isSet(taint["timeAdded"])) taint["timeAdded"] = nowTime(ctx.now());
}

function sliceDefaults(s: Tree, ctx: RuleContext): void {
  for (const d of items(s["spec"]?.devices)) {
    for (const t of items(d["taints"] ?? d["basic"]?.taints)) taintDefaults(t, ctx);
  }
}

const versions = ["v1", "v1beta2", "v1beta1"];
const taintRule = (r: Tree, ctx: RuleContext) => taintDefaults(part(part(r, "spec"), "taint"), ctx);

/** Rows of the group. */
export const DEFAULTS: DefaultsTable = {
  ...Object.fromEntries(versions.flatMap((v) => [
    [`${v}/ResourceClaim`, (c: Tree) => {
      claimDefaults(c["spec"], v === "v1beta1");
      allocationDefaults(c["status"]);
    }],
    [`${v}/ResourceClaimTemplate`, (c: Tree) => claimDefaults(c["spec"]?.spec, v === "v1beta1")],
    [`${v}/ResourceSlice`, sliceDefaults],
  ])),
  ...Object.fromEntries(["v1", "v1beta2", "v1alpha3"].map((v) => [`${v}/DeviceTaintRule`, taintRule])),
  "v1alpha3/ResourcePoolStatusRequest": (r: Tree) => fill(part(r, "spec"), { limit: 100 }),
};
