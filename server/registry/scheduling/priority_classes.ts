/**
 * Priority classes: those that the system itself needs are not deleted by their names. Of a collection that is deleted
 * they go, until the next start, as on the public server.
 */
import { forbidden } from "../../../schema/status.ts";
import type { Strategy } from "../strategy.ts";

const SYSTEM = new Set(["system-node-critical", "system-cluster-critical"]);

/** See {@linkcode Strategy}. */
export const priorityClasses: Strategy = {
  authorizeDelete(gr, name) {
    if (SYSTEM.has(name)) throw forbidden(gr, name, "this is a system priority class and cannot be deleted");
  },
};
