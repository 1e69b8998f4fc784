/** The probes of one running container. */
import type { Probe } from "../../schema/api/core_v1.ts";
import type { Verbose } from "../../schema/log/log.ts";
import { describe, refOf } from "../pods/names.ts";
import { fieldPathOf, initContainersOf } from "../pods/spec.ts";
import type { ContainerTarget, Events, ProbeState } from "../types.ts";
import { type HandlerParts, runProbe } from "./handlers.ts";
import type { ProbeMetrics } from "./metrics.ts";
import type { Outcome } from "./outcome.ts";

/** What probes need of the agent. */
export interface ProbeParts extends HandlerParts {
  readonly events: Events;
  readonly metrics: ProbeMetrics;
  /** Told what each probe found, module `probes`; absent: nobody wants that. */
  readonly verbose?: Verbose;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** When the agent started, ticks. */
  readonly agentStart: number;
  /** Told when what probes say of a pod's containers changed. */
  readonly changed: (uid: string) => void;
}

/** Kinds of probe: their names in events. */
const KINDS = { startup: "Startup", liveness: "Liveness", readiness: "Readiness" } as const;
type Kind = keyof typeof KINDS;

/** How often one that cannot be asked is tried in a row. */
const TRIES = 3;
/** A container that ran this long before the agent did is known from before, ms. */
const KNOWN_BEFORE_MS = 10_000;

/** Events of what did not simply succeed. */
const TOLD: Readonly<Partial<Record<Outcome["result"], { reason: string; text: string }>>> = {
  warning: { reason: "ProbeWarning", text: "warning" },
  failure: { reason: "Unhealthy", text: "failed" },
  error: { reason: "Unhealthy", text: "errored and resulted in unknown state" },
};

/** Probes one container from the time that it is made until it is ended. */
export class ContainerProbes {
  #target: ContainerTarget;
  #state: ProbeState;
  readonly #all = new AbortController();
  /** Ends before the others: a pod that goes is neither killed for what it says nor waited for. */
  readonly #early = new AbortController();
  readonly #started = Promise.withResolvers<void>();

  constructor(target: ContainerTarget, readonly startedAt: number, readonly parts: ProbeParts) {
    this.#target = target;
    const { container } = target;
    const { clock, agentStart } = parts;
    // By ages: the host's clock may have been set since the agent started.
    const known = clock.now() - startedAt > clock.ticks() - agentStart + KNOWN_BEFORE_MS;
    const started = !container.startupProbe || known && wasStarted(target);
    this.#state = { started, ready: !container.readinessProbe || known && wasReady(target) };
    if (started) this.#started.resolve();
    else this.#run("startup", container.startupProbe, this.#early.signal);
    this.#run("liveness", container.livenessProbe, this.#early.signal);
    this.#run("readiness", container.readinessProbe, this.#all.signal);
    this.take(target);
  }

  /** The pod whose container it is. */
  get uid(): string {
    return this.#target.pod.metadata!.uid!;
  }

  get state(): ProbeState {
    return this.#state.started ? this.#state : { ...this.#state, ready: false };
  }

  /** The same container as it is known now. */
  take(target: ContainerTarget): void {
    this.#target = target;
    if (!target.ends || this.#early.signal.aborted) return;
    this.#early.abort();
    this.#set({ started: true, ready: this.#state.ready });
  }

  end(): void {
    this.#early.abort();
    this.#all.abort();
    this.#started.resolve();
  }

  #set(state: ProbeState): void {
    const before = this.#state;
    this.#state = state;
    if (state.started) this.#started.resolve();
    const same = before.started === state.started && before.ready === state.ready && before.failed === state.failed;
    if (!same) this.parts.changed(this.uid);
  }

  async #run(kind: Kind, probe: Probe | undefined, signal: AbortSignal): Promise<void> {
    if (!probe) return;
    const { clock, agentStart, random } = this.parts;
    const period = (probe.periodSeconds || 10) * 1000;
    // An agent that just started does not ask all containers at once.
    if (clock.ticks() - agentStart < period) await clock.wait(random() * period, signal);
    const delay = (probe.initialDelaySeconds ?? 0) * 1000, first = this.startedAt + delay;
    await clock.wait(Math.min(Math.max(0, first - clock.now()), delay), signal);
    if (kind !== "startup") await this.#started.promise;
    const thresholds = { success: probe.successThreshold || 1, failure: probe.failureThreshold || 3 };
    let last = "", times = 0, next = clock.ticks();
    while (!signal.aborted) {
      const begun = clock.ticks();
      const { result, output } = await this.#ask(probe, signal);
      if (signal.aborted) return;
      this.#tell(kind, result, output);
      if (result !== "error") {
        const now = result === "failure" ? "failure" : "success";
        this.parts.metrics.asked(KINDS[kind], this.#target, now === "success", (clock.ticks() - begun) / 1000);
        times = now === last ? times + 1 : 1;
        last = now;
        if (times >= thresholds[now] && this.#conclude(kind, now === "success")) return;
      }
      const now = clock.ticks();
      next = Math.max(next + period, now);
      await clock.wait(next - now, signal);
    }
  }

  async #ask(probe: Probe, signal: AbortSignal): Promise<Outcome> {
    for (let tries = 1;; tries++) {
      const outcome = await runProbe(this.parts, this.#target, probe, probe.timeoutSeconds || 1, signal);
      if (outcome.result !== "error" || tries === TRIES || signal.aborted) return outcome;
    }
  }

  #tell(kind: Kind, result: Outcome["result"], output: string): void {
    const { pod, container } = this.#target, said = TOLD[result];
    this.parts.verbose?.("probes", 3)?.(`${KINDS[kind]} probe`, {
      pod: describe(refOf(pod)),
      container: container.name,
      result,
      output,
    });
    if (!said) return;
    const message = `${KINDS[kind]} probe ${said.text}: ${output}`;
    this.parts.events.pod(pod, "Warning", said.reason, message, fieldPathOf(pod, container));
  }

  /** True: this probe has said all that it is to say of this container. */
  #conclude(kind: Kind, ok: boolean): boolean {
    if (kind === "readiness") this.#set({ ...this.#state, ready: ok });
    else if (!ok) this.#set({ ...this.#state, failed: { probe: kind, message: this.#killText(kind) } });
    else if (kind === "startup") this.#set({ ...this.#state, started: true });
    return kind === "startup" || kind === "liveness" && !ok;
  }

  #killText(kind: Kind): string {
    const { pod, container } = this.#target;
    const init = initContainersOf(pod).some((c) => c.name === container.name);
    return `${init ? "Init container" : "Container"} ${container.name} failed ${kind} probe`;
  }
}

function wasStarted({ pod, container }: ContainerTarget): boolean {
  const statuses = [...pod.status?.containerStatuses ?? [], ...pod.status?.initContainerStatuses ?? []];
  return statuses.some((s) => s.name === container.name && s.started === true);
}

function wasReady({ pod }: ContainerTarget): boolean {
  return pod.status?.conditions?.some((c) => c.type === "Ready" && c.status === "True") ?? false;
}
