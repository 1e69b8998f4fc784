/** Between the version of a request and the version that is stored. */
import { keepEmptyManagers } from "../../schema/codec/mod.ts";
import type { Json, Obj } from "../../schema/model/types.ts";
import type { ServedResource } from "../catalog/types.ts";
import type { Api } from "./api.ts";

/** An object of the request's version in the stored one's shape. The same object when they are one. */
export function toStored(api: Api, served: ServedResource, obj: Obj): Obj {
  const to = served.resource.storageKind;
  if (to === served.kind) return obj;
  const stored = api.scheme.convert(obj, to);
  keepEmptyManagers(obj as unknown as Json, stored);
  return stored;
}

/** An object of the stored version in the request's shape. The same object when they are one. */
export function toServed(api: Api, served: ServedResource, obj: Obj): Obj {
  return obj.apiVersion === served.kind.apiVersion ? obj : api.scheme.convert(obj, served.kind);
}
