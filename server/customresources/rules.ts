/** What the registry does to custom objects: what writes may change, and validation in the version of the request. */
import { type ClaimedType, claimedType } from "../../schema/codec/claimed.ts";
import { copyTree } from "../../schema/values/copy.ts";
import {
  hasRules,
  type Schema,
  stepsOf,
  validateEmbedded,
  validateLists,
  validateRules,
  validateSchema,
  valueAt,
} from "../../schema/customresources/mod.ts";
import type { Json, JsonMap, Kind, Obj } from "../../schema/model/types.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import { finalizersOf } from "../../schema/rules/object_meta.ts";
import { jsonEqual } from "../../schema/merge/equal.ts";
import type { KindRules, RuleContext, ValidateContext } from "../../schema/rules/types.ts";
import { splitApiVersion } from "../../schema/scheme.ts";
import { invalid, type StatusError } from "../../schema/status.ts";
import { qualifiedName } from "../../schema/values/names.ts";
import type { ScalePaths } from "./definition.ts";

/** One version, as rules see it. */
export interface RuledVersion {
  readonly kind: Kind;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
}

/** Rules of a custom resource. `versions` by name. */
export function customRules(storage: Kind, versions: ReadonlyMap<string, RuledVersion>): KindRules {
  const views = new Views(storage, versions);
  const prepareUpdate = (obj: Obj, old: Obj, ctx: RuleContext) => {
    if (views.version(ctx).hasStatus) keepMember(obj, old, "status");
    countGeneration(views, obj, old, ctx);
  };
  const validate: KindRules["validate"] = (obj, errors, ctx, old) => validateWhole(views, obj, old, errors, ctx);
  return {
    name: "dns1123Subdomain",
    meta: { knownFinalizersOnly: false, whole: 0 },
    unconditionalUpdate: false,
    generation: [],
    prepareCreate: (obj, ctx) => {
      if (views.version(ctx).hasStatus) delete obj["status"];
    },
    prepareUpdate,
    validate,
    warnings: (obj, old, { product }) => finalizerWarnings(obj, old, finalizersOf(product)),
    subresources: {
      status: {
        meta: { whole: 0 },
        prepareUpdate: keepAllButStatus,
        validateUpdate: (obj, old, errors, ctx) => validateStatus(views, obj, old, errors, ctx),
      },
      scale: {
        meta: { whole: 0 },
        prepareUpdate,
        validateUpdate: (obj, old, errors, ctx) => validate(obj, errors, ctx, old),
      },
    },
  };
}

/** Objects in the version of a request. */
class Views {
  readonly storage: RuledVersion;
  readonly #storage: Kind;
  readonly #versions: ReadonlyMap<string, RuledVersion>;

  constructor(storage: Kind, versions: ReadonlyMap<string, RuledVersion>) {
    this.#storage = storage;
    this.#versions = versions;
    this.storage = versions.get(storage.version)!;
  }

  version(ctx: Pick<ValidateContext, "version">): RuledVersion {
    return this.#versions.get(ctx.version ?? "") ?? this.storage;
  }

  /** What a client sent, which has kept the members of its version on the way. */
  next(v: RuledVersion, obj: Obj): JsonMap {
    return v.kind === this.#storage ? obj : { ...obj, apiVersion: v.kind.apiVersion };
  }

  /** A stored object. */
  old(v: RuledVersion, obj: Obj): JsonMap {
    const { apiVersion, custom } = v.kind, asItIs = v.kind === this.#storage && custom!.converter !== undefined;
    return asItIs || obj.apiVersion === apiVersion ? obj : custom!.shown(obj);
  }
}

const schemaOf = (v: RuledVersion): Schema | undefined => v.kind.custom?.schema as Schema | undefined;

function keepMember(obj: Obj, old: Obj, name: string): void {
  if (Object.hasOwn(old, name)) obj[name] = old[name];
  else delete obj[name];
}

