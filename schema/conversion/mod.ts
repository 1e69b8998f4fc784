/**
 * Conversion between versions of a kind. Versions whose shapes agree are read field by field as the target's; the others
 * stand in tables with a function to the hub's shape (that of the stored version) and one from it.
 */
import { carryUnshown } from "../codec/emptied.ts";
import { decodeObject } from "../codec/typed.ts";
import { isMap } from "../model/members.ts";
import type { Json, JsonMap, Kind, Obj } from "../model/types.ts";
import type { Product } from "../product.ts";
import { DEFINITIONS } from "./apiextensions.ts";
import { AUTOSCALING } from "./autoscaling.ts";
import { EVENTS } from "./events.ts";
import { RESOURCE } from "./resource.ts";
import { RETIRED } from "./retired.ts";
import { SCHEDULING } from "./scheduling.ts";
import type { ShapeTable, VersionShape } from "./types.ts";

const SHAPES: ShapeTable = { ...AUTOSCALING, ...DEFINITIONS, ...EVENTS, ...RESOURCE, ...RETIRED, ...SCHEDULING };

function shapeOf(kind: Kind): VersionShape | undefined {
  return SHAPES[`${kind.publicGroup}/${kind.version} ${kind.itemKind ?? kind.kind}`];
}

/**
 * The object, or list, under another kind of the same stored resource. A new value; opaque parts may be shared with the
 * argument. What the target's version cannot hold is dropped.
 */
export function convertObject(obj: Obj, from: Kind, to: Kind, product: Product): Obj {
  const shape = shapeOf(from), toHub = shape?.toHub, fromHub = shapeOf(to)?.fromHub;
  const reshape = (o: JsonMap): JsonMap => {
    const hub = toHub ? toHub(o, product) : o;
    return fromHub ? fromHub(hub, product) : hub;
  };
  const { apiVersion: _version, kind: _kind, ...members } = obj;
  const tree = toHub || fromHub ? reshapeTree(members as JsonMap, from, reshape) : members as JsonMap;
  const converted = decodeObject(to, tree).object;
  carryUnshown(obj, converted, shape?.placeInHub);
  return converted;
}

function reshapeTree(tree: JsonMap, from: Kind, reshape: (o: JsonMap) => JsonMap): JsonMap {
  if (!from.itemKind) return reshape(tree);
  const items: Json = Array.isArray(tree.items) ? tree.items.map((x) => isMap(x) ? reshape(x) : x) : tree.items ?? null;
  return { ...tree, items };
}
