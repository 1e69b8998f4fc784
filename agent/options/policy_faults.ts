/** What must hold of options of the policies that place pods on cores. */
import type { SettingValues } from "./table.ts";

type Enabled = (gate: string) => boolean;

/** A policy's option: its values, and the gate that it needs. */
interface PolicyOption {
  readonly type: "bool" | "nodes";
  readonly gate?: string;
}

const CPU: Readonly<Record<string, PolicyOption>> = {
  "full-pcpus-only": { type: "bool" },
  "strict-cpu-reservation": { type: "bool" },
  "prefer-align-cpus-by-uncorecache": { type: "bool" },
  "distribute-cpus-across-numa": { type: "bool", gate: "CPUManagerPolicyBetaOptions" },
  "align-by-socket": { type: "bool", gate: "CPUManagerPolicyAlphaOptions" },
  "distribute-cpus-across-cores": { type: "bool", gate: "CPUManagerPolicyAlphaOptions" },
};
const TOPOLOGY: Readonly<Record<string, PolicyOption>> = {
  "prefer-closest-numa-nodes": { type: "bool" },
  "max-allowable-numa-nodes": { type: "nodes" },
};

const BOOL = /^(1|t|T|true|TRUE|True|0|f|F|false|FALSE|False)$/;
/** The fewest NUMA nodes that may be named as the most. */
const NODES = 8;

function faultOf(option: PolicyOption | undefined, value: string, enabled: Enabled): string | undefined {
  if (option === undefined) return "no such option";
  if (option.gate !== undefined && !enabled(option.gate)) return `needs the feature gate ${option.gate}`;
  if (option.type === "bool") return BOOL.test(value) ? undefined : `${JSON.stringify(value)} should be true or false`;
  const good = /^\d+$/.test(value) && Number(value) >= NODES;
  return good ? undefined : `${JSON.stringify(value)} should be a number from ${NODES} on`;
}

const faultsOf = (
  flag: string,
  known: Readonly<Record<string, PolicyOption>>,
  given: Readonly<Record<string, string>>,
  enabled: Enabled,
): string[] =>
  Object.entries(given).flatMap(([name, value]) => {
    const why = faultOf(Object.hasOwn(known, name) ? known[name] : undefined, value, enabled);
    return why === undefined ? [] : [`--${flag}: ${name}: ${why}`];
  });

/** Everything that does not hold. */
export function policyFaults(o: SettingValues, enabled: Enabled): string[] {
  const none = o.cpuManagerPolicy === "none" && Object.keys(o.cpuManagerPolicyOptions).length > 0;
  const apart = o.topologyManagerPolicy === "single-numa-node" &&
    Object.hasOwn(o.cpuManagerPolicyOptions, "align-by-socket");
  return [
    ...(apart
      ? ["--cpu-manager-policy-options: align-by-socket cannot go with --topology-manager-policy=single-numa-node"]
      : []),
    ...(none ? ["--cpu-manager-policy-options: need --cpu-manager-policy=static"] : []),
    ...faultsOf("cpu-manager-policy-options", CPU, o.cpuManagerPolicyOptions, enabled),
    ...faultsOf("topology-manager-policy-options", TOPOLOGY, o.topologyManagerPolicyOptions, enabled),
  ];
}
