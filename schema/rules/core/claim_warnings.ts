/** What authors should know of volume claims though it is allowed. */
import type { Obj } from "../../model/types.ts";
import { parseQuantity } from "../../values/quantity.ts";
import { METADATA } from "../object_meta.ts";
import { Path } from "../path.ts";
import type { Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";

const SPEC = Path.of("spec");

/** Says so when an amount of bytes is not whole. */
export function fractionWarnings(amounts: Tree | undefined, names: readonly string[], path: Path): string[] {
  return names.flatMap((n) => {
    const amount: unknown = amounts?.[n];
    if (amount === undefined || amount === null || !parseQuantity(String(amount)).hasFraction()) return [];
    return [`${path.key(n)}: fractional byte value "${amount}" is invalid, must be an integer`];
  });
}

/** Warnings about a claim's spec. */
export function claimSpecWarnings(spec: Tree, path: Path): string[] {
  return ["requests", "limits"].flatMap((l) =>
    fractionWarnings(spec["resources"]?.[l], ["storage"], path.child("resources", l))
  );
}

/** Warns of the class of a volume or claim that stands in an annotation. */
export function classAnnotation(obj: Obj, ctx: RuleContext, instead: string): string[] {
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
