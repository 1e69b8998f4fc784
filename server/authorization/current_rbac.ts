/** RBAC that is as new as the watch cache: what was compiled from changed roles and bindings is dropped before it is asked. */
import type { Lister } from "../admission/types.ts";
import type { AuthorizationAttributes, Authorizer, Decision, RulesAnswer } from "./types.ts";
import { RbacAuthorizer } from "./rbac.ts";
import type { User } from "../request.ts";

/** Resources that the policy is made of, by public id. */
const RBAC_RESOURCES = [
  "roles.rbac.authorization.k8s.io",
  "rolebindings.rbac.authorization.k8s.io",
  "clusterroles.rbac.authorization.k8s.io",
  "clusterrolebindings.rbac.authorization.k8s.io",
] as const;

/** See the top of the file. */
export class CurrentRbac implements Authorizer {
  readonly name = "RBAC";
  /** The authorizer underneath, for escalation checks; call {@linkcode refresh} before. */
  readonly inner: RbacAuthorizer;
  readonly #changes: (id: string) => number;
  readonly #seen = new Map<string, number>();

  /** `changes` moves with every change of a resource's objects. */
  constructor(lister: Lister, changes: (id: string) => number) {
    this.inner = new RbacAuthorizer(lister);
    this.#changes = changes;
  }

  /** Drops what is stale. */
  refresh(): void {
    for (const id of RBAC_RESOURCES) {
      const now = this.#changes(id);
      if (this.#seen.get(id) === now) continue;
      this.#seen.set(id, now);
      this.inner.changed(id);
    }
  }

  authorize(a: AuthorizationAttributes): Decision | Promise<Decision> {
    this.refresh();
    return this.inner.authorize(a);
  }

  rulesFor(user: User, namespace: string): RulesAnswer | Promise<RulesAnswer> {
    this.refresh();
    return this.inner.rulesFor!(user, namespace);
  }
}
