/** Namespaces: they stay, terminating, until their own finalizers are gone (specification, "Object deletion"). */
import type { Strategy } from "../strategy.ts";

/** See {@linkcode Strategy}. */
export const namespaces: Strategy = {
  returnsDeleted: true,
  mayRemove: (ns) => !ns["spec"]?.finalizers?.length,
  onMarkDeleted(ns) {
    ns["status"] = { ...ns["status"], phase: "Terminating" };
    delete ns.metadata.deletionGracePeriodSeconds;
  },
};
