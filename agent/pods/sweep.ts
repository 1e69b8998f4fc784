/** Takes away what pods that nobody wants any more have left, and ended tries of those that go on. */
import { join } from "node:path";
import { withEach } from "../each.ts";
import { directoriesIn } from "../files.ts";
import { cleanLogs } from "../logs/places.ts";
import type { PodSandbox, RuntimeContainer } from "../runtime/types.ts";
import type { PodRef } from "../types.ts";
import { collect } from "./collect.ts";
import { killPod } from "./kill.ts";
import { PodMemory } from "./memory.ts";
import type { PodOptions, PodParts } from "./parts.ts";
import { readPod } from "./read.ts";
import { removeContainer, removePod, removeSandbox } from "./take_away.ts";
import { Turns } from "./within.ts";

/** What a pod that nobody wants is given to end, s. */
const ORPHAN_GRACE = 1;
/** So many pods that are gone are given back at a time: each reads all mounts of the host, and runs commands. */
const AT_A_TIME = 32;

/** All that the runtime has of pods. */
export interface Listed {
  readonly sandboxes: readonly PodSandbox[];
  readonly containers: readonly RuntimeContainer[];
}

/** Ended containers and sandboxes of a list. Never throws. */
export async function sweepListed(
  { runtime, log }: PodParts,
  options: PodOptions,
  listed: Listed,
  isGone: (uid: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const { containers, sandboxes } = collect({
    ...listed,
    perContainer: options.maximumDeadContainersPerContainer,
    total: options.maximumDeadContainers,
    isGone,
  });
  const steps = [
    ...containers.map((id) => () => removeContainer(runtime, options, id)),
    ...sandboxes.map((id) => () => removeSandbox(runtime, id)),
  ];
  try {
    await withEach(steps, async (step) => {
      if (!signal.aborted) await step();
    });
  } catch (fault) {
    log("warn", "what has ended is not all taken away", fault);
  }
}

/** Directories on the host and control groups of pods that are gone. Never throws. Whether that is all. */
export async function sweepHost(
  parts: PodParts,
  options: PodOptions,
  isGone: (uid: string) => boolean,
): Promise<boolean> {
  await cleanLogs({
    ...options,
    runtime: parts.runtime,
    log: parts.log,
    allDelivered: parts.sourcesReady,
    gone: isGone,
  });
  let isAll = true;
  const attempt = async (what: () => Promise<void>) => {
    try {
      await what();
    } catch (fault) {
      isAll = false;
      parts.log("warn", "what pods that are gone had is not all taken away", fault);
    }
  };
  await attempt(() => parts.resources.removeOrphans(isGone));
  await attempt(async () => {
    const gone = (await directoriesIn(join(options.rootDir, "pods"))).filter(isGone), turns = new Turns(AT_A_TIME);
    const back = (uid: string) => attempt(() => giveBack(parts, { namespace: "", name: "", uid }));
    // One that cannot be given back, as a driver of its volumes is not there or does not answer, does not keep the others.
    await Promise.all(gone.map((uid) => turns.take(() => back(uid))));
  });
  return isAll;
}

async function giveBack(parts: PodParts, ref: PodRef): Promise<void> {
  await parts.volumes.unmount(ref);
  await parts.resources.release(ref);
  await parts.users.release(ref.uid);
}

/** Ends a pod that no source has, by what its containers say of it, and takes it away. Never throws. */
export async function endOrphan(
  parts: PodParts,
  options: PodOptions,
  { namespace, name, uid }: PodRef,
  signal: AbortSignal,
): Promise<void> {
  const ref = { namespace, name, uid };
  try {
    const memory = new PodMemory({ metadata: ref, spec: { containers: [] } });
    memory.see(await readPod(parts.runtime, uid));
    await killPod(parts, memory, ORPHAN_GRACE, signal);
    await giveBack(parts, ref);
    await removePod(parts.runtime, options, ref);
  } catch (fault) {
    if (!signal.aborted) parts.log("warn", `pod ${uid}, which no source has, is not ended`, fault);
  }
}
