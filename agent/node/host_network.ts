/** Addresses of this host. */
import { formatIp, inRange, type Ip, type IpRange, parseIp, tryParseIp } from "../../schema/values/ip.ts";
import { textAt } from "../resources/hierarchy.ts";

/** IPv4 or IPv6. */
export type Family = 4 | 6;

/** What is asked of the host's network. */
export interface HostNetwork {
  /** Addresses of its interfaces. */
  interfaces(): readonly { readonly name: string; readonly address: string }[];
  /** Interfaces that default routes lead to, of a family. */
  defaultInterfaces(family: Family): Promise<readonly string[]>;
  /** Addresses of a name; none when nobody knows it. */
  lookup(name: string): Promise<readonly string[]>;
}

/** The network of the process's own host. @param proc usually /proc */
export function hostNetwork(proc = "/proc"): HostNetwork {
  return {
    interfaces: () => Deno.networkInterfaces(),
    async defaultInterfaces(family) {
      const { file, destination, gateway, name } = ROUTES[family];
      const lines = (await textAt(`${proc}/net/${file}`) ?? "").split("\n").map((line) => line.split(/\s+/));
      const zero = (text: string | undefined) => text !== undefined && /^0+$/.test(text);
      return lines
        .filter((cells) => zero(cells[destination]) && (family === 4 || !zero(cells[gateway])))
        .map((cells) => cells[name]!);
    },
    async lookup(name) {
      const { lookup } = await import("node:dns/promises");
      return await lookup(name, { all: true }).then((all) => all.map(({ address }) => address), () => []);
    },
  };
}

/** Cells of a line of the kernel's routes. */
const ROUTES = {
  4: { file: "route", name: 0, destination: 1, gateway: 2 },
  6: { file: "ipv6_route", name: 9, destination: 0, gateway: 4 },
} as const;

const UNUSABLE: readonly (readonly [IpRange, string])[] = [
  ["loopback", "nodeIP can't be loopback address"],
  ["multicast", "nodeIP can't be a multicast address"],
  ["linkLocalUnicast", "nodeIP can't be a link-local unicast address"],
  ["unspecified", "nodeIP can't be an all zeros address"],
];

/** Why an address is none of this node; undefined: it is one. */
export function nodeIpFault(ip: Ip, network: HostNetwork): string | undefined {
  const unusable = UNUSABLE.find(([range]) => inRange(ip, range));
  if (unusable) return unusable[1];
  const own = network.interfaces().some(({ address }) => sameIp(ip, tryParseIp(address.split("%")[0]!)));
  return own ? undefined : `node IP: ${JSON.stringify(formatIp(ip))} not found in the host's network interfaces`;
}

const sameIp = (a: Ip, b: Ip | undefined): boolean => a.family === b?.family && a.bits === b.bits;

/** The address by which this host reaches others, of the first family that has one. @throws Error when there is none */
export async function defaultAddress(families: readonly Family[], network: HostNetwork): Promise<Ip> {
  const usable = network.interfaces().flatMap(({ name, address }) => {
    const ip = tryParseIp(address.split("%")[0]!);
    return ip && !UNUSABLE.some(([range]) => inRange(ip, range)) ? [{ name, ip }] : [];
  });
  for (const family of families) {
    const names = await network.defaultInterfaces(family);
    if (names.length === 0) continue;
    for (const wanted of [...names, "lo"]) {
      const found = usable.find(({ name, ip }) => name === wanted && ip.family === family);
      if (found) return found.ip;
    }
  }
  throw new Error("no default routes found in the host's route tables that lead to an address");
}

/** `--node-ip`: one address, or one of each family. @throws Error that says what is wrong */
export function parseNodeIps(text: string): readonly Ip[] {
  const ips = text.split(",").map((part) => part.trim()).filter((part) => part !== "").map((part) => parseIp(part));
  if (ips.length > 2 || (ips.length === 2 && ips[0]!.family === ips[1]!.family)) {
    throw new Error("must contain either a single IP or a dual-stack pair of IPs");
  }
  if (ips.length === 2 && ips.some((ip) => inRange(ip, "unspecified"))) {
    throw new Error("dual-stack node IP cannot include '0.0.0.0' or '::'");
  }
  return ips;
}
