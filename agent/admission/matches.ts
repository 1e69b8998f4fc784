/** Whether a node is one that a pod may run on: selectors, affinity, taints, ports. */
import type { ContainerPort, Node, Pod, Taint, Toleration } from "../../schema/api/core_v1.ts";
import { meansNode } from "../../schema/values/node_selector.ts";

const whole = (text: string): bigint | undefined => /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
const compare = (value: string, bound: string, greater: boolean): boolean => {
  const a = whole(value), b = whole(bound);
  return a !== undefined && b !== undefined && (greater ? a > b : a < b);
};

/** Whether labels and name of a node are such as a pod's selector and required affinity want. */
export function affinityHolds(pod: Pod, node: Node): boolean {
  const labels = node.metadata?.labels ?? {}, { nodeSelector, affinity } = pod.spec ?? {};
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return Object.entries(nodeSelector ?? {}).every(([key, value]) => labels[key] === value) &&
    (!required || meansNode(required.nodeSelectorTerms, labels, node.metadata?.name));
}

const OPERATORS: Readonly<Record<string, (mine: string, taints: string, comparing: boolean) => boolean>> = {
  Equal: (mine, taints) => mine === taints,
  Exists: () => true,
  Lt: (mine, taints, comparing) => comparing && compare(taints, mine, false),
  Gt: (mine, taints, comparing) => comparing && compare(taints, mine, true),
};

/** Whether one of the tolerations tolerates a taint. @param comparing `Lt` and `Gt` are known */
export function tolerates(tolerations: readonly Toleration[], taint: Taint, comparing: boolean): boolean {
  return tolerations.some((t) => {
    if (t.effect && t.effect !== taint.effect) return false;
    if (t.key && t.key !== taint.key) return false;
    const operator = t.operator || "Equal";
    return Object.hasOwn(OPERATORS, operator) && OPERATORS[operator]!(t.value ?? "", taint.value ?? "", comparing);
  });
}

const ANY = "0.0.0.0";

const hostPorts = (pod: Pod): readonly ContainerPort[] =>
  [...pod.spec?.containers ?? [], ...(pod.spec?.initContainers ?? []).filter((c) => c.restartPolicy === "Always")]
    .flatMap((c) => c.ports ?? []).filter((port) => (port.hostPort ?? 0) > 0);

/** Whether a pod wants a port of the host that another one has. */
export function portTaken(pod: Pod, others: readonly Pod[]): boolean {
  const taken = others.flatMap(hostPorts);
  return hostPorts(pod).some((mine) =>
    taken.some((port) => {
      const a = mine.hostIP || ANY, b = port.hostIP || ANY;
      return mine.hostPort === port.hostPort && (mine.protocol || "TCP") === (port.protocol || "TCP") &&
        (a === b || a === ANY || b === ANY);
    })
  );
}
