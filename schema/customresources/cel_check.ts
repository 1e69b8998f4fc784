/** Rules of schemas, checked on writes within a budget. */
import { CelError, Optional, type Program, type Spent, type Value } from "../cel/mod.ts";
import { isMap } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import { unescaped } from "../rules/apiextensions/field_path.ts";
import { ErrorList, type ErrorType, OMITTED } from "../rules/errors.ts";
import { Path } from "../rules/path.ts";
import { quote } from "../values/quote.ts";
import { itemBefore, NOTHING, type Old, unchanged } from "./before.ts";
import { brokenRules, type CompiledRule, hasRules, rulesOf } from "./cel_rules.ts";
import { celValue, typedSchema } from "./cel_types.ts";
import { isEmbedded, propertyOf, type Rule, type Schema, valuesOf } from "./schema.ts";

/** What all rules may cost for one object, in units of the language. */
const BUDGET = 10_000_000;
/** Longest message that an expression gives, bytes. */
const MAX_MESSAGE = 5 * 1024;

/** Errors of this kind leave nothing for rules to be checked on. */
const BLOCKING: ReadonlySet<string> = new Set<ErrorType>([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** Checks all rules of an object, unless it is already known to be no object of its kind. */
export function validateRules(object: JsonMap, old: JsonMap | undefined, schema: Schema, errors: ErrorList): void {
  if (!hasRules(schema)) return;
  if (errors.causes.some((c) => BLOCKING.has(c.reason ?? ""))) {
    return errors.invalid(
      "<nil>",
      null,
      "some validation rules were not checked because the object was invalid; correct the existing errors to complete " +
        "validation",
    );
  }
  const before = old ?? NOTHING, now: Compared = { v: object, old: before, s: schema };
  const place: Place = { path: undefined, root: true, old: before, now: old && now, around: undefined };
  new Check(errors, BUDGET).visit(object, schema, place);
}

/**
 * Checks the rules of a default, as one that was there before and as one that was not. Returns what is left of the budget.
 */
export function validateDefaultRules(
  v: Json,
  s: Schema,
  root: boolean,
  path: Path,
  budget: number,
  errors: ErrorList,
): number {
  const place: Place = { path, root, old: v, now: undefined, around: undefined };
  const [kept, fresh] = [place, { ...place, old: NOTHING } as const].map((p) => {
    const check = new Check(new ErrorList(), budget);
    check.visit(v, s, p);
    return check;
  });
  errors.take((kept!.errors.empty ? fresh! : kept!).errors.causes);
  return kept!.errors.empty ? Math.min(kept!.left, fresh!.left) : kept!.left;
}

/** A value beside what it was; whether it is the same is looked at once it matters. */
interface Compared {
  readonly v: Json;
  readonly old: Old;
  readonly s: Schema;
  /** Whether it is the same, once that was looked at: many parts may ask of what holds them all. */
  same?: boolean;
}

/** Where a value stands. */
interface Place {
  /** Undefined: the object itself. */
  readonly path: Path | undefined;
  readonly root: boolean;
  readonly old: Old;
  /** The value and what it was, where it can be told again … */
  readonly now: Compared | undefined;
  /** … else the nearest that holds it of which that can be said. */
  readonly around: Compared | undefined;
}

/** Ends a check: whatever follows is left unlooked at. */
class Enough extends Error {}

class Check {
  constructor(readonly errors: ErrorList, public left: number) {}

  visit(v: Json, s: Schema, place: Place): void {
    try {
      this.#visit(v, s, place);
    } catch (e) {
      if (!(e instanceof Enough)) throw e;
      this.left = -1;
    }
  }

  #visit(v: Json, s: Schema | undefined, place: Place): void {
    if (!s || v === null || v === undefined) return;
    const rules = rulesOf(s, place.root);
    if (rules.length > 0 && this.left <= 0) this.#stop(s, place, OVERSPENT);
    for (const { text } of brokenRules(s, place.root)) this.#failed(s, place, `rule compile error: ${text}`);
    if (rules.length > 0) this.#rules(rules, v, s, place);
    if (Array.isArray(v)) {
      v.forEach((item, i) => this.#visit(item, s.items, itemPlace(place, s, item, i)));
    } else if (isMap(v)) {
      for (const name of Object.keys(v)) {
        this.#visit(v[name]!, propertyOf(s, name) ?? valuesOf(s), memberPlace(place, s, v, name));
      }
    }
  }

  /** A rule of which it is not known whether it holds: the type is shown, not the value. */
  #failed(s: Schema, place: Place, text: string): void {
    this.errors.invalid(place.path ?? "<nil>", s.type ?? "", text);
  }

  #stop(s: Schema, place: Place, text: string): never {
    this.#failed(s, place, text);
    throw new Enough();
  }

  /** Values are made once for all rules of a node, and if one asks: lists may be long, and rules many. */
  #rules(rules: readonly CompiledRule[], v: Json, s: Schema, place: Place): void {
    const { old } = place, known = old !== NOTHING && old !== undefined && old !== null;
    const schema = place.root || isEmbedded(s) ? typedSchema(s) : s;
    let self: Value | undefined, was: Value | undefined;
    for (const r of rules) {
      if (r.transition && !known && !r.rule.optionalOldSelf) continue;
      const uses = (name: string) => r.program.uses.has(name) || r.message?.uses.has(name);
      const values: Record<string, Value> = {};
      if (uses("self")) values["self"] = self ??= celValue(v, schema);
      if (uses("oldSelf")) {
        if (known) was ??= celValue(old, schema);
        if (r.rule.optionalOldSelf) values["oldSelf"] = new Optional(was);
        else if (was !== undefined) values["oldSelf"] = was;
      }
      this.#rule(r, values, v, s, place);
    }
  }

  #rule(r: CompiledRule, values: Record<string, Value>, v: Json, s: Schema, place: Place): void {
    const { rule, program, transition } = r;
    const held = this.#run(
      program,
      values,
      (all) => this.#stop(s, place, all ? OVERSPENT : `'${CANCELLED}': ${TOO_DEAR} ${ruleText(rule)}`),
    );
    if (held instanceof CelError) {
      const { message } = held,
        why = message.startsWith(UNFIT) ? `'${message}': ${NO_SIGNATURE}` : `${message} evaluating`;
      this.#failed(s, place, `${why} ${ruleText(rule)}`);
    } else if (held !== true) this.#report(r, values, v, s, place, !transition && isKept(place));
  }

  /** Evaluates within the budget; `stop`: where all rules together, or this one, cost too much. */
  #run(program: Program, values: Record<string, Value>, stop: (all: boolean) => never): Value | CelError {
    const spent: Spent = { cost: 0 };
    let result: Value | CelError;
    try {
      result = program.run(values, spent);
    } catch (e) {
      if (!(e instanceof CelError)) throw e;
      result = e;
    }
    if (spent.cost > this.left) stop(true);
    this.left -= spent.cost;
    if (result instanceof CelError && spent.cost > CALL_LIMIT) stop(false);
    return result;
  }

  #report(r: CompiledRule, values: Record<string, Value>, v: Json, s: Schema, place: Place, kept: boolean): void {
    const { rule, message } = r, found = kept ? new ErrorList() : this.errors;
    const at = rule.fieldPath ? below(place.path, rule.fieldPath, s) : place.path ?? "<nil>";
    const stop = (all: boolean): never => {
      const source = quote(rule.messageExpression!);
      found.invalid(at, s.type ?? "", all ? MESSAGE_OVERSPENT : `${TOO_DEAR} messageExpression: ${source}`);
      throw new Enough();
    };
    try {
      const text = message && this.#run(message, values, stop);
      fault(rule, messageText(rule, text), v, at, found);
    } finally {
      // What was there before may stay, whatever has been asked of it since.
      if (kept) { for (const c of found.causes) this.errors.note(`${c.field}: ${c.message}`); }
    }
  }
}

