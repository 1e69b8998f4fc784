/** PodSecurity: three levels of what pods may do, chosen by labels of their namespace. */
import type { Obj } from "../../../schema/model/types.ts";
import { invalid } from "../../../schema/status.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { namespaceNamed } from "../facts.ts";
import { Checks, details, reasons } from "../podsecurity/checks.ts";
import { type Exemptions, exemptionsOf, warnExempt } from "../podsecurity/exempt.ts";
import { podsUnder } from "../podsecurity/existing.ts";
import type { PodLike } from "../podsecurity/pod.ts";
import {
  compareLevels,
  equalPolicies,
  formatPolicy,
  isPrivileged,
  type LevelVersion,
  type Mode,
  MODES,
  parseLevel,
  parseMinor,
  type Policy,
  PRIVILEGED,
  type Read,
  readPolicy,
} from "../podsecurity/policy.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";

/** Where a workload has the template of its pods. */
const TEMPLATES: Readonly<Record<string, (obj: Tree) => Tree | undefined>> = {
  "podtemplates": (o) => o["template"],
  "replicationcontrollers": (o) => o["spec"]?.template,
  "replicasets.apps": (o) => o["spec"]?.template,
  "deployments.apps": (o) => o["spec"]?.template,
  "statefulsets.apps": (o) => o["spec"]?.template,
  "daemonsets.apps": (o) => o["spec"]?.template,
  "jobs.batch": (o) => o["spec"]?.template,
  "cronjobs.batch": (o) => o["spec"]?.jobTemplate?.spec?.template,
};
/** Subresources that leave the pod's containers as they are. */
const HARMLESS = new Set(["exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status"]);

function defaultsOf(config: Tree): Policy {
  const given: Record<string, string> = config["defaults"] ?? {};
  const policies = MODES.map((mode): [string, LevelVersion] => [mode, {
    level: parseLevel(given[mode] ?? "privileged") ?? "restricted",
    minor: parseMinor(given[`${mode}-version`] ?? "latest") ?? Infinity,
  }]);
  return Object.fromEntries(policies) as Policy;
}

/** See the top of the file. */
export function podSecurity(ctx: PluginContext): Plugin {
  const review = new Review(ctx), namespace = namespaceNamed(ctx);
  return {
    name: "PodSecurity",
    handles: (operation, resource, sub) => {
      if (operation !== "CREATE" && operation !== "UPDATE") return false;
      if (resource.id === "pods") return !HARMLESS.has(sub);
      return sub === "" && (resource.id === "namespaces" || Object.hasOwn(TEMPLATES, resource.id));
    },
    validate(a) {
      if (a.resource.id === "namespaces") return review.namespace(a);
      if (review.exempts(a)) return;
      const check = (ns: Obj) => a.resource.id === "pods" ? review.pod(a, ns) : review.workload(a, ns);
      const ns = namespace(a.namespace);
      if (!(ns instanceof Promise)) return check(ns);
      return ns.then((live) => {
        if (live) return check(live);
        ctx.counts.failed(a, true);
        if (a.resource.id === "pods") throw refusal(a, `failed to lookup namespace "${a.namespace}"`);
      });
    },
  };
}

/** Looks at objects by one configuration. What may not be is thrown. */
class Review {
  readonly #ctx: PluginContext;
  readonly #prefix: string;
  readonly #defaults: Policy;
  readonly #exempt: Exemptions;
  readonly #checks: Checks;
  readonly #policies = new WeakMap<Obj, Read>();
  /** The newest minor version whose rules are known. */
  readonly #newest: number;

  constructor(ctx: PluginContext) {
    const config: Tree = ctx.config ?? {};
    this.#ctx = ctx;
    this.#prefix = ctx.product.local("pod-security.kubernetes.io/");
    this.#defaults = defaultsOf(config);
    this.#exempt = exemptionsOf(config);
    this.#newest = ctx.options.versions.emulated;
    this.#checks = new Checks(ctx.product, ctx.options.versions.emulated);
  }

  /** Whether the configuration exempts the request, which is noted. */
  exempts(a: Attributes): boolean {
    const { namespaces, usernames } = this.#exempt;
    const why = namespaces.has(a.namespace) ? "namespace" : usernames.has(a.user.name) ? "user" : "";
    if (why) this.#exempted(a, why);
    return why !== "";
  }

