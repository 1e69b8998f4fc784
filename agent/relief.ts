/** Evictions, put together from what the node observes and what can be ended or removed. */
import type { Pod, PodCondition } from "../schema/api/core_v1.ts";
import { nowTime } from "../schema/values/time.ts";
import type { Base } from "./base.ts";
import { PREEMPTED } from "./admission/mod.ts";
import type { Content } from "./content.ts";
import { inTime } from "./eviction/in_time.ts";
import { evictionCounter } from "./eviction/metrics.ts";
import { Evictions } from "./eviction/mod.ts";
import { hasImageFs, observe, type ObserveParts } from "./eviction/observe.ts";
import type { Uses } from "./eviction/usage.ts";
import { Rates } from "./http/stats/rates.ts";
import { summaryOf, type SummarySources } from "./http/stats/summary.ts";
import type { Summary } from "./http/stats/types.ts";
import type { AgentImages } from "./images/mod.ts";
import { type PodManager, refOf } from "./pods/mod.ts";
import { observed } from "./pods/spec.ts";
import { amount } from "./resources/amounts.ts";
import type { PodResources } from "./resources/mod.ts";
import type { Events } from "./types.ts";

/** What it works with. */
export interface ReliefParts {
  readonly events: Events;
  readonly pods: PodManager;
  readonly resources: PodResources;
  readonly images: AgentImages;
  readonly content: Content;
}

/** @throws ValueError for thresholds that are none */
export function openRelief(base: Base, parts: ReliefParts): Evictions {
  const { events, pods, resources, images } = parts;
  const { options, clock, log, gate, machine, hierarchy, roots, runtime } = base;
  const seen: ObserveParts = {
    clock,
    gate,
    machine,
    hierarchy,
    pods: options.cgroupsPerQos ? resources.root : undefined,
    allocatableMemory: Number(amount(resources.allocatable, "memory").value()),
    proc: roots.proc,
    rootDir: options.rootDir,
    imageDir: async () => (await runtime.imageFilesystems())[0]?.fsId?.mountpoint,
  };
  const figures = figuresOf(base, parts);
  return new Evictions(options, {
    product: options.product,
    gate,
    clock,
    events,
    log,
    observe: () => observe(seen),
    imageFs: () => hasImageFs(seen),
    uses: async () => usesOf(await summaryOf(figures, clock.now())),
    pods: () => pods.allotted().filter(runs),
    removeContainers: () => pods.removeEnded(),
    removeImages: () => images.collector.deleteUnused(),
    evict: (pod, { reason, message, grace, disruption }) =>
      pods.evict(
        refOf(pod).uid,
        reason,
        message,
        grace,
        disruption && [disrupted(pod, disruption, message, clock.now())],
      ),
    counted: evictionCounter(base.metrics),
    isGone: (pod) => !pods.pods().some((one) => refOf(one).uid === refOf(pod).uid && runs(one)),
  });
}

function figuresOf(base: Base, { pods, resources, content }: ReliefParts): SummarySources {
  const { runtime, nodeName, options: { rootDir, podLogsDir } } = base;
  return {
    runtime,
    pods,
    nodeName,
    rootDir,
    podLogsDir,
    rates: new Rates(),
    volumeStats: (pod) => content.volumes.stats(pod),
    tasks: (pod) => resources.tasks(pod),
  };
}

/** Ends pods for one that the node cannot do without. Over when they have ended, or not in time. Never rejects. */
export async function preempt(
  { clock, log }: Base,
  { events, pods }: Pick<ReliefParts, "events" | "pods">,
  victims: readonly Pod[],
): Promise<void> {
  const { reason, message, condition } = PREEMPTED;
  await Promise.all(victims.map(async (pod) => {
    const { uid } = refOf(pod), grace = Number(pod.spec?.terminationGracePeriodSeconds ?? 0);
    events.pod(pod, "Warning", reason, message);
    const disruption = disrupted(pod, "TerminationByKubelet", condition, clock.now());
    const end = pods.evict(uid, reason, message, undefined, [disruption]);
    await inTime({ clock, events }, pod, grace, end).catch((e) => log("error", "a preempted pod has not ended", e));
  }));
}

/** Nothing of a pod that has failed or succeeded runs. */
export const runs = ({ status }: Pod): boolean => status?.phase !== "Failed" && status?.phase !== "Succeeded";

/** The condition of a pod that is ended for the node's sake. */
export const disrupted = (pod: Pod, reason: string, message: string, now: number): PodCondition => ({
  type: "DisruptionTarget",
  ...observed(pod),
  status: "True",
  reason,
  message,
  lastTransitionTime: nowTime(now),
});

/** Figures of pods, by uid. */
function usesOf(summary: Summary): Uses {
  return new Map(summary.pods.map((pod) => [pod.podRef.uid, numbersIn(pod) as NonNullable<ReturnType<Uses["get"]>>]));
}

/** The same with numbers in place of big ones, exact to 2^53. */
function numbersIn(tree: unknown): unknown {
  if (typeof tree === "bigint") return Number(tree);
  if (Array.isArray(tree)) return tree.map(numbersIn);
  if (tree === null || typeof tree !== "object") return tree;
  return Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, numbersIn(value)]));
}
