/** Who takes part in evictions: names and priorities that are the system's own. The rest is in the tags. */
import type { ErrorList } from "../errors.ts";
import { perProduct } from "../local.ts";
import type { Path } from "../path.ts";
import { count, items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";
import type { PodScope } from "./pod_scope.ts";
import { withoutEnd } from "../../values/ends.ts";

/** Priorities below it are the system's. */
export const OWN_PRIORITIES = 1000;

const OWN_DOMAINS = perProduct((p) => [p.local("k8s.io"), p.local("kubernetes.io")]);

/** A name with a domain, which must not be one of the system's. */
export function foreignDomain(name: string, path: Path, errors: ErrorList, ctx: RuleContext): void {
  const domain = withoutEnd(name.split("/")[0]!.toLowerCase().trim(), ".");
  const own = OWN_DOMAINS(ctx.product);
  if (!own.some((d) => domain === d || domain.endsWith(`.${d}`))) return;
  errors.invalid(path, name, `must not be in the domains ${own.join(", ")}, which are reserved`);
}

/** `spec.evictionResponders`. */
export function evictionResponders({ spec, errors, ctx }: PodScope, path: Path): void {
  if (spec["schedulingGroup"] && count(spec["evictionResponders"])) {
    errors.forbidden(path.sibling("schedulingGroup"), "must not be set together with evictionResponders");
  }
  for (const [i, r] of items<Tree>(spec["evictionResponders"]).entries()) {
    const at = path.index(i), priority: number | undefined = r["priority"];
    if (r["name"]) foreignDomain(r["name"], at.child("name"), errors, ctx);
    if (typeof priority === "number" && priority >= 0 && priority < OWN_PRIORITIES) {
      errors.invalid(at.child("priority"), priority, `must not be below ${OWN_PRIORITIES}, which are reserved`);
    }
  }
}
