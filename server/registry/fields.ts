/** Field selectors: which labels each resource knows, and where their values stand. */
import type { Json, Obj } from "../../schema/model/types.ts";
import type { ServedResource } from "../catalog/types.ts";

/** Value of a selectable field, as text. */
type Read = (obj: Obj) => string;

const text = (v: unknown): string => (v === undefined || v === null ? "" : String(v));

/** A path through members. */
function at(path: string, none = ""): Read {
  const steps = path.split(".");
  return (obj) => {
    let v: unknown = obj;
    for (const s of steps) v = (v as Record<string, unknown> | undefined)?.[s];
    return text(v) || none;
  };
}

const eventSource: Read = (e) => e["source"]?.component || text(e["reportingComponent"]);
const event = (prefix: string, object: string): Record<string, Read> => ({
  "type": at("type"),
  "reason": at("reason"),
  ...Object.fromEntries(
    ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"].map((f) => [
      `${prefix}.${f}`,
      at(`${object}.${f}`),
    ]),
  ),
});

/** By public id; in the shape of the storage version. `metadata.name` and `metadata.namespace` need no row. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Read>>>> = {
  "events": {
    ...event("involvedObject", "involvedObject"),
    "reportingComponent": at("reportingComponent"),
    "source": eventSource,
  },
  "events.events.k8s.io": { ...event("regarding", "involvedObject"), "reportingController": at("reportingComponent") },
  "namespaces": { "status.phase": at("status.phase") },
  "nodes": { "spec.unschedulable": at("spec.unschedulable", "false") },
  "pods": {
    "spec.nodeName": at("spec.nodeName"),
    "spec.restartPolicy": at("spec.restartPolicy"),
    "spec.schedulerName": at("spec.schedulerName"),
    "spec.serviceAccountName": at("spec.serviceAccountName"),
    "spec.hostNetwork": at("spec.hostNetwork", "false"),
    "status.phase": at("status.phase"),
    "status.podIP": at("status.podIP"),
    "status.podIPs": (p) =>
      text(p["status"]?.podIPs?.map((x: { ip?: string }) => x.ip).join(",")) || text(p["status"]?.podIP),
    "status.nominatedNodeName": at("status.nominatedNodeName"),
  },
  "replicationcontrollers": { "status.replicas": at("status.replicas", "0") },
  "secrets": { "type": at("type") },
  "services": { "spec.clusterIP": at("spec.clusterIP"), "spec.type": at("spec.type") },
  "jobs.batch": { "status.successful": at("status.succeeded", "0") },
  "certificatesigningrequests.certificates.k8s.io": { "spec.signerName": at("spec.signerName") },
  "clustertrustbundles.certificates.k8s.io": { "spec.signerName": at("spec.signerName") },
  "podcertificaterequests.certificates.k8s.io": {
    "spec.nodeName": at("spec.nodeName"),
    "spec.signerName": at("spec.signerName"),
    "spec.podName": at("spec.podName"),
  },
  "resourceslices.resource.k8s.io": {
    "spec.nodeName": at("spec.nodeName"),
    "spec.driver": at("spec.driver"),
    "spec.pool.name": at("spec.pool.name"),
  },
};

/** Labels that clients of old still send, by public id: what they are called now. */
const RENAMED: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  "pods": new Map([["spec.host", "spec.nodeName"]]),
};

/** A label of a selector by its name of today. */
export const fieldNamed = (id: string, field: string): string => RENAMED[id]?.get(field) ?? field;

/** Cluster-scoped resources with selectors of their own, which do not take `metadata.namespace`. */
const NO_NAMESPACE = new Set([
  "namespaces",
  "nodes",
  "certificatesigningrequests.certificates.k8s.io",
  "clustertrustbundles.certificates.k8s.io",
  "podcertificaterequests.certificates.k8s.io",
  "resourceslices.resource.k8s.io",
]);

/** Whether a label may be selected by. Versions of a custom resource differ in their fields. */
export function isSelectable({ resource, kind }: Pick<ServedResource, "resource" | "kind">, field: string): boolean {
  if (field === "metadata.name") return true;
  if (field === "metadata.namespace" && resource.selectable) return resource.namespaced;
  if (field === "metadata.namespace") return !NO_NAMESPACE.has(resource.id);
  return Object.hasOwn(FIELDS[resource.id] ?? {}, field) || (kind.custom?.selectable?.includes(field) ?? false);
}

/** A value of a custom object as selectors see it. */
export const valueText = (v: Json | undefined): string =>
  v === undefined || v === null || typeof v === "object" ? "" : String(v);

/** Labels of a resource beyond name and namespace. */
export function selectableFields(id: string): readonly string[] {
  return Object.keys(FIELDS[id] ?? {});
}

/** Values of the selectable fields of an object, undefined where the kind has none. */
export function fieldsOf(id: string, obj: Obj): Record<string, string> | undefined {
  const rows = FIELDS[id];
  if (!rows) return undefined;
  const out: Record<string, string> = {};
  for (const name in rows) out[name] = rows[name]!(obj);
  return out;
}
