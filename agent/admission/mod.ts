/** Whether the node takes a pod. */
import { release } from "node:os";
import type { Node, Pod } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import { type Gate, hasPodLevel } from "../resources/amounts.ts";
import { isCritical } from "../resources/qos.ts";
import { isStatic } from "../sources/annotations.ts";
import type { Admit, Refusal, Take } from "../types.ts";
import { appArmorRefusal } from "./apparmor.ts";
import { featureRefusal } from "./features.ts";
import { type Shortage, shortages } from "./fits.ts";
import { affinityHolds, portTaken, tolerates } from "./matches.ts";
import { victims } from "./preemption.ts";
import { pressureRefusal } from "./pressure.ts";
import { sysctlCheck } from "./sysctls.ts";

/** Options that it follows. */
export interface AdmissionOptions {
  readonly allowedUnsafeSysctls: readonly string[];
}

/** What it asks. */
export interface AdmissionParts {
  readonly product: Product;
  readonly gate: Gate;
  /** The node's object as it was last seen; before it is registered, as it will be. */
  readonly node: (pod: Pod) => Node | undefined;
  /** Conditions of pressure that hold now. */
  readonly pressure: () => readonly string[];
  /** Gives a pod that changes processors and memory of its own. */
  readonly allocate?: Admit;
  /** The same of a new one, and devices. @throws Error: it cannot be kept what was given */
  readonly take?: (pod: Pod) => Promise<Refusal | undefined>;
  /**
   * Ends pods to make room for one that the node cannot do without, which if it is new waits for that; without it that one is refused
   * like others. Never rejects.
   */
  readonly preempt?: (pods: readonly Pod[]) => Promise<void>;
  /** Why no pod is taken any more: the host shuts down. */
  readonly shutdown?: () => Refusal | undefined;
  /** The kernel has AppArmor. */
  readonly appArmor: boolean;
  /** Features that the node tells of; without it pods may need any. */
  readonly features?: () => readonly string[];
  /** The kernel's version, `6.1.0`; without it that of this machine. */
  readonly kernel?: string;
}

/** What preempted pods are told. */
export const PREEMPTED = {
  reason: "Preempting",
  message: "Preempted in order to admit critical pod",
  condition: "Pod was preempted by Kubelet to accommodate a critical pod.",
} as const;

const OS_LABEL = "kubernetes.io/os";
const OS = "linux";
const NOT_MATCHING: Readonly<Record<string, string>> = {
  NodeAffinity: "node(s) didn't match Pod's node affinity/selector",
  NodeName: "node(s) didn't match the requested node name",
  NodePorts: "node(s) didn't have free ports for the requested pod ports",
  TaintToleration: "node(s) had taints that the pod didn't tolerate",
};

const outOf = (s: Shortage): Refusal => ({
  reason: `OutOf${s.resource}`,
  message:
    `Node didn't have enough resource: ${s.resource}, requested: ${s.requested}, used: ${s.used}, capacity: ${s.capacity}`,
});

/** See the top of the file. */
export interface Admission {
  /** Of a pod that the node has, whether it may change. */
  readonly admit: Admit;
  readonly take: Take;
}

/** Of all checks the first that refuses speaks. @throws Error for options that mean nothing */
export function admission(options: AdmissionOptions, parts: AdmissionParts): Admission {
  const { product, gate } = parts;
  const sysctls = sysctlCheck(options.allowedUnsafeSysctls, parts.kernel ?? release());
  const before: readonly Admit[] = [(pod) => pressureRefusal(pod, parts.pressure(), gate, product), sysctls];
  /** @param made told of room that is being made */
  const after = (made?: (room: Promise<void>) => void): readonly Admit[] => [
    (pod, others) => predicates(pod, others, parts, made),
    (pod) => appArmorRefusal(pod, parts.appArmor, product),
    (pod) =>
      !gate("PodLevelResources") && hasPodLevel(pod, () => true)
        ? { reason: "PodLevelResourcesNotSupported", message: "PodLevelResources feature gate is disabled" }
        : undefined,
    (pod) => parts.features && featureRefusal(pod, parts.features()),
    () => parts.shutdown?.(),
  ];
  const allocate: Admit = (pod, others) => parts.allocate?.(pod, others);
  const all = [...before, allocate, ...after()];
  return {
    admit: (pod, others) => first(all, pod, others),
    take: async (pod, others) => {
      let room: Promise<void> | undefined;
      try {
        const refusal = first(before, pod, others) ?? await parts.take?.(pod) ??
          first(after((made) => room = made), pod, others);
        if (!refusal) await room;
        return refusal;
      } catch (e) {
        return unexpected(e);
      }
    },
  };
}

