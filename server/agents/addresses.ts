/** Addresses that requests may be proxied to. */
import { inRange, type IpRange, tryParseIp } from "../../schema/values/ip.ts";

const INNER: readonly IpRange[] = ["unspecified", "loopback", "linkLocalUnicast", "multicast"];
const BROADCAST = "255.255.255.255";

/** Whether others have the address too: clients are not led into the server's own machine or its link. */
export function isOutside(address: string): boolean {
  const ip = address === BROADCAST ? undefined : tryParseIp(address, { legacy: true });
  return ip !== undefined && !INNER.some((range) => inRange(ip, range));
}
