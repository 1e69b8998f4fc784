/** Services, node agents, extension servers and other servers of the same cluster. */
import type { OptionRow } from "../../../schema/flags/types.ts";

/** Rows of the group "Cluster network". */
export const NETWORK = [
  {
    name: "service-cluster-ip-range",
    type: "cidrs",
    default: "10.0.0.0/24",
    rule: { maxItems: 2 },
    help: "Addresses of services; two ranges of different families for dual stack",
  },
  {
    name: "service-node-port-range",
    type: "portRange",
    default: "30000-32767",
    help: "Ports of services on nodes, both ends included",
  },
  {
    name: "kubernetes-service-node-port",
    type: "int",
    rule: { min: 0, max: 65535 },
    help: "Node port of the API's own service; 0 makes it a ClusterIP service",
  },
  {
    name: "endpoint-reconciler-type",
    type: "string",
    default: "lease",
    rule: { oneOf: ["lease", "master-count", "none"] },
    help: "How the endpoints of the API's own service are kept: lease, none, or master-count (deprecated)",
  },
  {
    name: "enable-aggregator-routing",
    type: "bool",
    help: "Call services of extension servers and admission webhooks by endpoint address, not by service address",
  },
  {
    name: "aggregator-reject-forwarding-redirect",
    type: "bool",
    default: "true",
    help: "Refuse redirects that extension servers answer",
  },
  {
    name: "proxy-client-cert-file",
    type: "path",
    help:
      "Client certificate towards extension servers, and admission webhooks that a connection file names no user for",
  },
  {
    name: "proxy-client-key-file",
    type: "path",
    help: "Key of that certificate",
  },
  {
    name: "kubelet-certificate-authority",
    type: "path",
    help: "PEM file that verifies node agents; without it they are not verified",
  },
  {
    name: "kubelet-client-certificate",
    type: "path",
    help: "Client certificate towards node agents; without it the administrator's of the data directory",
  },
  {
    name: "kubelet-client-key",
    type: "path",
    help: "Key of that certificate",
  },
  {
    name: "kubelet-preferred-address-types",
    type: "strings",
    default: "Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP",
    rule: { oneOf: ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"] },
    help: "Order in which addresses of a node are tried",
  },
  {
    name: "kubelet-timeout",
    type: "duration",
    default: "5s",
    help: "Time within which a connection to a node agent must be there",
  },
  {
    name: "egress-selector-config-file",
    type: "path",
    help: "File that tells by which proxy the server reaches nodes, services, webhooks and the store (docs/egress.md)",
  },
  {
    name: "peer-advertise-ip",
    type: "string",
    help:
      "Address by which other servers on the same store reach this one; with --peer-advertise-port, default the address that clients reach it by",
  },
  {
    name: "peer-advertise-port",
    type: "string",
    help: "Port of that address",
  },
  {
    name: "peer-ca-file",
    type: "path",
    help:
      "PEM file that verifies servers on the same store; with it and --proxy-client-cert-file, requests for what this server does not serve and such a server does are passed on to it",
  },
  {
    name: "coordinated-leadership-lease-duration",
    type: "duration",
    default: "15s",
    help:
      "How long the lease holds by which one server of a store coordinates leader elections (gate CoordinatedLeaderElection)",
  },
  {
    name: "coordinated-leadership-renew-deadline",
    type: "duration",
    default: "10s",
    help: "Time within which the coordinating server renews its lease, or stops; shorter than the lease",
  },
  {
    name: "coordinated-leadership-retry-period",
    type: "duration",
    default: "2s",
    help: "Wait between attempts to get or renew that lease",
  },
] as const satisfies readonly OptionRow[];
