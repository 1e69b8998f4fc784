/** Conversion between versions of a kind: field by field through the target's typed decode, with exceptions in tables. */
import { decodeTyped } from "../codec/typed.ts";
import type { JsonMap, Kind, Obj } from "../model/types.ts";
import type { Product } from "../product.ts";

/** The object under another kind of the same stored resource. A new value. */
export function convertObject(obj: Obj, _from: Kind, to: Kind, _product: Product): Obj {
  const { apiVersion: _a, kind: _k, ...members } = obj;
  const body = decodeTyped(to.message, members as JsonMap, {}, { unknown: [] });
  return { kind: to.kind, apiVersion: to.apiVersion, ...body } as unknown as Obj;
}
