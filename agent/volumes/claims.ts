/** What is behind a claim: the PersistentVolume that is bound to it. */
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from "../../schema/api/core_v1.ts";
import { meansNode } from "../../schema/values/node_selector.ts";
import { allContainersOf } from "../pods/spec.ts";
import type { Api } from "../types.ts";
import type { Claimed, Host } from "./plugin.ts";

const PROTECTION = "kubernetes.io/pvc-protection";
const MOUNT_OPTIONS = "volume.beta.kubernetes.io/mount-options";

/** Which claim a volume stands for, and whether the claim is made for this pod alone. */
interface ClaimReference {
  readonly name: string;
  readonly readOnly: boolean;
  readonly ephemeral: boolean;
}

/** Undefined: there is no claim behind this volume. */
export function claimOf(pod: Pod, { name, persistentVolumeClaim, ephemeral }: Volume): ClaimReference | undefined {
  if (persistentVolumeClaim) {
    const { claimName, readOnly } = persistentVolumeClaim;
    return { name: claimName, readOnly: readOnly ?? false, ephemeral: false };
  }
  if (ephemeral) return { name: `${pod.metadata?.name}-${name}`, readOnly: false, ephemeral: true };
  return undefined;
}

async function fetchOne<T>(api: Api, path: string, what: string): Promise<T> {
  try {
    return await api.request<T>("GET", path);
  } catch (e) {
    throw new Error(`failed to fetch ${what} from API server: ${(e as Error).message}`, { cause: e });
  }
}

function checkClaim(claim: PersistentVolumeClaim, { product }: Host): void {
  const { deletionTimestamp, finalizers } = claim.metadata ?? {};
  if (deletionTimestamp && !finalizers?.includes(product.local(PROTECTION))) throw new Error("PVC is being deleted");
  if (claim.status?.phase !== "Bound") throw new Error("PVC is not bound");
  if (!claim.spec?.volumeName) throw new Error("PVC has empty pvc.Spec.VolumeName");
}

function checkVolume(volume: PersistentVolume, claim: PersistentVolumeClaim): void {
  const name = volume.metadata?.name, ref = volume.spec?.claimRef, uid = claim.metadata?.uid;
  if (!ref) {
    throw new Error(
      `found PV object ${name} but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim`,
    );
  }
  if (ref.uid !== uid) {
    throw new Error(
      `found PV object ${name} but its pv.Spec.ClaimRef.UID ${ref.uid ?? ""} does not point to claim.UID ${uid}`,
    );
  }
}

function checkMode(pod: Pod, name: string, mode: "Block" | "Filesystem"): void {
  const mounted = allContainersOf(pod).some((c) => c.volumeMounts?.some((m) => m.name === name));
  const device = allContainersOf(pod).some((c) => c.volumeDevices?.some((d) => d.name === name));
  for (const [used, wanted, where] of [[mounted, "Filesystem", "volumeMounts"], [device, "Block", "volumeDevices"]]) {
    if (used && mode !== wanted) {
      throw new Error(`volume ${name} has volumeMode ${mode}, but is specified in ${where}`);
    }
  }
}

/** @throws Error when a volume is not for this node */
export function checkNode(volume: PersistentVolume, labels: Readonly<Record<string, string>>): void {
  const terms = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms;
  if (terms && !meansNode(terms, labels, undefined)) throw new Error("no matching NodeSelectorTerms");
}

async function find(pod: Pod, volume: Volume, ref: ClaimReference, host: Host): Promise<Claimed> {
  if (!host.api) throw new Error("failed to fetch PVC from API server: the agent has no server");
  const namespace = encodeURIComponent(pod.metadata?.namespace ?? "");
  const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${encodeURIComponent(ref.name)}`;
  const claim = await fetchOne<PersistentVolumeClaim>(host.api, path, "PVC");
  checkClaim(claim, host);
  if (ref.ephemeral && !claim.metadata?.ownerReferences?.some((o) => o.controller && o.uid === pod.metadata?.uid)) {
    const { namespace, name } = claim.metadata ?? {};
    throw new Error(
      `PVC ${namespace}/${name} was not created for pod ${pod.metadata?.namespace}/${pod.metadata?.name} (pod is not owner)`,
    );
  }
  const name = claim.spec!.volumeName!;
  const found = await fetchOne<PersistentVolume>(
    host.api,
    `/api/v1/persistentvolumes/${encodeURIComponent(name)}`,
    `PV ${name}`,
  );
  checkVolume(found, claim);
  checkMode(pod, volume.name, found.spec?.volumeMode ?? "Filesystem");
  const noted = found.metadata?.annotations?.[host.product.local(MOUNT_OPTIONS)];
  return {
    claim,
    volume: found,
    readOnly: ref.readOnly,
    mountOptions: noted === undefined ? found.spec?.mountOptions ?? [] : noted.split(",").filter((o) => o !== ""),
  };
}

/** @throws Error: the claim is not bound, or the volume cannot be used as the pod says */
export async function findClaimed(pod: Pod, volume: Volume, ref: ClaimReference, host: Host): Promise<Claimed> {
  try {
    return await find(pod, volume, ref, host);
  } catch (e) {
    throw new Error(`error processing PVC ${pod.metadata?.namespace}/${ref.name}: ${(e as Error).message}`, {
      cause: e,
    });
  }
}
