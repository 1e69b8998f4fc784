/** What authors of pods and of templates should know though it is allowed. */
import type { Obj } from "../../model/types.ts";
import { ipWarnings } from "../../values/ip.ts";
import { dnsLabel } from "../checks/formats.ts";
import { Path } from "../path.ts";
import { emptyMap, isSet, items, same, type Tree } from "../tree.ts";
import type { KindRules, RuleContext } from "../types.ts";
import { fractionWarnings } from "./claim_warnings.ts";
import { envWarnings, type Placed, portWarnings } from "./container_warnings.ts";
import { deprecatedLabel, termWarnings } from "./node_labels.ts";
import { ANNOTATIONS } from "./pod_annotations.ts";
import { profileOf } from "./pod_apparmor.ts";
import { allContainers } from "./pod_scope.ts";
import { volumeWarnings } from "./volume_warnings.ts";

const BYTES = ["memory", "ephemeral-storage"];

/** Warnings about a new pod; none on update, which is mostly a machine's work. */
export function podWarnings(pod: Obj, old: Obj | undefined, ctx: RuleContext): string[] {
  if (old) return [];
  return [...nameWarnings(pod, "the Pod's hostname"), ...ofSpec(pod.metadata as Tree, pod["spec"] ?? {}, place(), ctx)];
}

/** Warnings about the template at `at`. */
export function workloadWarnings(...at: string[]): Warnings {
  return (obj, old, ctx) => {
    if (old && old.metadata.generation === obj.metadata.generation) return [];
    let t: Tree = obj;
    for (const m of at) t = t[m] ?? {};
    return templateWarnings(t, Path.of(...at), ctx);
  };
}

/** The same where pods are named after the object, and about its name. */
export function namingWarnings(...at: string[]): Warnings {
  const ofTemplate = workloadWarnings(...at);
  return (obj, old, ctx) => [
    ...(old ? [] : nameWarnings(obj, "Pod names and hostnames")),
    ...ofTemplate(obj, old, ctx),
  ];
}

type Warnings = NonNullable<KindRules["warnings"]>;

/** Warnings about the template `t` at `path`. */
export const templateWarnings = (t: Tree, path: Path, ctx: RuleContext): string[] =>
  ofSpec(t["metadata"] ?? {}, t["spec"] ?? {}, place(path), ctx);

/** Where the parts of a pod, or of a template, stand. */
interface Place {
  readonly spec: Path;
  readonly annotations: Path;
}
/** Where pods have their annotations. */
const OWN_ANNOTATIONS = Path.of("metadata", "annotations");
const place = (template?: Path): Place =>
  template
    ? { spec: template.child("spec"), annotations: template.child("metadata", "annotations") }
    : { spec: Path.of("spec"), annotations: OWN_ANNOTATIONS };

function nameWarnings(obj: Obj, where: string): string[] {
  const faults = dnsLabel(obj.metadata.name ?? "");
  if (!faults.length) return [];
  return [
    `metadata.name: this is used in ${where}, which can result in surprising behavior; a DNS label is recommended: ${
      faults.join(", ")
    }`,
  ];
}

const AMOUNTS = ["limits", "requests"];

function ofSpec(meta: Tree, spec: Tree, at: Place, ctx: RuleContext): string[] {
  // Paths are made where there is something to look at: every pod comes by here.
  const { affinity, overhead } = spec;
  const containers = allContainers(spec).map(([l, i, c]): Placed => [c, at.spec.child(l).index(i)]);
  let out = [
    ...nodeWarnings(spec, at.spec, ctx),
    ...annotationWarnings(meta["annotations"] ?? {}, spec, containers, at.annotations, ctx),
    ...volumeWarnings(items(spec["volumes"]), at.spec.child("volumes"), ctx),
    ...listWarnings(spec, at.spec),
    ...(overhead ? fractionWarnings(overhead, BYTES, at.spec.child("overhead")) : []),
  ];
  for (const c of containers) {
    const resources: Tree | undefined = c[0]["resources"];
    for (const l of AMOUNTS) {
      if (resources?.[l]) out.push(...fractionWarnings(resources[l], BYTES, c[1].child("resources", l)));
    }
    out.push(...envWarnings(c));
  }
  out = out.concat(portWarnings(containers));
  if (spec["terminationGracePeriodSeconds"] < 0) {
    out.push(`${at.spec.child("terminationGracePeriodSeconds")}: must be >= 0; less is taken as 1`);
  }
  return affinity ? [...out, ...affinityWarnings(affinity, at.spec.child("affinity"))] : out;
}

