/** Labels and annotations that the agent gives its node. */
import type { Product } from "../../schema/product.ts";
import { formatIp, type Ip } from "../../schema/values/ip.ts";
import { specified } from "./addresses.ts";
import { PLATFORM } from "./identity.ts";

const HOSTNAME = "kubernetes.io/hostname";
const PLATFORM_LABELS = { "kubernetes.io/os": PLATFORM.os, "kubernetes.io/arch": PLATFORM.arch };
const OLD_PLATFORM_LABELS = { "beta.kubernetes.io/os": PLATFORM.os, "beta.kubernetes.io/arch": PLATFORM.arch };
/** Labels that a node which is there already gets again. */
const KEPT = [
  HOSTNAME,
  ...Object.keys(PLATFORM_LABELS),
  ...Object.keys(OLD_PLATFORM_LABELS),
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
  "node.kubernetes.io/instance-type",
  "beta.kubernetes.io/instance-type",
];
const ATTACH_DETACH = "volumes.kubernetes.io/controller-managed-attach-detach";
const PROVIDED_IP = "alpha.kubernetes.io/provided-node-ip";

/** By key. */
export type Labels = Readonly<Record<string, string>>;

/** Labels of a new node. @param given those of `--node-labels`, which win */
export const initialLabels = (product: Product, hostname: string, given: Labels): Labels => ({
  ...product.localKeys({ [HOSTNAME]: hostname, ...PLATFORM_LABELS, ...OLD_PLATFORM_LABELS }),
  ...given,
});

/** Labels of a node that was there, as a new one would have them. */
export function reconciledLabels(product: Product, before: Labels, initial: Labels): Labels {
  const out = { ...before };
  for (const name of KEPT.map(product.local)) {
    if (initial[name]) out[name] = initial[name];
    else if (initial[name] === "") delete out[name];
  }
  return out;
}

/** A node's labels with its platform, which it always has. */
export const withPlatform = (product: Product, before: Labels): Labels => ({
  ...before,
  ...product.localKeys(PLATFORM_LABELS),
});

/** Annotations that follow from options; those of others stay. */
export function annotationsOf(
  product: Product,
  before: Labels,
  o: { readonly attachDetach: boolean; readonly external: boolean; readonly nodeIps: readonly Ip[] },
): Labels {
  const ips = specified(o.nodeIps);
  const own: Readonly<Record<string, string | undefined>> = product.localKeys({
    [ATTACH_DETACH]: o.attachDetach ? "true" : undefined,
    [PROVIDED_IP]: o.external && ips.length > 0 ? ips.map(formatIp).join(",") : undefined,
  });
  return Object.fromEntries(
    Object.entries({ ...before, ...own }).filter((e): e is [string, string] => e[1] !== undefined),
  );
}
