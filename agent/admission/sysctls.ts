/** Which settings of the kernel a pod may have changed (`--allowed-unsafe-sysctls`). */
import type { Pod } from "../../schema/api/core_v1.ts";
import { dottedSysctl, type SysctlNamespace, sysctlNamespace } from "../../schema/values/sysctls.ts";
import type { Refusal } from "../types.ts";

/** Settings that touch no other pod, and the kernel since which they are each pod's own. */
const SAFE: readonly (readonly [name: string, since?: string])[] = [
  ["kernel.shm_rmid_forced"],
  ["net.ipv4.ip_local_port_range"],
  ["net.ipv4.tcp_syncookies"],
  ["net.ipv4.ping_group_range"],
  ["net.ipv4.ip_unprivileged_port_start"],
  ["net.ipv4.ip_local_reserved_ports", "3.16"],
  ["net.ipv4.tcp_keepalive_time", "4.5"],
  ["net.ipv4.tcp_fin_timeout", "4.6"],
  ["net.ipv4.tcp_keepalive_intvl", "4.5"],
  ["net.ipv4.tcp_keepalive_probes", "4.5"],
  ["net.ipv4.tcp_rmem", "4.15"],
  ["net.ipv4.tcp_wmem", "4.15"],
  ["net.ipv4.tcp_slow_start_after_idle", "4.15"],
  ["net.ipv4.tcp_notsent_lowat", "4.6"],
];

function atLeast(kernel: string, since: string): boolean {
  const [a, b] = [kernel, since].map((text) => text.split(/[.-]/, 2).map((n) => Number(n) || 0));
  return a![0]! > b![0]! || (a![0] === b![0] && (a![1] ?? 0) >= (b![1] ?? 0));
}

/** A name, or the beginning of names, that is allowed. */
interface Allowed {
  readonly text: string;
  readonly prefix: boolean;
  readonly namespace: SysctlNamespace;
}

function allowed(pattern: string): Allowed {
  const name = dottedSysctl(pattern), star = name.indexOf("*");
  const text = star < 0 ? name : name.slice(0, star), namespace = sysctlNamespace(name);
  if (!namespace) throw new Error(`the sysctls ${JSON.stringify(text)} are not known to be namespaced`);
  return { text, prefix: star >= 0, namespace };
}

/** Says what of a pod's settings is forbidden. @param kernel its version. @throws Error: a pattern that means nothing */
export function sysctlCheck(patterns: readonly string[], kernel: string): (pod: Pod) => Refusal | undefined {
  const safe = SAFE.filter(([, since]) => since === undefined || atLeast(kernel, since)).map(([name]) => name);
  const list = [...safe, ...patterns].map(allowed);
  const names = new Map(list.filter((a) => !a.prefix).map((a) => [a.text, a.namespace]));
  const prefixes = list.filter((a) => a.prefix);
  return (pod) => {
    const { securityContext, hostNetwork, hostIPC, hostUsers } = pod.spec ?? {};
    const shared: Partial<Record<SysctlNamespace, boolean>> = {
      Net: hostNetwork ?? false,
      IPC: hostIPC ?? false,
      User: hostUsers ?? true,
    };
    for (const { name } of securityContext?.sysctls ?? []) {
      const known = dottedSysctl(name);
      const namespace = names.get(known) ?? prefixes.find((a) => known.startsWith(a.text))?.namespace;
      const text = JSON.stringify(known);
      const fault = namespace === undefined
        ? `${text} not allowlisted`
        : shared[namespace]
        ? `${text} not allowed with host ${namespace} enabled`
        : undefined;
      if (fault) return { reason: "SysctlForbidden", message: `forbidden sysctl: ${fault}` };
    }
    return undefined;
  };
}