function nodeWarnings(spec: Tree, path: Path, ctx: RuleContext): string[] {
  const out: string[] = [], labels = path.child("nodeSelector");
  for (const k in spec["nodeSelector"] ?? {}) {
    const why = deprecatedLabel(k, ctx);
    if (why) out.push(`${labels.key(k)}: ${why}`);
  }
  const affinity: Tree = spec["affinity"]?.nodeAffinity ?? {}, at = path.child("affinity", "nodeAffinity");
  const must = "requiredDuringSchedulingIgnoredDuringExecution",
    may = "preferredDuringSchedulingIgnoredDuringExecution";
  for (const [i, t] of items(affinity[must]?.nodeSelectorTerms).entries()) {
    for (const w of termWarnings(t, false, at.child(must, "nodeSelectorTerms").index(i), ctx)) out.push(w);
  }
  for (const [i, t] of items(affinity[may]).entries()) {
    for (const w of termWarnings(t["preference"] ?? {}, true, at.child(may).index(i).child("preference"), ctx)) {
      out.push(w);
    }
  }
  for (const [i, c] of items(spec["topologySpreadConstraints"]).entries()) {
    const here = path.child("topologySpreadConstraints").index(i), why = deprecatedLabel(c["topologyKey"] ?? "", ctx);
    if (why) out.push(`${here.child("topologyKey")}: ${c["topologyKey"]} is ${why}`);
    if (!isSet(c["labelSelector"])) out.push(noSelector(here.child("labelSelector")));
  }
  return out;
}

const noSelector = (path: Path) => `${path}: a null labelSelector results in matching no pod`;

function affinityWarnings(affinity: Tree, path: Path): string[] {
  return ["podAffinity", "podAntiAffinity"].flatMap((kind) => [
    ...items(affinity[kind]?.requiredDuringSchedulingIgnoredDuringExecution).flatMap((t, i) => {
      const at = path.child(kind, "requiredDuringSchedulingIgnoredDuringExecution").index(i);
      return isSet(t["labelSelector"]) ? [] : [noSelector(at.child("labelSelector"))];
    }),
    ...items(affinity[kind]?.preferredDuringSchedulingIgnoredDuringExecution).flatMap((t, i) => {
      const at = path.child(kind, "preferredDuringSchedulingIgnoredDuringExecution").index(i);
      return isSet(t["podAffinityTerm"]?.labelSelector)
        ? []
        : [noSelector(at.child("podAffinityTerm", "labelSelector"))];
    }),
  ]);
}

const UNUSED: readonly (readonly [annotation: string, why: string])[] = [
  ["scheduler.alpha.kubernetes.io/critical-pod", 'without function since v1.16; use the "priorityClassName" field'],
  ["security.alpha.kubernetes.io/sysctls", 'without function since v1.11; use the "sysctls" field'],
  ["security.alpha.kubernetes.io/unsafe-sysctls", 'without function since v1.11; use the "sysctls" field'],
];

function annotationWarnings(
  annotations: Tree,
  spec: Tree,
  containers: readonly Placed[],
  path: Path,
  ctx: RuleContext,
): string[] {
  const names = ANNOTATIONS(ctx.product), out: string[] = [], inTemplate = path !== OWN_ANNOTATIONS;
  const warn = (key: string, why: string) => {
    if (annotations[key] !== undefined) out.push(`${path.key(key)}: ${why}`);
  };
  if (emptyMap(annotations)) return out;
  const seccomp = 'without function since v1.27; use the "seccompProfile" field';
  for (const [key, why] of UNUSED) warn(ctx.product.local(key), why);
  if (!spec["securityContext"]?.seccompProfile) warn(names.seccompPod, seccomp);
  for (const [c] of containers) {
    const own: Tree = c["securityContext"] ?? {};
    if (!own["seccompProfile"]) warn(names.seccompContainer + c["name"], seccomp);
    // Of pods this is told when the annotation is read.
    const text = annotations[names.appArmor + c["name"]], whole = spec["securityContext"]?.appArmorProfile;
    if (inTemplate && text !== undefined && !own["appArmorProfile"] && !(whole && same(whole, profileOf(text)))) {
      warn(names.appArmor + c["name"], 'deprecated since v1.30; use the "appArmorProfile" field');
    }
  }
  return out;
}

function listWarnings(spec: Tree, path: Path): string[] {
  const out: string[] = [];
  const repeated = (list: string, key: string, what: string) => {
    const seen = new Set<string>();
    for (const [i, x] of items(spec[list]).entries()) {
      const value: string = x[key] ?? "";
      if (seen.has(value)) out.push(`${path.child(list).index(i).child(key)}: duplicate ${what} "${value}"`);
      seen.add(value);
    }
  };
  repeated("hostAliases", "ip", "ip");
  repeated("imagePullSecrets", "name", "name");
  for (const [i, s] of items(spec["imagePullSecrets"]).entries()) {
    if (!s["name"]) out.push(`${path.child("imagePullSecrets").index(i).child("name")}: invalid empty name ""`);
  }
  for (const [i, ip] of items<string>(spec["dnsConfig"]?.nameservers).entries()) {
    out.push(...ipWarnings(String(path.child("dnsConfig", "nameservers").index(i)), ip));
  }
  for (const [i, a] of items(spec["hostAliases"]).entries()) {
    out.push(...ipWarnings(String(path.child("hostAliases").index(i).child("ip")), a["ip"] ?? ""));
  }
  return out;
}
