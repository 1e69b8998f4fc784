/** What a container may do on its host. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type {
  AppArmorProfile,
  Pod,
  PodSecurityContext,
  SeccompProfile,
  SecurityContext,
  SELinuxOptions,
} from "../../schema/api/core_v1.ts";
import type { AnyContainer } from "../types.ts";
import type {
  LinuxContainerSecurityContext,
  NamespaceOption,
  SecurityProfile,
  SELinuxOption,
  UserNamespace,
} from "../runtime/types.ts";
import { describe, refOf } from "./names.ts";

/** Who an image runs as: by number, or by a name that the runtime looks up in the image. */
export interface ImageUser {
  readonly uid?: number;
  readonly name?: string;
}

/** What of the agent's options matters here. */
export interface SecurityOptions {
  /** `--seccomp-default` */
  readonly seccompDefault?: boolean;
  readonly rootDir: string;
  /** That the pod's volumes ask for. */
  readonly groups?: readonly number[];
  readonly users: UserNamespace;
}

const MASKED = [
  "/proc/asound",
  "/proc/acpi",
  "/proc/interrupts",
  "/proc/kcore",
  "/proc/keys",
  "/proc/latency_stats",
  "/proc/timer_list",
  "/proc/timer_stats",
  "/proc/sched_debug",
  "/proc/scsi",
  "/sys/firmware",
  "/sys/devices/virtual/powercap",
];
const READ_ONLY = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"];
const CPUS = "/sys/devices/system/cpu";
const LEGACY_APPARMOR = "container.apparmor.security.beta.kubernetes.io/";

/** The pod's rules with the container's own over them. */
function effectiveSecurity(pod: Pod, container: AnyContainer): SecurityContext {
  const { seLinuxOptions, runAsUser, runAsGroup, runAsNonRoot }: PodSecurityContext = pod.spec?.securityContext ?? {};
  const shared = { seLinuxOptions, runAsUser, runAsGroup, runAsNonRoot };
  const own = container.securityContext ?? {};
  return Object.fromEntries(
    Object.entries({ ...shared, ...own }).map(([name, value]) => [name, value ?? shared[name as keyof typeof shared]])
      .filter(([, value]) => value !== undefined && value !== null),
  );
}

/** @throws Error when it must not run as root and would, or may */
export function checkNonRoot(pod: Pod, container: AnyContainer, user: ImageUser): void {
  const { runAsNonRoot, runAsUser } = effectiveSecurity(pod, container);
  if (!runAsNonRoot) return;
  const where = `(pod: "${describe(refOf(pod))}", container: ${container.name})`;
  if (runAsUser !== undefined) {
    if (Number(runAsUser) === 0) throw new Error(`container's runAsUser breaks non-root policy ${where}`);
  } else if (user.name) {
    throw new Error(
      `container has runAsNonRoot and image has non-numeric user (${user.name}), cannot verify user is non-root ${where}`,
    );
  } else if (user.uid === 0) throw new Error(`container has runAsNonRoot and image will run as root ${where}`);
}

/** Groups of all processes of a pod. @param more that its volumes ask for */
export function podGroups(pod: Pod, more: readonly number[] = []): Pick<
  LinuxContainerSecurityContext,
  "supplementalGroups" | "supplementalGroupsPolicy"
> {
  const { fsGroup, supplementalGroups, supplementalGroupsPolicy } = pod.spec?.securityContext ?? {};
  const groups = [...(fsGroup === undefined ? [] : [fsGroup]), ...more, ...(supplementalGroups ?? [])].map(Number);
  return {
    ...(groups.length > 0 ? { supplementalGroups: groups } : {}),
    ...(supplementalGroupsPolicy ? { supplementalGroupsPolicy } : {}),
  };
}

/** Which namespaces a pod has of its own. */
export function namespacesOf(pod: Pod, users: UserNamespace): NamespaceOption {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace } = pod.spec ?? {};
  return {
    network: hostNetwork ? "NODE" : "POD",
    ipc: hostIPC ? "NODE" : "POD",
    pid: hostPID ? "NODE" : shareProcessNamespace ? "POD" : "CONTAINER",
    usernsOptions: users,
  };
}

