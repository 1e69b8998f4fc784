/** What authors should know of persistent volumes and claims though it is allowed. */
import type { Obj } from "../../model/types.ts";
import { parseQuantity } from "../../values/quantity.ts";
import { METADATA } from "../object_meta.ts";
import { Path } from "../path.ts";
import { items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";
import { termWarnings } from "./node_labels.ts";
import { sourceWarnings } from "./volume_warnings.ts";

const SPEC = Path.of("spec");

/** Says so when an amount of bytes is not whole. */
export function fractionWarnings(amounts: Tree | undefined, names: readonly string[], path: Path): string[] {
  return names.flatMap((n) => {
    const amount: unknown = amounts?.[n];
    if (amount === undefined || amount === null || parseQuantity(String(amount)).exactAt(0)) return [];
    return [`${path.key(n)}: fractional byte value "${amount}" is invalid, must be an integer`];
  });
}

/** Warnings about a claim's spec. */
export function claimSpecWarnings(spec: Tree, path: Path): string[] {
  return ["requests", "limits"].flatMap((l) =>
    fractionWarnings(spec["resources"]?.[l], ["storage"], path.child("resources", l))
  );
}

function classAnnotation(obj: Obj, ctx: RuleContext, instead: string): string[] {
  const name = ctx.product.local("volume.beta.kubernetes.io/storage-class");
  if (obj.metadata.annotations?.[name] === undefined) return [];
  return [`${METADATA.child("annotations").key(name)}: deprecated since v1.8; use "${instead}" instead`];
}

/** Warnings about a claim. */
export function claimWarnings(obj: Obj, _old: Obj | undefined, ctx: RuleContext): string[] {
  return [
    ...classAnnotation(obj, ctx, "storageClassName"),
    ...claimSpecWarnings(obj["spec"] ?? {}, SPEC),
  ];
}

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
    out.push(...termWarnings(t, false, terms.index(i), ctx));
  }
  return [...out, ...sourceWarnings(spec, SPEC)];
}
