/** List kinds of served kinds. */
import type { Kind } from "../../schema/model/types.ts";
import type { Scheme } from "../../schema/scheme.ts";

/** The list kind of a kind (specification, "Kinds"): its own, else the name with `List` at its end. */
export function listKindOf(scheme: Scheme, kind: Kind): { apiVersion: string; kind: string; message: Kind } {
  const name = kind.list ?? `${kind.kind}List`;
  return { apiVersion: kind.apiVersion, kind: name, message: scheme.kind(kind.apiVersion, name) ?? kind };
}
