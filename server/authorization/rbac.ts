/** Role-based access control (specification, "Authorization", mode `RBAC`). */
import type { Obj } from "../../schema/model/types.ts";
import type { User } from "../request.ts";
import { ruleMatches, urlRuleMatches } from "./compiled.ts";
import { type Grant, RbacIndex, type RbacLister } from "./rbac_index.ts";
import type { PolicyRule } from "./rules.ts";
import type { AuthorizationAttributes, Authorizer, Decision, RulesAnswer } from "./types.ts";

const NO: Decision = { decision: "no-opinion", reason: "" };
/** Users whose decisions are held. One takes about 200 B and 150 B a decision. */
const MAX_USERS = 4096;
/** Decisions held of one user. */
const MAX_DECISIONS = 1024;
/** What is longer (characters) is not held: reviews may ask with texts of any length, about users of any name. */
const MAX_KEY = 2048;
const MAX_IDENTITY = 10_000;
/** A decision that has more rules for single names is not held either: roles may have any number of them. */
const MAX_NAMED = 64;

/** A rule for single names, and what it decides. The names are those of the compiled role: each may be a long list. */
interface Named {
  readonly names: ReadonlySet<string>;
  readonly decision: Decision;
}

/** What is known of one verb, resource and namespace for one user. */
interface Known {
  /** For every name. */
  readonly any: Decision;
  /** For single names, where rules limit them; the first that has the name decides. */
  readonly named: readonly Named[] | undefined;
}

/** The rules of a user in a namespace. `errors`: bindings whose role is not there. */
export interface UserRules {
  readonly rules: readonly PolicyRule[];
  readonly errors: readonly string[];
}

/** RBAC over the objects of a lister. {@linkcode changed} must be called after each change of one. */
export class RbacAuthorizer implements Authorizer {
  readonly name = "RBAC";
  readonly #index: RbacIndex;
  #byUser = new WeakMap<User, Map<string, Known>>();
  #byIdentity = new Map<string, Map<string, Known>>();

  constructor(lister: RbacLister) {
    this.#index = new RbacIndex(lister);
  }

  /** Objects of the resource (public id) have changed. Cheap; the index is built when next asked for. */
  changed(resourceId: string): void {
    if (!this.#index.changed(resourceId)) return;
    this.#byUser = new WeakMap();
    this.#byIdentity = new Map();
  }

  authorize(a: AuthorizationAttributes): Decision {
    const known = this.#known(a.user);
    const key = a.isResource
      ? `${a.verb}\n${a.group}\n${a.resource}\n${a.subresource}\n${a.namespace}`
      : `\n${a.verb}\n${a.path}`;
    let found = known.get(key);
    if (!found) {
      found = a.isResource ? this.#resource(a) : this.#path(a);
      if (key.length <= MAX_KEY && (found.named?.length ?? 0) <= MAX_NAMED) {
        if (known.size >= MAX_DECISIONS) known.clear();
        known.set(key, found);
      }
    }
    return found.named?.find(({ names }) => names.has(a.name))?.decision ?? found.any;
  }

  /** Decisions of the same user object, else of the same name and groups: RBAC looks at nothing else of a user. */
  #known(user: User): Map<string, Known> {
    let known = this.#byUser.get(user);
    if (known) return known;
    // Names may hold any character: the text must not be ambiguous.
    const identity = JSON.stringify([user.name, ...user.groups]);
    known = this.#byIdentity.get(identity);
    if (!known) {
      known = new Map();
      if (identity.length <= MAX_IDENTITY) {
        if (this.#byIdentity.size >= MAX_USERS) this.#byIdentity.delete(this.#byIdentity.keys().next().value!);
        this.#byIdentity.set(identity, known);
      }
    }
    this.#byUser.set(user, known);
    return known;
  }

  #resource(a: AuthorizationAttributes): Known {
    const resource = a.subresource ? `${a.resource}/${a.subresource}` : a.resource;
    let named: Named[] | undefined;
    const missing: string[] = [];
    for (const grant of this.#index.grants(a.user, a.namespace)) {
      const role = this.#index.role(grant.binding);
      if (!role) missing.push(notFound(grant.binding));
      let decision: Decision | undefined;
      for (const rule of role?.compiled.rules ?? []) {
        if (!ruleMatches(rule, a.verb, a.group, resource, a.subresource)) continue;
        decision ??= allow(grant);
        if (!rule.names) return { any: decision, named };
        (named ??= []).push({ names: rule.names, decision });
      }
    }
    return { any: refuse(missing), named };
  }

