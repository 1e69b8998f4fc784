/** Ends containers: the hook before the end first, then the signal, and after the pod's time the one that none survives. */
import type { Container, Pod } from "../../schema/api/core_v1.ts";
import { withEach } from "../each.ts";
import type { AnyContainer } from "../types.ts";
import type { KillReason } from "./decision.ts";
import type { PodMemory } from "./memory.ts";
import { restoredContainer } from "./names.ts";
import type { PodParts } from "./parts.ts";
import { isGone } from "./read.ts";
import { containerNamed, containersOf, fieldPathOf, initContainersOf, isSidecar } from "./spec.ts";
import { targetOf } from "./target.ts";
import { inTime, within } from "./within.ts";

/** The least that a container is given, s. */
const LEAST = 2;
/** So long a hook that has not ended in its time is heard of: its container is ended meanwhile, s. */
const AFTERWARDS = 30;

/** How a container is ended. */
export interface KillHow {
  readonly reason: KillReason;
  /** In the words of its event; undefined: it stops. */
  readonly message?: string;
  /** s; undefined: by the pod. */
  readonly grace?: number | undefined;
  readonly order?: EndOrder;
}

/** Ends one container and waits for it. @throws RuntimeError, AbortError */
export async function killContainer(
  parts: PodParts,
  memory: PodMemory,
  id: string,
  container: AnyContainer,
  how: KillHow,
  signal: AbortSignal,
): Promise<void> {
  const { pod } = memory;
  const { clock, events, runtime } = parts;
  let grace = how.grace ?? graceOf(pod, container, how.reason);
  events.pod(
    pod,
    "Normal",
    "Killing",
    how.message ?? `Stopping container ${container.name}`,
    fieldPathOf(pod, container),
  );
  const begun = clock.ticks();
  const left = () => grace - Math.floor((clock.ticks() - begun) / 1000);
  if (grace > 0) await runPreStop(parts, memory, id, container, grace, signal);
  if (how.order) await inTime(clock, left() * 1000, signal, () => how.order!.turn(container.name));
  grace = Math.max(left(), LEAST);
  signal.throwIfAborted();
  try {
    await within(runtime.stopContainer(id, grace), signal);
  } catch (fault) {
    if (!isGone(fault)) throw fault;
  }
  how.order?.ended(container.name);
}

/** s: of the deletion, of the probe that failed, of the pod. */
function graceOf(pod: Pod, container: AnyContainer, reason: KillReason): number {
  const deletion = pod.metadata?.deletionGracePeriodSeconds, whole = pod.spec?.terminationGracePeriodSeconds;
  if (deletion !== undefined) return deletion;
  if (whole === undefined) return LEAST;
  const probe = { StartupProbe: container.startupProbe, LivenessProbe: container.livenessProbe }[reason as string];
  return Number(probe?.terminationGracePeriodSeconds ?? whole);
}

/** Once for each container, within its time; again where the end was begun anew, in less time, before it was over. */
async function runPreStop(
  parts: PodParts,
  memory: PodMemory,
  id: string,
  container: AnyContainer,
  seconds: number,
  signal: AbortSignal,
): Promise<void> {
  const hook = container.lifecycle?.preStop;
  if (!hook || memory.hooked.has(id)) return;
  memory.hooked.add(id);
  const { pod } = memory;
  const target = targetOf(memory, container, id, parts.hostIPs());
  const work = (s: AbortSignal) => parts.handlers.run(target, hook, s);
  const run = inTime(parts.clock, (seconds + AFTERWARDS) * 1000, signal, work).then((result) => {
    if (signal.aborted) memory.hooked.delete(id);
    // What it said may hold secrets.
    if (result?.ok !== false) return;
    parts.events.pod(pod, "Warning", "FailedPreStopHook", "PreStopHook failed", fieldPathOf(pod, container));
  });
  await inTime(parts.clock, seconds * 1000, signal, () => run);
}

/** Ends all containers of a pod, sidecars after the others, and then its sandboxes. @throws RuntimeError, AbortError */
export async function killPod(
  parts: PodParts,
  memory: PodMemory,
  grace: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { state } = memory;
  const running = state.tries.filter((t) => t.state === "RUNNING");
  const order = new EndOrder(memory.pod, new Set(running.map((t) => t.name)));
  const ends = running.map((t) => {
    const container = containerNamed(memory.pod, t.name) ?? restoredContainer(t.name, t.annotations);
    return killContainer(parts, memory, t.id, container, { reason: "Unknown", grace, order }, signal);
  });
  const faults = (await Promise.allSettled(ends)).filter((end) => end.status === "rejected");
  if (faults.length > 0) throw faults[0]!.reason;
  await withEach(state.sandboxes, async ({ id }) => {
    try {
      await within(parts.runtime.stopPodSandbox(id), signal);
    } catch (fault) {
      if (!isGone(fault)) throw fault;
    }
  });
}

/** Whose turn it is to end: sidecars after all regular containers, the last of them first. */
class EndOrder {
  readonly #ended = new Map<string, { promise: Promise<void>; resolve: () => void }>();
  readonly #before = new Map<string, Promise<void>[]>();

  /** @param running names of containers that run; others are not waited for */
  constructor(pod: Pod, running: ReadonlySet<string>) {
    const promiseOf = ({ name }: Container): Promise<void> => {
      const end = Promise.withResolvers<void>();
      this.#ended.set(name, end);
      if (!running.has(name)) end.resolve();
      return end.promise;
    };
    const before = containersOf(pod).map(promiseOf);
    for (const sidecar of initContainersOf(pod).filter(isSidecar).reverse()) {
      this.#before.set(sidecar.name, [...before]);
      before.push(promiseOf(sidecar));
    }
  }

  /** Waits until those before it have ended. */
  async turn(name: string): Promise<void> {
    await Promise.all(this.#before.get(name) ?? []);
  }

  ended(name: string): void {
    this.#ended.get(name)?.resolve();
  }
}
