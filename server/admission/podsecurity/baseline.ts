/** Rules of the level `baseline`: nothing that is known to give a pod power over its node. */
import type { Product } from "../../../schema/product.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import {
  containersOf,
  containersWith,
  namedContainers,
  plural,
  type PodLike,
  quoted,
  type Rule,
  setters,
  unique,
  valuesOf,
} from "./pod.ts";

const HOST_NAMESPACES = ["hostNetwork", "hostPID", "hostIPC"];

/** hostNetwork, hostPID, hostIPC. */
export const hostNamespaces: Rule = ({ spec }) => {
  const used = HOST_NAMESPACES.filter((n) => spec[n] === true).map((n) => `${n}=true`);
  return used.length ? { reason: "host namespaces", detail: used.join(", ") } : undefined;
};

/** hostPath volumes. */
export const hostPathVolumes: Rule = ({ spec }) => {
  const names = items<Tree>(spec["volumes"]).filter((v) => v["hostPath"]).map((v) => v["name"]);
  if (names.length === 0) return undefined;
  return { reason: "hostPath volumes", detail: `${plural(names.length, "volume")} ${quoted(names)}` };
};

/** Ports of the host. */
export const hostPorts: Rule = (pod) => {
  const portsOf = (c: Tree): string[] =>
    items<Tree>(c["ports"]).filter((p) => p["hostPort"]).map((p) => `${p["hostPort"]}`);
  const bad = containersOf(pod).filter((c) => portsOf(c).length > 0);
  if (bad.length === 0) return undefined;
  const ports = unique(bad.flatMap(portsOf));
  const detail = `${namedContainers(bad.map((c) => c["name"]))} ${plural(bad.length, "uses", "use")} ${
    plural(ports.length, "hostPort")
  } ${ports.join(", ")}`;
  return { reason: "hostPort", detail };
};

/** Hosts that a container's probes and hooks are sent to. */
function hosts(c: Tree): string[] {
  const found: string[] = [];
  const look = (handler: Tree | undefined) => {
    if (!handler) return;
    const web = handler["httpGet"]?.host, socket = handler["tcpSocket"]?.host;
    if (web) found.push(web);
    if (socket) found.push(socket);
  };
  look(c["livenessProbe"]);
  look(c["readinessProbe"]);
  look(c["startupProbe"]);
  look(c["lifecycle"]?.postStart);
  look(c["lifecycle"]?.preStop);
  return found;
}

/** Probes and hooks of other hosts. */
export const hostProbes: Rule = (pod) => {
  const bad = containersOf(pod).filter((c) => hosts(c).length > 0);
  if (bad.length === 0) return undefined;
  const names = unique(bad.map((c) => c["name"]));
  const used = unique(bad.flatMap(hosts));
  const detail = `${namedContainers(names)} ${plural(names.length, "uses", "use")} ${
    plural(used.length, "probe or lifecycle host")
  } ${quoted(used)}`;
  return { reason: "probe or lifecycle host", detail };
};

/** Privileged containers. */
export const privileged: Rule = (pod) => {
  const names = containersWith(pod, (s) => s["privileged"] === true);
  if (names.length === 0) return undefined;
  return { reason: "privileged", detail: `${namedContainers(names)} must not set securityContext.privileged=true` };
};

/** Other ways of mounting /proc than the usual one. */
export const procMount: Rule = (pod) => {
  const other = (s: Tree): boolean => !!s["procMount"] && s["procMount"] !== "Default";
  const names = containersWith(pod, other);
  if (names.length === 0) return undefined;
  const types = unique(containersOf(pod).map((c) => c["securityContext"] ?? {}).filter(other).map((s) => s.procMount));
  return {
    reason: "procMount",
    detail: `${namedContainers(names)} must not set securityContext.procMount to ${quoted(types)}`,
  };
};

const CAPABILITIES = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

/** Capabilities beyond those that containers have anyway. */
export const capabilities: Rule = (pod) => {
  const beyond = (s: Tree): string[] => items<string>(s["capabilities"]?.add).filter((c) => !CAPABILITIES.has(c));
  const names = containersWith(pod, (s) => beyond(s).length > 0);
  if (names.length === 0) return undefined;
  const added = unique(containersOf(pod).flatMap((c) => beyond(c["securityContext"] ?? {})));
  return {
    reason: "non-default capabilities",
    detail: `${namedContainers(names)} must not include ${quoted(added)} in securityContext.capabilities.add`,
  };
};

const SELINUX_TYPES = ["", "container_t", "container_init_t", "container_kvm_t"];

