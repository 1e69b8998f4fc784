/** `/etc/hosts` of pods. */
import { constants } from "node:fs";
import { open, readFile } from "node:fs/promises";
import type { HostAlias, Pod } from "../../schema/api/core_v1.ts";
import type { PodName } from "./hostname.ts";

const HEAD = "# Kubernetes-managed hosts file.\n";
const HOST_HEAD = "# Kubernetes-managed hosts file (host network).\n";
const LOCAL = [
  "127.0.0.1\tlocalhost",
  "::1\tlocalhost ip6-localhost ip6-loopback",
  "fe00::0\tip6-localnet",
  "fe00::0\tip6-mcastprefix",
  "fe00::1\tip6-allnodes",
  "fe00::2\tip6-allrouters",
  "",
].join("\n");
const HOSTS = "/etc/hosts";
const MODE = 0o644;

const lines = (all: readonly string[]) => all.map((line) => `${line}\n`).join("");

function aliasLines(aliases: readonly HostAlias[]): string {
  if (aliases.length === 0) return "";
  return lines([
    "",
    "# Entries added by HostAliases.",
    ...aliases.map(({ ip, hostnames }) => `${ip}\t${(hostnames ?? []).join("\t")}`),
  ]);
}

/** What the file is made from. */
export interface HostsFacts extends PodName {
  readonly podIPs: readonly string[];
  /** Content of the host's file, for pods in its network. */
  readonly host: string;
}

/** Content of the file. Pure. */
export function hostsFileFor(pod: Pod, { hostname, domain, podIPs, host }: HostsFacts): string {
  const aliases = aliasLines(pod.spec?.hostAliases ?? []);
  if (pod.spec?.hostNetwork) return HOST_HEAD + host + aliases;
  const names = domain ? `${hostname}.${domain}\t${hostname}` : hostname;
  return HEAD + LOCAL + lines(podIPs.map((ip) => `${ip}\t${names}`)) + aliases;
}

/** Whether containers get the file: not before the pod has an address. */
export function hasHostsFile(pod: Pod, podIPs: readonly string[]): boolean {
  return podIPs.length > 0 || pod.spec?.hostNetwork === true;
}

/** Writes it in place, so that containers that run see it, over what it was: at no time is it empty for them. @throws Error */
export async function writeHostsFile(path: string, pod: Pod, facts: Omit<HostsFacts, "host">): Promise<void> {
  const host = pod.spec?.hostNetwork ? await readFile(HOSTS, "utf8") : "";
  const bytes = new TextEncoder().encode(hostsFileFor(pod, { ...facts, host }));
  await using file = await open(path, constants.O_WRONLY | constants.O_CREAT, MODE);
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
  await file.truncate(bytes.length);
  await file.chmod(MODE);
}
