/** How long pods take to start, as it is seen here and as whoever made them sees it. */
import type { Pod, PodStatus } from "../../schema/api/core_v1.ts";
import { type Metrics, SECONDS } from "../metrics.ts";
import { refOf } from "./names.ts";

/** Bounds, s. */
const STARTS = [
  ...[0.5, 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 45, 60, 120, 180, 240, 300, 360, 480, 600],
  ...[900, 1200, 1800, 2700, 3600],
];

interface Start {
  /** When a source had it first, ms. */
  readonly seenAt: number;
  /** It had never been started then: the whole of its start is seen. */
  readonly whole: boolean;
  /** What its images took, ms. */
  pulling: number;
  /** Its containers were told to run. */
  told: boolean;
}

/** See the top of the file. Times in ms since 1970. */
export class StartTimes {
  /** By uid; one that has started is left out. */
  readonly #starts = new Map<string, Start>();
  readonly #known = new Set<string>();
  readonly #workers;
  readonly #running;
  readonly #total;
  readonly #sli;
  readonly #first;
  #hasFirst = false;

  constructor(m: Metrics, readonly now: () => number) {
    const since = "from its creation until the API server shows that all of its containers run, s";
    this.#workers = m.histogram(
      "kubelet_pod_worker_start_duration_seconds",
      "How long after it was seen somebody begins to lead a pod, s.",
      SECONDS,
    );
    this.#running = m.histogram(
      "kubelet_pod_start_duration_seconds",
      "How long after it was first seen a pod runs, s",
      STARTS,
    );
    this.#total = m.histogram(
      "kubelet_pod_start_total_duration_seconds",
      `How long pods take to start, their images and init containers among it, ${since}`,
      STARTS,
    );
    this.#sli = m.histogram(
      "kubelet_pod_start_sli_duration_seconds",
      `How long pods take to start, without their images and init containers, ${since}`,
      STARTS,
    );
    this.#first = m.gauge(
      "kubelet_first_network_pod_start_sli_duration_seconds",
      `How long the first pod with a network of its own took to start, without its image and init containers, ${since}`,
    );
  }

  /** All pods that the sources have now. */
  seen(pods: readonly Pod[]): void {
    const now = this.now(), uids = new Set<string>();
    for (const pod of pods) {
      const { uid } = refOf(pod);
      uids.add(uid);
      if (!this.#known.has(uid)) {
        const { startTime, conditions = [] } = pod.status ?? {};
        // One that had to wait for a node is not measured by its age.
        const waited = conditions.some((c) => c.type === "PodScheduled" && c.status === "False");
        this.#starts.set(uid, { seenAt: now, whole: !startTime && !waited, pulling: 0, told: false });
      } else if (this.#starts.get(uid)?.told) this.#started(uid, pod, now);
    }
    for (const uid of this.#known) if (!uids.has(uid)) this.#starts.delete(uid);
    this.#known.clear();
    for (const uid of uids) this.#known.add(uid);
  }

  /** Somebody begins to lead it. */
  led(uid: string): void {
    const start = this.#starts.get(uid);
    if (start) this.#workers.observe((this.now() - start.seenAt) / 1000);
  }

  /** Its status follows another. */
  told(uid: string, before: PodStatus, status: PodStatus): void {
    const start = this.#starts.get(uid);
    if (!start) return;
    const begins = before.phase === undefined || before.phase === "Pending";
    if (begins && status.phase === "Running") this.#running.observe((this.now() - start.seenAt) / 1000);
    if (allRun(status)) start.told = true;
  }

  /** Has one of its images got. */
  async pulling<T>(uid: string, pull: () => Promise<T>): Promise<T> {
    const from = this.now();
    try {
      return await pull();
    } finally {
      const start = this.#starts.get(uid);
      if (start) start.pulling += this.now() - from;
    }
  }

  /** Whoever made it sees it run. */
  #started(uid: string, { metadata, spec, status = {} }: Pod, now: number): void {
    if (!allRun(status)) return;
    const { whole, pulling } = this.#starts.get(uid)!;
    this.#starts.delete(uid);
    if (!whole || !metadata?.creationTimestamp) return;
    const total = now - Date.parse(metadata.creationTimestamp);
    this.#total.observe(total / 1000);
    if (spec?.volumes?.some((volume) => !Object.keys(volume).some((kind) => EPHEMERAL.has(kind)))) return;
    const sli = (total - pulling - initTime(status)) / 1000;
    this.#sli.observe(sli);
    if (spec?.hostNetwork || this.#hasFirst) return;
    this.#hasFirst = true;
    this.#first.set(sli);
  }
}

/** Kinds of volumes that pods without a state of their own have. */
const EPHEMERAL: ReadonlySet<string> = new Set(["secret", "configMap", "downwardAPI", "emptyDir", "projected"]);

const allRun = ({ containerStatuses = [] }: PodStatus): boolean =>
  containerStatuses.length > 0 && containerStatuses.every(({ state }) => state?.running?.startedAt);

/** How long init containers ran, ms. */
const initTime = ({ initContainerStatuses = [] }: PodStatus): number =>
  initContainerStatuses.reduce((sum, { state }) => {
    const { startedAt, finishedAt } = state?.terminated ?? {};
    return startedAt && finishedAt ? sum + Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)) : sum;
  }, 0);
