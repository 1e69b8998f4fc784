/** What the host calls itself. */
import { textAt } from "../resources/hierarchy.ts";

/** As in `nodeInfo`; empty where the host does not say. */
export interface HostIdentity {
  readonly machineID: string;
  readonly systemUUID: string;
  readonly bootID: string;
  readonly kernelVersion: string;
  readonly osImage: string;
  /** Whether this process is in a user namespace. Absent where that is not told. */
  readonly runningInUserNamespace?: boolean;
}

/** Files that say it; the first one that is there counts. */
const FILES: Readonly<Record<Exclude<keyof HostIdentity, "runningInUserNamespace">, readonly string[]>> = {
  machineID: ["etc/machine-id", "var/lib/dbus/machine-id"],
  systemUUID: [
    "sys/class/dmi/id/product_uuid",
    "proc/device-tree/system-id",
    "proc/device-tree/vm,uuid",
    // Where no firmware tells one.
    "etc/machine-id",
  ],
  bootID: ["proc/sys/kernel/random/boot_id"],
  kernelVersion: ["proc/sys/kernel/osrelease"],
  osImage: ["etc/os-release", "usr/lib/os-release"],
};

/** Reads it. @param root of the host's file system, with a slash at its end */
export async function identityOf(root = "/"): Promise<HostIdentity> {
  const first = async (files: readonly string[]): Promise<string> => {
    for (const file of files) {
      const text = await textAt(root + file);
      if (text !== undefined) return text.replaceAll("\0", "").trim();
    }
    return "";
  };
  const [machineID, systemUUID, bootID, kernelVersion, release] = await Promise.all([
    first(FILES.machineID),
    first(FILES.systemUUID),
    first(FILES.bootID),
    first(FILES.kernelVersion),
    first(FILES.osImage),
  ]);
  const osImage = /^PRETTY_NAME=(.*)$/m.exec(release)?.[1]?.replace(/^(["'])(.*)\1$/, "$2") ?? "Linux";
  return { machineID, systemUUID, bootID, kernelVersion, osImage };
}

/** All users of the host, each as itself: what the first namespace has. */
const ALL_USERS = /^\s*0\s+0\s+4294967295\s*$/;

/** Whether this process is in a user namespace of its own. @param root as of {@linkcode identityOf} */
export async function inUserNamespace(root = "/"): Promise<boolean> {
  const map = await textAt(`${root}proc/self/uid_map`);
  return map !== undefined && !ALL_USERS.test(map);
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x86_64: "amd64", aarch64: "arm64" };

/** This process's platform, in the words of labels. */
export const PLATFORM = {
  os: Deno.build.os,
  arch: ARCHITECTURES[Deno.build.arch] ?? Deno.build.arch,
} as const;

/** The host's name, or the one that replaces it, as nodes are named. @throws Error when it is empty */
export function hostnameOf(override: string): string {
  const name = (override || Deno.hostname()).trim().toLowerCase();
  if (name === "") throw new Error("empty hostname is invalid");
  return name;
}
