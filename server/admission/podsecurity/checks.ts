/** The table of checks: which rule holds at which level from which version on. */
import type { Product } from "../../../schema/product.ts";
import * as baseline from "./baseline.ts";
import { type Finding, notOnWindows, notWithOwnUsers, type PodLike, type Rule } from "./pod.ts";
import type { LevelVersion } from "./policy.ts";
import * as restricted from "./restricted.ts";

/** One check. `from`: minor version and the rule from there on, ascending. */
interface Check {
  readonly id: string;
  readonly from: readonly (readonly [number, Rule])[];
  /** Baseline check that this one makes needless. */
  readonly instead?: string;
}

const SYSCTLS: readonly (readonly [number, readonly string[]])[] = [
  [0, [
    "kernel.shm_rmid_forced",
    "net.ipv4.ip_local_port_range",
    "net.ipv4.tcp_syncookies",
    "net.ipv4.ping_group_range",
    "net.ipv4.ip_unprivileged_port_start",
  ]],
  [27, ["net.ipv4.ip_local_reserved_ports"]],
  [29, [
    "net.ipv4.tcp_keepalive_time",
    "net.ipv4.tcp_fin_timeout",
    "net.ipv4.tcp_keepalive_intvl",
    "net.ipv4.tcp_keepalive_probes",
  ]],
  [32, ["net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"]],
  [37, ["net.ipv4.tcp_slow_start_after_idle", "net.ipv4.tcp_notsent_lowat"]],
];

/** Each version allows what the ones before it allow, and more. */
const sysctlRules = (): [number, Rule][] =>
  SYSCTLS.map(([minor], i) => {
    const allowed = SYSCTLS.slice(0, i + 1).flatMap(([, names]) => names);
    return [minor, baseline.sysctls(new Set(allowed))];
  });

function baselineChecks(product: Product): Check[] {
  const always: Record<string, Rule> = {
    appArmorProfile: baseline.appArmor(product),
    capabilities_baseline: baseline.capabilities,
    hostNamespaces: baseline.hostNamespaces,
    hostPathVolumes: baseline.hostPathVolumes,
    hostPorts: baseline.hostPorts,
    privileged: baseline.privileged,
    windowsHostProcess: baseline.hostProcess,
  };
  return [
    ...Object.entries(always).map(([id, rule]): Check => ({ id, from: [[0, rule]] })),
    { id: "hostProbesAndHostLifecycle", from: [[34, baseline.hostProbes]] },
    { id: "procMount", from: [[0, baseline.procMount], [35, notWithOwnUsers(baseline.procMount)]] },
    {
      id: "seLinuxOptions",
      from: [[0, baseline.seLinuxOptions()], [31, baseline.seLinuxOptions("container_engine_t")]],
    },
    {
      id: "seccompProfile_baseline",
      from: [[0, baseline.seccompAnnotations(product)], [19, baseline.seccomp]],
    },
    { id: "sysctls", from: sysctlRules() },
  ];
}

function restrictedChecks(): Check[] {
  const { allowPrivilegeEscalation: escalation, restrictedCapabilities, requiredSeccomp } = restricted;
  return [
    { id: "allowPrivilegeEscalation", from: [[8, escalation], [25, notOnWindows(escalation)]] },
    {
      id: "capabilities_restricted",
      from: [[22, restrictedCapabilities], [25, notOnWindows(restrictedCapabilities)]],
      instead: "capabilities_baseline",
    },
    { id: "procMount_restricted", from: [[35, baseline.procMount]], instead: "procMount" },
    { id: "restrictedVolumes", from: [[0, restricted.volumeTypes]], instead: "hostPathVolumes" },
    { id: "runAsNonRoot", from: [[0, restricted.runAsNonRoot], [35, notWithOwnUsers(restricted.runAsNonRoot)]] },
    { id: "runAsUser", from: [[23, restricted.runAsUser], [35, notWithOwnUsers(restricted.runAsUser)]] },
    {
      id: "seccompProfile_restricted",
      from: [[19, requiredSeccomp], [25, notOnWindows(requiredSeccomp)]],
      instead: "seccompProfile_baseline",
    },
  ];
}

const byId = (a: Check, b: Check): number => a.id < b.id ? -1 : 1;

/** The rules of levels and versions. Made once for a server. */
export class Checks {
  readonly #baseline: readonly Check[];
  readonly #restricted: readonly Check[];
  readonly #newest: number;
  readonly #rules = new Map<string, readonly Rule[]>();

  /** `newest`: minor version beyond which there are no other rules. */
  constructor(product: Product, newest: number) {
    this.#baseline = baselineChecks(product).sort(byId);
    this.#restricted = restrictedChecks().sort(byId);
    this.#newest = newest;
  }

  #of(p: LevelVersion): readonly Rule[] {
    const minor = Math.min(p.minor, this.#newest);
    const key = `${p.level} ${minor}`;
    let rules = this.#rules.get(key);
    if (!rules) this.#rules.set(key, rules = this.#compile(p.level, minor));
    return rules;
  }

  #compile(level: string, minor: number): Rule[] {
    if (level === "privileged") return [];
    const active = (checks: readonly Check[]) => checks.filter((c) => c.from[0]![0] <= minor);
    const more = level === "restricted" ? active(this.#restricted) : [];
    const needless = new Set(more.map((c) => c.instead));
    return [...active(this.#baseline).filter((c) => !needless.has(c.id)), ...more]
      .map((c) => c.from.findLast(([from]) => from <= minor)![1]);
  }

  /** Everything that a pod does that a policy does not allow, in the order of the checks. */
  findings(policy: LevelVersion, pod: PodLike): Finding[] {
    const out: Finding[] = [];
    for (const rule of this.#of(policy)) {
      const finding = rule(pod);
      if (finding) out.push(finding);
    }
    return out;
  }
}

/** `host namespaces, privileged`. */
export const reasons = (findings: readonly Finding[]): string => findings.map((f) => f.reason).join(", ");
/** `host namespaces (hostNetwork=true), privileged (…)`. */
export const details = (findings: readonly Finding[]): string =>
  findings.map((f) => f.detail ? `${f.reason} (${f.detail})` : f.reason).join(", ");
