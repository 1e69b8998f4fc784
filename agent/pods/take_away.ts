/** Takes away what the runtime and the host still have of containers and pods. */
import { rm } from "node:fs/promises";
import { withEach } from "../each.ts";
import { logLink, removeLogs } from "../logs/places.ts";
import type { Runtime } from "../runtime/types.ts";
import type { PodRef } from "../types.ts";
import { LABEL, ownerOf, podLogDirectory } from "./names.ts";
import type { PodOptions } from "./parts.ts";
import { isGone } from "./read.ts";

/** Where logs lie. */
export type LogPlaces = Pick<PodOptions, "podLogsDir" | "containerLogsDir">;

/** A container that has ended, with its log. Done twice it does nothing. @throws RuntimeError */
export async function removeContainer(
  runtime: Runtime,
  places: LogPlaces,
  id: string,
  { keepLog = false }: { readonly keepLog?: boolean } = {},
): Promise<void> {
  try {
    if (!keepLog) await removeLogsOf(runtime, places, id);
    await runtime.removeContainer(id);
  } catch (fault) {
    if (!isGone(fault)) throw fault;
  }
}

async function removeLogsOf(runtime: Runtime, { containerLogsDir }: LogPlaces, id: string): Promise<void> {
  const { labels, logPath } = await runtime.containerStatus(id);
  await removeLogs(logPath);
  const owner = ownerOf(labels);
  if (!owner || !containerLogsDir) return;
  await rm(logLink(containerLogsDir, owner, labels[LABEL.container] ?? "", id), { force: true });
}

/** A sandbox, stopped first if need be. @throws RuntimeError */
export async function removeSandbox(runtime: Runtime, id: string): Promise<void> {
  try {
    await runtime.stopPodSandbox(id);
    await runtime.removePodSandbox(id);
  } catch (fault) {
    if (!isGone(fault)) throw fault;
  }
}

/** All that the runtime has of a pod that has ended, and its logs, as far as that can be. @throws what went wrong first */
export async function removePod(runtime: Runtime, places: LogPlaces, ref: PodRef): Promise<void> {
  const labels = { [LABEL.uid]: ref.uid };
  await withEach([
    async () => await withEach(await runtime.listContainers(labels), ({ id }) => removeContainer(runtime, places, id)),
    async () => await withEach(await runtime.listPodSandboxes(labels), ({ id }) => removeSandbox(runtime, id)),
    () => rm(podLogDirectory(places.podLogsDir, ref), { recursive: true, force: true }),
  ], (step) => step());
}
