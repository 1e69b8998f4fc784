/** Nobody gives away more than they have: checks on writes of roles and bindings. */
import type { Obj } from "../../schema/model/types.ts";
import { badRequest, forbidden, notFound, type StatusError } from "../../schema/status.ts";
import { pathSegment } from "../../schema/rules/checks/formats.ts";
import { same } from "../../schema/rules/tree.ts";
import { quote, quoteAll } from "../../schema/values/quote.ts";
import type { User } from "../request.ts";
import type { RbacAuthorizer } from "./rbac.ts";
import { describeRule, missingRules, type PolicyRule } from "./rules.ts";
import type { AuthorizationAttributes, Authorizer } from "./types.ts";

/** What the checks ask. `group` is the served name of the RBAC group. */
export interface EscalationContext {
  readonly rbac: RbacAuthorizer;
  /** The whole chain, asked for the verbs `escalate` and `bind`. */
  readonly authorizer: Authorizer;
  readonly group: string;
}

/** One write. `old` is undefined on create; `namespace` is empty for cluster-wide kinds. */
export interface RbacWrite {
  readonly user: User;
  readonly resource: "clusterroles" | "roles" | "clusterrolebindings" | "rolebindings";
  readonly namespace: string;
  /** Of the request's path: one that creates in a collection has none, and rights to single names do not hold for it. */
  readonly name: string;
  readonly object: Obj;
  readonly old: Obj | undefined;
}

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];
/** Rules named in an error at most. */
const MAX_NAMED = 100;

/** Members of the metadata that the deletion of an object and of its owners changes. */
const COLLECTED = ["ownerReferences", "finalizers", "managedFields", "selfLink"];

/** Whether a write changes nothing but what lets an object go: that may be done without having its rules. */
function onlyCollects(now: Obj, was: Obj): boolean {
  const rest = ({ metadata, ...others }: Obj) => ({ ...others, metadata: without(metadata, COLLECTED) });
  return same(rest(now), rest(was));
}

const without = (o: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(o).filter(([k]) => !names.includes(k)));

function refusal(ctx: EscalationContext, w: RbacWrite, requested: readonly PolicyRule[]): StatusError | undefined {
  const { rules, errors } = ctx.rbac.userRules(w.user, w.namespace);
  const missing = missingRules(rules, requested);
  if (missing.length === 0) return undefined;
  const named = missing.slice(0, MAX_NAMED).map(describeRule).sort().join("\n");
  const tail = errors.length ? `; resolution errors: ${JSON.stringify(errors)}` : "";
  const who = `user ${quote(w.user.name)} (groups=${quoteAll(w.user.groups)})`;
  const text = `${who} is attempting to grant RBAC permissions not currently held:\n${named}${tail}`;
  return forbidden({ group: ctx.group, resource: w.resource }, w.object.metadata.name ?? "", text);
}

async function allowed(ctx: EscalationContext, a: Partial<AuthorizationAttributes> & { user: User }): Promise<boolean> {
  const decision = await ctx.authorizer.authorize({
    verb: "",
    isResource: true,
    group: ctx.group,
    version: "v1",
    resource: "",
    subresource: "",
    namespace: "",
    name: "",
    path: "",
    ...a,
  });
  return decision.decision === "allow";
}

async function roleWrite(ctx: EscalationContext, w: RbacWrite): Promise<StatusError | undefined> {
  const { object, old, user, namespace, resource, name } = w;
  if (old && onlyCollects(object, old)) return undefined;
  if (await allowed(ctx, { user, verb: "escalate", resource, namespace, name })) return undefined;
  const no = refusal(ctx, w, object.rules ?? []);
  if (no || !(object.aggregationRule || old?.aggregationRule)) return no;
  // What an aggregated role will gather is not known: only who may do everything may write one.
  if (!refusal(ctx, w, EVERYTHING)) return undefined;
  const why = "must have cluster-admin privileges to use the aggregationRule";
  return forbidden({ group: ctx.group, resource }, object.metadata.name ?? "", why);
}

async function bindingWrite(ctx: EscalationContext, w: RbacWrite): Promise<StatusError | undefined> {
  const { object, old, user, namespace } = w;
  if (old && onlyCollects(object, old)) return undefined;
  const roleRef = object.roleRef as { kind: string; name: string };
  const resource = roleRef.kind === "Role" ? "roles" : "clusterroles";
  if (await allowed(ctx, { user, verb: "bind", resource, namespace, name: roleRef.name })) return undefined;
  if (roleRef.kind === "Role" && namespace === "") return badRequest("a role is in a namespace, which is not given");
  if (!roleRef.name) return badRequest("Name parameter required");
  const [fault] = pathSegment(roleRef.name);
  if (fault) return badRequest(`Name parameter invalid: ${JSON.stringify(roleRef.name)}: ${fault}`);
  const rules = ctx.rbac.roleRules(roleRef, namespace);
  if (!rules) return notFound({ group: ctx.group, resource: w.resource }, roleRef.name);
  return refusal(ctx, w, rules);
}

/**
 * The error of a write that would give more than the writer has; undefined when it may go on. To be asked after validation, on
 * create, update and patch.
 */
export async function escalationError(ctx: EscalationContext, write: RbacWrite): Promise<StatusError | undefined> {
  return write.resource.endsWith("bindings") ? await bindingWrite(ctx, write) : await roleWrite(ctx, write);
}
