/** What the runtime makes a pod's sandbox of. */
import type { ContainerPort, Pod, PodSpec } from "../../schema/api/core_v1.ts";
import { kernelHostname, podName } from "../network/hostname.ts";
import { dottedSysctl, type SysctlNamespace, sysctlNamespace } from "../../schema/values/sysctls.ts";
import type { PodSandboxConfig, Strings, UserNamespace } from "../runtime/types.ts";
import type { SandboxLimits } from "../types.ts";
import { podLogDirectory, refOf, sandboxLabels } from "./names.ts";
import { namespacesOf, podGroups, selinuxOf } from "./security.ts";
import { allContainersOf, containersOf } from "./spec.ts";

/** Name service of a pod. */
export type DnsConfig = NonNullable<PodSandboxConfig["dnsConfig"]>;

/** What of the node goes into it. */
export interface SandboxInput {
  readonly pod: Pod;
  readonly attempt: number;
  /** Name of its control group for the runtime; empty for none. */
  readonly cgroupParent: string;
  readonly limits: SandboxLimits;
  readonly users: UserNamespace;
  readonly dns: DnsConfig | undefined;
  readonly clusterDomain: string;
  readonly podLogsDir: string;
  /** That its volumes ask for. */
  readonly groups?: readonly number[];
  /** Of pods that do not say otherwise. */
  readonly defaultPodSysctls?: Strings | undefined;
}

/** @throws Error when its names are none */
export function sandboxConfig(input: SandboxInput): PodSandboxConfig {
  const { pod, attempt, dns } = input;
  const ref = refOf(pod);
  const { securityContext: own = {} } = pod.spec ?? {};
  const ports = containersOf(pod).flatMap((c) => portMappings(c.ports ?? []));
  return {
    metadata: { ...ref, attempt },
    ...(pod.spec?.hostNetwork ? {} : { hostname: kernelHostname(pod, podName(pod, input.clusterDomain)) }),
    logDirectory: podLogDirectory(input.podLogsDir, ref),
    ...(dns ? { dnsConfig: dns } : {}),
    ...(ports.length > 0 ? { portMappings: ports } : {}),
    labels: sandboxLabels(pod),
    annotations: pod.metadata?.annotations ?? {},
    linux: {
      ...(input.cgroupParent ? { cgroupParent: input.cgroupParent } : {}),
      ...input.limits,
      securityContext: {
        namespaceOptions: namespacesOf(pod, input.users),
        ...selinuxOf(own.seLinuxOptions),
        ...(own.runAsUser === undefined ? {} : { runAsUser: { value: Number(own.runAsUser) } }),
        ...(own.runAsGroup === undefined ? {} : { runAsGroup: { value: Number(own.runAsGroup) } }),
        ...podGroups(pod, input.groups),
        privileged: allContainersOf(pod).some((c) => c.securityContext?.privileged),
        // The sandbox itself does nothing, so the least will do.
        seccomp: { profileType: "RuntimeDefault" },
      },
      sysctls: sysctlsOf(pod, input.defaultPodSysctls ?? {}),
    },
  };
}

/** Whether a pod has a namespace of its own. */
const OWN: Readonly<Record<SysctlNamespace, (spec: Partial<PodSpec>) => boolean>> = {
  IPC: ({ hostIPC }) => !hostIPC,
  Net: ({ hostNetwork }) => !hostNetwork,
  UTS: ({ hostNetwork }) => !hostNetwork,
  User: ({ hostUsers }) => hostUsers === false,
};

/** Its own, over the default ones of namespaces that are its own. */
function sysctlsOf({ spec = {} }: { spec?: Partial<PodSpec> }, defaults: Strings): Strings {
  const meant = Object.entries(defaults).filter(([name]) => {
    const namespace = sysctlNamespace(name);
    return namespace && OWN[namespace](spec);
  });
  const own = (spec.securityContext?.sysctls ?? []).map(({ name, value }) => [name, value] as const);
  return Object.fromEntries([...meant, ...own].map(([name, value]) => [dottedSysctl(name), value]));
}

type Mapping = NonNullable<PodSandboxConfig["portMappings"]>[number];

/** Ports of a container; one that says the same as another before it is left out. */
function portMappings(ports: readonly ContainerPort[]): Mapping[] {
  const seen = new Set<string>();
  return ports.flatMap((port) => {
    const { hostIP = "", containerPort, hostPort = 0, protocol = "TCP" } = port;
    const family = hostIP === "" ? "any" : hostIP.includes(":") ? "v6" : "v4";
    const key = port.name || `${family}-${protocol}-${hostIP}:${containerPort}:${hostPort}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ protocol, containerPort, hostPort, ...(hostIP ? { hostIp: hostIP } : {}) }];
  });
}
