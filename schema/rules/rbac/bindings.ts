/** Rules of bindings of roles. The role never changes. */
import type { Obj } from "../../model/types.ts";
import { format, immutable, oneOf } from "../checks/basic.ts";
import { dnsSubdomain, pathSegment } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import { perProduct } from "../local.ts";
import { Path } from "../path.ts";
import { items, type Tree } from "../tree.ts";
import type { KindRules, RuleContext } from "../types.ts";

const REF = Path.of("roleRef"), SUBJECTS = Path.of("subjects");
const SUBJECT_KINDS = ["ServiceAccount", "User", "Group"];
const groups = perProduct((p) => [p.local("rbac.authorization.k8s.io")]);

function roleRef(r: Tree, kinds: readonly string[], errors: ErrorList, ctx: RuleContext): void {
  oneOf(r["apiGroup"] ?? "", groups(ctx.product), REF.child("apiGroup"), errors);
  oneOf(r["kind"] ?? "", kinds, REF.child("kind"), errors);
  if (!r["name"]) errors.required(REF.child("name"));
  else format(r["name"], REF.child("name"), errors, pathSegment);
}

function subject(s: Tree, namespaced: boolean, path: Path, errors: ErrorList, ctx: RuleContext): void {
  const group: string = s["apiGroup"] ?? "", name: string = s["name"] ?? "", at = path.child("apiGroup");
  if (!name) errors.required(path.child("name"));
  switch (s["kind"]) {
    case "ServiceAccount":
      if (name) format(name, path.child("name"), errors, dnsSubdomain);
      if (group) errors.notSupported(at, group, [""]);
      if (!namespaced && !s["namespace"]) errors.required(path.child("namespace"));
      break;
    case "User":
    case "Group":
      oneOf(group, groups(ctx.product), at, errors);
      break;
    default:
      errors.notSupported(path.child("kind"), s["kind"] ?? "", SUBJECT_KINDS);
  }
}

function binding(namespaced: boolean, kinds: readonly string[]): KindRules {
  return {
    name: (name) => [...pathSegment(name)],
    createOnUpdate: true,
    validate(obj: Obj, errors, ctx) {
      roleRef(obj["roleRef"] ?? {}, kinds, errors, ctx);
      const list = items(obj["subjects"]);
      for (let i = 0; i < list.length; i++) subject(list[i]!, namespaced, SUBJECTS.index(i), errors, ctx);
    },
    validateUpdate: (obj, old, errors) => immutable(obj["roleRef"], old["roleRef"], REF, errors),
  };
}

/** Rules of `rolebindings.rbac.authorization.k8s.io`. */
export const ROLE_BINDING: KindRules = binding(true, ["Role", "ClusterRole"]);
/** Rules of `clusterrolebindings.rbac.authorization.k8s.io`. */
export const CLUSTER_ROLE_BINDING: KindRules = binding(false, ["ClusterRole"]);
