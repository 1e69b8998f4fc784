/** Defaults of the discovery group. */
import { fill } from "../checks/fill.ts";
import type { DefaultsTable } from "../tables.ts";
import { items, type Tree } from "../tree.ts";

/** Rows of the discovery group. */
export const DEFAULTS: DefaultsTable = {
  "v1/EndpointSlice": (s: Tree) => {
    for (const p of items(s["ports"])) fill(p, { name: "", protocol: "TCP" });
  },
};
