/** What must hold of the names of sysctls in options. */
import { dottedSysctl, isSysctlName, isSysctlPattern, sysctlNamespace } from "../../schema/values/sysctls.ts";

function fault(name: string, isOne: (text: string) => boolean): string | undefined {
  if (!isOne(name)) return "is no name of a sysctl";
  return sysctlNamespace(name) === undefined ? "is not known to be of a namespace" : undefined;
}

/** Faults of `--allowed-unsafe-sysctls`. */
export const sysctlPatternFaults = (patterns: readonly string[]): string[] =>
  patterns.flatMap((p) => {
    const why = fault(p, isSysctlPattern);
    return why === undefined ? [] : [`--allowed-unsafe-sysctls: ${JSON.stringify(p)} ${why}`];
  });

/** Faults of the field `defaultPodSysctls`. */
export function defaultSysctlFaults(sysctls: Readonly<Record<string, string>>): string[] {
  const seen = new Set<string>();
  return Object.keys(sysctls).flatMap((name) => {
    const why = fault(name, isSysctlName) ?? (seen.has(dottedSysctl(name)) ? "stands there twice" : undefined);
    seen.add(dottedSysctl(name));
    return why === undefined ? [] : [`defaultPodSysctls: ${JSON.stringify(name)} ${why}`];
  });
}
