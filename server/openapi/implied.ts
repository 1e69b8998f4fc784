/** Defaults that a definition tells although nobody declared them: the zero of a member that is always there. */
import type { Field, Json } from "../../schema/model/types.ts";
import { SCALAR_ZERO } from "../../schema/model/zero.ts";

/**
 * The zero of a type, or undefined: `{}` of a message that is a plain object, that of a scalar. Messages with a JSON form
 * of their own read null as their zero, and have none.
 */
function zeroOf({ type }: Field): Json | undefined {
  if (typeof type === "string") return SCALAR_ZERO[type];
  return type.wrapper ? undefined : {};
}

/** The default of a member: the declared one, or the zero of what is no pointer; scalars only if always written. */
export function memberDefault(f: Field): Json | undefined {
  if (f.default !== undefined) return f.default;
  if (f.pointer || f.repeated || f.map || (typeof f.type === "string" && f.omitempty)) return undefined;
  return zeroOf(f);
}
