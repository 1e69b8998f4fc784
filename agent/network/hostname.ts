/** Names that pods have for themselves. */
import type { Pod } from "../../schema/api/core_v1.ts";
import { dnsLabel, dnsSubdomain, type Format } from "../../schema/values/names.ts";

/** Longest host name, and longest with its domain; characters. */
const LONGEST = 63, LONGEST_FULL = 64;

/** A pod's name and domain. */
export interface PodName {
  readonly hostname: string;
  /** Empty: none. */
  readonly domain: string;
}

function checked(what: string, name: string, check: Format, form: string): string {
  const faults = check(name);
  if (faults.length) {
    throw new Error(`pod ${what} ${JSON.stringify(name)} is not a valid DNS ${form}: ${faults.join(";")}`);
  }
  return name;
}

function truncated(pod: Pod, name: string): string {
  if (name.length <= LONGEST) return name;
  const short = name.slice(0, LONGEST).replace(/[-.]+$/, "");
  if (short === "") {
    throw new Error(`hostname for pod ${JSON.stringify(pod.metadata?.name)} was invalid: ${JSON.stringify(name)}`);
  }
  return short;
}

/** @throws Error: the pod says no names */
export function podName(pod: Pod, clusterDomain: string): PodName {
  const { hostnameOverride, hostname, subdomain } = pod.spec ?? {};
  if (hostnameOverride !== undefined) {
    checked("HostnameOverride", hostnameOverride, dnsSubdomain, "subdomain");
    return { hostname: truncated(pod, hostnameOverride), domain: "" };
  }
  const own = hostname ? checked("Hostname", hostname, dnsLabel, "label") : pod.metadata?.name ?? "";
  const domain = subdomain
    ? `${checked("Subdomain", subdomain, dnsLabel, "label")}.${pod.metadata?.namespace}.svc.${clusterDomain}`
    : "";
  return { hostname: truncated(pod, own), domain };
}

/** What the kernel says in the pod. @throws Error: it would be too long */
export function kernelHostname(pod: Pod, { hostname, domain }: PodName): string {
  if (!domain || !pod.spec?.setHostnameAsFQDN) return hostname;
  const full = `${hostname}.${domain}`;
  if (full.length > LONGEST_FULL) {
    throw new Error(
      `failed to construct FQDN from pod hostname and cluster domain, FQDN ${full} is too long (${LONGEST_FULL} characters is the max, ${full.length} characters requested)`,
    );
  }
  return full;
}
