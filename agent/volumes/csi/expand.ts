/** Growing a volume on the node, after others have grown what is behind it. */
import type { PersistentVolumeClaim, PersistentVolumeClaimStatus } from "../../../schema/api/core_v1.ts";
import { compareQuantity, parseQuantity } from "../../../schema/values/quantity.ts";
import { nowTime } from "../../../schema/values/time.ts";
import { type Ability, CALLS, type Capability } from "./calls.ts";
import { type CsiDriver, CsiError } from "./driver.ts";
import { type CsiVolume, secretOf } from "./volume.ts";

/** What of a claim's status tells that it grows. */
const CONDITIONS: ReadonlySet<string> = new Set([
  "FileSystemResizePending",
  "Resizing",
  "ControllerResizeError",
  "NodeResizeError",
]);
/** Growing is the node's turn. */
const TURNS: ReadonlySet<string> = new Set(["NodeResizePending", "NodeResizeInProgress"]);
/** Codes after which it cannot ever be. */
const INFEASIBLE: ReadonlySet<string> = new Set(["InvalidArgument", "OutOfRange", "NotFound"]);

/** Where it is used. */
interface Expansion {
  readonly driver: CsiDriver;
  readonly can: ReadonlySet<Ability>;
  readonly path: string;
  readonly staged: string | undefined;
  readonly capability: Capability;
}

/** Of a claim: nodes have nothing to do. */
const NOT_REQUIRED = "volume.kubernetes.io/node-expansion-not-required";

const storage = (amounts: Readonly<Record<string, string>> | undefined) => amounts?.["storage"];

/** Whether its volume has more than this node has of it, or than its claim says where that is not known. */
export function grows({ claimed, id, setup: { host: { csi } } }: CsiVolume): boolean {
  const wanted = storage(claimed?.volume.spec?.capacity);
  const has = csi.uses.sizeOf(id) ?? storage(claimed?.claim.status?.capacity);
  return has !== undefined && wanted !== undefined && compareQuantity(has, wanted) < 0;
}

/** How large one is that does not grow now. */
export function noteSize({ claimed, id, setup: { host: { csi } } }: CsiVolume): void {
  const size = storage(claimed?.volume.spec?.capacity);
  if (size !== undefined) csi.uses.sized(id, size);
}

/** Grows one that {@linkcode grows}, if it is the node's turn. @throws Error: it should grow and does not */
export async function expand(volume: CsiVolume, expansion: Expansion): Promise<void> {
  const { readOnly, id, setup: { host, pod, name } } = volume, claimed = volume.claimed!;
  const wanted = storage(claimed.volume.spec?.capacity)!;
  const status = claimed.claim.status!, stage = status.allocatedResourceStatuses?.["storage"];
  // A controller that does not tell of stages leaves all to the node; one that does says when it is its turn.
  const isStaged = stage !== undefined || status.allocatedResources !== undefined;
  if (stage === undefined && compareQuantity(storage(status.capacity)!, wanted) >= 0) {
    // It is done, by another node maybe: one that several use grows on each of them.
    if (isGrownOnEach(volume) && await grow(volume, expansion, wanted, false)) tellPod(volume);
    return host.csi.uses.sized(id, wanted);
  }
  if (isStaged && !TURNS.has(stage ?? "")) return;
  if (readOnly) {
    const message = `MountVolume.NodeExpandVolume failed for volume "${name}" requested read-only file system`;
    return host.events.pod(pod, "Warning", "FileSystemResizeFailed", message);
  }
  const to = isStaged ? storage(status.allocatedResources) ?? wanted : wanted;
  const claim = isStaged ? await tell(volume, claimed.claim, { stage: "NodeResizeInProgress" }) : claimed.claim;
  try {
    if (!await grow(volume, expansion, to, isStaged)) return;
  } catch (e) {
    if (isStaged && e instanceof CsiError && e.isFinal) {
      const infeasible = INFEASIBLE.has(e.code) ? { stage: "NodeResizeInfeasible" } : {};
      const message = `failed to expand pvc with Expander.NodeExpand failed to expand the volume : ${e.message}`;
      const condition = {
        type: "NodeResizeError",
        status: "True",
        lastTransitionTime: nowTime(host.clock.now()),
        message,
      };
      await tell(volume, claim, { ...infeasible, condition });
    }
    // Those that grow only while they are not used do not keep a pod from using them.
    if (e instanceof CsiError && e.code === "FailedPrecondition") return;
    throw new Error(`Expander.NodeExpand failed to expand the volume : ${(e as Error).message}`, { cause: e });
  }
  tellPod(volume);
  await tell(volume, claim, { stage: null, capacity: to });
  host.csi.uses.sized(id, to);
}

function isGrownOnEach({ claimed, setup: { host } }: CsiVolume): boolean {
  const { metadata, spec } = claimed!.claim;
  return (spec?.accessModes?.includes("ReadWriteMany") ?? false) &&
    !Object.hasOwn(metadata?.annotations ?? {}, host.product.local(NOT_REQUIRED));
}

function tellPod({ setup: { host, pod, name } }: CsiVolume): void {
  const success = `MountVolume.NodeExpandVolume succeeded for volume "${name}" ${host.node.name}`;
  host.events.pod(pod, "Normal", "FileSystemResizeSuccessful", success);
}

/** Whether it has grown: a driver may not know how, where nothing tells that it must. @throws Error, CsiError */
async function grow(volume: CsiVolume, e: Expansion, to: string, must: boolean): Promise<boolean> {
  const { setup: { host, signal }, id, expandSecret } = volume;
  if (!e.can.has("EXPAND_VOLUME")) {
    if (must) throw new Error(`NodeExpand is not supported by the CSI driver ${id.driver}`);
    return false;
  }
  const secrets = await secretOf(host, expandSecret, "fetching NodeExpandSecretRef");
  await e.driver.call(CALLS.expand, {
    volumeId: id.handle,
    volumePath: e.path,
    capacityRange: { requiredBytes: Number(parseQuantity(to).value()) },
    stagingTargetPath: e.staged,
    volumeCapability: e.capability,
    secrets,
  }, signal);
  return true;
}

/** What is told of a claim. */
interface Told {
  /** null: it does not grow any more. */
  readonly stage?: string | null;
  readonly capacity?: string;
  readonly condition?: NonNullable<PersistentVolumeClaimStatus["conditions"]>[number];
}

async function tell(
  { setup: { host } }: CsiVolume,
  claim: PersistentVolumeClaim,
  { stage, capacity, condition }: Told,
): Promise<PersistentVolumeClaim> {
  const { namespace = "", name = "", resourceVersion } = claim.metadata ?? {};
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/persistentvolumeclaims/${encodeURIComponent(name)}`;
  const gone = capacity === undefined ? [] : claim.status?.conditions?.filter((c) => CONDITIONS.has(c.type)) ?? [];
  const conditions = [...gone.map(({ type }) => ({ $patch: "delete", type })), ...(condition ? [condition] : [])];
  const body = {
    metadata: { ...(condition ? {} : { resourceVersion }) },
    status: {
      ...(stage === undefined ? {} : { allocatedResourceStatuses: { storage: stage } }),
      ...(capacity === undefined ? {} : { capacity: { storage: capacity } }),
      ...(conditions.length > 0 ? { conditions } : {}),
    },
  };
  const patch = "application/strategic-merge-patch+json";
  return await host.api!.request<PersistentVolumeClaim>("PATCH", `${path}/status`, { body, patch });
}
