/** What a pod, or a volume, names of other objects: what the node that runs it may read. */
import type { JsonMap, Obj } from "../../schema/model/types.ts";

/** An object: `secrets/namespace/name`. */
export type Ref = string;

type Maybe = JsonMap | undefined;

/** Where a volume names a secret: member of the volume, then the member within. A text is the name itself. */
type SecretPlaces = readonly (readonly [string, string])[];

/** Those that volumes of pods and persistent volumes have in common. */
const SECRETS: SecretPlaces = [
  ["azureFile", "secretName"],
  ["cephfs", "secretRef"],
  ["flexVolume", "secretRef"],
  ["rbd", "secretRef"],
  ["scaleIO", "secretRef"],
  ["iscsi", "secretRef"],
  ["storageos", "secretRef"],
  ["csi", "nodePublishSecretRef"],
];
const VOLUME_SECRETS: SecretPlaces = [["secret", "secretName"], ...SECRETS];
/** Of persistent volumes only what the node itself needs. */
const PERSISTENT_SECRETS: SecretPlaces = [...SECRETS, ["csi", "nodeStageSecretRef"], ["csi", "nodeExpandSecretRef"]];

const nameOf = (v: unknown): string => {
  if (typeof v === "string") return v;
  const name = (v as Maybe)?.name;
  return typeof name === "string" ? name : "";
};

function* ofContainer(c: JsonMap): Generator<readonly [string, string]> {
  for (const env of (c.env ?? []) as JsonMap[]) {
    const from = env.valueFrom as Maybe;
    yield ["secrets", nameOf(from?.secretKeyRef)];
    yield ["configmaps", nameOf(from?.configMapKeyRef)];
  }
  for (const from of (c.envFrom ?? []) as JsonMap[]) {
    yield ["secrets", nameOf(from.secretRef)];
    yield ["configmaps", nameOf(from.configMapRef)];
  }
}

function* ofVolume(v: JsonMap, pod: string): Generator<readonly [string, string]> {
  for (const [member, name] of VOLUME_SECRETS) yield ["secrets", nameOf((v[member] as Maybe)?.[name])];
  yield ["configmaps", nameOf(v.configMap)];
  for (const source of ((v.projected as Maybe)?.sources ?? []) as JsonMap[]) {
    yield ["secrets", nameOf(source.secret)];
    yield ["configmaps", nameOf(source.configMap)];
  }
  yield ["persistentvolumeclaims", nameOf((v.persistentVolumeClaim as Maybe)?.claimName)];
  if (v.ephemeral) yield ["persistentvolumeclaims", `${pod}-${v.name}`];
}

function* ofClaims(pod: Obj): Generator<readonly [string, string]> {
  const made = (pod.status?.resourceClaimStatuses ?? []) as JsonMap[];
  for (const claim of (pod.spec?.resourceClaims ?? []) as JsonMap[]) {
    const status = made.find((s) => s.name === claim.name);
    yield ["resourceclaims.resource.k8s.io", nameOf(claim.resourceClaimName) || nameOf(status?.resourceClaimName)];
  }
  const extended = pod.status?.extendedResourceClaimStatus as Maybe;
  yield ["resourceclaims.resource.k8s.io", nameOf(extended?.resourceClaimName)];
}

function* named(pod: Obj): Generator<readonly [string, string]> {
  const spec = pod.spec as JsonMap;
  yield ["serviceaccounts", nameOf(spec.serviceAccountName)];
  for (const s of (spec.imagePullSecrets ?? []) as JsonMap[]) yield ["secrets", nameOf(s)];
  for (const list of ["containers", "initContainers", "ephemeralContainers"]) {
    for (const c of (spec[list] ?? []) as JsonMap[]) yield* ofContainer(c);
  }
  for (const v of (spec.volumes ?? []) as JsonMap[]) yield* ofVolume(v, pod.metadata.name!);
  yield* ofClaims(pod);
}

/**
 * Everything that a pod names. A mirror pod names nothing: a node makes those itself and must not gain by it.
 * `mirror` is the annotation's key in the dialect.
 */
export function podReferences(pod: Obj, mirror: string): Set<Ref> {
  if (pod.metadata.annotations?.[mirror] !== undefined) return new Set();
  const refs = new Set<Ref>();
  for (const [resource, name] of named(pod)) if (name) refs.add(`${resource}/${pod.metadata.namespace}/${name}`);
  return refs;
}

/** Secrets that a node needs for a persistent volume, in the claim's namespace where the volume names none. */
export function volumeSecrets(volume: Obj): Set<Ref> {
  const spec = volume.spec as JsonMap;
  const claimNamespace = (spec.claimRef as Maybe)?.namespace;
  const refs = new Set<Ref>();
  for (const [member, name] of PERSISTENT_SECRETS) {
    const source = spec[member] as Maybe, secret = source?.[name];
    const namespace = (secret as Maybe)?.namespace ?? source?.secretNamespace ?? claimNamespace;
    if (nameOf(secret)) refs.add(`secrets/${namespace}/${nameOf(secret)}`);
  }
  return refs;
}
