/** Resources that do more than the generic registry. Rows by public id. */
import { namespaces } from "./core/namespaces.ts";
import { pods } from "./core/pods.ts";
import type { Strategy } from "./strategy.ts";

const RETURNED: Strategy = { returnsDeleted: true };

/** Strategies of a server. `eventTtlMs` is `--event-ttl`. */
export function strategies(options: { readonly eventTtlMs: number }): Readonly<Record<string, Strategy>> {
  const events: Strategy = { garbage: "none", expiresAt: (_obj, now) => now + options.eventTtlMs };
  return {
    "events": events,
    "events.events.k8s.io": events,
    "namespaces": namespaces,
    "pods": pods,
    "persistentvolumeclaims": RETURNED,
    "persistentvolumes": RETURNED,
    "podtemplates": RETURNED,
    "resourcequotas": RETURNED,
    "serviceaccounts": RETURNED,
    "services": RETURNED,
  };
}
