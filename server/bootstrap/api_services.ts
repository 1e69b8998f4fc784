/** Registration of the server's own group versions: one `APIService` each, by which clients and aggregation see them. */
import type { Obj } from "../../schema/model/types.ts";
import { nowTime } from "../../schema/values/time.ts";
import type { BootstrapObject } from "./rows.ts";

/** Importance of groups, by public name; the order of discovery follows from it. */
const GROUP_PRIORITY: Readonly<Record<string, number>> = {
  "": 18000,
  "apps": 17800,
  "events.k8s.io": 17750,
  "authentication.k8s.io": 17700,
  "authorization.k8s.io": 17600,
  "autoscaling": 17500,
  "batch": 17400,
  "certificates.k8s.io": 17300,
  "networking.k8s.io": 17200,
  "policy": 17100,
  "rbac.authorization.k8s.io": 17000,
  "storage.k8s.io": 16800,
  "admissionregistration.k8s.io": 16700,
  "apiextensions.k8s.io": 16700,
  "scheduling.k8s.io": 16600,
  "coordination.k8s.io": 16500,
  "node.k8s.io": 16300,
  "discovery.k8s.io": 16200,
  "resource.k8s.io": 16200,
  "flowcontrol.apiserver.k8s.io": 16100,
  "internal.apiserver.k8s.io": 16000,
  "storagemigration.k8s.io": 15800,
  "lifecycle.k8s.io": 15700,
};
const OTHER_GROUPS = 15000;

/** Importance of a version within its group, where it is not told by its name alone. */
const VERSION_PRIORITY: Readonly<Record<string, number>> = {
  "v1": 1,
  "autoscaling/v2": 30,
  "admissionregistration.k8s.io/v1beta1": 12,
  "certificates.k8s.io/v1alpha1": 1,
  "coordination.k8s.io/v1beta1": 13,
  "coordination.k8s.io/v1alpha2": 12,
  "flowcontrol.apiserver.k8s.io/v1": 21,
  "lifecycle.k8s.io/v1alpha1": 1,
  "resource.k8s.io/v1": 21,
  "resource.k8s.io/v1beta2": 15,
  "resource.k8s.io/v1alpha3": 1,
  "scheduling.k8s.io/v1alpha3": 3,
  "scheduling.k8s.io/v1alpha2": 2,
};

/** The rule for the rest: what is stable before what is not. */
const byStability = (version: string): number => /^v\d+$/.test(version) ? 15 : 9;

/** A served group version: its public group and the version. */
export interface ServedVersion {
  readonly publicGroup: string;
  readonly group: string;
  readonly version: string;
}

/** Not registered: what registrations themselves are served by. */
const REGISTRAR = "apiregistration.k8s.io";

/** The objects of group versions; `now` in ms since the epoch. */
export function apiServices(
  served: Iterable<ServedVersion>,
  local: (name: string) => string,
  now: number,
): BootstrapObject[] {
  return [...served].filter((s) => s.publicGroup !== REGISTRAR).map(({ publicGroup, group, version }) => {
    const key = publicGroup ? `${publicGroup}/${version}` : version;
    const spec = {
      ...(group ? { group } : {}),
      version,
      groupPriorityMinimum: GROUP_PRIORITY[publicGroup] ?? OTHER_GROUPS,
      versionPriority: VERSION_PRIORITY[key] ?? byStability(version),
    };
    return { resourceId: "apiservices.apiregistration.k8s.io", object: localService(spec, "onstart", local, now) };
  });
}

/** Where a group version is among the others. */
export interface ServiceSpec {
  readonly group?: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
}

/** The object of a group version that this server serves itself. `managed`: `onstart`, or `true` for always. */
export function localService(
  spec: ServiceSpec,
  managed: "onstart" | "true",
  local: (name: string) => string,
  now: number,
): Obj {
  return {
    kind: "APIService",
    apiVersion: `${local("apiregistration.k8s.io")}/v1`,
    metadata: {
      name: `${spec.version}.${spec.group ?? ""}`,
      labels: { [local("kube-aggregator.kubernetes.io/automanaged")]: managed },
    },
    spec: { ...spec },
    status: {
      conditions: [{
        type: "Available",
        status: "True",
        lastTransitionTime: nowTime(now),
        reason: "Local",
        message: "Local APIServices are always available",
      }],
    },
  };
}
