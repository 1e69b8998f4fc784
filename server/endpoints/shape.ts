/** Between the version of a request and the version that is stored. */
import { keepEmptyManagers } from "../../schema/codec/mod.ts";
import type { Obj } from "../../schema/model/types.ts";
import type { ServedResource } from "../catalog/types.ts";
import { converting } from "../../schema/customresources/mod.ts";
import type { Api } from "./api.ts";
import type { Source } from "./sources.ts";

/** An object of the request's version in the stored one's shape. The same object when they are one. */
export function toStored(api: Api, served: ServedResource, obj: Obj): Obj {
  const to = served.resource.storageKind;
  // What takes a call to be converted is stored by the registry as it came (`Strategy.conversions`).
  if (to === served.kind || to.custom?.converter) return obj;
  const stored = api.scheme.convert(obj, to);
  keepEmptyManagers(obj, stored);
  return stored;
}

/** Runs pure work on objects of a request, with the conversions that take a call; at once where there are none. */
export function withConversions<T>(served: ServedResource, signal: () => AbortSignal, work: () => T): T | Promise<T> {
  return served.kind.custom?.converter ? converting(work, signal()) : work();
}

/**
 * Sources as the version of a request shows them, where that takes a call: one for all that are of another version.
 * @throws StatusError 500
 */
export async function convertedSources<S extends Source>(
  { kind }: ServedResource,
  sources: readonly S[],
  signal: AbortSignal,
): Promise<(S | { readonly object: Obj })[]> {
  const objects = sources.map((s) => "revision" in s ? s.object() : s.object);
  const others = objects.filter((o) => o.apiVersion !== kind.apiVersion);
  if (others.length === 0) return [...sources];
  const made = (await kind.custom!.converter!(others, kind, signal)).values();
  return sources.map((s, i) => objects[i]!.apiVersion === kind.apiVersion ? s : { object: made.next().value! });
}

/** A stored object in the request's shape. The same object when they are of one version. */
export function toServed(api: Api, served: ServedResource, obj: Obj): Obj {
  return obj.apiVersion === served.kind.apiVersion ? obj : api.scheme.shown(obj, served.kind);
}
