/** Names and addresses of pods (specification, "Node agent options"). */
import type { AgentRow } from "../types.ts";

/** Rows of the group "Network of pods". */
export const NETWORK = [
  {
    name: "cluster-dns",
    type: "strings",
    field: "clusterDNS",
    help: "Addresses of DNS servers for pods of the policy ClusterFirst; all must know the same names",
  },
  { name: "cluster-domain", type: "string", field: "clusterDomain", help: "Domain of the cluster, which pods search" },
  {
    name: "resolv-conf",
    type: "path",
    default: "/etc/resolv.conf",
    field: "resolvConf",
    help: "File of the host's DNS servers and search domains; empty for none",
  },
  {
    name: "hairpin-mode",
    type: "string",
    default: "promiscuous-bridge",
    rule: { oneOf: ["promiscuous-bridge", "hairpin-veth", "none"] },
    field: "hairpinMode",
    help: "How pods reach themselves by the address of a service",
    accepted: "The container runtime makes the network of pods; the public agent has not used it either since then",
  },
  {
    name: "make-iptables-util-chains",
    type: "bool",
    default: "true",
    field: "makeIPTablesUtilChains",
    help: "Keep the agent's own chains of iptables in place",
  },
  {
    name: "pod-cidr",
    type: "string",
    field: "podCIDR",
    help: "Range of addresses of pods where there is no API server that gives one",
  },
] as const satisfies readonly AgentRow[];
