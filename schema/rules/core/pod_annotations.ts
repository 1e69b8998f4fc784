/** Annotations by which older clients say what now has fields of its own. */
import { descendingPath } from "../checks/paths.ts";
import type { ErrorList } from "../errors.ts";
import { perProduct } from "../local.ts";
import { METADATA } from "../object_meta.ts";
import type { Path } from "../path.ts";
import type { Product } from "../../product.ts";
import { entryOf, isSet, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";
import { tolerations } from "./affinity.ts";
import { allContainers, type PodScope } from "./pod_scope.ts";

/** Names of these annotations in the dialect. */
export const ANNOTATIONS: (product: Product) => Readonly<Record<AnnotationName, string>> = perProduct((p) => ({
  mirror: p.local("kubernetes.io/config.mirror"),
  tolerations: p.local("scheduler.alpha.kubernetes.io/tolerations"),
  deletionCost: p.local("controller.kubernetes.io/pod-deletion-cost"),
  seccompPod: p.local("seccomp.security.alpha.kubernetes.io/pod"),
  seccompContainer: p.local("container.seccomp.security.alpha.kubernetes.io/"),
  appArmor: p.local("container.apparmor.security.beta.kubernetes.io/"),
}));
type AnnotationName = "mirror" | "tolerations" | "deletionCost" | "seccompPod" | "seccompContainer" | "appArmor";

const PATH = METADATA.child("annotations");
const MAX_INT32 = 2 ** 31;

const badCost = (text: string | undefined): boolean =>
  text !== undefined &&
  (!/^(?:0|-[0-9]+|[1-9][0-9]*)$/.test(text) || Number(text) >= MAX_INT32 || Number(text) < -MAX_INT32);

/** Annotations of a pod that mean something. `old` are those that the update replaces. */
export function podAnnotations(annotations: Tree | undefined, scope: PodScope, old?: Tree, path: Path = PATH): void {
  if (!annotations) return;
  const a = ANNOTATIONS(scope.ctx.product), { spec, errors } = scope;
  if (a.mirror in annotations && !spec["nodeName"]) {
    errors.invalid(path.key(a.mirror), annotations[a.mirror], "spec.nodeName must be set on a mirror pod");
  }
  if (annotations[a.tolerations]) {
    const compare = scope.forgiven.comparisons || scope.ctx.gate("TaintTolerationComparisonOperators");
    tolerationsText(annotations[a.tolerations], path, a.tolerations, errors, compare);
  }
  if (scope.ctx.gate("PodDeletionCost") && badCost(annotations[a.deletionCost]) && !badCost(old?.[a.deletionCost])) {
    errors.invalid(path.key(a.deletionCost), annotations[a.deletionCost], "must be a whole number of 32 bits");
  }
  let names: ReadonlySet<string> | undefined;
  for (const k in annotations) {
    if (k === a.seccompPod || k.startsWith(a.seccompContainer)) seccompText(annotations[k], path.child(k), errors);
    else if (k.startsWith(a.appArmor)) {
      names ??= new Set(allContainers(spec).map(([, , c]) => c["name"]));
      appArmorText(k, annotations[k], k.slice(a.appArmor.length), names, errors, path);
    }
  }
}

function tolerationsText(text: string, path: Path, name: string, errors: ErrorList, compare: boolean): void {
  let list: unknown;
  try {
    list = JSON.parse(text) ?? [];
  } catch {
    list = undefined;
  }
  if (!Array.isArray(list) || !list.every((t) => typeof t === "object" && t && !Array.isArray(t))) {
    return errors.invalid(path, name, "must be a JSON list of tolerations");
  }
  tolerations(list as Tree[], path.child(name), errors, compare);
}

const LOCAL = "localhost/";

function seccompText(text: string, path: Path, errors: ErrorList): void {
  if (text === "runtime/default" || text === "docker/default" || text === "unconfined") return;
  if (text.startsWith(LOCAL)) descendingPath(text.slice(LOCAL.length), path, errors);
  else errors.invalid(path, text, "must be a valid seccomp profile");
}

function appArmorText(
  key: string,
  text: string,
  container: string,
  names: ReadonlySet<string>,
  errors: ErrorList,
  path: Path,
): void {
  if (!names.has(container)) errors.invalid(path.key(key), container, "container not found");
  if (text && text !== "runtime/default" && text !== "unconfined" && !text.startsWith(LOCAL)) {
    errors.invalid(path.key(key), text, "must be a valid AppArmor profile");
  }
}

/** Annotations that stay as they were created. */
export function fixedAnnotations(
  now: Tree | undefined,
  old: Tree | undefined,
  errors: ErrorList,
  ctx: RuleContext,
): void {
  const a = ANNOTATIONS(ctx.product);
  for (const k of new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])) {
    if (k !== a.mirror && !k.startsWith(a.appArmor)) continue;
    if (old?.[k] !== now?.[k]) errors.forbidden(PATH.key(k), "must not be added, changed or removed");
  }
}

/** Where both a field and its old annotation are given on create, they must agree. */
export function annotationsMatchFields(
  annotations: Tree | undefined,
  { spec, errors, ctx }: PodScope,
  path: Path,
): void {
  if (!annotations) return;
  const a = ANNOTATIONS(ctx.product), sc: Tree = spec["securityContext"] ?? {};
  agree(sc["seccompProfile"], annotations[a.seccompPod], path.child("securityContext", "seccompProfile"), errors);
  for (const [list, i, c] of allContainers(spec)) {
    const at = path.child(list).index(i).child("securityContext"), own: Tree = c["securityContext"] ?? {};
    agree(own["seccompProfile"], annotations[a.seccompContainer + c["name"]], at.child("seccompProfile"), errors);
    if (spec["os"]?.name === "windows") continue;
    agree(
      own["appArmorProfile"] ?? sc["appArmorProfile"],
      annotations[a.appArmor + c["name"]],
      at.child("appArmorProfile"),
      errors,
    );
  }
}

/** Texts of annotations by types of profiles. */
const OLD_TEXTS = { Unconfined: ["unconfined"], RuntimeDefault: ["runtime/default", "docker/default"] };

function agree(profile: Tree | undefined, text: string | undefined, path: Path, errors: ErrorList): void {
  if (!profile || text === undefined) return;
  const why = "annotation and field must match", expected = entryOf(OLD_TEXTS, profile["type"] ?? "");
  if (expected && !expected.includes(text)) errors.forbidden(path.child("type"), why);
  if (profile["type"] !== "Localhost") return;
  if (!text.startsWith(LOCAL)) errors.forbidden(path.child("type"), why);
  else if (!isSet(profile["localhostProfile"]) || text.slice(LOCAL.length) !== profile["localhostProfile"]) {
    errors.forbidden(path.child("localhostProfile"), why);
  }
}
