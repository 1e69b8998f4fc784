/** What volume claims use: their number and their size, in all and by storage class. */
import type { Obj } from "../../schema/model/types.ts";
import { parseQuantity, type Quantity, quantityOf } from "../../schema/values/quantity.ts";
import type { RuleContext } from "../../schema/rules/types.ts";
import { same, type Tree } from "../../schema/rules/tree.ts";
import type { Amounts } from "../../schema/rules/core/pod_resources.ts";
import { namesFit } from "./scopes.ts";
import type { Evaluator } from "./types.ts";

const COUNT = "persistentvolumeclaims", SIZE = "requests.storage";

/** Counts claims. */
export function claimEvaluator(ctx: RuleContext): Evaluator {
  const suffix = ctx.product.local(".storageclass.storage.k8s.io/");
  const annotation = ctx.product.local("volume.beta.kubernetes.io/storage-class");
  return {
    id: "persistentvolumeclaims",
    handles(a) {
      if (a.subresource === "") return a.operation === "CREATE" || a.operation === "UPDATE";
      if (a.subresource !== "status" || !a.object || !a.oldObject) return false;
      return !same(allocated(a.object), allocated(a.oldObject)) || !same(classNames(a.object), classNames(a.oldObject));
    },
    counts: (name) =>
      name === COUNT || name === SIZE || name === `count/${COUNT}` || name.endsWith(suffix + COUNT) ||
      name.endsWith(suffix + SIZE),
    inScope: (scope, obj) => scope.scopeName === "VolumeAttributesClass" && namesFit(scope, classNames(obj)),
    scopeFacts: (obj) => classNames(obj).join(),
    usage(obj) {
      const one = quantityOf(1);
      const out: Amounts = new Map([[COUNT, one], [`count/${COUNT}`, one]]);
      const storageClass = obj.metadata.annotations?.[annotation] ?? (obj as Tree)["spec"].storageClassName ?? "";
      const size = sizeOf(obj);
      if (size) out.set(SIZE, size);
      if (storageClass) {
        out.set(storageClass + suffix + COUNT, one);
        if (size) out.set(storageClass + suffix + SIZE, size);
      }
      return out;
    },
  };
}

const allocated = (obj: Obj): unknown => (obj as Tree)["status"]?.allocatedResources?.storage;

/** What is asked for, or what was given out when that is more; whole bytes. */
function sizeOf(obj: Obj): Quantity | undefined {
  const asked = (obj as Tree)["spec"].resources?.requests?.storage;
  if (asked === undefined) return undefined;
  const given = allocated(obj) as string | undefined;
  const a = parseQuantity(asked);
  const b = given === undefined ? a : parseQuantity(given);
  const most = b.cmp(a) > 0 ? b : a;
  return most.exactAt(0) ? most : quantityOf(most.value(), most.format);
}

/** Attribute classes that the claim has, wants, or is on its way to. */
function classNames(obj: Obj): string[] {
  const { spec, status } = obj as Tree;
  const all = [
    spec.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return [...new Set(all.filter((n): n is string => !!n))].sort();
}
