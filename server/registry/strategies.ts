/** Resources that do more than the generic registry. Rows by public id. */
import type { EscalationContext } from "../authorization/escalation.ts";
import { rbacId, rbacStrategy } from "./rbac.ts";
import { namespaces } from "./core/namespaces.ts";
import { pods } from "./core/pods.ts";
import { type ParamOptions, paramStrategies } from "./admissionregistration/params.ts";
import { podRequests } from "./certificates/pod_requests.ts";
import { signingRequests } from "./certificates/signing_requests.ts";
import { type ClaimOptions, claims } from "./resource/claims.ts";
import { priorityClasses } from "./scheduling/priority_classes.ts";
import { ServiceAllocator } from "./core/services.ts";
import type { ServiceOptions } from "./core/service_work.ts";
import type { Strategy } from "./strategy.ts";

const JOB_WARNING =
  "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove " +
  "them or set propagationPolicy=Orphan to suppress this warning";

const RETURNED: Strategy = { returnsDeleted: true };

/** What strategies depend on. */
export interface StrategyOptions {
  /** `--event-ttl`, ms. */
  readonly eventTtlMs: number;
  /** What checks on writes of roles and bindings ask. */
  escalation(): EscalationContext;
  readonly services: ServiceOptions;
  readonly claims: ClaimOptions;
  /** See {@linkcode ParamOptions}. */
  readonly params: ParamOptions["read"];
}

const RBAC = ["clusterroles", "clusterrolebindings", "roles", "rolebindings"] as const;

/** Strategies of a server. */
export function strategies(options: StrategyOptions): Readonly<Record<string, Strategy>> {
  const { eventTtlMs } = options;
  // No time is no end, as on the public server, which gives such events no lease.
  const events: Strategy = { garbage: "none", expiresAt: (_obj, now) => eventTtlMs > 0 ? now + eventTtlMs : undefined };
  return {
    ...Object.fromEntries(RBAC.map((r) => [rbacId(r), rbacStrategy(r, () => options.escalation())])),
    ...paramStrategies({ authorizer: options.claims.authorizer, read: options.params }),
    "events": events,
    "events.events.k8s.io": events,
    "namespaces": namespaces,
    "pods": pods,
    "persistentvolumeclaims": RETURNED,
    "persistentvolumes": RETURNED,
    "podtemplates": RETURNED,
    "replicationcontrollers": { garbage: "orphan" },
    "jobs.batch": { garbage: "orphan", deleteWarning: JOB_WARNING },
    "resourcequotas": RETURNED,
    "serviceaccounts": RETURNED,
    "certificatesigningrequests.certificates.k8s.io": signingRequests,
    "podcertificaterequests.certificates.k8s.io": podRequests(options.claims),
    "priorityclasses.scheduling.k8s.io": priorityClasses,
    "deviceclasses.resource.k8s.io": RETURNED,
    "devicetaintrules.resource.k8s.io": { returnsDeleted: ["v1beta2", "v1alpha3"] },
    "resourceclaims.resource.k8s.io": claims(options.claims),
    "resourceclaimtemplates.resource.k8s.io": RETURNED,
    "resourcepoolstatusrequests.resource.k8s.io": RETURNED,
    "resourceslices.resource.k8s.io": RETURNED,
    "csidrivers.storage.k8s.io": RETURNED,
    "csinodes.storage.k8s.io": RETURNED,
    "storageclasses.storage.k8s.io": RETURNED,
    "volumeattachments.storage.k8s.io": RETURNED,
    "volumeattributesclasses.storage.k8s.io": RETURNED,
    "services": new ServiceAllocator(options.services),
  };
}
