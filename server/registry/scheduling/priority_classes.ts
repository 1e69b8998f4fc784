/** Priority classes: those that the system itself needs stay. */
import { forbidden } from "../../../schema/status.ts";
import type { Strategy } from "../strategy.ts";

const SYSTEM = new Set(["system-node-critical", "system-cluster-critical"]);

/** See {@linkcode Strategy}. */
export const priorityClasses: Strategy = {
  authorizeDelete(obj) {
    const { name } = obj.metadata;
    if (!SYSTEM.has(name!)) return;
    const group = obj.apiVersion.split("/")[0]!;
    throw forbidden(
      { group, resource: "priorityclasses" },
      name!,
      "this is a system priority class and cannot be deleted",
    );
  },
};
