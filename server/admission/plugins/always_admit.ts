/** AlwaysAdmit: nothing is refused. Kept for the sake of old command lines. */
import { nothing } from "../handles.ts";
import type { Plugin } from "../types.ts";

/** See the top of the file. */
export function alwaysAdmit(): Plugin {
  return { name: "AlwaysAdmit", handles: nothing };
}