/** A change of anything but metadata counts, as the version of the request has it. */
function countGeneration(views: Views, obj: Obj, old: Obj, ctx: RuleContext): void {
  if (sameRest(obj, old)) return;
  const v = views.version(ctx), next = copyTree(obj);
  v.kind.custom!.settle(next);
  const { metadata: _m, apiVersion: _a, ...was } = views.old(v, old);
  const { metadata: _n, apiVersion: _b, ...is } = next;
  // An empty list, null and nothing at all are three things here.
  if (!jsonEqual(is, was)) obj.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

/** Whether nothing but metadata differs of two objects as they are stored. */
function sameRest(obj: Obj, old: Obj): boolean {
  const { metadata: _m, ...is } = obj, { metadata: _n, ...was } = old;
  return jsonEqual(is, was as JsonMap);
}

function keepAllButStatus(obj: Obj, old: Obj): void {
  const { status, metadata } = obj;
  for (const name of Object.keys(obj)) delete (obj as JsonMap)[name];
  Object.assign(obj, copyTree(old));
  if (status === undefined) delete obj["status"];
  else obj["status"] = status;
  obj.metadata.resourceVersion = metadata.resourceVersion ?? old.metadata.resourceVersion!;
  if (metadata.managedFields) obj.metadata.managedFields = metadata.managedFields;
  else delete obj.metadata.managedFields;
}

function validateWhole(views: Views, obj: Obj, old: Obj | undefined, errors: ErrorList, ctx: ValidateContext): void {
  const v = views.version(ctx), schema = schemaOf(v), said = claimedType(obj);
  const next = views.next(v, obj), was = old && views.old(v, old);
  if (said) {
    throw typeFaults(
      said,
      v.kind,
      obj.metadata.name ?? "",
      (found) => rulesHold(next, was, schema, found, ctx),
    );
  }
  if (schema) {
    validateSchema(next, schema, "", errors, was && { value: was });
    validateEmbedded(next, schema, errors);
    listFaults(next, was, schema, errors);
  }
  if (v.scale) {
    validateReplicas(next, v.scale.specReplicasPath, errors);
    validateScaleStatus(next, v.scale, errors);
  }
  rulesHold(next, was, schema, errors, ctx);
}

/** Checks the rules of a schema, and tells how long that took. */
function rulesHold(
  next: JsonMap,
  was: JsonMap | undefined,
  schema: Schema | undefined,
  errors: ErrorList,
  { expressionTimes }: ValidateContext,
): void {
  if (!schema || !hasRules(schema)) return;
  const check = () => validateRules(next, was, schema, errors);
  if (expressionTimes) expressionTimes.evaluated(check);
  else check();
}

/** Of what is of another type only the rules are looked at. */
function typeFaults(
  { apiVersion, kind }: ClaimedType,
  own: Kind,
  name: string,
  rules: (errors: ErrorList) => void,
): StatusError {
  const errors = new ErrorList();
  if (kind !== own.kind) errors.invalid("kind", kind, `must be ${own.kind}`);
  if (apiVersion !== own.apiVersion) errors.invalid("apiVersion", apiVersion, `must be ${own.apiVersion}`);
  const broken = new ErrorList();
  rules(broken);
  errors.take(broken.causes);
  return invalid(splitApiVersion(String(apiVersion)).group, String(kind), name, errors.causes);
}

function validateStatus(views: Views, obj: Obj, old: Obj, errors: ErrorList, ctx: ValidateContext): void {
  const v = views.version(ctx), schema = schemaOf(v), next = views.next(v, obj), was = views.old(v, old);
  const part = schema?.properties?.["status"];
  if (part && next["status"] !== undefined) {
    validateSchema(next["status"], part, "status", errors, { value: was["status"] });
  }
  if (schema) listFaults(next, was, schema, errors);
  if (v.scale) validateScaleStatus(next, v.scale, errors);
  rulesHold(next, was, schema, errors, ctx);
}

/** Doubles that were there before are let be. */
function listFaults(next: JsonMap, was: JsonMap | undefined, schema: Schema, errors: ErrorList): void {
  if (was) {
    const before = new ErrorList();
    validateLists(was, schema, before);
    if (!before.empty) return;
  }
  validateLists(next, schema, errors);
}

const INT32_MAX = 0x7fffffff;

function validateReplicas(obj: JsonMap, path: string, errors: ErrorList): void {
  const value = valueAt(obj, stepsOf(path));
  if (value === undefined) {
    if (isBroken(obj, stepsOf(path))) errors.invalid(path, 0, "must lead through objects");
    return;
  }
  if (typeof value !== "bigint" && !Number.isInteger(value)) errors.invalid(path, value, "must be a whole number");
  else if (value as number < 0) errors.invalid(path, value, "should be a non-negative integer");
  else if (value as number > INT32_MAX) errors.invalid(path, value, `should be less than or equal to ${INT32_MAX}`);
}

/** Whether something on the way is no object. */
function isBroken(obj: JsonMap, steps: readonly string[]): boolean {
  for (let n = 1; n < steps.length; n++) {
    const v = valueAt(obj, steps.slice(0, n));
    if (v === undefined || v === null) return false;
    if (typeof v !== "object" || Array.isArray(v)) return true;
  }
  return false;
}

function validateScaleStatus(obj: JsonMap, scale: ScalePaths, errors: ErrorList): void {
  validateReplicas(obj, scale.statusReplicasPath, errors);
  const { labelSelectorPath: path } = scale;
  if (!path) return;
  const selector: Json | undefined = valueAt(obj, stepsOf(path));
  if (selector === undefined && isBroken(obj, stepsOf(path))) errors.invalid(path, "", "must lead through objects");
  else if (selector !== undefined && typeof selector !== "string") errors.invalid(path, selector, "must be a string");
}

function finalizerWarnings(obj: Obj, old: Obj | undefined, standard: readonly string[]): string[] {
  const known = new Set(old?.metadata.finalizers);
  const added = [...new Set(obj.metadata.finalizers ?? [])].filter((f) => !known.has(f)).sort();
  return added.flatMap((f) =>
    finalizerFaults(f, standard).map((why) => `metadata.finalizers: ${JSON.stringify(f)}: ${why}`)
  );
}

function finalizerFaults(name: string, standard: readonly string[]): readonly string[] {
  const faults = qualifiedName(name);
  if (name.includes("/") || standard.includes(name)) return faults;
  const path = name.includes(".") ? " including a path (/)" : "";
  return [
    ...faults,
    `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
  ];
}
