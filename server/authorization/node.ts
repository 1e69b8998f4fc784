/** What node agents may do: objects of their own pods, and fixed rules for the rest (mode `Node`). */
import type { Obj } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import { parseFieldSelector } from "../../schema/values/fields.ts";
import type { User } from "../request.ts";
import { type CompiledRole, compileRole, ruleMatches } from "./compiled.ts";
import { NodeGraph, type NodeLister } from "./node_graph.ts";
import type { PolicyRule } from "./rules.ts";
import type { AuthorizationAttributes, Authorizer, Decision, RulesAnswer } from "./types.ts";

const YES: Decision = { decision: "allow", reason: "" };
const no = (reason = ""): Decision => ({ decision: "no-opinion", reason });
const SILENT = no();

const PREFIX = "system:node:";

/** The node that a user is; empty for a node without a name, undefined for others. */
export function nodeOf(user: User): string | undefined {
  if (!user.groups.includes("system:nodes") || !user.name.startsWith(PREFIX)) return undefined;
  return user.name.slice(PREFIX.length);
}

/** What the authorizer is made of. `rules`: those of the role `system:node`, in served names. */
export interface NodeAuthorizerOptions {
  readonly product: Product;
  readonly lister: NodeLister;
  readonly rules: readonly PolicyRule[];
  readonly gate: (name: string) => boolean;
}

/** Gates of what nodes read service accounts for: any of them lets them. */
const ACCOUNT_GATES = ["KubeletServiceAccountTokenForCredentialProviders", "PodCertificateRequest"];

/** What the pods' cache tells of a change. */
export interface PodFollower {
  changed(pod: { namespace: string; name: string; peek(): Obj }, previous: unknown, deleted: boolean): void;
  reset(): void;
}

type Judge = (node: string, a: AuthorizationAttributes) => Decision;

/** The value that a field selector demands of a field; undefined when it does not. */
function demanded(selector: string | undefined, field: string): string | undefined {
  if (!selector) return undefined;
  try {
    return parseFieldSelector(selector).find((r) => r.field === field && r.op === "=")?.value;
  } catch {
    return undefined;
  }
}

/** The authorizer. {@linkcode changed} is to be told of pods. */
export class NodeAuthorizer implements Authorizer {
  readonly name = "Node";
  readonly #graph: NodeGraph;
  readonly #rules: CompiledRole;
  readonly #leases: string;
  readonly #judges: ReadonlyMap<string, Judge>;

  constructor({ product, lister, rules, gate }: NodeAuthorizerOptions) {
    this.#graph = new NodeGraph(lister, product.local("kubernetes.io/config.mirror"));
    this.#rules = compileRole(rules);
    this.#leases = product.nodeLeaseNamespace;
    this.#judges = new Map(
      Object.entries(this.#table(ACCOUNT_GATES.some(gate))).map(([id, judge]) => [product.local(id), judge]),
    );
  }

  /** A pod has changed or is gone (`object` undefined). Without `change` all pods may have. Other resources do not matter. */
  changed(resourceId: string, change?: { namespace: string; name: string; object: Obj | undefined }): void {
    if (resourceId !== "pods") return;
    if (change) this.#graph.podChanged(change.namespace, change.name, change.object);
    else this.#graph.reset();
  }

  /** A listener for the pods' cache that keeps the graph up; pods are decoded only once nodes have asked. */
  follower(): PodFollower {
    return {
      changed: (pod, _previous, deleted) => {
        if (this.#graph.active) this.#graph.podChanged(pod.namespace, pod.name, deleted ? undefined : pod.peek());
      },
      reset: () => this.#graph.reset(),
    };
  }

  authorize(a: AuthorizationAttributes): Decision {
    const node = nodeOf(a.user);
    if (node === undefined) return SILENT;
    if (node === "") return no(`unknown node for user ${JSON.stringify(a.user.name)}`);
    // The role names no paths.
    if (!a.isResource) return SILENT;
    const judge = this.#judges.get(a.group ? `${a.resource}.${a.group}` : a.resource);
    if (judge) return judge(node, a);
    return this.#ruled(a) ? YES : SILENT;
  }

  rulesFor(user: User): RulesAnswer {
    const node = nodeOf(user) !== undefined;
    const nothing = { resourceRules: [], nonResourceRules: [] };
    return node
      ? { ...nothing, incomplete: true, error: "node authorizer does not support user rule resolution" }
      : { ...nothing, incomplete: false };
  }

  #ruled(a: AuthorizationAttributes): boolean {
    const resource = a.subresource ? `${a.resource}/${a.subresource}` : a.resource;
    return this.#rules.rules.some((r) => !r.names && ruleMatches(r, a.verb, a.group, resource, a.subresource));
  }

