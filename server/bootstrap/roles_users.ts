/** The roles that a cluster gives to its users: admin, edit, view, filled by aggregation. A table, hence its length. */
import type { RoleRow } from "./rows.ts";

/** Aggregated roles, and the parts that they gather. */
export const USER_ROLES: readonly RoleRow[] = [
  { name: "admin", aggregate: "admin" },
  { name: "edit", aggregatesTo: "admin", aggregate: "edit" },
  {
    name: "system:aggregate-to-admin",
    aggregatesTo: "admin",
    rules: [["create", "authorization.k8s.io", "localsubjectaccessreviews"], [
      "create delete deletecollection get list patch update watch",
      "rbac.authorization.k8s.io",
      "rolebindings roles",
    ]],
  },
  {
    name: "system:aggregate-to-edit",
    aggregatesTo: "edit",
    rules: [
      ["get list watch", "core", "pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy"],
      ["impersonate", "core", "serviceaccounts"],
      ["create delete deletecollection patch update", "core", "pods pods/attach pods/exec pods/portforward pods/proxy"],
      ["create", "core", "pods/eviction"],
      [
        "create delete deletecollection patch update",
        "core",
        "configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy",
      ],
      ["create", "core", "serviceaccounts/token"],
      ["create delete deletecollection patch update", "core events.k8s.io", "events"],
      [
        "create delete deletecollection patch update",
        "apps",
        "daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale",
      ],
      ["create delete deletecollection patch update", "autoscaling", "horizontalpodautoscalers"],
      ["create delete deletecollection patch update", "batch", "cronjobs jobs"],
      [
        "create delete deletecollection patch update",
        "extensions",
        "daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale",
      ],
      ["create delete deletecollection patch update", "policy", "poddisruptionbudgets"],
      ["create delete deletecollection patch update", "networking.k8s.io", "ingresses networkpolicies"],
      ["create delete deletecollection get list patch update watch", "coordination.k8s.io", "leases"],
      ["create delete deletecollection patch update", "resource.k8s.io", "resourceclaims resourceclaimtemplates"],
      {
        gate: "GenericWorkload",
        rule: ["create delete deletecollection patch update", "scheduling.k8s.io", "podgroups workloads"],
      },
      {
        gate: "CompositePodGroup",
        rule: ["create delete deletecollection patch update", "scheduling.k8s.io", "compositepodgroups"],
      },
      {
        gate: "EvictionRequestAPI",
        rule: ["create delete deletecollection patch update", "lifecycle.k8s.io", "evictionrequests"],
      },
    ],
  },
  {
    name: "system:aggregate-to-view",
    aggregatesTo: "view",
    rules: [
      [
        "get list watch",
        "core",
        "configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status",
      ],
      [
        "get list watch",
        "core",
        "bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status",
      ],
      ["get list watch", "core", "namespaces"],
      ["get list watch", "core events.k8s.io", "events"],
      ["get list watch", "discovery.k8s.io", "endpointslices"],
      [
        "get list watch",
        "apps",
        "controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status",
      ],
      ["get list watch", "autoscaling", "horizontalpodautoscalers horizontalpodautoscalers/status"],
      ["get list watch", "batch", "cronjobs cronjobs/status jobs jobs/status"],
      [
        "get list watch",
        "extensions",
        "daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale",
      ],
      ["get list watch", "policy", "poddisruptionbudgets poddisruptionbudgets/status"],
      ["get list watch", "networking.k8s.io", "ingresses ingresses/status networkpolicies"],
      ["get list watch", "resource.k8s.io", "resourceclaims resourceclaims/status resourceclaimtemplates"],
      {
        gate: "GenericWorkload",
        rule: ["get list watch", "scheduling.k8s.io", "podgroups podgroups/status workloads"],
      },
      {
        gate: "CompositePodGroup",
        rule: ["get list watch", "scheduling.k8s.io", "compositepodgroups compositepodgroups/status"],
      },
      { gate: "EvictionRequestAPI", rule: ["get list watch", "lifecycle.k8s.io", "evictionrequests evictions"] },
    ],
  },
  { name: "view", aggregatesTo: "edit", aggregate: "view" },
];
