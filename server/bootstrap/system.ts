/** Namespaces, priority classes and what the server says of itself, in public names. */
import { createHash } from "node:crypto";
import { ADVERTISED, IDENTITY } from "../peers/address.ts";
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import type { BootstrapObject } from "./rows.ts";
import { type Trust, TRUST_CONFIG_MAP, trustData } from "./trust.ts";
import { nowMicroTime, nowTime } from "../../schema/values/time.ts";

/** What the objects about the server itself are made of. */
export interface ServerFacts extends Trust {
  /** Service ranges in CIDR notation, the primary one first; one or two. */
  readonly serviceRanges: readonly string[];
  /** First address of each range, in the same order: the address of the API's own service is that of the first. */
  readonly serviceIps: readonly string[];
  /** Address that members of the cluster reach this server by. */
  readonly advertiseIp: string;
  /** The secure port. */
  readonly port: number;
  /** `--kubernetes-service-node-port`; 0 is none. */
  readonly nodePort?: number;
  /** Kept out of the endpoints when `--endpoint-reconciler-type=none`. */
  readonly endpoints?: boolean;
  readonly hostname: string;
  /** Where peers reach this server; undefined: nothing is passed on to it. */
  readonly peerAddress?: string | undefined;
  /** A random UUID of this process. */
  readonly processId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const NAMESPACES = ["default", "kube-node-lease", "kube-public", "kube-system"];
const PRIORITIES: readonly (readonly [string, number, string])[] = [
  [
    "system-cluster-critical",
    2000000000,
    "For pods that the cluster cannot do without; they may move to another node",
  ],
  [
    "system-node-critical",
    2000001000,
    "For pods that the cluster cannot do without on the node where they are",
  ],
];
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

function base32(bytes: Uint8Array): string {
  let out = "", bits = 0, value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    for (bits += 8; bits >= 5; bits -= 5) out += BASE32[(value >> (bits - 5)) & 31];
  }
  return bits ? out + BASE32[(value << (5 - bits)) & 31] : out;
}

/** Name of a server's identity lease, stable for a host and a port: `apiserver-` and 26 letters. */
export function serverIdentity(hostname: string, port: number): string {
  return `apiserver-${base32(createHash("sha256").update(`${hostname}:${port}`).digest().subarray(0, 16))}`;
}

const row = (resourceId: string, object: Obj): BootstrapObject => ({ resourceId, object });
const family = (ip: string) => (ip.includes(":") ? "IPv6" : "IPv4");

function namespace(name: string): BootstrapObject {
  return row("namespaces", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels: { "kubernetes.io/metadata.name": name } },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  });
}

function priorityClass([name, value, description]: (typeof PRIORITIES)[number]): BootstrapObject {
  return row("priorityclasses.scheduling.k8s.io", {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name },
    value,
    description,
    preemptionPolicy: "PreemptLowerPriority",
  });
}

function service(f: ServerFacts, ip: string): BootstrapObject {
  const port: JsonMap = { name: "https", protocol: "TCP", port: 443, targetPort: f.port };
  if (f.nodePort) port.nodePort = f.nodePort;
  return row("services", {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "kubernetes", namespace: "default", labels: { component: "apiserver", provider: "kubernetes" } },
    spec: {
      ports: [port],
      clusterIP: ip,
      clusterIPs: [ip],
      type: f.nodePort ? "NodePort" : "ClusterIP",
      sessionAffinity: "None",
      ...(f.nodePort ? { externalTrafficPolicy: "Cluster" } : {}),
      ipFamilies: [family(ip)],
      ipFamilyPolicy: "SingleStack",
      internalTrafficPolicy: "Cluster",
    },
    status: { loadBalancer: {} },
  });
}

function endpoints(f: ServerFacts): BootstrapObject[] {
  const port = { name: "https", port: f.port, protocol: "TCP" };
  const name = { name: "kubernetes", namespace: "default" };
  return [
    row("endpoints", {
      apiVersion: "v1",
      kind: "Endpoints",
      metadata: { ...name, labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
      subsets: [{ addresses: [{ ip: f.advertiseIp }], ports: [port] }],
    }),
    row("endpointslices.discovery.k8s.io", {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { ...name, labels: { "kubernetes.io/service-name": "kubernetes" } },
      addressType: family(f.advertiseIp),
      endpoints: [{ addresses: [f.advertiseIp], conditions: { ready: true } }],
      ports: [{ name: "https", protocol: "TCP", port: f.port }],
    }),
  ];
}

function addresses(f: ServerFacts, ip: string): BootstrapObject[] {
  return [
    row("servicecidrs.networking.k8s.io", {
      apiVersion: "networking.k8s.io/v1",
      kind: "ServiceCIDR",
      metadata: { name: "kubernetes" },
      spec: { cidrs: [...f.serviceRanges] },
      status: {
        conditions: [{
          type: "Ready",
          status: "True",
          lastTransitionTime: nowTime(f.now),
          reason: "",
          message: "The default service range is ready",
        }],
      },
    }),
    row("ipaddresses.networking.k8s.io", {
      apiVersion: "networking.k8s.io/v1",
      kind: "IPAddress",
      metadata: {
        // IPv6 addresses are names in their canonical text.
        name: ip,
        labels: {
          "ipaddress.kubernetes.io/ip-family": family(ip),
          "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
        },
      },
      spec: { parentRef: { resource: "services", namespace: "default", name: "kubernetes" } },
    }),
  ];
}

const configMap = (name: string, data: Record<string, string>): BootstrapObject =>
  row("configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "kube-system" }, data });

function identityLease(f: ServerFacts): BootstrapObject {
  const id = serverIdentity(f.hostname, f.port);
  const [label, value] = IDENTITY;
  return row("leases.coordination.k8s.io", {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      name: id,
      namespace: "kube-system",
      labels: { [label]: value, "kubernetes.io/hostname": f.hostname },
      ...(f.peerAddress ? { annotations: { [ADVERTISED]: f.peerAddress } } : {}),
    },
    spec: { holderIdentity: `${id}_${f.processId}`, leaseDurationSeconds: 3600, renewTime: nowMicroTime(f.now) },
  });
}

/** Everything but RBAC and flow control, namespaces first. */
export function systemObjects(f: ServerFacts, gate: (name: string) => boolean): BootstrapObject[] {
  const ip = f.serviceIps[0]!;
  return [
    ...NAMESPACES.map(namespace),
    ...PRIORITIES.map(priorityClass),
    ...addresses(f, ip),
    service(f, ip),
    ...(f.endpoints === false ? [] : endpoints(f)),
    configMap(TRUST_CONFIG_MAP, trustData(f)),
    configMap("kube-apiserver-legacy-service-account-token-tracking", {
      since: new Date(f.now).toISOString().slice(0, 10),
    }),
    ...(gate("APIServerIdentity") ? [identityLease(f)] : []),
  ];
}
