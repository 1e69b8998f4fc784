/** Where a container of a pod can be asked. */
import type { AnyContainer, ContainerTarget } from "../types.ts";
import type { PodMemory } from "./memory.ts";
import { podIPs } from "./status.ts";

/** By what is known of the pod now. */
export function targetOf(
  { wanted, state, status, ends }: PodMemory,
  container: AnyContainer,
  id: string,
  hostIPs: readonly string[],
): ContainerTarget {
  const ips = wanted.spec?.hostNetwork ? hostIPs : podIPs(state.ips, hostIPs);
  return { pod: { ...wanted, status }, container, id, podIP: ips[0] ?? "", ends };
}