  #path(a: AuthorizationAttributes): Known {
    const missing: string[] = [];
    for (const grant of this.#index.grants(a.user, "")) {
      const role = this.#index.role(grant.binding);
      if (!role) missing.push(notFound(grant.binding));
      else if (role.compiled.urls.some((r) => urlRuleMatches(r, a.verb, a.path))) {
        return { any: allow(grant), named: undefined };
      }
    }
    return { any: refuse(missing), named: undefined };
  }

  /** Everything that a user may do in a namespace (cluster-wide grants included), for escalation checks. */
  userRules(user: User, namespace: string): UserRules {
    const rules: PolicyRule[] = [], errors: string[] = [];
    // A binding of a user and of their groups gives its rules once.
    const bindings = new Set<Obj>();
    for (const { binding } of this.#index.grants(user, namespace)) bindings.add(binding);
    for (const binding of bindings) {
      const role = this.#index.role(binding);
      if (!role) errors.push(notFound(binding));
      else for (const rule of role.object.rules ?? []) rules.push(rule as PolicyRule);
    }
    return { rules, errors };
  }

  /** The rules of a role that a binding in `namespace` (empty: cluster-wide) would point to; undefined when it is not there. */
  roleRules(roleRef: { kind: string; name: string }, namespace: string): readonly PolicyRule[] | undefined {
    const binding = { roleRef, metadata: { namespace } } as unknown as Obj;
    const role = this.#index.role(binding);
    return role ? (role.object.rules ?? []) as PolicyRule[] : undefined;
  }

  rulesFor(user: User, namespace: string): RulesAnswer {
    const { rules, errors } = this.userRules(user, namespace);
    const list = (l: readonly string[] | undefined) => [...(l ?? [])];
    const resourceRules = rules.filter((r) => r.resources?.length).map((r) => ({
      verbs: list(r.verbs),
      apiGroups: list(r.apiGroups),
      resources: list(r.resources),
      ...(r.resourceNames?.length ? { resourceNames: list(r.resourceNames) } : {}),
    }));
    const nonResourceRules = rules.filter((r) => r.nonResourceURLs?.length).map((r) => ({
      verbs: list(r.verbs),
      nonResourceURLs: list(r.nonResourceURLs),
    }));
    return {
      resourceRules,
      nonResourceRules,
      // What a binding points to in vain is no rule: the list is whole, and says what it met.
      incomplete: false,
      ...(errors.length ? { error: errors.join(", ") } : {}),
    };
  }
}

const refuse = (missing: readonly string[]): Decision =>
  missing.length ? { decision: "no-opinion", reason: `RBAC: ${missing.join(", ")}` } : NO;

function notFound({ roleRef }: Obj): string {
  const resource = roleRef.kind === "Role" ? "role" : "clusterrole";
  return `${resource}.${roleRef.apiGroup} ${JSON.stringify(roleRef.name)} not found`;
}

/** Says by which binding, for audit and reviews. */
function allow({ binding, subject }: Grant): Decision {
  const own = JSON.stringify(
    binding.metadata.namespace ? `${binding.metadata.name}/${binding.metadata.namespace}` : binding.metadata.name,
  );
  const kind = binding.metadata.namespace ? "RoleBinding" : "ClusterRoleBinding";
  const whom = subject.kind === "ServiceAccount"
    ? `ServiceAccount ${JSON.stringify(`${subject.name}/${subject.namespace ?? binding.metadata.namespace ?? ""}`)}`
    : `${subject.kind} ${JSON.stringify(subject.name)}`;
  const role = `${binding.roleRef.kind} ${JSON.stringify(binding.roleRef.name)}`;
  return { decision: "allow", reason: `RBAC: allowed by ${kind} ${own} of ${role} to ${whom}` };
}
