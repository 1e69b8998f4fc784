/** Roles and bindings, in words. */
export const RBAC = `
AggregationRule: Tells from which other cluster roles a cluster role is put together.
  clusterRoleSelectors: Label selectors over cluster roles; at least one. The rules of a cluster role are taken in when
    any one of the selectors fits its labels.
ClusterRole: A set of permissions without a namespace. Bound by a ClusterRoleBinding it holds everywhere; bound by a
    RoleBinding, in that namespace only. Nobody may grant in it more than they hold, unless allowed the verb escalate.
  rules: The permissions. They only add up; nothing can be forbidden here. With aggregationRule set, a controller fills
    the list and overwrites changes made by hand.
  aggregationRule: Has the rules collected from other cluster roles by their labels.
ClusterRoleBinding: Gives the permissions of a cluster role to users, groups and service accounts, in all namespaces
    and on cluster-wide resources. Whoever writes it must hold them too, or be allowed the verb bind.
  subjects: Who gets the permissions. An empty list grants them to nobody.
  roleRef: The cluster role that is given. Cannot be changed; make a new binding instead.
PolicyRule: A set of verbs on a set of resources, or on a set of other paths. A rule is for one sort only.
  verbs: What may be done, such as get, list, watch, create, patch, update, delete, deletecollection. * stands for all.
    At least one entry.
  apiGroups: API groups of the resources; the empty string is the core group and * stands for all. Needed in a rule for
    resources.
  resources: Resources the rule is for, such as pods or pods/log. */scale means that subresource of any resource, and *
    means everything. Needed unless nonResourceURLs is set.
  resourceNames: Limits the rule to objects of these names. Empty means any name. Requests that create an object or
    delete a whole collection carry no name, so a rule with names never allows them.
  nonResourceURLs: Paths outside the resources, such as /healthz; a * at the end covers all that begins so. In cluster
    roles only, and it counts only through a ClusterRoleBinding. Excludes apiGroups, resources and resourceNames.
Role: A set of permissions inside one namespace. A RoleBinding of the same namespace gives it to somebody.
  rules: The permissions. They only add up; nothing can be forbidden here. Paths outside the resources are refused.
RoleBinding: Gives the permissions of a role to users, groups and service accounts, inside its own namespace only.
    Whoever writes it must hold them too, or be allowed the verb bind.
  subjects: Who gets the permissions. An empty list grants them to nobody.
  roleRef: The role that is given: a Role of this namespace, or a ClusterRole. Cannot be changed; make a new binding
    instead.
RoleRef: Names the role that a binding gives.
  apiGroup: API group of the role. Only the group of the role kinds themselves is accepted, which is also the default.
  kind: Role or ClusterRole; a ClusterRoleBinding takes ClusterRole only.
  name: Name of the role. It need not exist yet, but until it does the binding grants nothing.
Subject: Somebody to whom a binding gives a role. Users and groups are plain names; no object stands behind them.
  kind: User, Group or ServiceAccount.
  apiGroup: Empty for a ServiceAccount; for User and Group the API group of the role kinds. The right value is filled in
    when left out.
  name: Name of the user, group or service account.
  namespace: Namespace of the service account; needed in a ClusterRoleBinding, while a RoleBinding takes its own when
    left out. Leave it empty for users and groups.
`;
