/** Figures of pods: how many there are, how long their rounds take, and what is started and ends. */
import type { Registry } from "prom-client";
import type { ContainerStatus, Pod, PodStatus } from "../../schema/api/core_v1.ts";
import { growingBounds, Metrics, SECONDS } from "../metrics.ts";
import { RuntimeError } from "../runtime/types.ts";
import type { AnyContainer } from "../types.ts";
import { StartTimes } from "./start_times.ts";

/** A pod that is led by somebody, or by nobody. */
export interface Led {
  /** As of a worker. */
  readonly stage: string;
  readonly isStatic: boolean;
  /** No source has it any more. */
  readonly isRemoved: boolean;
  readonly isActive: boolean;
  readonly isRefused: boolean;
}

/** All pods, as they are counted. */
export interface Tally {
  /** Of the sources. */
  readonly wanted: readonly Pod[];
  readonly led: readonly Led[];
  /** That run although nobody knew of them. */
  readonly orphans: number;
  isStatic(pod: Pod): boolean;
}

/** A list of a pod's containers, as metrics name it. */
export type ContainerType = "container" | "init_container" | "ephemeral_container";

/** Stages by their public names. */
const LIFECYCLES = { syncing: "sync", terminating: "terminating", terminated: "terminated" } as const;
/** Why the node does not take pods, as far as that is told by name: others have names of users. */
const REJECTIONS: ReadonlySet<string> = new Set([
  ...["AppArmor", "Evicted", "InitContainerRestartPolicyForbidden", "InvalidNodeInfo", "NodeShutdown"],
  ...["OutOfcpu", "OutOfephemeral-storage", "OutOfmemory", "OutOfpods", "PodFeatureUnsupported"],
  ...["PodLevelResourcesNotSupported", "PodOSNotSupported", "PodOSSelectorNodeLabelDoesNotMatch"],
  ...["SupplementalGroupsPolicyNotSupported", "SysctlForbidden", "TopologyAffinityError", "UnexpectedAdmissionError"],
  ...["UnexpectedPredicateFailureType", "UnknownReason", "VolumeAttachmentLimitExceeded"],
]);
const UNSTATIC = "", STATIC = "true";
const staticLabel = (is: boolean): string => is ? STATIC : UNSTATIC;

/** See the top of the file. */
export class PodMetrics {
  readonly startTimes: StartTimes;
  readonly relistDuration;
  readonly relistInterval;
  readonly lastRelist;
  readonly containersPerPod;
  readonly orphaned;
  readonly #rounds;
  readonly #sandboxes;
  readonly #sandboxFaults;
  readonly #pods;
  readonly #podFaults;
  readonly #userPods;
  readonly #userPodFaults;
  readonly #started;
  readonly #notStarted;
  readonly #terminated;
  readonly #rejections;

  constructor(registry: Registry, now: () => number, tally: () => Tally) {
    const m = new Metrics(registry);
    this.startTimes = new StartTimes(m, now);
    this.#rounds = m.histogram(
      "kubelet_pod_worker_duration_seconds",
      "How long a round of a pod takes, by what it was for, s",
      SECONDS,
      "operation_type",
    );
    const relists = (name: string, help: string) => m.histogram(`kubelet_pleg_relist_${name}_seconds`, help, SECONDS);
    this.relistDuration = relists("duration", "How long it takes to list what runs, s.");
    this.relistInterval = relists("interval", "How far apart such lists are, s.");
    this.lastRelist = m.gauge(
      "kubelet_pleg_last_seen_seconds",
      "When what runs was last listed, s since 1970.",
    );
    this.containersPerPod = m.histogram(
      "kubelet_containers_per_pod_count",
      "How many containers pods have.",
      growingBounds(1, 2, 5),
    );
    this.orphaned = m.counter(
      "kubelet_orphaned_runtime_pods_total",
      "Pods that ran although nobody led them: as after a restart of the agent, when one was taken from its source meanwhile.",
    );
    this.#sandboxes = m.histogram(
      "kubelet_run_podsandbox_duration_seconds",
      "How long sandboxes take to be made, by their handler, s.",
      SECONDS,
      "runtime_handler",
    );
    this.#sandboxFaults = m.counter(
      "kubelet_run_podsandbox_errors_total",
      "Sandboxes that could not be made, by their handler.",
      "runtime_handler",
    );
    const started = (of: string, what: string) => m.counter(`kubelet_started_${of}_total`, what);
    this.#pods = started("pods", "Pods that were started");
    this.#podFaults = started("pods_errors", "Pods that could not be started");
    this.#userPods = started(
      "user_namespaced_pods",
      "Pods with users of their own that were started",
    );
    this.#userPodFaults = started(
      "user_namespaced_pods_errors",
      "Pods with users of their own that could not be started",
    );
    this.#started = m.counter(
      "kubelet_started_containers_total",
      "Containers that were started",
      "container_type",
    );
    this.#notStarted = m.counter(
      "kubelet_started_containers_errors_total",
      "Containers that could not be started",
      "code",
      "container_type",
    );
    this.#terminated = m.counter(
      "kubelet_terminated_containers_total",
      "Containers that have ended.",
      "container_type",
      "exit_code",
      "reason",
    );
    this.#rejections = m.counter(
      "kubelet_admission_rejections_total",
      "Pods that the node did not take, by the reason.",
      "reason",
    );
    addTally(m, tally);
  }

  /** The node does not take a pod. */
  rejected(reason: string): void {
    const extended = reason.startsWith("OutOf") ? "OutOfExtendedResources" : "Other";
    this.#rejections.inc({ reason: REJECTIONS.has(reason) ? reason : extended });
  }

  /** A round begins; what is returned is called at its end. */
  readonly round = (operation_type: string): () => void => this.#rounds.startTimer({ operation_type });

  /** Makes a sandbox. */
  async sandbox<T>(handler: string, make: () => Promise<T>): Promise<T> {
    const end = this.#sandboxes.startTimer({ runtime_handler: handler });
    try {
      return await make();
    } catch (e) {
      if (e instanceof RuntimeError) this.#sandboxFaults.inc({ runtime_handler: handler });
      throw e;
    } finally {
      end();
    }
  }

  /** A pod gets a sandbox. */
  starting({ spec }: Pod): void {
    this.#pods.inc();
    if (spec?.hostUsers === false) this.#userPods.inc();
  }

  /** It could not get one. */
  failed({ spec }: Pod): void {
    this.#podFaults.inc();
    if (spec?.hostUsers === false) this.#userPodFaults.inc();
  }

  /** A container is started. */
  startingContainer(container_type: ContainerType): void {
    this.#started.inc({ container_type });
  }

  /** It is not. */
  containerFailed(container_type: ContainerType, code: string): void {
    this.#notStarted.inc({ code, container_type });
  }

  /** A pod's status follows another: containers that have ended in between are counted. */
  changed(before: PodStatus, now: PodStatus): void {
    const lists = [
      ["init_container", before.initContainerStatuses, now.initContainerStatuses],
      ["container", before.containerStatuses, now.containerStatuses],
      ["ephemeral_container", before.ephemeralContainerStatuses, now.ephemeralContainerStatuses],
    ] as const;
    for (const [container_type, old, all] of lists) {
      for (const { exitCode, reason = "" } of endedSince(old ?? [], all ?? [])) {
        this.#terminated.inc({ container_type, exit_code: String(exitCode), reason });
      }
    }
  }
}

