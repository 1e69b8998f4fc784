/** PersistentVolumeClaimResize: a claim grows only when it is bound and its class allows it. */
import type { Obj } from "../../../schema/model/types.ts";
import { compareQuantity } from "../../../schema/values/quantity.ts";
import type { Tree } from "../../../schema/rules/tree.ts";
import { held } from "../facts.ts";
import { on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Plugin, PluginContext } from "../types.ts";

const size = (claim: Obj): string => (claim as Tree)["spec"]?.resources?.requests?.storage ?? "0";

/** See the top of the file. */
export function persistentVolumeClaimResize(ctx: PluginContext): Plugin {
  const annotation = ctx.product.local("volume.beta.kubernetes.io/storage-class");
  const classes = held(ctx.lister, "storageclasses.storage.k8s.io");
  const classOf = (claim: Obj): string =>
    claim.metadata.annotations?.[annotation] ?? (claim as Tree)["spec"]?.storageClassName ?? "";
  const growable = (claim: Obj, old: Obj): boolean => {
    const name = classOf(claim);
    return name !== "" && name === classOf(old) &&
      (classes(name) as Tree | undefined)?.["allowVolumeExpansion"] === true;
  };
  return {
    name: "PersistentVolumeClaimResize",
    handles: on(["UPDATE"], ["persistentvolumeclaims"]),
    validate(a) {
      const claim = a.object!, old = a.oldObject!;
      if (size(claim) === size(old) || compareQuantity(size(claim), size(old)) <= 0) return;
      if ((old as Tree)["status"]?.phase !== "Bound") {
        throw refusal(a, "Only bound persistent volume claims can be expanded");
      }
      if (growable(claim, old)) return;
      throw refusal(
        a,
        "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
      );
    },
  };
}
