/** Waiting until others have attached a volume to the node. */
import type { VolumeAttachment } from "../../../schema/api/storage.k8s.io_v1.ts";
import { PodRefused } from "../../types.ts";
import { during, notReady } from "../step.ts";
import { attachmentName } from "./places.ts";
import type { CsiVolume } from "./volume.ts";

/** How long it may take until it is told, and how often it is looked, ms. */
const TIME_MS = 123_000, LOOK_MS = 300;
/** Of gRPC, by which drivers say that a node has no room. */
const RESOURCE_EXHAUSTED = 8;

type Strings = Readonly<Record<string, string>>;

/**
 * What drivers are told of the attachment: they noted it when they attached.
 * @param step its name in events @throws Error: it is not attached; AbortError
 */
export async function attached(volume: CsiVolume, step: string): Promise<Strings> {
  const { setup, id } = volume;
  const { host, signal } = setup, { node, clock, csi } = host;
  await during("AttachVolume.Attach", setup.name, () => {
    if (!csi.p.enableControllerAttachDetach) throw new Error("attaching volumes from the kubelet is not supported");
  });
  const name = csi.uses.nameOf(id), end = clock.ticks() + TIME_MS;
  // Others must know that the node wants it before it is used, or they might detach it.
  const isReady = () => {
    const { volumesInUse, volumesAttached } = node.status();
    return volumesInUse?.includes(name) && volumesAttached?.some((v) => v.name === name);
  };
  if (!isReady()) await node.report(signal);
  while (!isReady()) {
    signal.throwIfAborted();
    if (clock.ticks() >= end) throw await late(volume);
    await clock.wait(LOOK_MS, signal);
  }
  return await during(step, setup.name, () => attachment(volume));
}

/** Why it is not attached in time: the node may have no room for it, which its driver is asked about then. */
async function late(volume: CsiVolume): Promise<Error> {
  const { setup: { host, outer, signal }, object, id } = volume;
  const fault = notReady(outer, "unattached", "context deadline exceeded");
  if (!object?.spec.nodeAllocatableUpdatePeriodSeconds) return fault;
  const found = await attachmentOf(volume).catch(() => undefined);
  if (found?.status?.attachError?.errorCode !== RESOURCE_EXHAUSTED) return fault;
  await host.csi.drivers.update(id.driver, signal).catch(() => {});
  return new PodRefused(
    "VolumeAttachmentLimitExceeded",
    fault.message.replace(
      "Unable to attach or mount volumes:",
      "Node has reached its volume attachment limit, rejecting pod.",
    ),
  );
}

async function attachmentOf({ setup: { host }, id }: CsiVolume): Promise<VolumeAttachment> {
  const path = host.product.local("/apis/storage.k8s.io/v1/volumeattachments/");
  return await host.api!.request<VolumeAttachment>("GET", path + attachmentName(id, host.node.name));
}

async function attachment(volume: CsiVolume): Promise<Strings> {
  const { setup: { host }, id } = volume, name = attachmentName(id, host.node.name), { handle } = id;
  const found = await attachmentOf(volume).catch((e: Error) => {
    throw new Error(`volume ${handle} has GET error for volume attachment ${name}: ${e.message}`, { cause: e });
  });
  if (found.metadata?.deletionTimestamp) throw new Error("volume attachment is being deleted");
  if (found.status?.attached) return found.status.attachmentMetadata ?? {};
  const fault = found.status?.attachError;
  throw new Error(fault ? fault.message ?? "" : `volume ${handle} is not attached for volume attachment ${name}`);
}
