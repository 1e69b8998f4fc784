/** Names of sysctls: settings of the kernel, some of a namespace, so that a pod may have its own. */

/** Of which namespace a sysctl is. */
export type SysctlNamespace = "IPC" | "Net" | "UTS" | "User";

const NAMES: Readonly<Record<string, SysctlNamespace>> = {
  "kernel.domainname": "UTS",
  "kernel.sem": "IPC",
  "kernel.shmall": "IPC",
  "kernel.shmmax": "IPC",
  "kernel.shmmni": "IPC",
  "kernel.shm_rmid_forced": "IPC",
  // What patterns of theirs begin with.
  "kernel.shm": "IPC",
  "kernel.msg": "IPC",
  "kernel.msgmax": "IPC",
  "kernel.msgmnb": "IPC",
  "kernel.msgmni": "IPC",
};
const PREFIXES: Readonly<Record<string, SysctlNamespace>> = { "net.": "Net", "fs.mqueue.": "IPC", "user.": "User" };

const SEGMENTS = /^(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*/.source;
const NAME = new RegExp(`${SEGMENTS}[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$`);
const PATTERN = new RegExp(`${SEGMENTS}(?:[a-z0-9][-_a-z0-9]*)?[a-z0-9*]$`);
const LONGEST = 253;

/** Whether a text can be a sysctl's name. */
export const isSysctlName = (name: string): boolean => name.length <= LONGEST && NAME.test(name);

/** Whether it can be a name, or the beginning of names and `*`. */
export const isSysctlPattern = (text: string): boolean => text.length <= LONGEST && PATTERN.test(text);

/** The name with dots between its parts: `net/ipv4/conf/eth0.1/x` is `net.ipv4.conf.eth0/1.x`. */
export function dottedSysctl(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  return first === "/" ? name.replace(/[./]/g, (c) => (c === "." ? "/" : ".")) : name;
}

/** The namespace of a sysctl, or of all that a pattern ending in `*` means; undefined when it is known of none. */
export function sysctlNamespace(name: string): SysctlNamespace | undefined {
  const dotted = dottedSysctl(name).replace(/\*.*$/, "");
  if (Object.hasOwn(NAMES, dotted)) return NAMES[dotted];
  return Object.entries(PREFIXES).find(([prefix]) => dotted.startsWith(prefix))?.[1];
}
