/** Rules of limit ranges. */
import { forgetEmpty } from "../checks/fill.ts";
import { format } from "../checks/basic.ts";
import { qualifiedName } from "../checks/formats.ts";
import { containerResourceName, isOvercommittable, resourceName } from "../checks/resources.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { emptyMap, entryOf, isSet, items, type Tree } from "../tree.ts";
import type { KindRules, ValidateContext } from "../types.ts";
import { parseQuantity } from "../../values/quantity.ts";
import { isOutOfReach } from "./ratios.ts";

const LIMITS = Path.of("spec", "limits");
const TYPES = ["Pod", "Container", "PersistentVolumeClaim"];
const LISTS = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] as const;

function limitType(type: string, path: Path, errors: ErrorList): void {
  if (qualifiedName(type).length) format(type, path, errors, qualifiedName);
  else if (!type.includes("/") && !TYPES.includes(type)) {
    errors.invalid(path, type, "must be a standard limit type or have a domain");
  }
}

function limit(item: Tree, path: Path, errors: ErrorList, ctx: ValidateContext): void {
  const type: string = item["type"] ?? "", names = new Set<string>();
  const ofContainers = type === "Pod" || type === "Container";
  for (const list of LISTS) {
    if (list === "maxLimitRequestRatio" && type === "PersistentVolumeClaim") storageBound(item, path, errors);
    if (type === "Pod" && (list === "default" || list === "defaultRequest")) {
      if (!emptyMap(item[list])) errors.forbidden(path.child(list), "must not be specified when `type` is 'Pod'");
      continue;
    }
    for (const k in item[list] ?? {}) {
      names.add(k);
      if (ofContainers) containerResourceName(k, path.child(list).key(k), errors, ctx);
      else resourceName(k, path.child(list).key(k), errors);
    }
  }
  for (const k of names) order(k, item, type === "Pod", path, errors, ctx);
}

function storageBound(item: Tree, path: Path, errors: ErrorList): void {
  if (isSet(item["min"]?.storage) || isSet(item["max"]?.storage)) return;
  errors.required(path.child("limits"), "either minimum or maximum storage is required");
}

/** Pairs of lists whose first may not be more than the second, the list that the error stands at, and that which it shows. */
const ORDER = [
  ["min", "max", "min", "min"],
  ["min", "defaultRequest", "defaultRequest", "defaultRequest"],
  ["defaultRequest", "max", "defaultRequest", "defaultRequest"],
  ["defaultRequest", "default", "defaultRequest", "defaultRequest"],
  ["min", "default", "default", "min"],
  ["default", "max", "default", "max"],
] as const;

function order(k: string, item: Tree, ofPod: boolean, path: Path, errors: ErrorList, ctx: ValidateContext): void {
  const value = (list: string) => {
    if (ofPod && list.startsWith("default")) return undefined;
    const text = entryOf(item[list], k);
    return isSet(text) ? parseQuantity(text) : undefined;
  };
  for (const [low, high, at, shown] of ORDER) {
    const a = value(low), b = value(high);
    if (a && b && a.cmp(b) > 0) {
      errors.invalid(path.child(at).key(k), item[shown][k], `${low} ${a} is greater than ${high} ${b}`);
    }
  }
  const ratio = value("maxLimitRequestRatio"),
    min = value("min"),
    max = value("max"),
    place = path.child("maxLimitRequestRatio").key(k);
  if (ratio && ratio.milliValue() < 1000n) errors.invalid(place, `${ratio}`, "must be at least 1");
  if (ratio && min && max && isOutOfReach(ratio, { min, max })) {
    errors.invalid(place, `${ratio}`, "must be at most max/min");
  }
  const request = value("defaultRequest"), byDefault = value("default");
  if (!isOvercommittable(k, ctx) && request && byDefault && request.cmp(byDefault) !== 0) {
    errors.invalid(path.child("defaultRequest").key(k), `${request}`, `must be equal to the default ${byDefault}`);
  }
}

/** Rules of `limitranges`. */
export const LIMIT_RANGE: KindRules = {
  createOnUpdate: true,
  meta: { compared: 0 },
  prepareCreate(obj) {
    if (!obj.metadata.name) obj.metadata.name = crypto.randomUUID();
    forgetEmpty(obj["spec"], "limits");
  },
  prepareUpdate: (obj) => forgetEmpty(obj["spec"], "limits"),
  validate(obj, errors, ctx) {
    const seen = new Set<string>();
    for (const [i, item] of items(obj["spec"]?.limits).entries()) {
      const type: string = item["type"] ?? "";
      limitType(type, LIMITS.index(i).child("type"), errors);
      if (seen.has(type)) errors.duplicate(LIMITS.index(i).child("type"), type);
      seen.add(type);
      limit(item, LIMITS.index(i), errors, ctx);
    }
  },
};
