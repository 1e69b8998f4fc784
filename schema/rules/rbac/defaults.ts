/** Defaults of the authorization group of roles. */
import { fillZero, part } from "../checks/fill.ts";
import type { DefaultsTable } from "../tables.ts";
import { items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";

function bindingDefaults(b: Tree, ctx: RuleContext): void {
  const apiGroup = ctx.product.local("rbac.authorization.k8s.io");
  fillZero(part(b, "roleRef"), { apiGroup });
  for (const s of items(b["subjects"])) if (s["kind"] === "User" || s["kind"] === "Group") fillZero(s, { apiGroup });
}

/** Rows of the group. */
export const DEFAULTS: DefaultsTable = { "v1/RoleBinding": bindingDefaults, "v1/ClusterRoleBinding": bindingDefaults };
