/**
 * The four steps of a write that rules take part in, as the registry calls them:
 * {@linkcode prepareCreate}, {@linkcode validateCreate}, {@linkcode prepareUpdate}, {@linkcode validateUpdate}.
 */
import type { Kind, Obj } from "../model/types.ts";
import { wasEmptied } from "../codec/emptied.ts";
import { format } from "./checks/basic.ts";
import { pathPrefix } from "./checks/formats.ts";
import { declarative } from "./declarative.ts";
import { ErrorList } from "./errors.ts";
import {
  finalizersOf,
  METADATA,
  type ObjectMetaOptions,
  validateKnownFinalizers,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "./object_meta.ts";
import { same } from "./tree.ts";
import type { KindRules, RuleContext, SubresourceRules, ValidateContext } from "./types.ts";

/** What the strategy must know of a resource. */
export interface RuledResource {
  readonly kind: Kind;
  readonly namespaced: boolean;
  readonly rules: KindRules;
}

const optionsMade = new WeakMap<RuledResource, ObjectMetaOptions>();

function metaOptions(r: RuledResource, ctx: RuleContext): ObjectMetaOptions {
  let options = optionsMade.get(r);
  if (!options) optionsMade.set(r, options = makeOptions(r, ctx));
  return options;
}

function makeOptions(r: RuledResource, ctx: RuleContext): ObjectMetaOptions {
  const base = {
    namespaced: r.namespaced,
    ...(r.rules.name ? { name: r.rules.name } : {}),
  };
  return r.rules.meta?.knownFinalizersOnly === false ? base : { ...base, knownFinalizers: finalizersOf(ctx.product) };
}

/** Whether an update in a version may be without `resourceVersion`. */
export function unconditional({ unconditionalUpdate }: KindRules, version: string): boolean {
  return typeof unconditionalUpdate === "object"
    ? unconditionalUpdate.includes(version)
    : unconditionalUpdate !== false;
}

/** Drops what a client may not set, in place. Returns warnings. */
export function prepareCreate(r: RuledResource, obj: Obj, ctx: RuleContext): readonly string[] {
  if (counting(r, ctx)) obj.metadata.generation = 1;
  return r.rules.prepareCreate?.(obj, ctx) ?? [];
}

/** Keeps what a client may not change, in place. `subresource` is empty for the object itself. */
export function prepareUpdate(r: RuledResource, obj: Obj, old: Obj, subresource: string, ctx: RuleContext): void {
  const was = old.metadata.generation;
  if (was === undefined) delete obj.metadata.generation;
  else obj.metadata.generation = was;
  const part = subresource ? r.rules.subresources?.[subresource] : r.rules;
  part?.prepareUpdate?.(obj, old, ctx);
  if (!UNCOUNTED.has(subresource) && counting(r, ctx)?.some((m) => differs(r.rules, obj, old, m))) {
    obj.metadata.generation = (was ?? 0) + 1;
  }
}

/** Members that count; undefined where the kind counts no generations. */
const counting = ({ rules }: RuledResource, ctx: RuleContext): readonly string[] | undefined =>
  rules.generationGate === undefined || ctx.gate(rules.generationGate) ? rules.generation : undefined;

/** Whether a member counts as changed; no stored object holds the empty lists that a request may hold. */
const differs = (rules: KindRules, obj: Obj, old: Obj, member: string): boolean =>
  !same(counted(obj, member), counted(old, member)) || (!!rules.generationOfEmpty && wasEmptied(obj, member));

/** Doors whose writes raise no generation. */
const UNCOUNTED: ReadonlySet<string> = new Set(["binding", "status"]);

/** A member that generations count; annotations stand in the metadata. */
const counted = (obj: Obj, member: string): unknown =>
  member === "annotations" ? obj.metadata.annotations : obj[member];

/** All errors of a new object. One without is completed, in place. */
export function validateCreate(r: RuledResource, obj: Obj, ctx: ValidateContext): ErrorList {
  const errors = new ErrorList(), times = r.rules.meta?.created ?? 1;
  if (times) validateObjectMeta(obj.metadata, metaOptions(r, ctx), METADATA, errors);
  repeat(errors, 0, times);
  r.rules.validate?.(obj, errors, ctx);
  if (!times && errors.empty) {
    validateObjectMeta(obj.metadata, { namespaced: r.namespaced, name: "path" }, METADATA, errors);
  }
  declarative(r.kind, obj, undefined, errors, ctx);
  const prefix = obj.metadata.generateName;
  if (prefix && errors.empty) format(prefix, METADATA.child("generateName"), errors, pathPrefix);
  if (errors.empty) r.rules.completeCreate?.(obj, ctx);
  return errors;
}

/** All errors of a changed object. `ctx.subresource` tells through which door the change came. */
export function validateUpdate(r: RuledResource, obj: Obj, old: Obj, ctx: ValidateContext): ErrorList {
  const errors = new ErrorList(), meta = obj.metadata;
  if (!meta.resourceVersion) {
    errors.invalid(METADATA.child("resourceVersion"), "", "must be specified for an update");
    return errors;
  }
  if (UNCHECKED.has(ctx.subresource)) return errors;
  const part = ctx.subresource ? r.rules.subresources?.[ctx.subresource] ?? NO_RULES : r.rules;
  const times = ctx.subresource ? { whole: 0, runs: 0, ...part.meta } : part.meta;
  const known = r.rules.meta?.knownFinalizersOnly === false ? undefined : metaOptions(r, ctx);
  validateObjectMeta(meta, { namespaced: r.namespaced, name: "path" }, METADATA, errors);
  again(errors, times?.whole ?? 1, () => validateObjectMeta(meta, metaOptions(r, ctx), METADATA, errors));
  const from = errors.causes.length;
  validateObjectMetaUpdate(meta, old.metadata, METADATA, errors);
  repeat(errors, from, 1 + (times?.compared ?? 1));
  if (known) again(errors, times?.compared ?? 1, () => validateKnownFinalizers(meta, known, METADATA, errors));
  const whole = () => again(errors, times?.runs ?? 1, () => r.rules.validate?.(obj, errors, ctx, old));
  if (!r.rules.changesFirst) whole();
  part.validateUpdate?.(obj, old, errors, ctx);
  if (r.rules.changesFirst) whole();
  declarative(r.kind, obj, old, errors, ctx);
  return errors;
}

const NO_RULES: SubresourceRules = {};
/** Doors whose writes are the server's own doing: nothing is checked but what is asked of it. */
const UNCHECKED: ReadonlySet<string> = new Set(["binding"]);

/** Runs a check once, and lets what it finds count `times` times. */
function again(errors: ErrorList, times: number, check: () => void): void {
  if (!times) return;
  const from = errors.causes.length;
  check();
  repeat(errors, from, times);
}

/** Makes the causes from `from` on stand `times` times. */
function repeat(errors: ErrorList, from: number, times: number): void {
  if (errors.causes.length === from || times === 1) return;
  const added = errors.causes.slice(from);
  for (let i = 1; i < times; i++) errors.take(added);
}
