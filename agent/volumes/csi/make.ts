/** Making a volume of a driver for a pod. */
import { during } from "../step.ts";
import type { VolumeSetup } from "../plugin.ts";
import { attached } from "./attach.ts";
import { expand, grows, noteSize } from "./expand.ts";
import { found } from "./publish.ts";
import { stage } from "./stage.ts";
import { type CsiSource, type CsiVolume, csiVolume } from "./volume.ts";
import type { Way } from "./way.ts";

type Strings = Readonly<Record<string, string>>;

/** Makes it, or brings one that the pod has up to date; where it is. @throws Error in the words of events */
export async function makeVolume(source: CsiSource, setup: VolumeSetup, way: Way): Promise<string> {
  const { csi } = setup.host, root = await csi.root();
  const volume = csiVolume(source, setup, await csi.object(source.driver));
  const path = way.path(setup, root);
  if (!csi.published.has(path)) await make(volume, way, root, path);
  else await refresh(volume, way, root, path);
  return path;
}

/** A pod that has it does not lose it by what fails now. */
async function refresh(volume: CsiVolume, way: Way, root: string, path: string): Promise<void> {
  const { setup: { host, pod, signal, name }, object } = volume;
  const telling = (reason: string, work: Promise<void>) =>
    work.catch((e: Error) => {
      if (!signal.aborted) host.events.pod(pod, "Warning", reason, e.message);
    });
  if (object?.spec.requiresRepublish) {
    await telling("FailedMount", during(way.steps.publish, name, () => make(volume, way, root, path)));
  } else if (!volume.readOnly && grows(volume)) {
    const step = "NodeExpandVolume.NodeExpandVolume";
    await telling(
      "VolumeResizeFailed",
      during(step, name, () => alone(volume, () => enlarge(volume, way, root, path))),
    );
  }
}

async function make(volume: CsiVolume, way: Way, root: string, path: string): Promise<void> {
  const { setup, id, isEphemeral } = volume, { host: { csi }, signal, name } = setup;
  const context = isEphemeral ? {} : await reserve(volume, way);
  await alone(volume, async () => {
    const { driver, can, staged } = await during(way.steps.stage, name, async () => {
      const driver = found(csi, id.driver, way.steps.finder);
      checkMode(volume);
      const can = await driver.abilities(signal);
      if (isEphemeral) return { driver, can, staged: undefined };
      await way.prepare?.(volume, root);
      const capability = way.capability(volume, can, true);
      return {
        driver,
        can,
        staged: await stage(volume, { driver, can, capability, context, ...way.staging(volume, root) }),
      };
    });
    await way.publish(volume, { driver, can, path, staged, context });
    const step = "MountVolume.Setup failed while expanding volume";
    if (grows(volume)) await during(step, name, () => enlarge(volume, way, root, path));
    else noteSize(volume);
  });
}

/** Notes that a claim's volume is in use, and waits until it is attached. What its driver is told of that. */
async function reserve(volume: CsiVolume, way: Way): Promise<Strings> {
  const { object, id, setup: { host: { csi }, ref } } = volume;
  const attachable = object?.spec.attachRequired !== false;
  csi.uses.join(id, ref.uid, attachable);
  return attachable ? await attached(volume, way.steps.wait) : {};
}

/** Work on a volume that no other work on it goes beside. */
function alone<T>({ setup: { host: { csi } }, id }: CsiVolume, work: () => Promise<T>): Promise<T> {
  return csi.turns.take(csi.uses.nameOf(id), work);
}

async function enlarge(volume: CsiVolume, way: Way, root: string, path: string): Promise<void> {
  const { id, setup: { host: { csi }, signal } } = volume;
  const driver = found(csi, id.driver, "Expander.NodeExpand"), can = await driver.abilities(signal);
  const staged = can.has("STAGE_UNSTAGE_VOLUME") ? way.staging(volume, root).path : undefined;
  await expand(volume, { driver, can, path, staged, capability: way.capability(volume, can, false) });
}

/** @throws Error: its driver is not for such volumes */
function checkMode({ isEphemeral, object, id }: CsiVolume): void {
  const mode = isEphemeral ? "Ephemeral" : "Persistent", modes = object?.spec.volumeLifecycleModes ?? [];
  // Of drivers that nobody tells of, volumes of claims may be used.
  if (object ? modes.includes(mode) : !isEphemeral) return;
  const why = object ? `only supports [${modes.map((m) => JSON.stringify(m)).join(" ")}]` : "no CSIDriver object";
  throw new Error(
    `kubernetes.io/csi: mounter.SetupAt failed to check volume lifecycle mode: volume mode "${mode}" not supported by driver ${id.driver} (${why})`,
  );
}
