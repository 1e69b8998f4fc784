/** Namespaces: they stay, terminating, until their own finalizers are gone (specification, "Object deletion"). */
import type { Strategy } from "../strategy.ts";

/** See {@linkcode Strategy}. */
export const namespaces: Strategy = {
  returnsDeleted: true,
  waits: true,
  // The first deletion only marks, even where nothing holds the namespace: the next one, or a finalize, removes it.
  mayRemove: (ns) => ns.metadata.deletionTimestamp !== undefined && !ns["spec"]?.finalizers?.length,
  onMarkDeleted(ns) {
    ns["status"] = { ...ns["status"], phase: "Terminating" };
    delete ns.metadata.deletionGracePeriodSeconds;
  },
};
