/** Defaults of the networking group. */
import { fill, part } from "../checks/fill.ts";
import type { DefaultsTable } from "../tables.ts";
import { count, items, type Tree } from "../tree.ts";

function policyDefaults(p: Tree): void {
  const spec = part(p, "spec");
  if (!count(spec["policyTypes"])) {
    spec["policyTypes"] = count(spec["egress"]) ? ["Ingress", "Egress"] : ["Ingress"];
  }
  for (const rule of [...items(spec["ingress"]), ...items(spec["egress"])]) {
    for (const port of items(rule["ports"])) fill(port, { protocol: "TCP" });
  }
}

const classDefaults = (c: Tree) => {
  if (c["spec"]?.parameters) fill(c["spec"].parameters, { scope: "Cluster" });
};

/** Rows of the networking group. */
export const DEFAULTS: DefaultsTable = { "v1/NetworkPolicy": policyDefaults, "v1/IngressClass": classDefaults };
