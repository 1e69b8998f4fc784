/** Addresses of the node's status. */
import type { Node, NodeAddress } from "../../schema/api/core_v1.ts";
import { formatIp, inRange, type Ip, tryParseIp } from "../../schema/values/ip.ts";
import { defaultAddress, type Family, type HostNetwork, nodeIpFault } from "./host_network.ts";

/** What addresses follow from. */
export interface AddressTerms {
  readonly hostname: string;
  /** Of `--node-ip`. */
  readonly nodeIps: readonly Ip[];
  /** A provider outside of the agent completes the node (`--cloud-provider=external`). */
  readonly external: boolean;
}

/** The addresses that were given and are those of one host. */
export const specified = (ips: readonly Ip[]): readonly Ip[] => ips.filter((ip) => !inRange(ip, "unspecified"));

/** The node's addresses. @param before those that it has. @throws Error when none can be found, or one given is not the host's */
export async function addressesOf(
  { hostname, nodeIps, external }: AddressTerms,
  before: readonly NodeAddress[],
  network: HostNetwork,
): Promise<readonly NodeAddress[]> {
  const given = specified(nodeIps);
  for (const ip of given) {
    const fault = nodeIpFault(ip, network);
    if (fault) throw new Error(`failed to validate nodeIP: ${fault}`);
  }
  const host: NodeAddress = { type: "Hostname", address: hostname };
  if (external && before.length > 0) return before;
  if (external && nodeIps.length === 0) return [host];
  const own = given.length > 0 ? given : [await found(hostname, nodeIps[0], network)];
  return [...own.map((ip) => ({ type: "InternalIP", address: formatIp(ip) })), host];
}

/** The host's name as an address, the name's, or that of the default route. */
async function found(hostname: string, wanted: Ip | undefined, network: HostNetwork): Promise<Ip> {
  const named = tryParseIp(hostname);
  if (named) return named;
  const families: readonly Family[] = wanted?.family === 6 ? [6, 4] : [4, 6];
  const known = (await network.lookup(hostname)).flatMap((text) => tryParseIp(text) ?? [])
    .filter((ip) => nodeIpFault(ip, network) === undefined);
  const own = known.find((ip) => ip.family === families[0]) ?? known[0];
  if (own) return own;
  try {
    return await defaultAddress(families, network);
  } catch (e) {
    throw new Error(`can't get ip address of node ${hostname}. error: ${(e as Error).message}`, { cause: e });
  }
}

/** Addresses of pods in the host's network: the first, and the first of the other family. */
export function hostIpsOf(node: Node): readonly string[] {
  const of = (type: string) =>
    (node.status?.addresses ?? []).filter((a) => a.type === type).flatMap((a) => tryParseIp(a.address) ?? []);
  const all = [...of("InternalIP"), ...of("ExternalIP")];
  const other = all.find((ip) => ip.family !== all[0]!.family);
  return [...all.slice(0, 1), ...(other ? [other] : [])].map(formatIp);
}
