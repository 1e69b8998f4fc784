/** Waiting until others have attached a volume to the node. */
import type { VolumeAttachment } from "../../../schema/api/storage.k8s.io_v1.ts";
import { during, notReady } from "../step.ts";
import { attachmentName } from "./places.ts";
import type { CsiVolume } from "./volume.ts";

/** How long it may take until it is told, and how often it is looked, ms. */
const TIME_MS = 123_000, LOOK_MS = 300;

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
  const name = csi.uses.nameOf(id), end = clock.now() + TIME_MS;
  // Others must know that the node wants it before it is used, or they might detach it.
  const isReady = () => {
    const { volumesInUse, volumesAttached } = node.status();
    return volumesInUse?.includes(name) && volumesAttached?.some((v) => v.name === name);
  };
  if (!isReady()) await node.report(signal);
  while (!isReady()) {
    signal.throwIfAborted();
    if (clock.now() >= end) throw notReady(setup.outer, "unattached", "context deadline exceeded");
    await clock.wait(LOOK_MS, signal);
  }
  return await during(step, setup.name, () => attachment(volume));
}

async function attachment({ setup: { host }, id }: CsiVolume): Promise<Strings> {
  const name = attachmentName(id, host.node.name), { handle } = id;
  const path = host.product.local("/apis/storage.k8s.io/v1/volumeattachments/") + name;
  const found = await host.api!.request<VolumeAttachment>("GET", path).catch((e: Error) => {
    throw new Error(`volume ${handle} has GET error for volume attachment ${name}: ${e.message}`, { cause: e });
  });
  if (found.metadata?.deletionTimestamp) throw new Error("volume attachment is being deleted");
  if (found.status?.attached) return found.status.attachmentMetadata ?? {};
  const fault = found.status?.attachError;
  throw new Error(fault ? fault.message ?? "" : `volume ${handle} is not attached for volume attachment ${name}`);
}
