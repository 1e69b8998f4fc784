/** What a pod may not name that does not come from the API server: objects that only that has. */
import type { Pod, Volume, VolumeProjection } from "../../schema/api/core_v1.ts";
import type { AnyContainer } from "../types.ts";

/** Members of a volume, and what they lead to; empty: nowhere. Those of other names are not known. */
const VOLUMES: Readonly<Partial<Record<Exclude<keyof Volume, "name">, string>>> = {
  configMap: "configmaps (via configmap volumes)",
  secret: "secrets (via secret volumes)",
  csi: "csidrivers (via CSI volumes)",
  glusterfs: "endpoints (via glusterFS volumes)",
  persistentVolumeClaim: "persistentvolumeclaims",
  ephemeral: "persistentvolumeclaims (via ephemeral volumes)",
  azureFile: "secrets (via azureFile volumes)",
};

/** The same of projected volumes. */
const PROJECTIONS: Readonly<Partial<Record<keyof VolumeProjection, string>>> = {
  configMap: "configmaps (via projected volumes)",
  secret: "secrets (via projected volumes)",
  serviceAccountToken: "serviceaccounts (via projected volumes)",
  clusterTrustBundle: "clustertrustbundles",
  podCertificate: "podcertificates",
};

/** Where volumes name a secret. */
const SECRETS: readonly ((v: Volume) => string | undefined)[] = [
  (v) => v.azureFile?.secretName,
  (v) => v.cephfs?.secretRef?.name,
  (v) => v.cinder?.secretRef?.name,
  (v) => v.flexVolume?.secretRef?.name,
  (v) => v.rbd?.secretRef?.name,
  (v) => v.secret?.secretName,
  (v) => v.scaleIO?.secretRef?.name,
  (v) => v.iscsi?.secretRef?.name,
  (v) => v.storageos?.secretRef?.name,
  (v) => v.csi?.nodePublishSecretRef?.name,
];

/** The first kind of object that the pod refers to, in the words of the message; undefined: none. */
export function apiReference({ spec = { containers: [] } }: Pod): string | undefined {
  const volumes = spec.volumes ?? [];
  const projections = volumes.flatMap((v) => v.projected?.sources ?? []);
  const containers: AnyContainer[] = [
    ...spec.initContainers ?? [],
    ...spec.containers ?? [],
    ...spec.ephemeralContainers ?? [],
  ];
  const env = containers.flatMap((c) => c.env ?? []).map((e) => e.valueFrom);
  const envFrom = containers.flatMap((c) => c.envFrom ?? []);
  const secrets = [
    ...spec.imagePullSecrets?.map((s) => s.name) ?? [],
    ...env.map((e) => e?.secretKeyRef?.name),
    ...envFrom.map((e) => e.secretRef?.name),
    ...volumes.flatMap((v) => SECRETS.map((secret) => secret(v))),
    ...projections.map((p) => p.secret?.name),
  ];
  const configMaps = [
    ...env.map((e) => e?.configMapKeyRef?.name),
    ...envFrom.map((e) => e.configMapRef?.name),
    ...volumes.map((v) => v.configMap?.name),
    ...projections.map((p) => p.configMap?.name),
  ];
  if (spec.serviceAccountName || spec.serviceAccount) return "serviceaccounts";
  if (secrets.some(Boolean)) return "secrets";
  if (configMaps.some(Boolean)) return "configmaps";
  if (spec.resourceClaims?.length) return "resourceclaims";
  for (const volume of volumes) {
    const found = leads(volume, VOLUMES) ?? volume.projected?.sources?.map((p) => leads(p, PROJECTIONS)).find(Boolean);
    if (found) return found;
  }
  return undefined;
}

function leads<T extends object>(of: T, table: Readonly<Partial<Record<string, string>>>): string | undefined {
  return Object.entries(of).map(([member, value]) => value ? table[member] : undefined).find(Boolean);
}
