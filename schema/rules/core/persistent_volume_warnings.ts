/** What authors should know of persistent volumes though it is allowed. */
import type { Obj } from "../../model/types.ts";
import { Path } from "../path.ts";
import { items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";
import { classAnnotation } from "./claim_warnings.ts";
import { termWarnings } from "./node_labels.ts";
import { persistentSourceWarnings } from "./volume_warnings.ts";

const SPEC = Path.of("spec");

/** Warnings about a persistent volume. */
export function persistentVolumeWarnings(obj: Obj, _old: Obj | undefined, ctx: RuleContext): string[] {
  const spec: Tree = obj["spec"] ?? {}, out = classAnnotation(obj, ctx, "storageClassName");
  if (spec["persistentVolumeReclaimPolicy"] === "Recycle") {
    out.push(
      `${SPEC.child("persistentVolumeReclaimPolicy")}: the Recycle policy is deprecated; provision volumes instead`,
    );
  }
  const terms = SPEC.child("nodeAffinity", "required", "nodeSelectorTerms");
  for (const [i, t] of items(spec["nodeAffinity"]?.required?.nodeSelectorTerms).entries()) {
    for (const w of termWarnings(t, false, terms.index(i), ctx)) out.push(w);
  }
  return [...out, ...persistentSourceWarnings(spec, SPEC)];
}