/** Which list of the pod's a container is in. */
export function containerType({ spec }: Pod, { name }: AnyContainer): ContainerType {
  if (spec?.initContainers?.some((c) => c.name === name)) return "init_container";
  return spec?.containers?.some((c) => c.name === name) ? "container" : "ephemeral_container";
}

const endedSince = (before: readonly ContainerStatus[], now: readonly ContainerStatus[]) =>
  now.flatMap(({ name, state }) =>
    state?.terminated && !before.some((b) => b.name === name && b.state?.terminated) ? [state.terminated] : []
  );

function addTally(m: Metrics, tally: () => Tally): void {
  const byStatic = (count: (isStatic: boolean, all: Tally) => number) => () => {
    const all = tally();
    return [false, true].map((is) => ({ labels: { static: staticLabel(is) }, value: count(is, all) }));
  };
  const one = (name: string, help: string, count: (all: Tally) => number) =>
    m.derived(name, help, "gauge", () => [{ labels: {}, value: count(tally()) }]);
  const note = 'Those with static="true" are not from the API server.';
  m.derived(
    "kubelet_desired_pods",
    `Pods that the sources want to run. ${note}`,
    "gauge",
    byStatic((is, { wanted, isStatic }) => wanted.filter((pod) => isStatic(pod) === is).length),
  );
  m.derived(
    "kubelet_active_pods",
    `Pods that count when others ask for room. ${note}`,
    "gauge",
    byStatic((is, { led }) => led.filter((pod) => pod.isActive && pod.isStatic === is).length),
  );
  one(
    "kubelet_mirror_pods",
    "Pods in the API that stand for static ones",
    ({ led }) => led.filter((pod) => pod.isStatic && !pod.isRemoved && !pod.isRefused).length,
  );
  one(
    "kubelet_managed_ephemeral_containers",
    "Ephemeral containers of the node's pods.",
    ({ wanted }) => wanted.reduce((sum, { spec }) => sum + (spec?.ephemeralContainers?.length ?? 0), 0),
  );
  m.derived(
    "kubelet_working_pods",
    `Pods that are led, by their stage and by who wants them: a source (desired), none any more (orphan), or nobody that is known (runtime_only). ${note}`,
    "gauge",
    () => working(tally()),
  );
}

function working({ led, orphans }: Tally) {
  const known = Object.entries(LIFECYCLES).flatMap(([stage, lifecycle]) =>
    [["desired", false], ["orphan", true]].flatMap(([config, removed]) =>
      [false, true].map((is) => ({
        labels: { config: String(config), lifecycle, static: staticLabel(is) },
        value: led.filter((p) => p.stage === stage && p.isRemoved === removed && p.isStatic === is).length,
      }))
    )
  );
  const unknown = Object.values(LIFECYCLES).map((lifecycle) => ({
    labels: { config: "runtime_only", lifecycle, static: "unknown" },
    value: lifecycle === "terminating" ? orphans : 0,
  }));
  return [...known, ...unknown];
}