function first(checks: readonly Admit[], pod: Pod, others: readonly Pod[]): Refusal | undefined {
  try {
    for (const check of checks) {
      const refusal = check(pod, others);
      if (refusal) return refusal;
    }
    return undefined;
  } catch (e) {
    // A pod that nobody validated, from a file, may hold what cannot be read.
    return unexpected(e);
  }
}

const unexpected = (e: unknown): Refusal => ({
  reason: "UnexpectedAdmissionError",
  message: `Unexpected error while attempting admission: ${(e as Error).message}`,
});

function predicates(
  pod: Pod,
  others: readonly Pod[],
  parts: AdmissionParts,
  made?: (room: Promise<void>) => void,
): Refusal | undefined {
  const { product, gate } = parts, node = parts.node(pod), spec = pod.spec ?? { containers: [] };
  if (!node) return { reason: "InvalidNodeInfo", message: "Kubelet cannot get node info." };
  if ((pod.metadata?.labels?.[product.local(OS_LABEL)] ?? OS) !== OS) {
    return {
      reason: "PodOSSelectorNodeLabelDoesNotMatch",
      message: product.local("Failed to admit pod as the `kubernetes.io/os` label doesn't match node label"),
    };
  }
  if ((spec.os?.name ?? OS) !== OS) {
    return { reason: "PodOSNotSupported", message: "Failed to admit pod as the OS field doesn't match node OS" };
  }
  if (spec.securityContext?.supplementalGroupsPolicy === "Strict" && !node.status?.features?.supplementalGroupsPolicy) {
    const message = "SupplementalGroupsPolicy=Strict is not supported in this node";
    return { reason: "SupplementalGroupsPolicyNotSupported", message };
  }
  const short = shortages(pod, others, node, gate), mismatch = mismatchOf(pod, others, node, parts);
  if (short.length === 0) return mismatch;
  if (!isCritical(pod, product) || !parts.preempt) return outOf(short[0]!);
  if (mismatch) return mismatch;
  const gone = victims(pod, others, short, gate, product);
  if (!gone) {
    const list = short.map((s) => `(res: ${s.resource}, q: ${s.requested - (s.capacity - s.used)}), `).join("");
    const why =
      `preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [${list}]`;
    const message = `Unexpected error while attempting to recover from admission failure: ${why}`;
    return { reason: "UnexpectedAdmissionError", message };
  }
  const room = parts.preempt(gone);
  made?.(room);
  return undefined;
}

function mismatchOf(
  pod: Pod,
  others: readonly Pod[],
  node: Node,
  { product, gate }: AdmissionParts,
): Refusal | undefined {
  const comparing = gate("TaintTolerationComparisonOperators"), { nodeName, tolerations } = pod.spec ?? {};
  const tests: Readonly<Record<string, () => boolean>> = {
    NodeAffinity: () => !affinityHolds(pod, node),
    NodeName: () => !!nodeName && nodeName !== node.metadata?.name,
    NodePorts: () => portTaken(pod, others),
    TaintToleration: () =>
      !isStatic(pod, product) &&
      (node.spec?.taints ?? []).some((taint) =>
        taint.effect === "NoExecute" && !tolerates(tolerations ?? [], taint, comparing)
      ),
  };
  const reason = Object.keys(tests).find((name) => tests[name]!());
  return reason === undefined ? undefined : { reason, message: `Predicate ${reason} failed: ${NOT_MATCHING[reason]}` };
}

/** Whether the kernel has AppArmor. @param sys usually /sys */
export async function hasAppArmor(sys: string): Promise<boolean> {
  const text = await Deno.readTextFile(`${sys}/module/apparmor/parameters/enabled`).catch(() => "");
  return text.startsWith("Y");
}
