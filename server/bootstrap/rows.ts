/** Shapes of the bootstrap tables, and how a row becomes an object. Rows are in public names. */
import { copyTree } from "../../schema/values/copy.ts";
import type { JsonMap, Obj } from "../../schema/model/types.ts";

/**
 * A policy rule as words parted by spaces: verbs, groups, resources, and names where they limit; or verbs and URLs.
 * The core group is written `core`.
 */
export type RuleRow =
  | readonly [verbs: string, groups: string, resources: string, names?: string]
  | readonly [verbs: string, urls: string];

/** A rule that is there only when a gate is on. */
export interface GatedRule {
  readonly gate: string;
  readonly rule: RuleRow;
}

/** A cluster role. */
export interface RoleRow {
  readonly name: string;
  readonly gate?: string;
  /** Which of `admin`, `edit`, `view` gather this role's rules. */
  readonly aggregatesTo?: string;
  /** This role gathers the roles that aggregate to that name; it has no rules of its own. */
  readonly aggregate?: string;
  readonly rules?: readonly (RuleRow | GatedRule)[];
}

/** A cluster role binding. `role` defaults to the name; subjects are `user:…`, `group:…`, `sa:namespace/name`. */
export interface BindingRow {
  readonly name: string;
  readonly role?: string;
  readonly gate?: string;
  readonly subjects: readonly string[];
}

/** A role in a system namespace. */
export interface NamespacedRoleRow {
  readonly namespace: string;
  readonly name: string;
  readonly rules: readonly RuleRow[];
}

/** A binding in a system namespace, to a role there. */
export interface NamespacedBindingRow extends BindingRow {
  readonly namespace: string;
}

/** An object to be made, with the resource that it belongs to (`clusterroles.rbac.authorization.k8s.io`). */
export interface BootstrapObject {
  readonly resourceId: string;
  readonly object: Obj;
}

const RBAC = "rbac.authorization.k8s.io";
const META = {
  labels: { "kubernetes.io/bootstrapping": "rbac-defaults" },
  annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
};
const words = (s: string) => s.split(" ");

/** A rule's JSON form. */
function ruleOf(row: RuleRow): JsonMap {
  const verbs = words(row[0]);
  if (row.length === 2) return { verbs, nonResourceURLs: words(row[1]) };
  const [, groups, resources, names] = row;
  return {
    verbs,
    apiGroups: words(groups).map((g) => (g === "core" ? "" : g)),
    resources: words(resources),
    ...(names === undefined ? {} : { resourceNames: words(names) }),
  };
}

function subjectOf(text: string): JsonMap {
  const colon = text.indexOf(":");
  const [type, rest] = [text.slice(0, colon), text.slice(colon + 1)];
  if (type === "sa") {
    const [namespace, name] = rest.split("/") as [string, string];
    return { kind: "ServiceAccount", name, namespace };
  }
  return { kind: type === "user" ? "User" : "Group", apiGroup: RBAC, name: rest };
}

const isGated = (r: RuleRow | GatedRule): r is GatedRule => !Array.isArray(r);

/** The ClusterRole of a row. */
export function clusterRoleOf(row: RoleRow, gate: (name: string) => boolean): BootstrapObject {
  const aggregation = (to: string) => `${RBAC}/aggregate-to-${to}`;
  const labels: Record<string, string> = { ...META.labels };
  for (const to of row.aggregatesTo?.split(" ") ?? []) labels[aggregation(to)] = "true";
  const rules = (row.rules ?? []).filter((r) => !isGated(r) || gate(r.gate)).map((r) =>
    ruleOf(isGated(r) ? r.rule : r)
  );
  const object: Obj = {
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRole",
    metadata: { name: row.name, labels, annotations: { ...META.annotations } },
    rules: row.aggregate ? null : rules,
  };
  if (row.aggregate) {
    object.aggregationRule = { clusterRoleSelectors: [{ matchLabels: { [aggregation(row.aggregate)]: "true" } }] };
  }
  return { resourceId: `clusterroles.${RBAC}`, object };
}

/** The Role of a row. */
export function roleOf(row: NamespacedRoleRow): BootstrapObject {
  return {
    resourceId: `roles.${RBAC}`,
    object: {
      apiVersion: `${RBAC}/v1`,
      kind: "Role",
      metadata: { name: row.name, namespace: row.namespace, ...copyTree(META) },
      rules: row.rules.map(ruleOf),
    },
  };
}

/** The ClusterRoleBinding or RoleBinding of a row. */
export function bindingOf(row: BindingRow | NamespacedBindingRow): BootstrapObject {
  const namespaced = "namespace" in row;
  const object: Obj = {
    apiVersion: `${RBAC}/v1`,
    kind: namespaced ? "RoleBinding" : "ClusterRoleBinding",
    metadata: { name: row.name, ...(namespaced ? { namespace: row.namespace } : {}), ...copyTree(META) },
    ...(row.subjects.length ? { subjects: row.subjects.map(subjectOf) } : {}),
    roleRef: { apiGroup: RBAC, kind: namespaced ? "Role" : "ClusterRole", name: row.role ?? row.name },
  };
  return { resourceId: `${namespaced ? "rolebindings" : "clusterrolebindings"}.${RBAC}`, object };
}
