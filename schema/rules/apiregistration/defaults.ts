/** Defaults of API services. */
import { fill } from "../checks/fill.ts";
import type { DefaultsTable } from "../tables.ts";
import type { Tree } from "../tree.ts";

/** Rows of the group. */
export const DEFAULTS: DefaultsTable = {
  "v1/APIService": (s: Tree) => {
    if (s["spec"]?.service) fill(s["spec"].service, { port: 443 });
  },
};
