/** Printers of the RBAC group. Roles have the default columns. */
import type { Obj } from "../../schema/model/types.ts";
import { AGE, col, NAME, type Read, table, wide } from "./parts.ts";
import type { Printer, Printers } from "./types.ts";

interface Subject {
  kind: string;
  name: string;
  namespace?: string;
}

const subjects = (kind: string, text: (s: Subject) => string): Read => (o: Obj) =>
  ((o.subjects ?? []) as Subject[]).filter((s) => s.kind === kind).map(text).join(", ");

const BINDING: Printer = table(
  NAME,
  col("Role", (o) => `${o.roleRef?.kind ?? ""}/${o.roleRef?.name ?? ""}`),
  AGE,
  wide("Users", subjects("User", (s) => s.name)),
  wide("Groups", subjects("Group", (s) => s.name)),
  wide("ServiceAccounts", subjects("ServiceAccount", (s) => s.namespace ? `${s.namespace}/${s.name}` : s.name)),
);

/** Printers, by public id. */
export const RBAC: Printers = {
  "clusterrolebindings.rbac.authorization.k8s.io": BINDING,
  "rolebindings.rbac.authorization.k8s.io": BINDING,
};
