/** Rules of nodes. */
import { forgetEmpty } from "../checks/fill.ts";
import { keep } from "../checks/basic.ts";
import { isIPv4, isIPv6, legacyBlock } from "../checks/ip.ts";
import { resourceAmount } from "../checks/resources.ts";
import type { ErrorList } from "../errors.ts";
import type { Obj } from "../../model/types.ts";
import { Path } from "../path.ts";
import { identityOf, isSet, items, repeats, type Tree } from "../tree.ts";
import type { KindRules, RuleContext, ValidateContext } from "../types.ts";
import { nodeAnnotations, taints } from "./taints.ts";
import { cidrWarnings, tryParseCidr } from "../../values/ip.ts";

/** Taints stand in error paths under metadata, as clients know them. */
const TAINTS = Path.of("metadata", "taints");
const SPEC = Path.of("spec"), STATUS = Path.of("status");

function amounts(node: Tree, errors: ErrorList, ctx: RuleContext): void {
  for (const list of ["capacity", "allocatable"]) {
    const all: Tree = node["status"]?.[list] ?? {};
    for (const k in all) resourceAmount(k, all[k], STATUS.child(list, k), errors, ctx);
  }
}

function blocks(list: readonly string[] | undefined, errors: ErrorList, ctx: ValidateContext): void {
  const all = items<string>(list), path = SPEC.child("podCIDRs");
  for (const [i, b] of all.entries()) legacyBlock(b, path.index(i), errors, ctx.gate("StrictIPCIDRValidation"));
  if (all.length < 2) return;
  const unread = all.some((b) => !tryParseCidr(b, { legacy: true }));
  if (unread) errors.internal(path, "the blocks cannot be compared");
  const family = (f: (a: string) => boolean) => all.filter((b) => f(b.split("/")[0]!)).length;
  if (unread || all.length > 2 || family(isIPv4) !== 1 || family(isIPv6) !== 1) {
    errors.invalid(path, all, "must hold at most one block of each family");
  }
}

const FEATURE = /^[A-Z][A-Za-z0-9]*(?:\/[A-Za-z][A-Za-z0-9]*)*$/, MAX_FEATURE = 253;

function declaredFeatures(list: readonly string[] | undefined, errors: ErrorList): void {
  const path = STATUS.child("declaredFeatures"), all = items<string>(list);
  for (const [i, f] of all.entries()) {
    if (f.length > MAX_FEATURE || !FEATURE.test(f)) errors.invalid(path.index(i), f, "must be a name of a feature");
    const next = all[i + 1];
    if (next === undefined || f < next) continue;
    if (f === next) errors.duplicate(path.index(i + 1), next);
    else errors.invalid(path.index(i + 1), next, "must be sorted alphabetically");
  }
}

function whole(node: Obj, errors: ErrorList, ctx: ValidateContext): void {
  nodeAnnotations(node, errors, ctx);
  taints(node["spec"]?.taints, TAINTS, errors);
  amounts(node, errors, ctx);
  const swap = node["status"]?.nodeInfo?.swap?.capacity;
  if (isSet(swap) && swap <= 0) {
    errors.invalid(Path.of("metadata", "nodeSwapStatus", "capacity"), swap, "must be greater than 0");
  }
  blocks(node["spec"]?.podCIDRs, errors, ctx);
  declaredFeatures(node["status"]?.declaredFeatures, errors);
}

function update(node: Obj, old: Obj, errors: ErrorList, ctx: ValidateContext): void {
  const now: Tree = node["spec"] ?? {}, was: Tree = old["spec"] ?? {};
  nodeAnnotations(node, errors, ctx);
  amounts(node, errors, ctx);
  declaredFeatures(node["status"]?.declaredFeatures, errors);
  const addresses = items(node["status"]?.addresses);
  for (const i of repeats(addresses, identityOf)) {
    const { type: Type, address: Address } = addresses[i]!;
    errors.duplicate(STATUS.child("addresses").index(i), { Type, Address });
  }
  fixedBlocks(items<string>(now["podCIDRs"]), items<string>(was["podCIDRs"]), errors);
  if (was["providerID"] && was["providerID"] !== now["providerID"]) {
    errors.forbidden(SPEC.child("providerID"), "must not be changed except from empty");
  }
  taints(now["taints"], TAINTS, errors);
  if ((now["externalID"] ?? "") !== (was["externalID"] ?? "")) {
    errors.forbidden(SPEC.child("externalID"), "must not be updated");
  }
}

function fixedBlocks(now: readonly string[], was: readonly string[], errors: ErrorList): void {
  if (!was.length) return;
  const changed = now.length !== was.length ? 1 : was.filter((b, i) => b !== now[i]).length;
  for (let i = 0; i < changed; i++) errors.forbidden(SPEC.child("podCIDRs"), "must not be changed except from empty");
}

/** Configuration by reference is no longer read; it stays where an old object has it. So with parts whose gate is off. */
function dropConfig(node: Tree, old: Tree | undefined, ctx: RuleContext): void {
  if (
    !ctx.gate("InPlacePodVerticalScalingSchedulerPreemption") && node["spec"] && !old?.["spec"]?.podPreemptionPolicy
  ) {
    delete node["spec"].podPreemptionPolicy;
  }
  if (node["spec"] && !old?.["spec"]?.configSource) delete node["spec"].configSource;
  if (node["status"] && !ctx.gate("NodeDeclaredFeatures") && !old?.["status"]?.declaredFeatures) {
    delete node["status"].declaredFeatures;
  }
  for (const image of items<Tree>(node["status"]?.images)) forgetEmpty(image, "names");
  if (node["status"] && !old?.["status"]?.config) delete node["status"].config;
}

/** Rules of `nodes`. Nodes register themselves together with their status. */
export const NODE: KindRules = {
  prepareCreate: (node, ctx) => dropConfig(node, undefined, ctx),
  prepareUpdate(node, old, ctx) {
    keep(node, old, "status");
    dropConfig(node, old, ctx);
  },
  validate: (node, errors, ctx) => whole(node, errors, ctx),
  validateUpdate: update,
  warnings: (node) => [
    ...["configSource", "externalID"].filter((m) => node["spec"]?.[m]).map((m) => `spec.${m}: deprecated, and ignored`),
    ...items<string>(node["spec"]?.podCIDRs).flatMap((b, i) =>
      cidrWarnings(String(SPEC.child("podCIDRs").index(i)), b)
    ),
  ],
  subresources: {
    status: {
      prepareUpdate(node, old, ctx) {
        keep(node, old, "spec");
        dropConfig(node, old, ctx);
      },
      validateUpdate: update,
    },
  },
};