  /** By public resource id. `accounts`: whether nodes read service accounts. */
  #table(accounts: boolean): Record<string, Judge> {
    const own = (id: string): Judge => (node, a) => {
      if (!a.name) return no("No Object name found");
      return this.#graph.reaches(node, id, a.namespace, a.name)
        ? YES
        : no(`no relationship found between node '${node}' and this object`);
    };
    const get = (id: string) =>
      verbs(["get"], "can only get individual resources of this type", whole("cannot get subresource", own(id)));
    const read = (id: string) =>
      verbs(
        ["get", "list", "watch"],
        "can only read resources of this type",
        whole("cannot read subresource", namespaced(own(id))),
      );
    const claimStatus = verbs(
      ["update", "patch"],
      "can only get/update/patch this type",
      own("persistentvolumeclaims"),
    );
    const claims = get("persistentvolumeclaims");
    const csiNode = ownNamed("CSINode", ""), csiNodeItself = whole("cannot authorize CSINode subresources", csiNode);
    return {
      "secrets": read("secrets"),
      "configmaps": read("configmaps"),
      "persistentvolumeclaims": (n, a) => (a.subresource === "status" ? claimStatus : claims)(n, a),
      "persistentvolumes": get("persistentvolumes"),
      "resourceclaims.resource.k8s.io": get("resourceclaims.resource.k8s.io"),
      "volumeattachments.storage.k8s.io": get("volumeattachments.storage.k8s.io"),
      "podcertificaterequests.certificates.k8s.io": certificateRequest(
        own("podcertificaterequests.certificates.k8s.io"),
      ),
      "serviceaccounts": account(
        own("serviceaccounts"),
        accounts ? read("serviceaccounts") : () => no("not allowed to get service accounts"),
      ),
      "leases.coordination.k8s.io": (n, a) => ownNamed("node lease", this.#leases)(n, a),
      // The role names the status where it is served for nodes.
      "csinodes.storage.k8s.io": (n, a) =>
        (a.subresource === "status" && this.#ruled(a) ? csiNode : csiNodeItself)(n, a),
      "resourceslices.resource.k8s.io": whole(
        "cannot authorize ResourceSlice subresources",
        slice(own("resourceslices.resource.k8s.io")),
      ),
      "nodes": nodeObject,
      "pods": pod(own("pods")),
    };
  }
}

const verbs = (allowed: readonly string[], why: string, then: Judge): Judge => (node, a) =>
  allowed.includes(a.verb) ? then(node, a) : no(why);
const whole = (why: string, then: Judge): Judge => (node, a) => a.subresource ? no(why) : then(node, a);
const namespaced = (then: Judge): Judge => (node, a) =>
  a.namespace ? then(node, a) : no("can only read namespaced object of this type");

/** Objects that bear the node's name. On create the name is not known yet; the plugin NodeRestriction looks at it. */
const ownNamed = (what: string, namespace: string): Judge =>
  verbs(
    ["get", "create", "update", "patch", "delete"],
    `can only get, create, update, patch, or delete a ${what}`,
    (node, a) => {
      if (namespace && a.namespace !== namespace) {
        return no(`can only access leases in the ${JSON.stringify(namespace)} system namespace`);
      }
      const own = a.verb === "create" || a.name === node;
      return own ? YES : no(`can only access ${what} with the same name as the requesting node`);
    },
  );

const account = (own: Judge, get: Judge): Judge => (node, a) => {
  if (a.verb === "get" && !a.subresource) return get(node, a);
  if (a.verb !== "create" || !a.name) return no("can only create tokens for individual service accounts");
  return a.subresource === "token" ? own(node, a) : no("can only create token subresource of serviceaccount");
};

const SLICE_VERBS = "get, watch, list, create, update, patch, delete, deletecollection";

const slice = (own: Judge): Judge =>
  verbs(
    SLICE_VERBS.split(", "),
    `only the following verbs are allowed for a ResourceSlice: ${SLICE_VERBS}`,
    (node, a) => {
      if (a.verb === "create") return YES;
      if (["get", "update", "patch", "delete"].includes(a.verb)) return own(node, a);
      const scoped = ["nodeName", "spec.nodeName"].some((field) => demanded(a.fieldSelector, field) === node);
      return scoped ? YES : no("can only list/watch/deletecollection resourceslices with nodeName field selector");
    },
  );

const certificateRequest = (own: Judge): Judge => (node, a) => {
  if (a.subresource) return no("nodes may not access the status subresource of PodCertificateRequests");
  if (a.verb === "create") return YES;
  if (a.verb === "get") return own(node, a);
  if (a.verb !== "list" && a.verb !== "watch") return no(`nodes may not ${a.verb} podcertificaterequests`);
  const scoped = demanded(a.fieldSelector, "spec.nodeName") === node;
  return scoped ? YES : no("can only list/watch podcertificaterequests with nodeName field selector");
};

/** Its own Node; that it writes no other is checked by the plugin NodeRestriction. */
const nodeObject: Judge = (node, a) => {
  const key = `${a.subresource}:${a.verb}`;
  if (/^(:(create|update|patch)|status:(update|patch))$/.test(key)) return YES;
  if (!/^:(get|list|watch)$/.test(key)) return SILENT;
  if (a.name === node) return YES;
  return no(`node '${node}' cannot read ${a.name ? `'${a.name}'` : "all nodes"}, only its own Node object`);
};

const pod = (own: Judge): Judge => (node, a) => {
  const key = `${a.subresource}:${a.verb}`;
  // Mirror pods, status and evictions: NodeRestriction keeps them to pods of the node.
  if (/^(:(create|delete)|status:(update|patch)|eviction:create)$/.test(key)) return YES;
  if (key === ":get") return own(node, a);
  if (key !== ":list" && key !== ":watch") return SILENT;
  if (demanded(a.fieldSelector, "spec.nodeName") === node) return YES;
  return a.name ? own(node, a) : no("can only list/watch pods with spec.nodeName field selector");
};
