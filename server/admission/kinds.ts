/** Objects of admission in the versions of their kinds. */
import { decodeObject } from "../../schema/codec/typed.ts";
import { DecodeError } from "../../schema/codec/error.ts";
import type { JsonMap, Kind, Obj } from "../../schema/model/types.ts";
import { setDefaults } from "../../schema/rules/mod.ts";
import type { RuleContext } from "../../schema/rules/types.ts";
import type { Scheme } from "../../schema/scheme.ts";
import { internal } from "../../schema/status.ts";

/** Conversion and decoding. Both may share parts with their arguments, which stay as they are. */
export interface KindTools {
  /** An object as another kind of its resource; the same object where that is its kind already. */
  convert(obj: Obj, to: Kind): Obj;
  /** The kind that an object says it is of. */
  of(obj: Obj): Kind | undefined;
  /** A tree as an object of a kind, with its defaults. @throws StatusError 500 for one that does not fit, or has unknown fields */
  read(tree: JsonMap, kind: Kind): Obj;
}

/** The tools of one server. */
export function kindTools(scheme: Scheme, rules: RuleContext): KindTools {
  return {
    // A subresource of a kind of its own has that kind whatever the version.
    convert: (obj, to) => obj.kind === to.kind ? scheme.convert(obj, to) : obj,
    of: ({ apiVersion, kind }) => scheme.kind(apiVersion, kind),
    read(tree, kind) {
      const object = decoded(tree, kind);
      setDefaults(object, kind, rules);
      return object;
    },
  };
}

function decoded(tree: JsonMap, kind: Kind): Obj {
  const { apiVersion = kind.apiVersion, kind: name = kind.kind } = tree;
  if (apiVersion !== kind.apiVersion || name !== kind.kind) {
    throw internal(`expected a ${kind.kind} of ${kind.apiVersion}, got a ${name} of ${apiVersion}`);
  }
  try {
    // Of custom objects unknown fields are dropped, as from a request.
    const { object, unknown } = decodeObject(kind, tree, { strict: !kind.custom });
    if (unknown.length) throw internal(`strict decoding error: ${unknown.join(", ")}`);
    if (kind.custom || kind.message.byName.has("metadata")) object.metadata ??= {};
    return object;
  } catch (e) {
    throw e instanceof DecodeError ? internal(e.message) : e;
  }
}
