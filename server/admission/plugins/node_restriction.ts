/** NodeRestriction: a node's agent writes what belongs to its own node, and nothing else. A row of rules a resource. */
import type { Handles } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";
import { CSRS } from "./_csr.ts";
import { csiNodeRule, csrRule, leaseRule, type NodeRule, sliceRule } from "../noderestriction/own_objects.ts";
import { nodeRule } from "../noderestriction/nodes.ts";
import { nodeOf } from "../../authorization/node.ts";
import { claimRule, podRule } from "../noderestriction/pods.ts";
import { certificateRule } from "../noderestriction/pod_certificates.ts";
import { tokenRule } from "../noderestriction/tokens.ts";

const WRITES = ["CREATE", "UPDATE", "DELETE"] as const;

/** See the top of the file. */
export function nodeRestriction(ctx: PluginContext): Plugin {
  const rules: Readonly<Record<string, NodeRule>> = {
    "pods": podRule(ctx),
    "nodes": nodeRule(ctx),
    "persistentvolumeclaims": claimRule(),
    "serviceaccounts": tokenRule(ctx),
    "leases.coordination.k8s.io": leaseRule(ctx),
    "csinodes.storage.k8s.io": csiNodeRule(ctx),
    "resourceslices.resource.k8s.io": sliceRule(),
    [CSRS]: csrRule(ctx),
    "podcertificaterequests.certificates.k8s.io": certificateRule(ctx),
  };
  const writes: Handles = (operation) => (WRITES as readonly string[]).includes(operation);
  return {
    name: "NodeRestriction",
    handles: writes, // a node without a name writes nothing at all
    admit(a: Attributes) {
      const node = nodeOf(a.user);
      if (node === undefined) return;
      if (node === "") throw refusal(a, `could not determine node from user "${a.user.name}"`);
      return Object.hasOwn(rules, a.resource.id) ? rules[a.resource.id]!(a, node) : undefined;
    },
  };
}
