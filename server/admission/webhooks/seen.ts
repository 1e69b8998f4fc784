/** A request as webhooks see it: objects in the version of their rules, and what a patch makes of them. */
import { decodeObject } from "../../../schema/codec/mod.ts";
import { parseJson, stringifyJson } from "../../../schema/codec/json.ts";
import { PatchError } from "../../../schema/merge/errors.ts";
import { applyJsonPatch } from "../../../schema/merge/json_patch.ts";
import { isMap } from "../../../schema/model/members.ts";
import type { Json, JsonMap, Kind, Obj } from "../../../schema/model/types.ts";
import { ErrorList } from "../../../schema/rules/errors.ts";
import { setDefaults } from "../../../schema/rules/mod.ts";
import type { RuleContext } from "../../../schema/rules/types.ts";
import { type Scheme, splitApiVersion } from "../../../schema/scheme.ts";
import { internal, invalid } from "../../../schema/status.ts";
import { ValueError } from "../../../schema/values/error.ts";
import { sameTree } from "../../registry/same.ts";
import { become } from "../become.ts";
import { withConverted } from "../converted.ts";
import type { Attributes } from "../types.ts";

/** Members of metadata that the server sets after admission, whatever stood there. */
const SET_AFTERWARDS: ReadonlySet<string> = new Set(
  ["uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "selfLink"],
);

/** Both objects as kinds of a target. */
export interface SeenObjects {
  readonly object: Obj | undefined;
  readonly oldObject: Obj | undefined;
}

/** The scheme and the rules that objects are read by. */
export interface Reading {
  readonly scheme: Scheme;
  readonly rules: RuleContext;
}

/** Objects as a kind; what has a kind of its own (Scale, Eviction) has it in every version. @throws StatusError 500 */
export function seenAs(r: Reading, a: Attributes, kind: Kind): SeenObjects | Promise<SeenObjects> {
  return withConverted(a, kind, () => seenAtOnce(r, a, kind), internal);
}

function seenAtOnce({ scheme }: Reading, a: Attributes, kind: Kind): SeenObjects {
  const as = (o: Obj | undefined) => o && (o.kind === kind.kind ? typed(shown(scheme, o, kind), kind) : o);
  return { object: as(a.object), oldObject: as(a.oldObject) };
}

/** In another version of a built-in kind an object has that version's members alone. */
function shown(scheme: Scheme, o: Obj, kind: Kind): Obj {
  const converted = scheme.convert(o, kind);
  return converted === o || kind.custom ? converted : decodeObject(kind, { ...converted }, { strict: false }).object;
}

/** Type first, as JSON has it. */
const typed = (o: Obj, { kind, apiVersion }: Kind): Obj => {
  const { kind: _k, apiVersion: _v, ...rest } = o;
  return { kind, apiVersion, ...rest };
};

/**
 * Applies a JSON patch to a request's object as a kind, in place. Gives whether that changed it.
 * @throws StatusError 500 for a patch that does not apply or makes what is no such object, 422 for another custom kind
 */
export async function patchObject(r: Reading, a: Attributes, kind: Kind, operations: Json): Promise<boolean> {
  const work = () => patchedObject(r, a, kind, operations);
  const { next, changed } = await withConverted(a, kind, work, internal);
  become(a.object!, next);
  return changed;
}

/** The next object in the version of the one that is patched. */
function patchedObject(r: Reading, a: Attributes, kind: Kind, operations: Json): { next: Obj; changed: boolean } {
  const before = parseJson(stringifyJson(seenAtOnce(r, a, kind).object as Json)).tree;
  const was = decoded(kind, before as JsonMap), next = decoded(kind, patched(before, operations));
  const changed = !sameTree(was, next);
  setDefaults(next, kind, r.rules);
  // Objects whose conversion takes a call are still of the request's version here.
  const own = r.scheme.kind(a.object!.apiVersion, a.object!.kind) ?? a.resource.storageKind;
  if (next.kind !== own.kind) return { next, changed };
  const converted = r.scheme.convert(next, own);
  if (!kind.custom && kind !== own) keepUnseen(a.object!, r.scheme.convert(was, own), converted);
  return { next: converted, changed };
}

/** What an object has and a version cannot say stays as it is when it is changed in that version. @param said all that it can say */
function keepUnseen(object: JsonMap, said: JsonMap, next: JsonMap): void {
  for (const [name, value] of Object.entries(object)) {
    const into = next[name], of = said[name];
    if (of === undefined || of === null) next[name] ??= value;
    else if (isMap(value) && isMap(of) && isMap(into)) keepUnseen(value, of, into);
  }
}

function patched(tree: Json, operations: Json): JsonMap {
  try {
    const next = applyJsonPatch(tree, operations);
    if (isMap(next)) return next;
  } catch (e) {
    if (e instanceof PatchError) throw internal(e.message, e);
    throw e;
  }
  throw internal("a patch has made what is no object");
}

function decoded(kind: Kind, tree: JsonMap): Obj {
  const { apiVersion = kind.custom ? "" : kind.apiVersion, kind: name = kind.custom ? "" : kind.kind } = tree;
  if (apiVersion !== kind.apiVersion || name !== kind.kind) throw another(kind, tree);
  const { object, fault } = read(kind, tree);
  if (object) return object;
  const { metadata } = tree, typed = { apiVersion, kind: name };
  if (!kind.custom || !isMap(metadata) || read(kind, { ...typed, metadata }).object) throw internal(fault);
  // Faulty members of a custom object's metadata are the object's fault, unless the server sets them afterwards.
  const left = Object.fromEntries(Object.entries(metadata).filter(([name]) => !SET_AFTERWARDS.has(name)));
  const second = read(kind, { ...tree, metadata: left });
  if (second.object) return second.object;
  throw refused(kind.kind, tree, (errors) => errors.invalid("metadata", metadata, fault));
}

function read(kind: Kind, tree: JsonMap): { object: Obj; fault?: undefined } | { object?: undefined; fault: string } {
  try {
    const { object } = decodeObject(kind, tree, { strict: false });
    object.metadata ??= {};
    return { object };
  } catch (e) {
    if (e instanceof ValueError) return { fault: e.message };
    throw e;
  }
}

/** What a patch has made another kind of. */
function another(kind: Kind, tree: JsonMap) {
  const { apiVersion, kind: name } = tree;
  if (!kind.custom || !apiVersion || !name) {
    return internal(`${name ?? ""} of ${apiVersion ?? ""} cannot be handled as ${kind.kind} of ${kind.apiVersion}`);
  }
  return refused(String(name), tree, (errors) => {
    if (name !== kind.kind) errors.invalid("kind", name, `must be ${kind.kind}`);
    if (apiVersion !== kind.apiVersion) errors.invalid("apiVersion", apiVersion, `must be ${kind.apiVersion}`);
  });
}

/** The answer to an object that a patch has made invalid. */
function refused(kind: string, { apiVersion, metadata }: JsonMap, found: (errors: ErrorList) => void) {
  const errors = new ErrorList(), name = (metadata as JsonMap | undefined)?.["name"];
  found(errors);
  return invalid(splitApiVersion(String(apiVersion)).group, kind, typeof name === "string" ? name : "", errors.causes);
}