  pod(a: Attributes, ns: Obj): void {
    const read = this.#policyOf(ns);
    if (read.faults.length === 0 && isPrivileged(read.policy)) {
      this.#count(a, "enforce", read.policy.enforce, false);
      return this.#annotate(a, "enforce-policy", formatPolicy(PRIVILEGED));
    }
    const pod = a.object as Tree as PodLike;
    if (a.operation === "UPDATE" && !changesImages(pod.spec, (a.oldObject as Tree)["spec"])) return;
    if (!this.#begins(a, read, pod)) return;
    const { enforce } = read.policy;
    this.#annotate(a, "enforce-policy", formatPolicy(enforce));
    const refused = this.#said(enforce, pod);
    this.#count(a, "enforce", enforce, refused !== undefined);
    this.#note(a, read, (level) => equalPolicies(level, enforce) ? refused : this.#said(level, pod), refused);
  }

  /** Nothing is enforced on it: its pods come one by one. */
  workload(a: Attributes, ns: Obj): void {
    const read = this.#policyOf(ns);
    const { warn, audit } = read.policy;
    if (read.faults.length === 0 && warn.level === "privileged" && audit.level === "privileged") return;
    const template = TEMPLATES[a.resource.id]!(a.object as Tree);
    if (!template?.["spec"]) return;
    const pod: PodLike = { metadata: template["metadata"] ?? {}, spec: template["spec"] };
    if (this.#begins(a, read, pod)) this.#note(a, read, (level) => this.#said(level, pod));
  }

  namespace(a: Attributes): void {
    const next = readPolicy(a.object!.metadata.labels, this.#defaults, this.#prefix);
    const last = a.oldObject && this.#policyOf(a.oldObject);
    const wrong = next.faults.length > 0 && JSON.stringify(next.faults) !== JSON.stringify(last?.faults);
    if (wrong) throw invalid("", "Namespace", a.name, [...next.faults]);
    if (last && !isRaised(next.policy.enforce, last.policy.enforce)) return;
    if (this.#exempt.namespaces.has(a.name)) return warnExempt(a, next.policy, this.#defaults, this.#prefix);
    if (last) this.#existing(a, next.policy.enforce);
  }

  #policyOf(obj: Obj): Read {
    let read = this.#policies.get(obj);
    if (!read) this.#policies.set(obj, read = readPolicy(obj.metadata.labels, this.#defaults, this.#prefix));
    return read;
  }

  #exempted(a: Attributes, why: string): void {
    this.#ctx.counts.exempted(a);
    this.#annotate(a, "exempt", why);
  }

  #count(a: Attributes, mode: Mode, policy: LevelVersion, denied: boolean): void {
    this.#ctx.counts.evaluated(a, mode, policy, denied, this.#newest);
  }

  #annotate(a: Attributes, key: string, value: string): void {
    a.annotate(this.#prefix + key, value);
  }

  /** Whether there is something to look at; what keeps it from that is noted. */
  #begins(a: Attributes, { faults }: Read, pod: PodLike): boolean {
    if (this.#exempt.runtimeClasses.has(pod.spec["runtimeClassName"] ?? "")) {
      this.#exempted(a, "runtimeClass");
      return false;
    }
    if (faults.length > 0) {
      this.#ctx.counts.failed(a, false);
      const texts = faults.map((f) => `${f.field}: ${f.message}`).join(", ");
      this.#annotate(a, "error", `Failed to parse policy: ${texts}`);
    }
    return true;
  }

  /** What a level says against a pod. */
  #said(level: LevelVersion, pod: PodLike): string | undefined {
    const found = this.#checks.findings(level, pod);
    return found.length ? `PodSecurity "${formatPolicy(level)}": ${details(found)}` : undefined;
  }

  /** Notes, refuses and warns, in this order. */
  #note(a: Attributes, { policy }: Read, said: (level: LevelVersion) => string | undefined, refused?: string): void {
    const noted = said(policy.audit);
    if (noted) {
      this.#count(a, "audit", policy.audit, true);
      this.#annotate(a, "audit-violations", `would violate ${noted}`);
    }
    if (refused) throw refusal(a, `violates ${refused}`);
    const warned = equalPolicies(policy.warn, policy.audit) ? noted : said(policy.warn);
    if (!warned) return;
    this.#count(a, "warn", policy.warn, true);
    a.warn(`would violate ${warned}`);
  }

  /** Warns of pods that are there. */
  #existing(a: Attributes, enforce: LevelVersion): void {
    const pods = this.#ctx.lister.list("pods", a.name);
    const how = {
      exempt: (name: string) => this.#exempt.runtimeClasses.has(name),
      reasons: (pod: Obj) => reasons(this.#checks.findings(enforce, pod as Tree as PodLike)),
      now: this.#ctx.now,
    };
    for (const text of podsUnder(pods, a.name, formatPolicy(enforce), how)) a.warn(text);
  }
}

/** Whether pods that are there may break what was allowed before. */
function isRaised(next: LevelVersion, last: LevelVersion): boolean {
  if (equalPolicies(next, last) || next.level === "privileged") return false;
  return next.minor !== last.minor || compareLevels(next.level, last.level) > 0;
}

/** Whether an update brings another container or another image: nothing else that matters may change. */
function changesImages(spec: Tree, old: Tree): boolean {
  for (const list of ["containers", "initContainers"]) {
    const now = items<Tree>(spec[list]), was = items<Tree>(old[list]);
    if (now.length !== was.length || now.some((c, i) => c["image"] !== was[i]!["image"])) return true;
  }
  const was = items<Tree>(old["ephemeralContainers"]);
  return items<Tree>(spec["ephemeralContainers"])
    .some((c) => was.find((o) => o["name"] === c["name"])?.["image"] !== c["image"]);
}
