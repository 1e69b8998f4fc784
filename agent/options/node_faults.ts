/** What must hold of options that say what the node is: labels, taints, addresses. */
import type { Taint } from "../../schema/api/core_v1.ts";
import { taintFault } from "../../schema/flags/node_values.ts";
import type { Product } from "../../schema/product.ts";
import { tryParseIp } from "../../schema/values/ip.ts";
import { labelValue, qualifiedName } from "../../schema/values/names.ts";

/** Labels in the product's own domain that a node may give itself, public names. */
const ALLOWED = [
  "beta.kubernetes.io/arch",
  "beta.kubernetes.io/instance-type",
  "beta.kubernetes.io/os",
  "failure-domain.beta.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "kubernetes.io/arch",
  "kubernetes.io/hostname",
  "kubernetes.io/os",
  "node.kubernetes.io/instance-type",
  "topology.kubernetes.io/region",
  "topology.kubernetes.io/zone",
];
/** Domains below it, and what is below them, that all labels may be of. */
const ALLOWED_DOMAINS = ["kubelet.kubernetes.io", "node.kubernetes.io"];
const RESERVED = ["kubernetes.io", "k8s.io"];

const within = (domain: string, domains: readonly string[]): boolean =>
  domains.some((d) => domain === d || domain.endsWith(`.${d}`));

/** Faults of `--node-labels`. */
export function labelFaults(labels: Readonly<Record<string, string>>, { local }: Product): string[] {
  const allowed = ALLOWED.map(local), domains = ALLOWED_DOMAINS.map(local), reserved = RESERVED.map(local);
  const mayBe = (key: string) => {
    const domain = key.includes("/") ? key.slice(0, key.indexOf("/")) : "";
    return !within(domain, reserved) || allowed.includes(key) || within(domain, domains);
  };
  const unknown = Object.keys(labels).filter((key) => !mayBe(key));
  return [
    ...unknown.map((key) =>
      `--node-labels: ${JSON.stringify(key)}: labels of ${local(RESERVED[0]!)} should be of ${domains.join(", ")}, ` +
      `or one of ${allowed.join(", ")}`
    ),
    ...Object.entries(labels).flatMap(([key, value]) =>
      [...qualifiedName(key), ...labelValue(value)].map((why) => `--node-labels: ${JSON.stringify(key)}: ${why}`)
    ),
  ];
}

/** Faults of `--register-with-taints`, which a file may bring in unread. */
export function taintFaults(taints: readonly Taint[]): string[] {
  return taints.flatMap((taint) => {
    const why = taint.timeAdded ? "timeAdded should not be set" : taintFault(taint);
    return why === undefined ? [] : [`--register-with-taints: ${JSON.stringify(taint.key)}: ${why}`];
  });
}

/** What is wrong with `--node-ip`; undefined when it is good. */
export function nodeIpFault(text: string): string | undefined {
  if (text === "") return undefined;
  const parts = text.split(",").map((t) => t.trim()), ips = parts.map((t) => tryParseIp(t));
  const bad = parts.find((_, i) => ips[i] === undefined);
  if (bad !== undefined) return `--node-ip: ${JSON.stringify(bad)} should be an IP address`;
  if (ips.length === 1) return undefined;
  if (ips.length > 2 || ips[0]!.family === ips[1]!.family) {
    return "--node-ip: two addresses should be of different families";
  }
  return ips.some((ip) => ip!.bits === 0n) ? "--node-ip: of two addresses none may be unspecified" : undefined;
}
