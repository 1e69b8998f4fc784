/** Fields of a pod that a variable may hold: those of files (`volumes/fields.ts`), and what is known only on the node. */
import type { Pod } from "../../schema/api/core_v1.ts";
import { formatIp, tryParseIp } from "../../schema/values/ip.ts";
import type { NodeFacts } from "../types.ts";
import { podField } from "../volumes/fields.ts";

/** The first address of either family, that of the node's first. */
function podIPs({ podIPs, hostIPs }: NodeFacts): string[] {
  const first = tryParseIp(hostIPs[0] ?? "")?.family ?? 4;
  const ips = podIPs.flatMap((text) => tryParseIp(text) ?? []);
  return [first, first === 4 ? 6 : 4].flatMap((family) => {
    const found = ips.find((ip) => ip.family === family);
    return found ? [formatIp(found)] : [];
  });
}

const FIELDS: Readonly<Record<string, (pod: Pod, facts: NodeFacts) => string>> = {
  "spec.nodeName": (pod) => pod.spec?.nodeName ?? "",
  "spec.host": (pod) => pod.spec?.nodeName ?? "",
  "spec.serviceAccountName": (pod) => pod.spec?.serviceAccountName ?? "",
  "status.hostIP": (_, { hostIPs }) => hostIPs[0] ?? "",
  "status.hostIPs": (_, { hostIPs }) => hostIPs.join(","),
  "status.podIP": (_, facts) => podIPs(facts)[0] ?? "",
  "status.podIPs": (_, facts) => podIPs(facts).join(","),
};

/** @throws Error: there is no such field */
export function variableField(pod: Pod, path: string, facts: NodeFacts): string {
  const read = Object.hasOwn(FIELDS, path) ? FIELDS[path] : undefined;
  return read ? read(pod, facts) : podField(pod, path);
}
