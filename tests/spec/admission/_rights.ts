/** Somebody who may do what a test lets them. */
import { obj } from "./_table.ts";
import type { Loose } from "../../fixture/loose.ts";

/** A user without rights of her own. */
export const ALICE = { name: "alice", groups: ["system:authenticated"] };

/** A cluster role. */
export const role = (name: string, rules: Loose) => obj("rbac.authorization.k8s.io/v1", "ClusterRole", name, { rules });

/** Gives Alice the cluster role. */
export const binding = (name: string) =>
  obj("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", name, {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "alice" }],
  });

/** A cluster role for Alice. */
export const allow = (name: string, ...rules: Loose[]) => [role(name, rules), binding(name)];

/** May write certificate signing requests. */
export const CERTIFICATES = {
  apiGroups: ["certificates.k8s.io"],
  resources: ["*"],
  verbs: ["create", "get", "list", "update", "patch", "delete"],
};

/** May do something for signers of a name. */
export const signers = (verb: string, name: string) => ({
  apiGroups: ["certificates.k8s.io"],
  resources: ["signers"],
  verbs: [verb],
  resourceNames: [name],
});