/** In the runtime's form. */
export function selinuxOf(options: SELinuxOptions | undefined): { selinuxOptions?: SELinuxOption } {
  return options ? { selinuxOptions: options } : {};
}

/** @param target whose processes it sees, for an ephemeral container; @throws Error when its profile cannot be had */
export function containerSecurity(
  pod: Pod,
  container: AnyContainer,
  user: ImageUser,
  options: SecurityOptions,
  target?: string,
): LinuxContainerSecurityContext {
  const own = effectiveSecurity(pod, container);
  const namespaces = namespacesOf(pod, options.users);
  const apparmor = appArmorOf(pod, container);
  const asImage = own.runAsUser === undefined;
  const uid = asImage ? user.uid : Number(own.runAsUser);
  const unmasked = own.procMount === "Unmasked";
  return {
    ...(own.capabilities
      ? {
        capabilities: {
          addCapabilities: own.capabilities.add ?? [],
          dropCapabilities: own.capabilities.drop ?? [],
        },
      }
      : {}),
    privileged: own.privileged ?? false,
    namespaceOptions: target && namespaces.pid === "CONTAINER"
      ? { ...namespaces, pid: "TARGET", targetId: target }
      : namespaces,
    ...selinuxOf(own.seLinuxOptions),
    ...(uid === undefined ? {} : { runAsUser: { value: uid } }),
    ...(asImage && user.name ? { runAsUsername: user.name } : {}),
    ...(own.runAsGroup === undefined ? {} : { runAsGroup: { value: Number(own.runAsGroup) } }),
    readonlyRootfs: own.readOnlyRootFilesystem ?? false,
    ...podGroups(pod, options.groups),
    noNewPrivs: own.allowPrivilegeEscalation === false,
    maskedPaths: unmasked ? [] : maskedPaths(),
    readonlyPaths: unmasked ? [] : READ_ONLY,
    seccomp: seccompOf(pod, container, options),
    ...(apparmor ? { apparmor } : {}),
  };
}

let masked: readonly string[] | undefined;

function maskedPaths(): readonly string[] {
  return masked ??= [
    ...MASKED,
    ...(existsSync(CPUS) ? readdirSync(CPUS) : [])
      .filter((name) => /^cpu\d+$/.test(name))
      .map((name) => join(CPUS, name, "thermal_throttle"))
      .filter((path) => existsSync(path)),
  ];
}

function seccompOf(pod: Pod, container: AnyContainer, options: SecurityOptions): SecurityProfile {
  const profile: SeccompProfile | undefined = container.securityContext?.seccompProfile ??
    pod.spec?.securityContext?.seccompProfile;
  if (!profile) return { profileType: options.seccompDefault ? "RuntimeDefault" : "Unconfined" };
  if (profile.type !== "Localhost") return { profileType: profile.type };
  if (!profile.localhostProfile) {
    throw new Error("localhostProfile must be set if seccompProfile type is Localhost.");
  }
  return {
    profileType: "Localhost",
    localhostRef: join(options.rootDir, "seccomp", profile.localhostProfile),
  };
}

function appArmorOf(pod: Pod, container: AnyContainer): SecurityProfile | undefined {
  const profile: AppArmorProfile | undefined = container.securityContext?.appArmorProfile ??
    legacyAppArmor(pod, container) ?? pod.spec?.securityContext?.appArmorProfile;
  if (!profile) return undefined;
  if (profile.type !== "Localhost") return { profileType: profile.type };
  if (!profile.localhostProfile) throw new Error("missing localhost apparmor profile name");
  return { profileType: "Localhost", localhostRef: profile.localhostProfile };
}

/** By an annotation, as before there was a field. */
function legacyAppArmor(pod: Pod, container: AnyContainer): AppArmorProfile | undefined {
  const value = pod.metadata?.annotations?.[LEGACY_APPARMOR + container.name];
  if (value === "runtime/default") return { type: "RuntimeDefault" };
  if (value === "unconfined") return { type: "Unconfined" };
  if (value?.startsWith("localhost/")) {
    return { type: "Localhost", localhostProfile: value.slice("localhost/".length) };
  }
  return undefined;
}
