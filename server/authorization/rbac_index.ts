/** Roles by name and bindings by subject, made from the objects when they are first asked for after a change. */
import type { Obj } from "../../schema/model/types.ts";
import type { User } from "../request.ts";
import { type CompiledRole, compileRole } from "./compiled.ts";

/** Where RBAC objects come from: the watch cache. Resource ids are public. */
export interface RbacLister {
  list(resourceId: string): readonly Obj[];
}

/** A binding as seen from one subject. */
export interface Grant {
  readonly binding: Obj;
  readonly subject: { readonly kind: string; readonly name: string; readonly namespace?: string };
}

type BySubject = Map<string, Grant[]>;

const GROUP = "rbac.authorization.k8s.io";
/** Ids of the four resources. */
const RBAC = {
  clusterRoles: `clusterroles.${GROUP}`,
  roles: `roles.${GROUP}`,
  clusterRoleBindings: `clusterrolebindings.${GROUP}`,
  roleBindings: `rolebindings.${GROUP}`,
} as const;

const ROLE_LISTS: ReadonlySet<string> = new Set([RBAC.clusterRoles, RBAC.roles]);
const BINDING_LISTS: ReadonlySet<string> = new Set([RBAC.clusterRoleBindings, RBAC.roleBindings]);

function subjectKey(subject: Grant["subject"], namespace: string): string | undefined {
  switch (subject.kind) {
    case "User":
      return `u:${subject.name}`;
    case "Group":
      return `g:${subject.name}`;
    case "ServiceAccount":
      return `u:system:serviceaccount:${subject.namespace || namespace}:${subject.name}`;
    default:
      return undefined;
  }
}

function add(to: BySubject, binding: Obj): void {
  for (const subject of (binding.subjects ?? []) as Grant["subject"][]) {
    const key = subjectKey(subject, binding.metadata.namespace ?? "");
    if (key === undefined) continue;
    const list = to.get(key);
    if (list) list.push({ binding, subject });
    else to.set(key, [{ binding, subject }]);
  }
}

/** The index. Building costs one pass over the roles or the bindings. */
export class RbacIndex {
  #roles: Map<string, { readonly compiled: CompiledRole; readonly object: Obj }> | undefined;
  #cluster: BySubject | undefined;
  #namespaced = new Map<string, BySubject>();

  constructor(readonly lister: RbacLister) {}

  /** Forgets what depends on the resource. Whether it is one of RBAC's. */
  changed(resourceId: string): boolean {
    if (ROLE_LISTS.has(resourceId)) this.#roles = undefined;
    else if (BINDING_LISTS.has(resourceId)) this.#cluster = undefined;
    else return false;
    return true;
  }

  #rolesNow() {
    if (this.#roles) return this.#roles;
    const roles = new Map<string, { compiled: CompiledRole; object: Obj }>();
    for (const id of ROLE_LISTS) {
      for (const object of this.lister.list(id)) {
        roles.set(`${object.metadata.namespace ?? ""}/${object.metadata.name}`, {
          compiled: compileRole(object.rules),
          object,
        });
      }
    }
    return this.#roles = roles;
  }

  #clusterNow(): BySubject {
    if (this.#cluster) return this.#cluster;
    const cluster: BySubject = new Map(), namespaced = new Map<string, BySubject>();
    for (const b of this.lister.list(RBAC.clusterRoleBindings)) add(cluster, b);
    for (const b of this.lister.list(RBAC.roleBindings)) {
      const namespace = b.metadata.namespace!;
      let of = namespaced.get(namespace);
      if (!of) namespaced.set(namespace, of = new Map());
      add(of, b);
    }
    this.#namespaced = namespaced;
    return this.#cluster = cluster;
  }

  /** The role that a binding points to; undefined when it is not there. */
  role(binding: Obj): { readonly compiled: CompiledRole; readonly object: Obj } | undefined {
    const { kind, name } = binding.roleRef as { kind: string; name: string };
    return this.#rolesNow().get(`${kind === "Role" ? binding.metadata.namespace ?? "" : ""}/${name}`);
  }

  /** Grants that apply to a user: cluster-wide ones, then those of the namespace unless it is empty. */
  *grants(user: User, namespace: string): Generator<Grant> {
    const cluster = this.#clusterNow();
    yield* of(cluster, user);
    const own = this.#namespaced.get(namespace);
    if (own) yield* of(own, user);
  }
}

function* of(index: BySubject, user: User): Generator<Grant> {
  const byName = index.get(`u:${user.name}`);
  if (byName) yield* byName;
  for (const group of user.groups) {
    const byGroup = index.get(`g:${group}`);
    if (byGroup) yield* byGroup;
  }
}
