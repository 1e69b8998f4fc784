/** AlwaysDeny: every write is refused. For tests. */
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin } from "../types.ts";

/** See the top of the file. */
export function alwaysDeny(): Plugin {
  const deny = (a: Attributes): never => {
    throw refusal(a, "admission control is denying all modifications");
  };
  return { name: "AlwaysDeny", handles: () => true, admit: deny, validate: deny };
}
