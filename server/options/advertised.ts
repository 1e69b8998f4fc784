/** The addresses by which members of the cluster, and this host itself, reach this server. */
import { isIPv6 } from "node:net";
import type { OptionValues } from "./table.ts";

/** What is read of an interface of the host. */
export interface HostAddress {
  readonly family: "IPv4" | "IPv6";
  readonly address: string;
}

type Asked = Pick<OptionValues, "advertiseAddress" | "bindAddress" | "serviceClusterIpRange">;

const UNSPECIFIED = new Set(["", "0.0.0.0", "::"]);
const LOOPBACK = /^(?:127\.|::1$)/;
const LINK_LOCAL = /^(?:169\.254\.|fe[89ab])/i;

/**
 * `--advertise-address`, else the bind address, else the host's first one that others can reach, of the family of the
 * services' addresses; where there is none, and for a server that only its own host reaches, that of the loopback
 * interface.
 * @throws Error when services have addresses of another family than the server: they could not lead to it
 */
export function advertisedAddress(asked: Asked, host: readonly HostAddress[]): string {
  const { serviceClusterIpRange: [range], bindAddress: bind } = asked;
  const family = range!.includes(":") ? "IPv6" : "IPv4";
  const open = host.filter(({ address }) => !LOOPBACK.test(address) && !LINK_LOCAL.test(address));
  const own = [asked.advertiseAddress, LOOPBACK.test(bind) ? "" : bind].find((a) => !UNSPECIFIED.has(a));
  const found = own ?? open.find((a) => a.family === family)?.address;
  if (found === undefined && (LOOPBACK.test(bind) || !open.length)) return LOOPBACK.test(bind) ? bind : "127.0.0.1";
  const address = found ?? open[0]!.address;
  if (!LOOPBACK.test(address) && isIPv6(address) !== (family === "IPv6")) {
    throw new Error(
      `--service-cluster-ip-range: the first range should be of the family of ${address}, by which others reach the ` +
        "server (--advertise-address)",
    );
  }
  return address;
}

/** The address by which this host reaches the server: the one that it listens on, or the loopback where it listens on all. */
export function localAddress(bind: string): string {
  return UNSPECIFIED.has(bind) ? "127.0.0.1" : bind;
}
