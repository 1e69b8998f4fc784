/** The first content of a fresh server. */
import type { PolicyRule } from "../authorization/rules.ts";
import type { Obj } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import { apiServices, type ServedVersion } from "./api_services.ts";
import { CLUSTER_BINDINGS, NAMESPACED_BINDINGS, NAMESPACED_ROLES } from "./bindings.ts";
import { flowControlObjects } from "./flowcontrol.ts";
import { COMPONENT_ROLES } from "./roles_components.ts";
import { CONTROLLER_ROLES } from "./roles_controllers.ts";
import { USER_ROLES } from "./roles_users.ts";
import { bindingOf, type BindingRow, type BootstrapObject, clusterRoleOf, roleOf, type RoleRow } from "./rows.ts";
import { type ServerFacts, systemObjects } from "./system.ts";
import { TRUST_CONFIG_MAP } from "./trust.ts";
import { nowTime } from "../../schema/values/time.ts";

/** What the first content depends on. */
export interface BootstrapInput extends ServerFacts {
  readonly product: Product;
  readonly gate: (name: string) => boolean;
  /** RBAC is among the authorization modes: its policy is part of the content. */
  readonly byRbac: boolean;
  /** Group versions that the server serves; each gets its registration. */
  readonly served?: Iterable<ServedVersion>;
}

const CONTROLLER_PREFIX = "system:controller:";

function controllerBinding(role: RoleRow): BindingRow {
  return {
    name: role.name,
    ...(role.gate ? { gate: role.gate } : {}),
    subjects: [`sa:kube-system/${role.name.slice(CONTROLLER_PREFIX.length)}`],
  };
}

/** Roles and bindings of the RBAC bootstrap policy, in public names. */
export function rbacObjects(gate: (name: string) => boolean): BootstrapObject[] {
  const on = (row: { gate?: string }) => row.gate === undefined || gate(row.gate);
  const roles = [...USER_ROLES, ...COMPONENT_ROLES, ...CONTROLLER_ROLES].filter(on);
  const bindings = [...CLUSTER_BINDINGS, ...CONTROLLER_ROLES.map(controllerBinding)].filter(on);
  return [
    ...roles.map((r) => clusterRoleOf(r, gate)),
    ...bindings.map(bindingOf),
    ...NAMESPACED_ROLES.map(roleOf),
    ...NAMESPACED_BINDINGS.map(bindingOf),
  ];
}

/**
 * Every object of a fresh server in the served names, in an order in which they can be created; `resourceId` stays the
 * public id. Objects are whole: defaults are written out, but not uid, resourceVersion, creationTimestamp, generation.
 */
export function bootstrapObjects(input: BootstrapInput): BootstrapObject[] {
  const policy = input.byRbac ? rbacObjects(input.gate) : [];
  const all = [...systemObjects(input, input.gate), ...flowControlObjects(nowTime(input.now)), ...policy];
  const registrations = apiServices(input.served ?? [], input.product.local, input.now);
  return [
    ...all.map(({ resourceId, object }) => ({ resourceId, object: named(object, input.product) })),
    ...registrations,
  ];
}

/** Resources whose objects of the first content come again when they are deleted. */
const KEPT: ReadonlySet<string> = new Set([
  "namespaces",
  "servicecidrs.networking.k8s.io",
  "services",
  "configmaps",
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
  "flowschemas.flowcontrol.apiserver.k8s.io",
]);

/** What a server has made again while it runs, in an order in which it can be created. Whom to trust is kept by itself. */
export function keptObjects(input: BootstrapInput): BootstrapObject[] {
  return [...systemObjects(input, input.gate), ...flowControlObjects(nowTime(input.now))]
    .filter(({ resourceId, object }) => KEPT.has(resourceId) && object.metadata.name !== TRUST_CONFIG_MAP)
    .map(({ resourceId, object }) => ({ resourceId, object: named(object, input.product) }));
}

/** In served names. What config maps tell is others' words. */
function named({ data, ...object }: Obj, product: Product): Obj {
  return { ...product.localTree(object as Obj), ...(data === undefined ? {} : { data }) };
}

/** Rules of the role `system:node` in served names: what the node authorizer allows besides. */
export function nodeRules(product: Product, gate: (name: string) => boolean): readonly PolicyRule[] {
  const row = COMPONENT_ROLES.find((r) => r.name === "system:node")!;
  return product.localTree(clusterRoleOf(row, gate).object.rules as PolicyRule[]);
}
