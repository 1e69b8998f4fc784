/** A pod as the runtime has it. */
import type { ResourceRequirements } from "../../schema/api/core_v1.ts";
import type { StopSignal } from "../runtime/signals.ts";
import type { ContainerRunState, PodSandboxStatus, RuntimeContainerStatus, Strings } from "../runtime/types.ts";

/** One try of a container. */
export interface ContainerTry {
  readonly id: string;
  readonly name: string;
  /** Id of its sandbox. */
  readonly sandbox: string;
  readonly state: ContainerRunState;
  /** See `containerHash`. */
  readonly hash: string;
  readonly restartCount: number;
  /** Times in ns, 0 for none. */
  readonly createdAt: bigint;
  readonly startedAt: bigint;
  readonly finishedAt: bigint;
  readonly exitCode: number;
  readonly reason: string;
  /** The runtime's, and what the container left as its last words. */
  readonly message: string;
  readonly image: string;
  readonly imageRef: string;
  readonly user?: RuntimeContainerStatus["user"];
  /** Ids of images that are mounted, by their place in it. */
  readonly images?: ReadonlyMap<string, string>;
  /** By which the runtime ends it, where it tells. */
  readonly stopSignal?: StopSignal;
  /** What it was made with or given since; undefined: unknown. */
  readonly resources?: ResourceRequirements;
  /** What its pod as a whole had then. */
  readonly whole?: ResourceRequirements;
  readonly annotations: Strings;
}

/** What the runtime has of a pod. */
export interface PodState {
  /** Newest first. */
  readonly sandboxes: readonly PodSandboxStatus[];
  /** Newest first, of all names and sandboxes. */
  readonly tries: readonly ContainerTry[];
  /** Of its newest sandbox, if that is ready. */
  readonly ips: readonly string[];
}

/** A pod of which nothing is there. */
export const NOTHING: PodState = { sandboxes: [], tries: [], ips: [] };

/** The newest try of a container. */
export function newestOf(state: PodState, name: string): ContainerTry | undefined {
  return state.tries.find((t) => t.name === name);
}

/** Tries in the sandbox that is in use; none while it is not ready. */
export function activeTries(state: PodState): readonly ContainerTry[] {
  const sandbox = state.sandboxes[0];
  return sandbox?.state === "READY" ? state.tries.filter((t) => t.sandbox === sandbox.id) : [];
}

/** Whether anything of the pod still runs. */
export function isRunning(state: PodState): boolean {
  return state.tries.some((t) => t.state === "RUNNING") || state.sandboxes.some((s) => s.state === "READY");
}
