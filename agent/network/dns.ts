/** How names are looked up in pods. */
import type { Pod, PodDNSConfigOption } from "../../schema/api/core_v1.ts";
import type { Events } from "../types.ts";
import { readResolvConf, type Resolver } from "./resolv_conf.ts";

/** Options that DNS goes by. */
export interface DnsOptions {
  readonly clusterDns: readonly string[];
  readonly clusterDomain: string;
  /** Path; empty: the host has none. */
  readonly resolvConf: string;
}

/** Something that the pod's owner or the node's is to know. */
export interface DnsWarning {
  readonly about: "pod" | "node";
  readonly reason: "DNSConfigForming" | "MissingClusterDNS" | "CheckLimitsForResolvConf";
  readonly message: string;
}

/** Most servers and searches, longest line of searches, longest search; characters. */
const MOST_SERVERS = 3, MOST_SEARCHES = 32, LONGEST_LINE = 2048, LONGEST_SEARCH = 253;
/** Searches that the cluster's domain adds. */
const OWN_SEARCHES = 3;
const CLUSTER_OPTIONS: readonly string[] = ["ndots:5"];

type Way = "cluster" | "host" | "none";
const WAYS: Readonly<Record<string, (pod: Pod) => Way>> = {
  None: () => "none",
  ClusterFirstWithHostNet: () => "cluster",
  ClusterFirst: (pod) => pod.spec?.hostNetwork ? "host" : "cluster",
  Default: () => "host",
};

function merged(options: readonly string[], more: readonly PodDNSConfigOption[]): string[] {
  const all = new Map(options.map((o) => {
    const colon = o.indexOf(":");
    return colon < 0 ? [o, ""] : [o.slice(0, colon), o.slice(colon + 1)];
  }));
  for (const { name = "", value = "" } of more) all.set(name, value);
  return [...all].map(([name, value]) => value === "" ? name : `${name}:${value}`);
}

function clusterSearches(pod: Pod, domain: string, host: readonly string[]): string[] {
  if (domain === "") return [...host];
  return [...new Set([`${pod.metadata?.namespace}.svc.${domain}`, `svc.${domain}`, domain, ...host])];
}

/** Where the host has no resolver file, names are looked up on the host itself. */
function localResolver(nodeIPs: readonly string[]): Resolver {
  const servers = nodeIPs.map((ip) => ip.includes(":") ? "::1" : "127.0.0.1");
  return { servers: servers.length ? servers : ["127.0.0.1"], searches: ["."], options: [] };
}

function fittingSearches(searches: readonly string[], warn: (message: string) => void): readonly string[] {
  let fitting = searches.slice(0, MOST_SEARCHES).filter((s) => s.length <= LONGEST_SEARCH);
  while (fitting.join(" ").length > LONGEST_LINE) fitting = fitting.slice(0, -1);
  if (fitting.length < searches.length) {
    warn(
      `Search Line limits were exceeded, some search paths have been omitted, the applied search line is: ${
        fitting.join(" ")
      }`,
    );
  }
  return fitting;
}

function fittingServers(servers: readonly string[], warn: (message: string) => void): readonly string[] {
  if (servers.length <= MOST_SERVERS) return servers;
  const fitting = servers.slice(0, MOST_SERVERS);
  warn(
    `Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: ${
      fitting.join(" ")
    }`,
  );
  return fitting;
}

function missingCluster(pod: Pod): DnsWarning[] {
  const why =
    'kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.';
  const { name, namespace, uid } = pod.metadata ?? {};
  return [
    { about: "node", reason: "MissingClusterDNS", message: why },
    { about: "pod", reason: "MissingClusterDNS", message: `pod: "${name}_${namespace}(${uid})". ${why}` },
  ];
}

/** What is known of the host. */
export interface DnsHost {
  readonly resolver: Resolver;
  readonly nodeIPs: readonly string[];
}

/** What a pod is given, and what there is to tell. Pure. */
export function dnsFor(
  pod: Pod,
  { clusterDns, clusterDomain, resolvConf }: DnsOptions,
  host: DnsHost,
): { readonly config: Resolver; readonly warnings: readonly DnsWarning[] } {
  const warnings: DnsWarning[] = [];
  const policy = pod.spec?.dnsPolicy ?? "";
  let way = (Object.hasOwn(WAYS, policy) ? WAYS[policy]!(pod) : "cluster") as Way;
  if (way === "cluster" && clusterDns.length === 0) {
    warnings.push(...missingCluster(pod));
    way = "host";
  }
  const ways: Record<Way, () => Resolver> = {
    none: () => ({ servers: [], searches: [], options: [] }),
    cluster: () => ({
      servers: clusterDns,
      searches: clusterSearches(pod, clusterDomain, host.resolver.searches),
      options: CLUSTER_OPTIONS,
    }),
    host: () => resolvConf === "" ? localResolver(host.nodeIPs) : host.resolver,
  };
  const base = ways[way](), own = pod.spec?.dnsConfig;
  const all: Resolver = own
    ? {
      servers: [...new Set([...base.servers, ...own.nameservers ?? []])],
      searches: [...new Set([...base.searches, ...own.searches ?? []])],
      options: merged(base.options, own.options ?? []),
    }
    : base;
  const warn = (message: string) => void warnings.push({ about: "pod", reason: "DNSConfigForming", message });
  const config = {
    servers: fittingServers(all.servers, warn),
    searches: fittingSearches(all.searches, warn),
    options: all.options,
  };
  return { config, warnings };
}

/** What is wrong with the host's resolver file for pods of this cluster; undefined: nothing. Pure. */
export function resolverFault({ searches }: Resolver, { clusterDomain, resolvConf }: DnsOptions): string | undefined {
  const most = clusterDomain === "" ? MOST_SEARCHES : MOST_SEARCHES - OWN_SEARCHES;
  if (searches.length > most) {
    return `Resolv.conf file '${resolvConf}' contains search line consisting of more than ${most} domains!`;
  }
  if (searches.some((s) => s.length > LONGEST_SEARCH)) {
    return `Resolv.conf file "${resolvConf}" contains a search path which length is more than allowed ${LONGEST_SEARCH} chars!`;
  }
  if (searches.join(" ").length > LONGEST_LINE) {
    return `Resolv.conf file '${resolvConf}' contains search line which length is more than allowed ${LONGEST_LINE} chars!`;
  }
  return undefined;
}

/** DNS of the pods of this node; tells events. */
export class PodDns {
  /** @param nodeIPs the node's addresses, the first one first */
  constructor(readonly options: DnsOptions, readonly events: Events, readonly nodeIPs: () => readonly string[]) {}

  /** @throws Error: the host's resolver file cannot be read */
  async of(pod: Pod): Promise<Resolver> {
    const resolver = await readResolvConf(this.options.resolvConf).catch((e) => {
      throw new Error(`Encountered error while parsing resolv conf file. Error: ${e.message}`, { cause: e });
    });
    const { config, warnings } = dnsFor(pod, this.options, { resolver, nodeIPs: this.nodeIPs() });
    for (const { about, reason, message } of warnings) {
      if (about === "pod") this.events.pod(pod, "Warning", reason, message);
      else this.events.node("Warning", reason, message);
    }
    return config;
  }

  /** Tells if the host's file is bad for pods: once at the start. */
  async checkHost(): Promise<void> {
    if (this.options.resolvConf === "") return;
    const fault = await readResolvConf(this.options.resolvConf)
      .then((resolver) => resolverFault(resolver, this.options), (e: Error) => e.message);
    if (fault !== undefined) this.events.node("Warning", "CheckLimitsForResolvConf", fault);
  }
}
