/** How a pod's host is called within it. */
import type { Pod } from "../../schema/api/core_v1.ts";
import { withoutEnd } from "../../schema/values/ends.ts";
import { refOf } from "./names.ts";

/** Of the kernel's names: of a host, and of a host with its domain. */
const HOST_LENGTH = 63;
const FULL_LENGTH = 64;

/** Name and domain. */
export interface HostName {
  readonly hostname: string;
  /** `subdomain.namespace.svc.domain` of a pod with a subdomain; else empty. */
  readonly domain: string;
}

/** By the pod's spec; a long name is cut. */
export function hostNameOf(pod: Pod, clusterDomain: string): HostName {
  const { hostnameOverride, hostname, subdomain } = pod.spec ?? {};
  if (hostnameOverride) return { hostname: cut(hostnameOverride), domain: "" };
  const { name, namespace } = refOf(pod);
  return {
    hostname: cut(hostname || name),
    domain: subdomain ? `${subdomain}.${namespace}.svc.${clusterDomain}` : "",
  };
}

function cut(name: string): string {
  return name.length <= HOST_LENGTH ? name : withoutEnd(name.slice(0, HOST_LENGTH), "-.");
}

/** What the kernel is told: the name, or the full one where the pod wants that. @throws Error when that is too long */
export function kernelName(pod: Pod, { hostname, domain }: HostName): string {
  if (!domain || !pod.spec?.setHostnameAsFQDN) return hostname;
  const full = `${hostname}.${domain}`;
  if (full.length > FULL_LENGTH) {
    throw new Error(
      `failed to construct FQDN from pod hostname and cluster domain, FQDN ${full} is too long ` +
        `(${FULL_LENGTH} characters is the max, ${full.length} characters requested)`,
    );
  }
  return full;
}
