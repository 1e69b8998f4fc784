/** Whether a pod needs another sandbox. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { PodState } from "./state.ts";

/** See {@linkcode sandboxNeed}. */
export interface SandboxNeed {
  /** A new one is to be made. */
  readonly make: boolean;
  /** Number of that try, or of the one in use. */
  readonly attempt: number;
  /** The one in use, or the one that is replaced; empty for none. */
  readonly id: string;
  /** Why, in the words of the pod's condition. */
  readonly why: string;
}

/** What becomes of a pod's sandbox. */
export function sandboxNeed(pod: Pod, state: PodState): SandboxNeed {
  const [sandbox] = state.sandboxes;
  if (!sandbox) return { make: true, attempt: 0, id: "", why: "no pod sandbox exists" };
  const { id, metadata: { attempt } } = sandbox;
  const next = (why: string, old = id): SandboxNeed => ({ make: true, attempt: attempt + 1, id: old, why });
  if (state.sandboxes.filter((s) => s.state === "READY").length > 1) {
    return next("multiple pod sandboxes are ready and need to be reconciled");
  }
  if (sandbox.state !== "READY") return next("pod sandbox is not ready");
  const network = sandbox.linux?.namespaces?.options?.network ?? "POD";
  if (network !== (pod.spec?.hostNetwork ? "NODE" : "POD")) {
    return next("network namespace mode changed and sandbox needs to be recreated", "");
  }
  if (!pod.spec?.hostNetwork && sandbox.network && sandbox.network.ip === "") {
    return next("pod sandbox has no IP address");
  }
  return { make: false, attempt, id, why: "" };
}