const NO_FURTHER = "no further validation rules will be run";
const OVERSPENT = `validation failed due to running out of cost budget, ${NO_FURTHER}`;
const MESSAGE_OVERSPENT = `messageExpression evaluation failed due to running out of cost budget, ${NO_FURTHER}`;
const TOO_DEAR = `${NO_FURTHER} due to call cost exceeds limit for`;
const CANCELLED = "operation cancelled: actual cost limit exceeded";
/** What is told of a function that is not there for such values, and where a rule comes to that. */
const UNFIT = "no such overload";
const NO_SIGNATURE = "call arguments did not match a supported operator, function or macro signature for";
/** Most that one evaluation may cost. */
const CALL_LIMIT = 1_000_000;

/** Whether the value is what it was, or stands in what is. */
function isKept({ now, around }: Place): boolean {
  const c = now ?? around;
  return c !== undefined && (c.same ??= unchanged(c.v, c.old, c.s));
}

/** What is known of a part of a value. */
interface Next {
  readonly path: Path;
  readonly old: Old;
  readonly v: Json;
  /** What it was, for telling whether it is the same. */
  readonly was: Old;
  readonly s: Schema | undefined;
}

function itemPlace(place: Place, s: Schema, item: Json, i: number): Place {
  const old = itemBefore(place.old, s, item), path = (place.path ?? Path.of("")).index(i);
  const was = place.now ? itemBefore(place.now.old, s, item) : NOTHING;
  return step(place, { path, old, v: item, was, s: s.items });
}

