/** What a pod names of other objects, as plugins ask for it. */
import type { Obj } from "../../../schema/model/types.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { podReferences } from "../../authorization/pod_references.ts";

/** No annotation has this key: mirror pods are looked at as others. */
const NO_KEY = "";

/** References of a spec to secrets. */
export function podSecrets(spec: Tree): string[] {
  const pod = { apiVersion: "", kind: "", metadata: { name: "", namespace: "" }, spec } as Obj;
  return [...podReferences(pod, NO_KEY)].filter((r) => r.startsWith("secrets/"));
}

/** Volumes that name something, and how a refusal says it. */
const VOLUMES: readonly (readonly [string, string])[] = [
  ["configMap", "configmaps (via configmap volumes)"],
  ["secret", "secrets (via secret volumes)"],
  ["csi", "csidrivers (via CSI volumes)"],
  ["persistentVolumeClaim", "persistentvolumeclaims"],
  ["ephemeral", "persistentvolumeclaims (via ephemeral volumes)"],
];
/** Sources of projected volumes, likewise. */
const SOURCES: readonly (readonly [string, string])[] = [
  ["configMap", "configmaps (via projected volumes)"],
  ["secret", "secrets (via projected volumes)"],
  ["serviceAccountToken", "serviceaccounts (via projected volumes)"],
  ["clusterTrustBundle", "clustertrustbundles"],
  ["podCertificate", "podcertificates"],
];

/** The first thing that a pod names of the API, as refusals call it; undefined: it names nothing. */
export function firstReference(pod: Obj): string | undefined {
  const { spec } = pod as Tree;
  if (spec.serviceAccountName) return "serviceaccounts";
  if (items(spec.imagePullSecrets).length > 0) return "secrets";
  const plain = { ...spec, volumes: [] };
  const refs = [...podReferences({ ...pod, spec: plain }, NO_KEY)];
  for (const kind of ["secrets", "configmaps"]) if (refs.some((r) => r.startsWith(`${kind}/`))) return kind;
  if (items(spec.resourceClaims).length > 0) return "resourceclaims";
  for (const v of items<Tree>(spec.volumes)) {
    const direct = VOLUMES.find(([member]) => v[member]);
    if (direct) return direct[1];
    for (const s of items<Tree>(v["projected"]?.sources)) {
      const projected = SOURCES.find(([member]) => s[member]);
      if (projected) return projected[1];
    }
  }
  return podSecrets(spec).length > 0 ? "secrets" : undefined;
}
