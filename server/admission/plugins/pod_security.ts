/** PodSecurity: three levels of what pods may do, chosen by labels of their namespace. */
import type { Obj } from "../../../schema/model/types.ts";
import { invalid } from "../../../schema/status.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { namespaceNamed } from "../facts.ts";
import { Checks, details, reasons } from "../podsecurity/checks.ts";
import { podsUnder } from "../podsecurity/existing.ts";
import type { PodLike } from "../podsecurity/pod.ts";
import {
  compareLevels,
  equalPolicies,
  formatPolicy,
  isPrivileged,
  type LevelVersion,
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

/** What the plugin's configuration exempts. */
interface Exemptions {
  readonly namespaces: ReadonlySet<string>;
  readonly usernames: ReadonlySet<string>;
  readonly runtimeClasses: ReadonlySet<string>;
}

function exemptionsOf(config: Tree): Exemptions {
  const set = (name: string): ReadonlySet<string> => new Set(items<string>(config["exemptions"]?.[name]));
  return { namespaces: set("namespaces"), usernames: set("usernames"), runtimeClasses: set("runtimeClasses") };
}

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
  const config: Tree = ctx.config ?? {};
  const prefix = ctx.product.local("pod-security.kubernetes.io/");
  const defaults = defaultsOf(config), exempt = exemptionsOf(config);
  const emulated = (ctx.options["versions"] as { emulated?: number } | undefined)?.emulated;
  const checks = new Checks(ctx.product, emulated ?? Infinity);
  const namespace = namespaceNamed(ctx);
  const policies = new WeakMap<Obj, Read>();
  const policyOf = (obj: Obj): Read => {
    let read = policies.get(obj);
    if (!read) policies.set(obj, read = readPolicy(obj.metadata.labels, defaults, prefix));
    return read;
  };
  const annotate = (a: Attributes, key: string, value: string) => a.annotate(prefix + key, value);

  const exempted = (a: Attributes): boolean => {
    const why = exempt.namespaces.has(a.namespace) ? "namespace" : exempt.usernames.has(a.user.name) ? "user" : "";
    if (why) annotate(a, "exempt", why);
    return why !== "";
  };
  const evaluate = (a: Attributes, { policy, faults }: Read, pod: PodLike, enforce: boolean): void => {
    if (exempt.runtimeClasses.has(pod.spec["runtimeClassName"] ?? "")) return annotate(a, "exempt", "runtimeClass");
    if (faults.length > 0) {
      annotate(a, "error", `Failed to parse policy: ${faults.map((f) => `${f.field}: ${f.message}`).join(", ")}`);
    }
    const said = (p: LevelVersion) => {
      const found = checks.findings(p, pod);
      return found.length ? `PodSecurity "${formatPolicy(p)}": ${details(found)}` : undefined;
    };
    if (enforce) annotate(a, "enforce-policy", formatPolicy(policy.enforce));
    const refused = enforce ? said(policy.enforce) : undefined;
    const again = (p: LevelVersion) => enforce && equalPolicies(p, policy.enforce) ? refused : said(p);
    const noted = again(policy.audit);
    if (noted) annotate(a, "audit-violations", `would violate ${noted}`);
    if (refused) throw refusal(a, `violates ${refused}`);
    const warned = equalPolicies(policy.warn, policy.audit) ? noted : again(policy.warn);
    if (warned) a.warn(`would violate ${warned}`);
  };
  const validatePod = (a: Attributes, ns: Obj): void => {
    const read = policyOf(ns);
    if (read.faults.length === 0 && isPrivileged(read.policy)) {
      return annotate(a, "enforce-policy", formatPolicy(PRIVILEGED));
    }
    const pod = a.object as Tree as PodLike;
    if (a.operation === "UPDATE" && !changesImages(pod.spec, (a.oldObject as Tree)["spec"])) return;
    evaluate(a, read, pod, true);
  };
  const validateWorkload = (a: Attributes, ns: Obj): void => {
    const read = policyOf(ns);
    const { warn, audit } = read.policy;
    if (read.faults.length === 0 && warn.level === "privileged" && audit.level === "privileged") return;
    const template = TEMPLATES[a.resource.id]!(a.object as Tree);
    if (!template?.["spec"]) return;
    evaluate(a, read, { metadata: template["metadata"] ?? {}, spec: template["spec"] }, false);
  };
  const validateNamespace = (a: Attributes): void => {
    const next = readPolicy(a.object!.metadata.labels, defaults, prefix);
    const last = a.oldObject && policyOf(a.oldObject);
    const wrong = next.faults.length > 0 && JSON.stringify(next.faults) !== JSON.stringify(last?.faults);
    if (wrong) throw invalid("", "Namespace", a.name, [...next.faults]);
    if (last && !isRaised(next.policy.enforce, last.policy.enforce)) return;
    if (exempt.namespaces.has(a.name)) return warnExempt(a, next.policy, defaults, prefix);
    if (last) existingPods(a, next.policy.enforce);
  };
  const existingPods = (a: Attributes, enforce: LevelVersion): void => {
    const pods = ctx.lister.list("pods", a.name);
    const how = {
      exempt: (name: string) => exempt.runtimeClasses.has(name),
      reasons: (pod: Obj) => reasons(checks.findings(enforce, pod as Tree as PodLike)),
      now: ctx.now,
    };
    for (const text of podsUnder(pods, a.name, formatPolicy(enforce), how)) a.warn(text);
  };
  return {
    name: "PodSecurity",
    handles: (operation, resource, sub) => {
      if (operation !== "CREATE" && operation !== "UPDATE") return false;
      if (resource.id === "pods") return !HARMLESS.has(sub);
      return sub === "" && (resource.id === "namespaces" || Object.hasOwn(TEMPLATES, resource.id));
    },
    validate(a) {
      if (a.resource.id === "namespaces") return validateNamespace(a);
      if (exempted(a)) return;
      const check = a.resource.id === "pods" ? validatePod : validateWorkload;
      const ns = namespace(a.namespace);
      if (!(ns instanceof Promise)) return check(a, ns);
      return ns.then((live) => {
        if (live) check(a, live);
        else if (a.resource.id === "pods") throw refusal(a, `failed to lookup namespace "${a.namespace}"`);
      });
    },
  };
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

/** Labels of an exempt namespace say what is not done. */
function warnExempt(a: Attributes, policy: Policy, defaults: Policy, prefix: string): void {
  const same = MODES.every((m) =>
    equalPolicies(policy[m], defaults[m]) || (policy[m].level === "privileged" && defaults[m].level === "privileged")
  );
  if (isPrivileged(policy) || same) return;
  const labels = a.object!.metadata.labels ?? {};
  const set = MODES.filter((m) =>
    policy[m].level !== "privileged" &&
    (labels[prefix + m] !== undefined || labels[`${prefix}${m}-version`] !== undefined)
  ).map((m) => `${m}=${formatPolicy(policy[m])}`);
  a.warn(`namespace "${a.name}" is exempt from Pod Security, and the policy (${set.join(", ")}) will be ignored`);
}