function memberPlace(place: Place, s: Schema, v: JsonMap, name: string): Place {
  const own = propertyOf(s, name), { path: at, now } = place;
  const path = !at ? Path.of(name) : own ? at.child(name) : at.key(name);
  const member = (of: Old): Old => isMap(of) && Object.hasOwn(of, name) ? (of as JsonMap)[name]! : NOTHING;
  const next: Next = {
    path,
    old: member(place.old),
    v: v[name]!,
    was: now ? member(now.old) : NOTHING,
    s: own ?? valuesOf(s),
  };
  const typed = place.root && now && (name === "apiVersion" || name === "kind");
  return typed ? { ...step(place, next), now: undefined, around: undefined } : step(place, next);
}

function step(place: Place, { path, old, v, was, s }: Next): Place {
  const base: Pick<Place, "path" | "root" | "old"> = { path, root: s !== undefined && isEmbedded(s), old };
  if (!place.now) return { ...base, now: undefined, around: place.around };
  return { ...base, now: was === NOTHING || !s ? undefined : { v, old: was, s }, around: place.now };
}

/** Names a rule by what its author says of it, where something is said. */
const ruleText = (rule: Rule): string => `rule: ${(rule.message || rule.rule).trim()}`;
/** Of what breaks a rule only scalars are shown. */
const scalar = (v: Json): Json | typeof OMITTED => v !== null && typeof v === "object" ? OMITTED : v;
const utf8 = new TextEncoder();

function messageText(rule: Rule, text: Value | CelError | undefined): string {
  const said = typeof text === "string" ? text.trim() : "";
  if (said !== "" && !said.includes("\n") && utf8.encode(said).length <= MAX_MESSAGE) return said;
  return rule.message?.trim() || `failed ${ruleText(rule)}`;
}

function fault(rule: Rule, text: string, v: Json, at: Path | string, errors: ErrorList): void {
  switch (rule.reason) {
    case "FieldValueForbidden":
      return errors.forbidden(at, text);
    case "FieldValueRequired":
      return errors.required(at, text);
    case "FieldValueDuplicate":
      return errors.duplicate(at, scalar(v));
    default:
      return errors.invalid(at, scalar(v), text);
  }
}

const STEP = /\.([^.[\]]+)|\[(?:'((?:\\.|[^'\\])*)'|(\d+))\]/g;

/** The place that a rule's `fieldPath` names, below the node's own. */
function below(path: Path | undefined, fieldPath: string, s: Schema): Path | string {
  let at = path, schema: Schema | undefined = s;
  for (const [, name, quoted, index] of fieldPath.matchAll(STEP)) {
    if (index !== undefined) {
      at = at?.index(Number(index));
      schema = schema?.items;
      continue;
    }
    const step: string = name ?? unescaped(quoted!) ?? "";
    const own: Schema | undefined = schema && propertyOf(schema, step);
    // A path that leads nowhere is told of where it stands; the fault is the whole value's.
    if (schema && !own && !valuesOf(schema)) return path ?? "<nil>";
    at = !at ? Path.of(step) : own || !schema ? at.child(step) : at.key(step);
    schema = own ?? (schema && valuesOf(schema));
  }
  return at ?? "<nil>";
}
