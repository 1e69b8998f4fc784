/** Rules of capacities of storage. */
import type { Obj } from "../../model/types.ts";
import { format, immutable } from "../checks/basic.ts";
import { dnsSubdomain } from "../checks/formats.ts";
import { nonNegativeAmount } from "../checks/resources.ts";
import { hasInvalidValue, labelSelector } from "../checks/selectors.ts";
import { deprecatedLabel, requirementWarnings } from "../core/node_labels.ts";
import { Path } from "../path.ts";
import { isSet } from "../tree.ts";
import type { KindRules } from "../types.ts";

const TOPOLOGY = Path.of("nodeTopology"), CLASS = Path.of("storageClassName"), CAPACITY = Path.of("capacity");

/** Rules of `csistoragecapacities.storage.k8s.io`. */
export const CSI_STORAGE_CAPACITY: KindRules = {
  unconditionalUpdate: false,
  validate(obj: Obj, errors, _ctx, old) {
    labelSelector(obj["nodeTopology"], TOPOLOGY, errors, {
      allowInvalidValues: hasInvalidValue(old?.["nodeTopology"]),
    });
    format(obj["storageClassName"] ?? "", CLASS, errors, dnsSubdomain);
    if (isSet(obj["capacity"])) nonNegativeAmount(obj["capacity"], CAPACITY, errors);
  },
  warnings: (obj, _old, ctx) => [
    ...requirementWarnings(obj["nodeTopology"]?.matchExpressions, TOPOLOGY.child("matchExpressions"), ctx),
    ...Object.keys(obj["nodeTopology"]?.matchLabels ?? {}).flatMap((key) => {
      const why = deprecatedLabel(key, ctx);
      return why ? [`${TOPOLOGY.child("matchLabels").child(key)}: ${why}`] : [];
    }),
  ],
  validateUpdate(obj, old, errors) {
    immutable(obj["nodeTopology"], old["nodeTopology"], TOPOLOGY, errors);
    immutable(obj["storageClassName"] ?? "", old["storageClassName"] ?? "", CLASS, errors);
  },
};
