/** Defaults of the node group. */
import { roundResources } from "../checks/fill.ts";
import type { DefaultsTable } from "../tables.ts";
import type { Tree } from "../tree.ts";

/** Rows of the group. */
export const DEFAULTS: DefaultsTable = { "v1/RuntimeClass": (c: Tree) => roundResources(c["overhead"]?.podFixed) };
