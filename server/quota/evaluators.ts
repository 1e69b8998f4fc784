/** Evaluators by resource: four that know their objects, and for all other resources one that counts them. */
import { quantityOf } from "../../schema/values/quantity.ts";
import type { RuleContext } from "../../schema/rules/types.ts";
import type { Lister } from "../admission/types.ts";
import type { Resource } from "../catalog/types.ts";
import { claimEvaluator } from "./claims.ts";
import { deviceEvaluator } from "./devices.ts";
import { podEvaluator } from "./pods.ts";
import { serviceEvaluator } from "./services.ts";
import type { Evaluator } from "./types.ts";

/** Names under which some resources were counted before `count/…` came. */
const ALIASES: Readonly<Record<string, string>> = {
  "configmaps": "configmaps",
  "resourcequotas": "resourcequotas",
  "replicationcontrollers": "replicationcontrollers",
  "secrets": "secrets",
};

/** Never counted: stored by nobody, or too many. */
const IGNORED = new Set([
  "bindings",
  "componentstatuses",
  "tokenreviews.authentication.k8s.io",
  "selfsubjectreviews.authentication.k8s.io",
  "subjectaccessreviews.authorization.k8s.io",
  "selfsubjectaccessreviews.authorization.k8s.io",
  "localsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectrulesreviews.authorization.k8s.io",
  "events",
  "events.events.k8s.io",
]);

/** The evaluators of a server. */
export class Evaluators {
  readonly #known: Map<string, Evaluator>;

  constructor(ctx: RuleContext, lister: Lister) {
    const special = [podEvaluator(ctx), serviceEvaluator, claimEvaluator(ctx), deviceEvaluator(ctx, lister)];
    this.#known = new Map(special.map((e) => [e.id, e]));
  }

  /** Whether objects of a resource can be counted at all. */
  static counted(resource: Resource): boolean {
    return resource.namespaced && !IGNORED.has(resource.id);
  }

  /** The evaluator of a resource: made on first use. */
  of(resource: Resource): Evaluator {
    let e = this.#known.get(resource.id);
    if (!e) this.#known.set(resource.id, e = counter(resource));
    return e;
  }
}

/** Counts objects, whatever they are. */
function counter(resource: Resource): Evaluator {
  const names = [`count/${resource.name}${resource.group ? `.${resource.group}` : ""}`];
  if (Object.hasOwn(ALIASES, resource.id)) names.push(ALIASES[resource.id]!);
  return {
    id: resource.id,
    handles: (a) => a.subresource === "" && a.operation === "CREATE",
    counts: (name) => names.includes(name),
    usage: () => new Map(names.map((n) => [n, quantityOf(1)])),
  };
}
