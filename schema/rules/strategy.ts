/**
 * The four steps of a write that rules take part in, as the registry calls them:
 * {@linkcode prepareCreate}, {@linkcode validateCreate}, {@linkcode prepareUpdate}, {@linkcode validateUpdate}.
 */
import type { Kind, Obj } from "../model/types.ts";
import { declarative } from "./declarative.ts";
import { ErrorList } from "./errors.ts";
import { METADATA, type ObjectMetaOptions, validateObjectMeta, validateObjectMetaUpdate } from "./object_meta.ts";
import { same } from "./tree.ts";
import type { KindRules, MetaRules, RuleContext, SubresourceRules, ValidateContext } from "./types.ts";

/** What the strategy must know of a resource. */
export interface RuledResource {
  readonly kind: Kind;
  readonly namespaced: boolean;
  readonly rules: KindRules;
}

const FINALIZERS = ["orphan", "foregroundDeletion"];

function metaOptions(r: RuledResource, ctx: RuleContext): ObjectMetaOptions {
  const base = { namespaced: r.namespaced, ...(r.rules.name ? { name: r.rules.name } : {}) };
  return r.rules.meta?.knownFinalizersOnly === false
    ? base
    : { ...base, knownFinalizers: [...FINALIZERS, ctx.product.service] };
}

/** Drops what a client may not set, in place. */
export function prepareCreate(r: RuledResource, obj: Obj, ctx: RuleContext): void {
  if (r.rules.generation) obj.metadata.generation = 1;
  r.rules.prepareCreate?.(obj, ctx);
}

/** Keeps what a client may not change, in place. `subresource` is empty for the object itself. */
export function prepareUpdate(r: RuledResource, obj: Obj, old: Obj, subresource: string, ctx: RuleContext): void {
  const was = old.metadata.generation;
  if (was === undefined) delete obj.metadata.generation;
  else obj.metadata.generation = was;
  const part = subresource ? r.rules.subresources?.[subresource] : r.rules;
  part?.prepareUpdate?.(obj, old, ctx);
  if (r.rules.generation?.some((m) => !same(obj[m], old[m]))) obj.metadata.generation = (was ?? 0) + 1;
}

/** All errors of a new object. */
export function validateCreate(r: RuledResource, obj: Obj, ctx: ValidateContext): ErrorList {
  const errors = new ErrorList();
  validateObjectMeta(obj.metadata, metaOptions(r, ctx), METADATA, errors);
  repeat(errors, 0, r.rules.meta?.created ?? 1);
  r.rules.validate?.(obj, errors, ctx);
  declarative(r.kind, obj, undefined, errors, ctx);
  return errors;
}

/** All errors of a changed object. `ctx.subresource` tells through which door the change came. */
export function validateUpdate(r: RuledResource, obj: Obj, old: Obj, ctx: ValidateContext): ErrorList {
  const errors = new ErrorList();
  const sub: SubresourceRules | undefined = ctx.subresource ? r.rules.subresources?.[ctx.subresource] ?? {} : undefined;
  const meta: MetaRules | undefined = sub ? { whole: 0, ...sub.meta } : r.rules.meta;
  validateObjectMetaUpdate(obj.metadata, old.metadata, METADATA, errors);
  repeat(errors, 0, meta?.compared ?? 2);
  const whole = meta?.whole ?? 1;
  if (whole) {
    const from = errors.causes.length;
    validateObjectMeta(obj.metadata, metaOptions(r, ctx), METADATA, errors);
    r.rules.validate?.(obj, errors, ctx, old);
    repeat(errors, from, whole);
  }
  (sub ?? r.rules).validateUpdate?.(obj, old, errors, ctx);
  declarative(r.kind, obj, old, errors, ctx);
  return errors;
}

/** Makes the causes from `from` on stand `times` times. */
function repeat(errors: ErrorList, from: number, times: number): void {
  if (errors.causes.length === from || times === 1) return;
  const added = errors.causes.slice(from);
  for (let i = 1; i < times; i++) errors.causes.push(...added);
}
