/** What `--runtime-config` names that is not there, and what leaves nothing to serve. */
import { DROPPED, MODULES } from "../../schema/modules.ts";
import type { RuntimeConfig } from "./runtime_config.ts";

/** Groups of messages and files: nothing of them is a resource. */
const UNSERVED: ReadonlySet<string> = new Set([
  "apidiscovery.k8s.io",
  "apiserver.config.k8s.io",
  "audit.k8s.io",
  "kubelet.config.k8s.io",
  "meta.k8s.io",
]);

/** Built-in group versions, whether served or not. */
const KNOWN: readonly string[] = [
  "v1",
  ...MODULES.filter((m) => m.group !== "" && !UNSERVED.has(m.group)).map((m) => `${m.group}/${m.version}`),
];

/** Those that no server has which behaves as its own version. */
const GONE: ReadonlySet<string> = new Set(DROPPED.map((r) => `${r.group}/${r.version}`));

/** Faults of the option; `local` puts public names into the dialect. */
export function runtimeFaults(
  config: RuntimeConfig,
  local: (key: string) => string,
): string[] {
  const known = new Set(config.emulation ? KNOWN : KNOWN.filter((gv) => !GONE.has(gv)));
  const faults = config.unknownKeys(known).map((key) => `${local(key)}: no such built-in API`);
  if (config.onlyNothing) faults.push("api/all=false: should not stand alone, nothing would be served");
  return faults.map((fault) => `--runtime-config: ${fault}`);
}
