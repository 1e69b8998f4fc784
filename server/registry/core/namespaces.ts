/** Namespaces: they stay, terminating, until their own finalizers are gone (specification, "Object deletion"). */
import type { Obj } from "../../../schema/model/types.ts";
import type { Strategy } from "../strategy.ts";

const isMarked = (ns: Obj): boolean => ns.metadata.deletionTimestamp !== undefined;
const isHeld = (ns: Obj): boolean => !!ns["spec"]?.finalizers?.length;

/** See {@linkcode Strategy}. */
export const namespaces: Strategy = {
  returnsDeleted: true,
  waits: true,
  // The first deletion only marks, even where nothing holds the namespace: the next one, or a finalize, removes it.
  mayRemove: (ns) => isMarked(ns) && !isHeld(ns),
  underway: (ns) => isMarked(ns) && isHeld(ns),
  onMarkDeleted(ns, old) {
    ns["status"] = { ...ns["status"], phase: "Terminating" };
    // The first one is no deletion with a grace yet.
    if (!isMarked(old)) delete ns.metadata.deletionGracePeriodSeconds;
  },
};
