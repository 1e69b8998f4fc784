/** Rules of the addresses of services and of the blocks that they come from. */
import type { Obj } from "../../model/types.ts";
import { format, immutable, keep } from "../checks/basic.ts";
import { dnsSubdomain, pathSegment } from "../checks/formats.ts";
import { keepAllButStatus } from "../checks/status_meta.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { items, type Tree } from "../tree.ts";
import type { KindRules } from "../types.ts";
import { cidrErrors, ipErrors, tryParseCidr } from "../../values/ip.ts";

const PARENT = Path.of("spec", "parentRef"), CIDRS = Path.of("spec", "cidrs");

/** Rules of `ipaddresses.networking.k8s.io`. */
export const IP_ADDRESS: KindRules = {
  name: (name) => ipErrors(name),
  plainGenerateName: true,
  validate(obj: Obj, errors) {
    const parent: Tree | undefined = obj["spec"]?.parentRef;
    if (!parent) return errors.required(PARENT);
    if (parent["group"]) format(parent["group"], PARENT.child("group"), errors, dnsSubdomain);
    for (const member of ["resource", "name"]) {
      if (!parent[member]) errors.required(PARENT.child(member));
      else format(parent[member], PARENT.child(member), errors, pathSegment);
    }
    if (parent["namespace"]) format(parent["namespace"], PARENT.child("namespace"), errors, pathSegment);
  },
  validateUpdate: (obj, old, errors) => immutable(obj["spec"]?.parentRef, old["spec"]?.parentRef, PARENT, errors),
};

function blocks(list: readonly string[], errors: ErrorList): void {
  if (!list.length) return errors.required(CIDRS, "at least one block is required");
  if (list.length > 2) return errors.invalid(CIDRS, list, "must not have more than two items");
  for (let i = 0; i < list.length; i++) format(list[i]!, CIDRS.index(i), errors, cidrErrors);
  if (list.length < 2) return;
  const [a, b] = list.map((text) => tryParseCidr(text, { legacy: true })?.family);
  if (a !== undefined && a === b) errors.invalid(CIDRS, list, "must have at most one block of each family");
}

/** Blocks may not change, but a second one may be added. */
function blocksUpdate(now: readonly string[], was: readonly string[], errors: ErrorList): void {
  const fixed = (i: number) => immutable(now[i], was[i], CIDRS.index(i), errors);
  if (now.length === was.length) { for (let i = 0; i < was.length; i++) fixed(i); }
  else if (was.length === 1 && now.length === 2) {
    fixed(0);
    blocks(now, errors);
  } else errors.invalid(CIDRS, now, "field is immutable");
}

/** Without this gate the status may be written with the rest, as it could before 1.35. */
const WIPING = "ServiceCIDRStatusFieldWiping";

/** Rules of `servicecidrs.networking.k8s.io`. */
export const SERVICE_CIDR: KindRules = {
  meta: { whole: 0 },
  prepareCreate(obj, ctx) {
    if (ctx.gate(WIPING)) obj["status"] = {};
  },
  prepareUpdate(obj, old, ctx) {
    if (ctx.gate(WIPING)) keep(obj, old, "status");
  },
  validate(obj, errors, _ctx, old) {
    if (!old) blocks(items<string>(obj["spec"]?.cidrs), errors);
  },
  validateUpdate: (obj, old, errors) =>
    blocksUpdate(items<string>(obj["spec"]?.cidrs), items<string>(old["spec"]?.cidrs), errors),
  subresources: {
    status: { prepareUpdate: keepAllButStatus },
  },
};
