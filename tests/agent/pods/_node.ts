/** A node without an API: its own containerd, the pods' manager, and simple rooms around it. */
import { join } from "node:path";
import { Registry } from "prom-client";
import type { Pod, PodStatus } from "../../../schema/api/core_v1.ts";
import { PodManager, type PodOptions, type PodParts } from "../../../agent/pods/mod.ts";
import { NO_FEATURES, type Runtime } from "../../../agent/runtime/types.ts";
import { ImageFault, type ProbeState, type Refusal } from "../../../agent/types.ts";
import { NodeVolumes } from "../../../agent/volumes/mod.ts";
import type { Containerd } from "../../fixture/containerd.ts";
import { partsOf } from "../volumes/_fixture.ts";
import { NO_CLAIMS, NO_DEVICES, READY } from "./_fixture.ts";

export const clock = {
  now: () => Date.now(),
  ticks: () => Date.now(),
  wait: (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done, { once: true });
    }),
};

/** A node whose agent can be ended and started again over the same runtime and directories. */
export class Node {
  readonly directory: string;
  readonly runtime: Runtime;
  /** Of the last agent. */
  manager!: PodManager;
  readonly statuses = new Map<string, PodStatus>();
  readonly ended = new Set<string>();
  readonly events: string[] = [];
  /** Ids of containers that probes know to end. */
  readonly ending = new Set<string>();
  readonly released = new Set<string>();
  /** By uid, of pods that are not probed any more: what had been told when that began. */
  readonly forgotten = new Map<string, { status: PodStatus | undefined; events: readonly string[] }>();
  readonly probes = new Map<string, ProbeState>();
  readonly logged: string[] = [];
  /** Figures of the last agent. */
  metrics = new Registry();
  sourcesReady = true;
  /** What images wait for. */
  images: Promise<void> = Promise.resolve();
  refuse: (pod: Pod, others: readonly Pod[]) => Refusal | undefined = () => undefined;
  #pods: Pod[] = [];
  #stop: AbortController | undefined;
  #run: Promise<void> | undefined;

  constructor(containerd: Containerd) {
    this.directory = Deno.makeTempDirSync({ dir: containerd.directory, prefix: "node" });
    this.runtime = containerd.runtime();
  }

  start(options: Partial<PodOptions> = {}): void {
    this.metrics = new Registry();
    this.manager = new PodManager(this.#parts(), {
      syncFrequency: 60_000,
      rootDir: this.directory,
      podLogsDir: join(this.directory, "logs"),
      clusterDomain: "cluster.local",
      maximumDeadContainersPerContainer: 1,
      maximumDeadContainers: -1,
      ...options,
    });
    this.manager.set(this.#pods);
    this.#stop = new AbortController();
    this.#run = this.manager.run(this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop?.abort();
    await this.#run;
  }