/** SELinux options; `more` are types that later versions allow. */
export function seLinuxOptions(...more: string[]): Rule {
  const types = new Set([...SELINUX_TYPES, ...more]);
  const options = (s: Tree): Tree => s["seLinuxOptions"] ?? {};
  const badType = (s: Tree): boolean => !types.has(options(s)["type"] ?? "");
  return (pod) => {
    const who = setters(pod, (s) => badType(s) || !!options(s)["user"] || !!options(s)["role"]);
    if (who === "") return undefined;
    const bad = unique(valuesOf(pod, (s) => badType(s) ? `${options(s)["type"]}` : undefined));
    const what = [
      ...(bad.length ? [`${plural(bad.length, "type")} ${quoted(bad)}`] : []),
      ...["user", "role"].filter((m) => valuesOf(pod, (s) => options(s)[m] || undefined).length > 0)
        .map((m) => `${m} may not be set`),
    ];
    return {
      reason: "seLinuxOptions",
      detail: `${who} set forbidden securityContext.seLinuxOptions: ${what.join("; ")}`,
    };
  };
}

/** Whether a seccomp profile is one that the runtime or the node gives. */
export const goodSeccomp = (type: unknown): boolean => type === "Localhost" || type === "RuntimeDefault";

/** Seccomp profiles in members. */
export const seccomp: Rule = (pod) => {
  const type = (s: Tree): unknown => s["seccompProfile"]?.type;
  const bad = (s: Tree): boolean => !!s["seccompProfile"] && !goodSeccomp(type(s));
  const who = setters(pod, bad);
  if (who === "") return undefined;
  const types = unique(valuesOf(pod, (s) => bad(s) ? `${type(s)}` : undefined));
  return {
    reason: "seccompProfile",
    detail: `${who} must not set securityContext.seccompProfile.type to ${quoted(types)}`,
  };
};

/** Seccomp profiles in annotations, as in the first versions. */
export function seccompAnnotations(product: Product): Rule {
  const ofPod = product.local("seccomp.security.alpha.kubernetes.io/pod");
  const ofContainer = product.local("container.seccomp.security.alpha.kubernetes.io/");
  const good = (v: string): boolean => v === "runtime/default" || v === "docker/default" || v.startsWith("localhost/");
  return (pod) => {
    const annotations: Record<string, string> = pod.metadata["annotations"] ?? {};
    const keys = [ofPod, ...containersOf(pod).map((c) => ofContainer + c["name"])];
    const bad = unique(
      keys.filter((k) => annotations[k] !== undefined && !good(annotations[k])).map((k) => `${k}="${annotations[k]}"`),
    );
    if (bad.length === 0) return undefined;
    return { reason: "seccompProfile", detail: `forbidden ${plural(bad.length, "annotation")} ${bad.join(", ")}` };
  };
}

/** AppArmor profiles, in members and annotations. */
export function appArmor(product: Product): Rule {
  const prefix = product.local("container.apparmor.security.beta.kubernetes.io/");
  const good = (v: string): boolean => v === "" || v === "runtime/default" || v.startsWith("localhost/");
  const bad = (s: Tree): boolean => {
    const profile = s["appArmorProfile"];
    return !!profile && profile.type !== "RuntimeDefault" && profile.type !== "Localhost";
  };
  return (pod) => {
    const annotations: Record<string, string> = pod.metadata["annotations"] ?? {};
    const forbidden = Object.keys(annotations).filter((k) => k.startsWith(prefix) && !good(annotations[k]!))
      .map((k) => `${k}="${annotations[k]}"`).sort();
    const own = setters(pod, bad);
    const who = [
      ...(own ? [own] : []),
      ...(forbidden.length ? [plural(forbidden.length, "annotation")] : []),
    ].join(" and ");
    if (who === "") return undefined;
    const values = [...unique(valuesOf(pod, (s) => bad(s) ? `${s["appArmorProfile"].type}` : undefined)), ...forbidden];
    return {
      reason: `forbidden AppArmor ${plural(values.length, "profile")}`,
      detail: `${who} must not set AppArmor profile type to ${quoted(values)}`,
    };
  };
}

/** Kernel parameters beyond those that stay within the pod. */
export function sysctls(allowed: ReadonlySet<string>): Rule {
  return ({ spec }: PodLike) => {
    const names = items<Tree>(spec["securityContext"]?.sysctls).map((s) => s["name"]).filter((n) => !allowed.has(n));
    return names.length ? { reason: "forbidden sysctls", detail: names.join(", ") } : undefined;
  };
}

/** Processes of a Windows host. */
export const hostProcess: Rule = (pod) => {
  const who = setters(pod, (s) => s["windowsOptions"]?.hostProcess === true);
  if (who === "") return undefined;
  return { reason: "hostProcess", detail: `${who} must not set securityContext.windowsOptions.hostProcess=true` };
};
