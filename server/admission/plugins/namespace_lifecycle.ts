/**
 * NamespaceLifecycle: nothing is created where there is no namespace, or where it goes away; neither by whom a webhook kept so long
 * that its namespace has gone meanwhile.
 */
import type { Obj } from "../../../schema/model/types.ts";
import { forbidden, notFound } from "../../../schema/status.ts";
import type { Tree } from "../../../schema/rules/tree.ts";
import { held } from "../facts.ts";
import { refusalWithCause } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";

const NAMESPACES = "namespaces";
/** So long after a deletion the cache is not believed when it says that the namespace is active. */
const DOUBT_MS = 30_000;
const DOUBTED = 100;
/** An answer about a namespace would tell what the review is not about. */
const REVIEW = "localsubjectaccessreviews.authorization.k8s.io";

/** See the top of the file. */
export function namespaceLifecycle(ctx: PluginContext): Plugin {
  const { product, live } = ctx;
  const immortal = new Set(["default", product.systemNamespace, product.publicNamespace]);
  const cached = held(ctx.lister, NAMESPACES);
  const doubted = new Map<string, number>();

  const beforeDelete = (a: Attributes) => {
    if (immortal.has(a.name)) {
      throw forbidden({ group: "", resource: NAMESPACES }, a.name, "this namespace may not be deleted");
    }
    if (doubted.size >= DOUBTED) doubted.delete(doubted.keys().next().value!);
    doubted.set(a.name, ctx.now() + DOUBT_MS);
  };
  const current = async (a: Attributes) => {
    if (a.namespace === "") return; // the rules of metadata say what an empty one lacks
    const namespace = await live.get(NAMESPACES, "", a.namespace);
    if (!namespace) throw notFound({ group: "", resource: NAMESPACES }, a.namespace);
    mustLive(a, namespace);
  };
  const inDoubt = (name: string): boolean => {
    if (doubted.size === 0) return false;
    const until = doubted.get(name);
    return until !== undefined && until > ctx.now();
  };
  const mustBeThere = (a: Attributes): void | Promise<void> => {
    const namespace = cached(a.namespace);
    if (!namespace || (inDoubt(a.namespace) && !terminating(namespace))) return current(a);
    mustLive(a, namespace);
  };
  return {
    name: "NamespaceLifecycle",
    handles: (operation, resource) =>
      resource.id === NAMESPACES
        ? operation === "DELETE"
        : operation === "CREATE" && resource.namespaced && resource.id !== REVIEW,
    admit(a) {
      return a.resource.id === NAMESPACES ? beforeDelete(a) : mustBeThere(a);
    },
    last(a) {
      return a.resource.id === NAMESPACES ? undefined : mustBeThere(a);
    },
  };
}

const terminating = (namespace: Obj): boolean => (namespace as Tree)["status"]?.phase === "Terminating";

function mustLive(a: Attributes, namespace: Obj): void {
  if (!terminating(namespace)) return;
  const why = `unable to create new content in namespace ${a.namespace} because it is being terminated`;
  throw refusalWithCause(a, why, {
    reason: "NamespaceTerminating",
    message: `namespace ${a.namespace} is being terminated`,
    field: "metadata.namespace",
  });
}
