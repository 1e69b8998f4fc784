/** A volume from elsewhere is given to the pod's group (`fsGroup`). */
import { giveToGroup } from "./ownership.ts";
import type { VolumeSetup } from "./plugin.ts";

/** When work that takes long is told of first, and how often then, ms. */
const FIRST_TOLD = 30_000, THEN_TOLD = 60_000;
const ADVICE =
  "consider using OnRootMismatch - https://kubernetes.io/docs/tasks/configure-pod-container/security-context/#configure-volume-permission-and-ownership-change-policy-for-pods";

/** Work on many files that takes longer than a while is told of. */
async function tellingOf(
  { host: { clock, events }, pod, dir, ref }: VolumeSetup,
  work: (progress: (files: number) => void) => Promise<void>,
): Promise<void> {
  const end = new AbortController(), what = `Setting volume ownership for ${dir.slice(dir.indexOf(ref.uid))}`;
  const tell = (how: string) => events.pod(pod, "Warning", "VolumePermissionChangeInProgress", `${what}${how}`);
  let done = 0;
  void (async () => {
    await clock.wait(FIRST_TOLD, end.signal);
    if (!end.signal.aborted) tell(` is taking longer than expected, ${ADVICE}`);
    while (!end.signal.aborted) {
      await clock.wait(THEN_TOLD, end.signal);
      if (!end.signal.aborted) tell(`, processed ${done} files.`);
    }
  })();
  try {
    await work((files) => void (done = files));
  } finally {
    end.abort();
  }
}

/** Gives it, as the pod's policy says. @throws Error: it cannot be walked */
export async function giveVolume(volume: VolumeSetup, group: number): Promise<void> {
  const { dir, pod } = volume, policy = pod.spec?.securityContext?.fsGroupChangePolicy;
  await tellingOf(volume, (progress) => giveToGroup(dir, { group, readOnly: false, policy, progress }));
}