  /** Adds pods, or puts them in the place of those of the same uid. */
  set(...pods: Pod[]): void {
    const uids = new Set(pods.map((p) => p.metadata!.uid));
    this.#pods = [...this.#pods.filter((p) => !uids.has(p.metadata!.uid)), ...pods];
    this.manager.set(this.#pods);
  }

  remove(uid: string): void {
    this.#pods = this.#pods.filter((p) => p.metadata!.uid !== uid);
    this.manager.set(this.#pods);
  }

  /** The last status that was told, once it is as wanted. @throws Error after three minutes */
  async status(uid: string, what: (status: PodStatus) => unknown): Promise<PodStatus> {
    await this.until(() => {
      const status = this.statuses.get(uid);
      return status && what(status);
    }, () => JSON.stringify(this.statuses.get(uid), undefined, 1));
    return this.statuses.get(uid)!;
  }

  async until(what: () => unknown, tell: () => string = () => ""): Promise<void> {
    for (let tries = 0; !await what(); tries++) {
      if (tries === 1800) {
        throw new Error(`it did not come about: ${tell()}\n${this.events.join("\n")}\n${this.logged.join("\n")}`);
      }
      await clock.wait(100);
    }
  }

  /** What a container of a pod wrote. */
  async log(ref: string, container: string, restart = 0): Promise<string> {
    const text = await Deno.readTextFile(join(this.directory, "logs", ref, container, `${restart}.log`));
    return text.split("\n").map((line) => line.split(" ").slice(3).join(" ")).join("\n");
  }

  volume(uid: string, name: string): string {
    return join(this.directory, "pods", uid, "volumes", "kubernetes.io~empty-dir", name);
  }

  #parts(): PodParts {
    const { runtime } = this;
    return {
      runtime,
      metrics: this.metrics,
      volumes: new NodeVolumes(
        { rootDir: this.directory, volumeStatsAggPeriod: 0, volumePluginDir: "", enableControllerAttachDetach: true },
        partsOf(undefined, clock),
      ),
      environments: {
        of: (_pod, container, facts) =>
          Promise.resolve([
            ...(container.env ?? []).map((e) => ({ key: e.name, value: e.value ?? "" })),
            { key: "POD_IP", value: facts.podIPs[0] ?? "" },
          ]),
      },
      devices: NO_DEVICES,
      claims: NO_CLAIMS,
      images: {
        ensure: async (_pod, container) => {
          await this.images;
          return (await runtime.imageStatus({ image: container.image! }))!.id;
        },
        ensureVolume: async (_pod, { reference = "" }) => {
          const found = await runtime.imageStatus({ image: reference });
          if (found) return found.id;
          throw new ImageFault("ErrImageNeverPull", `Container image "${reference}" is not present`);
        },
      },
      users: { of: () => Promise.reject(new Error("not asked for")), release: () => Promise.resolve() },
      resources: {
        pod: () => Promise.resolve(""),
        release: ({ uid }) => {
          this.released.add(uid);
          return Promise.resolve();
        },
        container: (_pod, container) => {
          const cpu = container.resources?.limits?.["cpu"];
          return cpu ? { cpuPeriod: 100_000, cpuQuota: Number(cpu.replace("m", "")) * 100 } : {};
        },
        sandbox: () => ({ resources: {}, overhead: {} }),
        memory: () => Promise.resolve(undefined),
        removeOrphans: () => Promise.resolve(),
      },
      probes: {
        watch: ({ id, ends }) => ends && this.ending.add(id),
        state: (id) => this.probes.get(id) ?? READY,
        forget: () => {},
        forgetPod: (uid) => {
          if (this.forgotten.has(uid)) return;
          this.forgotten.set(uid, { status: this.statuses.get(uid), events: [...this.events] });
        },
      },
      handlers: {
        run: async (target, handler) => {
          const { stdout, stderr, exitCode } = await runtime.execSync(target.id, handler.exec!.command!, 0);
          const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
          return { ok: exitCode === 0, output };
        },
      },
      status: {
        set: (pod, status) => this.statuses.set(pod.metadata!.uid!, status),
        ended: (pod) => this.ended.add(pod.metadata!.uid!),
      },
      events: {
        pod: (pod, type, reason, message, path) =>
          this.events.push([pod.metadata!.name, type, reason, message, ...(path ? [path] : [])].join(" | ")),
        node: () => {},
      },
      admit: (pod, others) => this.refuse(pod, others),
      take: (pod, others) => Promise.resolve(this.refuse(pod, others)),
      dns: () => ({ servers: ["192.0.2.53"], searches: ["default.svc.cluster.local"], options: [] }),
      hosts: async (pod, facts) => {
        const path = join(this.directory, "pods", pod.metadata!.uid!, "etc-hosts");
        await Deno.writeTextFile(path, `${facts.podIPs[0]}\t${facts.hostname}\n`);
        return path;
      },
      runtimeHandler: (name) => Promise.resolve(name ?? ""),
      handlerFeatures: () => NO_FEATURES,
      isStatic: (pod) => pod.metadata?.annotations?.["kubernetes.io/config.source"] === "file",
      sourcesReady: () => this.sourcesReady,
      hostIPs: () => ["192.0.2.254"],
      gate: (name) => name !== "ReduceDefaultCrashLoopBackOffDecay",
      clock,
      random: Math.random,
      log: (level, text, detail) => this.logged.push(`${level} ${text} ${toldOf(detail)}`),
    };
  }
}

function toldOf(detail: unknown): string {
  if (!(detail instanceof Error)) return String(detail ?? "");
  return `${detail.stack} ${(detail.cause as Error | undefined)?.message ?? ""}`;
}
