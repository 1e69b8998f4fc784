/** Reads what the runtime has of pods. */
import { RuntimeError } from "../runtime/types.ts";
import type {
  PodSandbox,
  PodSandboxStatus,
  Runtime,
  RuntimeContainer,
  RuntimeContainerStatus,
} from "../runtime/types.ts";
import { lastWords } from "./last_words.ts";
import { ANNOTATION, LABEL, restoredResources } from "./names.ts";
import type { ContainerTry, PodState } from "./state.ts";

/** All that the runtime has of a pod. @throws RuntimeError */
export async function readPod(runtime: Runtime, uid: string): Promise<PodState> {
  const labels = { [LABEL.uid]: uid };
  // Containers first: a sandbox that is made meanwhile is seen without them, never the other way round.
  const listed = await runtime.listContainers(labels);
  const boxes = [...await runtime.listPodSandboxes(labels)].sort(newerSandbox);
  const sandboxes = (await Promise.all(boxes.map((s) => unlessGone(runtime.podSandboxStatus(s.id))))).filter(isThere);
  const tries = (await Promise.all([...listed].sort(newerContainer).map((c) => readTry(runtime, c)))).filter(isThere);
  return { sandboxes, tries, ips: ipsOf(sandboxes[0]) };
}

/** By number of the try, then by time: newest first. */
export function newerSandbox(a: PodSandbox, b: PodSandbox): number {
  return b.metadata.attempt - a.metadata.attempt || newerContainer(a, b);
}

/** Newest first. */
export function newerContainer(a: Pick<RuntimeContainer, "createdAt" | "id">, b: typeof a): number {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** Addresses of a sandbox that is ready. */
export function ipsOf(sandbox: PodSandboxStatus | undefined): string[] {
  if (sandbox?.state !== "READY" || !sandbox.network) return [];
  const { ip, additionalIps } = sandbox.network;
  return [ip, ...additionalIps.map((a) => a.ip)].filter((text) => text !== "");
}

async function readTry(runtime: Runtime, listed: RuntimeContainer): Promise<ContainerTry | undefined> {
  const status = await unlessGone(runtime.containerStatus(listed.id));
  return status && tryOf(listed.podSandboxId, status, status.state === "EXITED" ? await lastWords(status) : "");
}

function tryOf(sandbox: string, status: RuntimeContainerStatus, message: string): ContainerTry {
  const { annotations } = status;
  const images = status.mounts.flatMap(({ containerPath, image }) =>
    image ? [[containerPath, image.image] as const] : []
  );
  return {
    id: status.id,
    name: status.labels[LABEL.container] ?? status.metadata.name,
    sandbox,
    state: status.state,
    hash: annotations[ANNOTATION.hash] ?? "",
    restartCount: Number(annotations[ANNOTATION.restartCount] ?? status.metadata.attempt) || 0,
    createdAt: status.createdAt,
    startedAt: status.startedAt,
    finishedAt: status.finishedAt,
    exitCode: status.exitCode,
    reason: status.reason,
    message,
    image: status.image?.image ?? "",
    imageRef: status.imageRef,
    ...(status.user ? { user: status.user } : {}),
    ...(images.length > 0 ? { images: new Map(images) } : {}),
    ...(status.stopSignal ? { stopSignal: status.stopSignal } : {}),
    ...restoredResources(annotations),
    annotations,
  };
}

/** What may be taken away between a list and a look is no fault. */
async function unlessGone<T>(looked: Promise<T>): Promise<T | undefined> {
  try {
    return await looked;
  } catch (fault) {
    if (isGone(fault)) return undefined;
    throw fault;
  }
}

/** Whether the runtime says that a thing is not there. */
export function isGone(fault: unknown): boolean {
  return fault instanceof RuntimeError && fault.code === "NotFound";
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}
