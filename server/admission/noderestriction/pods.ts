/** Rules of pods and claims: mirror pods, the state of the node's own pods, their eviction. */
import type { Obj } from "../../../schema/model/types.ts";
import { notFound } from "../../../schema/status.ts";
import { items, same, type Tree } from "../../../schema/rules/tree.ts";
import { copyTree } from "../../../schema/values/copy.ts";
import { firstReference } from "../plugins/_pod_references.ts";
import { absent, refusal } from "../refuse.ts";
import type { Attributes, PluginContext } from "../types.ts";
import type { NodeRule } from "./own_objects.ts";

const nodeName = (pod: Obj): string => (pod as Tree)["spec"]?.nodeName ?? "";

/** Pods. */
export function podRule(ctx: PluginContext): NodeRule {
  const bySubresource: Readonly<Record<string, NodeRule>> = {
    "": plainRule(ctx),
    "status": statusRule,
    "eviction": (a, node) => {
      if (a.operation !== "CREATE") throw refusal(a, `unexpected operation ${a.operation}`);
      const name = a.name || (a.object?.metadata?.name ?? "");
      if (name === "") throw refusal(a, "could not determine pod from request data");
      const pod = ctx.lister.get("pods", a.namespace, name);
      if (!pod) throw notFound({ group: "", resource: "pod" }, name); // in the singular, as clients know it
      if (nodeName(pod) !== node) {
        throw refusal(a, `node ${node} can only evict pods with spec.nodeName set to itself`);
      }
    },
  };
  return (a, node) => {
    const rule = Object.hasOwn(bySubresource, a.subresource) ? bySubresource[a.subresource]! : undefined;
    if (rule) return rule(a, node);
    throw refusal(a, `unexpected pod subresource "${a.subresource}", only 'status' and 'eviction' are allowed`);
  };
}

function plainRule(ctx: PluginContext): NodeRule {
  const mirror = ctx.product.local("kubernetes.io/config.mirror");
  return (a, node) => {
    if (a.operation === "CREATE") return createRule(ctx, mirror, a, node);
    if (a.operation !== "DELETE") {
      throw refusal(
        a,
        `unexpected operation "${a.operation}", node "${node}" can only create and delete mirror pods`,
      );
    }
    // Of a collection no pod is named: none is found, and so none is deleted.
    const pod = a.name === "" ? undefined : a.oldObject ?? ctx.lister.get("pods", a.namespace, a.name);
    if (!pod) throw absent(a);
    if (nodeName(pod) !== node) {
      throw refusal(a, `node "${node}" can only delete pods with spec.nodeName set to itself`);
    }
  };
}

/** A node creates mirror pods alone: on itself, owned by itself, with nothing of the API in them. */
function createRule(ctx: PluginContext, mirror: string, a: Attributes, node: string): void {
  const pod = a.object!;
  if (pod.metadata.annotations?.[mirror] === undefined) {
    throw refusal(a, `pod does not have "${mirror}" annotation, node "${node}" can only create mirror pods`);
  }
  const only = `node "${node}" can only create pods with`;
  if (nodeName(pod) !== node) throw refusal(a, `${only} spec.nodeName set to itself`);
  const owners = pod.metadata.ownerReferences ?? [];
  if (owners.length > 1) throw refusal(a, `${only} a single owner reference set to itself`);
  const owner = owners[0];
  if (!owner || owner.apiVersion !== "v1" || owner.kind !== "Node" || owner.name !== node) {
    throw refusal(a, `${only} an owner reference set to itself`);
  }
  if (!owner.controller) throw refusal(a, `${only} a controller owner reference set to itself`);
  if (owner.blockOwnerDeletion) {
    throw refusal(a, `node "${node}" must not set blockOwnerDeletion on an owner reference`);
  }
  const own = ctx.lister.get("nodes", "", node);
  if (!own) throw notFound({ group: "", resource: "node" }, node);
  if (owner.uid !== own.metadata.uid) {
    throw refusal(a, `node ${node} UID mismatch: expected ${owner.uid} got ${own.metadata.uid}`);
  }
  const named = firstReference(pod);
  if (named) throw refusal(a, `node "${node}" can not create pods that reference ${named}`);
}

function statusRule(a: Attributes, node: string): void {
  if (a.operation !== "UPDATE") throw refusal(a, `unexpected operation "${a.operation}"`);
  const old = a.oldObject!, next = a.object!;
  if (nodeName(old) !== node) {
    throw refusal(a, `node "${node}" can only update pod status for pods with spec.nodeName set to itself`);
  }
  if (!same(old.metadata.labels ?? {}, next.metadata.labels ?? {})) {
    throw refusal(a, `node "${node}" cannot update labels through pod status`);
  }
  const claims = (pod: Obj) =>
    items<Tree>((pod as Tree)["status"]?.resourceClaimStatuses).map((c) => [c["name"], c["resourceClaimName"]]);
  if (!same(claims(old), claims(next))) {
    throw refusal(a, `node "${node}" cannot update resource claim statues`);
  }
  const extended = (pod: Obj) => (pod as Tree)["status"]?.extendedResourceClaimStatus;
  if (!same(extended(old), extended(next))) {
    throw refusal(a, `node "${node}" cannot update extended resource claim status`);
  }
}

/** Members of a claim's status that a node sets when it has grown the volume. */
const GROWN = ["capacity", "conditions", "allocatedResourceStatuses", "allocatedResources"];

/** Claims: what a node has grown, and nothing else. */
export function claimRule(): NodeRule {
  return (a, node) => {
    if (a.subresource !== "status") throw refusal(a, "may only update PVC status");
    if (a.operation !== "UPDATE") throw refusal(a, `unexpected operation "${a.operation}"`);
    const rest = (obj: Obj): Tree => {
      const out = copyTree(obj) as Tree;
      delete out["metadata"].resourceVersion;
      delete out["metadata"].managedFields;
      for (const member of GROWN) delete out["status"]?.[member];
      return out;
    };
    if (same(rest(a.oldObject!), rest(a.object!))) return;
    throw refusal(
      a,
      `node "${node}" is not allowed to update fields other than status.capacity and status.conditions`,
    );
  };
}
