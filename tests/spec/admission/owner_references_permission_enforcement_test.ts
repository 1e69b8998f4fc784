/** Admission plugin OwnerReferencesPermissionEnforcement: see _table.ts. */
import { ALICE, allow, binding, role } from "./_rights.ts";
import { obj, table } from "./_table.ts";
import type { Loose } from "../../fixture/loose.ts";

const owned = (blockOwnerDeletion: boolean, kind = "ConfigMap") =>
  obj("v1", "ConfigMap", "m", {
    metadata: { ownerReferences: [{ apiVersion: "v1", kind, name: "o", uid: "u", blockOwnerDeletion }] },
  });
const MAPS = { apiGroups: [""], resources: ["configmaps"], verbs: ["create", "get", "update", "patch"] };
const own = (ownerReferences: Loose) => ({
  method: "PATCH",
  path: "/api/v1/namespaces/{ns}/configmaps/m",
  type: "application/merge-patch+json",
  body: { metadata: { ownerReferences } },
});
/** A cluster role for Alice in the namespace alone. */
const here = (name: string, ...rules: Loose[]) => [role(name, rules), { ...binding(name), kind: "RoleBinding" }];
const reference = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "u" };

table("OwnerReferencesPermissionEnforcement", {
  on: {
    "not one that is blocked": {
      given: allow("maps", MAPS),
      as: ALICE,
      post: owned(true),
      says: /cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on/,
    },
    "who may not delete may not change owners": {
      given: [...allow("maps", MAPS), obj("v1", "ConfigMap", "m")],
      as: ALICE,
      request: own([reference]),
      says: /cannot set an ownerRef on a resource you can't delete/,
    },
    "who may finalize in the namespace may not block what is in none": {
      given: here("finalizers-here", MAPS, { apiGroups: [""], resources: ["nodes/finalizers"], verbs: ["update"] }),
      as: ALICE,
      post: owned(true, "Node"),
      says: /cannot set blockOwnerDeletion/,
    },
  },
  edge: {
    "who may delete in the namespace may change owners": {
      given: [...here("maps-here", { ...MAPS, verbs: ["*"] }), obj("v1", "ConfigMap", "m")],
      as: ALICE,
      request: own([reference]),
    },
    "who may delete a namespace by a role within may change its owners": {
      given: here("namespace-here", { apiGroups: [""], resources: ["namespaces"], verbs: ["patch", "delete"] }),
      as: ALICE,
      request: { ...own([{ ...reference, kind: "Node" }]), path: "/api/v1/namespaces/{ns}" },
    },
    "who may not": {
      given: here("namespace-patched", { apiGroups: [""], resources: ["namespaces"], verbs: ["patch"] }),
      as: ALICE,
      request: { ...own([{ ...reference, kind: "Node" }]), path: "/api/v1/namespaces/{ns}" },
      status: 403,
      says: /cannot set an ownerRef on a resource you can't delete/,
    },
    "who may delete that object alone may change its owners": {
      given: [
        ...here("map-here", MAPS, { ...MAPS, verbs: ["delete"], resourceNames: ["m"] }),
        obj("v1", "ConfigMap", "m"),
      ],
      as: ALICE,
      request: own([reference]),
    },
    "who may not finalize the owner does not make one that is named block its deletion": {
      given: [...here("maps-there", { ...MAPS, verbs: ["*"] }), owned(false)],
      as: ALICE,
      request: own([{ ...reference, blockOwnerDeletion: true }]),
      status: 403,
      says: /cannot set blockOwnerDeletion/,
    },
    "but may leave it blocked": {
      given: [...here("maps-everywhere", { ...MAPS, verbs: ["*"] }), owned(true)],
      as: ALICE,
      request: own([{ ...reference, blockOwnerDeletion: true }, { ...reference, name: "p", uid: "v" }]),
    },
    "who creates may name an owner": { given: allow("maps", MAPS), as: ALICE, post: owned(false) },
    "who may finalize the owner may block it": {
      given: allow("finalizers", { apiGroups: [""], resources: ["configmaps/finalizers"], verbs: ["update"] }),
      as: ALICE,
      post: owned(true),
    },
  },
  dryRun: {
    "nor of an unknown kind, in a dry run": {
      given: allow("maps", MAPS),
      as: ALICE,
      post: owned(true, "Unknown"),
      says: /cannot find RESTMapping for APIVersion v1 Kind Unknown/,
    },
  },
  off: {
    "as asked": { given: allow("maps", MAPS), as: ALICE, post: owned(true) },
  },
});
