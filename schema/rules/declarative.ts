/**
 * The validation tags of the model, compiled to closures once a message and kept. A field's rules run in two rounds: those
 * that make the rest pointless (required, optional, immutable, maxItems …), then the others, then the parts below.
 *
 * On update a field that did not change is not looked at. Tags of stage alpha are not enforced; those of stage beta are.
 * A cause that a kind's own rules already gave for the same field and reason is not given twice.
 *
 * Longer than most files: it is the interpreter of one small language.
 */
import type { Field, Json, Kind, Message, Obj } from "../model/types.ts";
import type { Cause } from "../status.ts";
import { longer } from "../values/utf8.ts";
import { ErrorList } from "./errors.ts";
import { FORMAT_LIMITS, TAG_FORMATS } from "./checks/tag_formats.ts";
import { format } from "./checks/basic.ts";
import { Path } from "./path.ts";
import { emptyMap, entryOf, identityOf, isSet, repeats, same, type Tree } from "./tree.ts";
import type { ValidateContext } from "./types.ts";

/** One compiled rule of a field. `old` is undefined where there was none; `parent` holds the field. */
type Rule = (value: unknown, old: unknown, at: Place) => boolean | void;
/** Where a rule is at work. */
interface Place {
  readonly path: Path;
  readonly errors: ErrorList;
  readonly ctx: ValidateContext;
  readonly parent: Tree;
  readonly oldParent: Tree | undefined;
}
/** Checks a whole message. */
type MessageRule = (
  value: Tree,
  old: Tree | undefined,
  path: Path | undefined,
  errors: ErrorList,
  ctx: ValidateContext,
) => void;

/** Applies the kind's tags and adds what is not there yet. */
export function declarative(kind: Kind, obj: Obj, old: Obj | undefined, errors: ErrorList, ctx: ValidateContext): void {
  const rule = messageRule(kind.message);
  if (!rule) return;
  const found = new ErrorList();
  rule(obj, old, undefined, found, ctx);
  if (found.empty) return;
  const known = new Set(errors.causes.map(identity));
  const below = (field = "") => errors.settled.some((s) => field.startsWith(`${s}.`) || field.startsWith(`${s}[`));
  errors.take(found.causes.filter((c) => !known.has(identity(c)) && !below(c.field)));
}

/** What tells causes apart: that a field may not change is another cause than that its value has a fault. */
const identity = (c: Cause): string => `${c.field} ${c.reason} ${UNCHANGING.test(c.message ?? "")}`;
const UNCHANGING = /: (?:field is immutable|must not be (?:set once created|(?:cleared|modified) once set))$/;

const compiled = new WeakMap<Message, MessageRule | null>();

function messageRule(message: Message): MessageRule | null {
  let rule = compiled.get(message);
  if (rule === undefined) {
    rule = hasRules(message, new Set()) ? lazily(message) : null;
    compiled.set(message, rule);
  }
  return rule;
}

/** Compiles on first use, so that messages that hold themselves end. */
function lazily(message: Message): MessageRule {
  let rule: MessageRule | undefined;
  return (...args) => (rule ??= compileMessage(message))(...args);
}

interface Tag {
  /** Steps from the outside in: `["ifEnabled(X)", "minimum"]`. */
  readonly steps: readonly string[];
  readonly value: Json;
}

const STAGE = /^(alpha|beta)@[\d.]+:/;

function tagsOf(field: Field): Tag[] {
  const out: Tag[] = [];
  for (const [key, value] of Object.entries(field.validate ?? {})) {
    if (key.startsWith("alpha@")) continue;
    const steps = key.replace(STAGE, "").split(">").map((s) => s.replace(STAGE, ""));
    for (const v of Array.isArray(value) && mayRepeat(steps.at(-1)!) ? value : [value]) out.push({ steps, value: v });
  }
  return out;
}

const mayRepeat = (tag: string) => tag !== "listMapKey" && tag !== "update";

function hasRules(message: Message, seen: Set<Message>): boolean {
  if (seen.has(message)) return false;
  seen.add(message);
  return message.json.some((f) =>
    tagsOf(f).some((t) => t.steps[0] !== "opaqueType") || (typeof f.type === "object" && hasRules(f.type, seen))
  );
}

function compileMessage(message: Message): MessageRule {
  const fields = message.json.map(compileField).filter((f) => f !== null);
  const unions = compileUnions(message);
  return (value, old, path, errors, ctx) => {
    for (const f of fields) f(value, old, path, errors, ctx);
    for (const u of unions) u(value, old, path, errors, ctx);
  };
}

const FIRST = new Set([
  "required",
  "optional",
  "forbidden",
  "immutable",
  "update",
  "maxItems",
  "dependentRequired",
  "dependentForbidden",
]);
const nameOf = (step: string) => step.replace(/\(.*$/, "");

function compileField(field: Field): MessageRule | null {
  const tags = tagsOf(field);
  const keys = listKeys(field, tags);
  const first: Rule[] = [], then: Rule[] = [];
  for (const t of tags) {
    const rule = compileTag(field, t.steps, t.value, tags);
    if (rule) (FIRST.has(nameOf(t.steps.at(-1)!)) ? first : then).push(rule);
  }
  const modes = compileModes(field, tags);
  if (modes) first.push(modes);
  const unique = uniqueRule(field, tags);
  if (unique) then.push(unique);
  const below = tags.some((t) => t.steps[0] === "opaqueType") ? null : descend(field, keys);
  if (!first.length && !then.length && !below) return null;
  return (parent, oldParent, base, errors, ctx) => {
    const value = parent[field.name], old = oldParent?.[field.name];
    if (oldParent && same(value, old)) return;
    const at: Place = { path: base ? base.child(field.name) : Path.of(field.name), errors, ctx, parent, oldParent };
    let stop = false;
    for (const r of first) if (r(value, old, at) === false) stop = true;
    if (stop) return;
    for (const r of then) r(value, old, at);
    below?.(value, old, at);
  };
}

/** Whether a field has a value, as its type tells: pointers by presence, others by not being zero. */
function hasValue(field: Field, value: unknown): boolean {
  if (!isSet(value)) return false;
  if (field.repeated) return (value as unknown[]).length > 0;
  if (field.map) return !emptyMap(value as object);
  if (field.pointer || typeof field.type === "object") return true;
  return value !== "" && value !== 0 && value !== false;
}

/** Rules by tag. Each makes a rule from the field and the tag's value; undefined: nothing to check. */
const TAGS: Readonly<Record<string, (field: Field, value: Json, step: string) => Rule | undefined>> = {
  required: (f) => (v, _o, at) => hasValue(f, v) || (at.errors.required(at.path), false),
  optional: (f) => (v) => hasValue(f, v),
  forbidden: (f) => (v, _o, at) => !hasValue(f, v) || (at.errors.forbidden(at.path, "must not be set"), false),
  immutable: () => (v, o, at) => {
    if (at.ctx.verb !== "update" || !at.oldParent || same(v, o)) return;
    at.errors.invalid(at.path, v, "field is immutable");
    return false;
  },
  update: (f, value) => updateRule(f, (Array.isArray(value) ? value : [value]) as string[]),
  maxItems: (_f, max) => (v, _o, at) => {
    const n = Array.isArray(v) ? v.length : 0;
    if (n <= Number(max)) return;
    at.errors.tooMany(at.path, n, Number(max));
    return false;
  },
  maxLength: (_f, max) => (v, _o, at) => {
    if (typeof v === "string" && [...v].length > Number(max)) at.errors.tooLong(at.path, Number(max));
  },
  maxBytes: (_f, max) => (v, _o, at) => {
    if (typeof v === "string" && longer(v, Number(max))) at.errors.tooLong(at.path, Number(max));
  },
  minimum: (_f, min) => (v, _o, at) => {
    if (isSet(v) && Number(v) < Number(min)) at.errors.invalid(at.path, v, `must be greater than or equal to ${min}`);
  },
  maximum: (_f, max) => (v, _o, at) => {
    if (isSet(v) && Number(v) > Number(max)) at.errors.invalid(at.path, v, `must be less than or equal to ${max}`);
  },
  monotonic: () => (v, o, at) => {
    if (isSet(v) && isSet(o) && Number(v) < Number(o)) at.errors.invalid(at.path, v, `must not be decreased from ${o}`);
  },
  format: (_f, name) => {
    const check = TAG_FORMATS[String(name)], max = FORMAT_LIMITS[String(name)] ?? Infinity;
    return check && ((v, _o, at) => {
      if (isSet(v) && longer(String(v), max)) at.errors.tooLong(at.path, max);
      if (isSet(v)) format(String(v), at.path, at.errors, check);
    });
  },
  enum: (f) => {
    const allowed = f.enum;
    return allowed && ((v, _o, at) => {
      for (const [i, one] of (Array.isArray(v) ? v : [v]).entries()) {
        const path = Array.isArray(v) ? at.path.index(i) : at.path;
        if (isSet(one) && !allowed.includes(String(one))) at.errors.notSupported(path, one, allowed);
      }
    });
  },
  dependentRequired: (f, _v, step) => {
    const other = argument(step);
    return (v, _o, at) => {
      if (hasValue(f, v) && !isSet(at.parent[other])) {
        at.errors.required(sibling(at, other), `must be set when ${f.name} is set`);
      }
    };
  },
  dependentForbidden: (f, _v, step) => {
    const other = argument(step);
    return (v, _o, at) => {
      if (hasValue(f, v) && isSet(at.parent[other])) {
        at.errors.forbidden(sibling(at, other), `must not be set when ${f.name} is set`);
      }
    };
  },
};

/** Tags that are rules by their own name. */
export const TAG_NAMES: readonly string[] = Object.keys(TAGS);

const argument = (step: string) => step.slice(step.indexOf("(") + 1, step.lastIndexOf(")"));
const sibling = (at: Place, name: string) => at.path.sibling(name);

function compileTag(field: Field, steps: readonly string[], value: Json, all: readonly Tag[]): Rule | undefined {
  const [step, ...rest] = steps as [string, ...string[]];
  if (!rest.length) return TAGS[nameOf(step)]?.(field, value, step);
  const outer = nameOf(step), arg = argument(step);
  if (outer === "subfield") return subfieldRule(field, arg, rest, value, all);
  const inner = compileTag(outer === "eachVal" ? { ...field, repeated: false, map: false } : field, rest, value, all);
  if (!inner) return undefined;
  switch (outer) {
    case "ifEnabled":
      return (v, o, at) => at.ctx.gate(arg) ? inner(v, o, at) : undefined;
    case "ifDisabled":
      return (v, o, at) => at.ctx.gate(arg) ? undefined : inner(v, o, at);
    case "eachKey":
      return (v, o, at) => {
        for (const k in (v ?? {}) as Tree) if (!o || !Object.hasOwn(o, k)) inner(k, undefined, at);
      };
    case "eachVal":
      return (v, o, at) => eachValue(v, o, at, inner);
    default: // `item(…)` only carries union membership; `ifMode(…)` is compileModes'
      return undefined;
  }
}

function eachValue(v: unknown, o: unknown, at: Place, inner: Rule): void {
  if (Array.isArray(v)) {
    const was = before(Array.isArray(o) ? o : [], undefined);
    for (const [i, x] of v.entries()) {
      if (!was.has(x)) inner(x, undefined, { ...at, path: at.path.index(i) });
    }
    return;
  }
  for (const k in (v ?? {}) as Tree) {
    inner((v as Tree)[k], entryOf(o as Tree | undefined, k), { ...at, path: at.path.key(k) });
  }
}

function subfieldRule(
  field: Field,
  name: string,
  rest: readonly string[],
  value: Json,
  all: readonly Tag[],
): Rule | undefined {
  const message = typeof field.type === "object" ? field.type : undefined;
  const target = message?.byName.get(name);
  const inner = target && compileTag(target, rest, value, []);
  if (!target || !inner) return undefined;
  const optional = all.some((t) => t.steps[0] === `subfield(${name})` && t.steps[1] === "optional");
  return (v, o, at) => {
    const sub = (v as Tree | undefined)?.[name];
    if (optional && !hasValue(target, sub)) return;
    if (o && same(sub, (o as Tree)[name])) return;
    if (rest.at(-1) !== "optional") inner(sub, (o as Tree | undefined)?.[name], { ...at, path: at.path.child(name) });
  };
}

/** `ifMode(X)>…`: what holds of the field when the message's discriminator says X; otherwise it must be absent. */
function compileModes(field: Field, tags: readonly Tag[]): Rule | undefined {
  const modes = new Map<string, Rule>();
  for (const t of tags) {
    if (nameOf(t.steps[0]!) !== "ifMode") continue;
    const rule = compileTag(field, t.steps.slice(1), t.value, tags);
    if (rule) modes.set(argument(t.steps[0]!), rule);
  }
  if (!modes.size) return undefined;
  const forbidden = TAGS["forbidden"]!(field, true, "forbidden")!;
  return (v, o, at) => (modes.get(String(at.parent["type"] ?? "")) ?? forbidden)(v, o, at);
}

function updateRule(field: Field, constraints: readonly string[]): Rule {
  return (v, o, at) => {
    if (at.ctx.verb !== "update" || !at.oldParent) return;
    const now = hasValue(field, v), before = hasValue(field, o);
    const fail = (text: string) => (at.errors.invalid(at.path, v, text), false);
    let good = true;
    if (constraints.includes("NoSet") && !before && now) good = fail("must not be set once created");
    if (constraints.includes("NoUnset") && before && !now) good = fail("must not be cleared once set");
    if (constraints.includes("NoModify") && before && now && !same(v, o)) good = fail("must not be modified once set");
    const keys = field.listMapKeys ?? keysOf(field.validate);
    if (constraints.includes("NoAddItem")) good = noNewItems(v, o, keys, at, true) && good;
    if (constraints.includes("NoRemoveItem")) good = noNewItems(o, v, keys, at, false) && good;
    return good ? undefined : false;
  };
}

const keysOf = (validate: Field["validate"]): readonly string[] => {
  for (const [k, v] of Object.entries(validate ?? {})) if (k.endsWith("listMapKey")) return [v].flat() as string[];
  return [];
};

function noNewItems(now: unknown, before: unknown, keys: readonly string[], at: Place, adding: boolean): boolean {
  let good = true;
  for (const [i, item] of ((now ?? []) as Tree[]).entries()) {
    if (((before ?? []) as Tree[]).some((b) => matches(item, b, keys))) continue;
    at.errors.forbidden(adding ? at.path.index(i) : at.path, `item must not be ${adding ? "added" : "removed"}`);
    good = false;
  }
  return good;
}

function matches(a: unknown, b: unknown, keys: readonly string[]): boolean {
  return keys.length ? keys.every((k) => same((a as Tree)[k], (b as Tree)[k])) : same(a, b);
}

/** What items of a list have in common when they {@linkcode matches}. */
const keyOf = (x: unknown, keys: readonly string[]): string =>
  keys.length ? keys.map((k) => identityOf((x as Tree)[k])).join() : identityOf(x);

/** So many items are compared with one another faster than their keys are made. */
const FEW = 16;

function repeatsAmongFew(list: readonly unknown[], keys: readonly string[]): readonly number[] {
  const out: number[] = [];
  for (let j = 1; j < list.length; j++) {
    for (let i = 0; i < j; i++) {
      if (!matches(list[i], list[j], keys)) continue;
      out.push(j);
      break;
    }
  }
  return out;
}

/** Finds what an item was before the update: by its key, and whether one like it was there. */
interface Before {
  at(x: unknown): unknown;
  has(x: unknown): boolean;
}

function before(old: readonly unknown[], keys: readonly string[] | undefined): Before {
  if (old.length <= FEW) {
    return {
      at: (x) => keys && old.find((y) => matches(x, y, keys)),
      has: (x) => old.some((y) => same(x, y)),
    };
  }
  const byKey = new Map<string, unknown>(), all = new Set(old.map(identityOf));
  if (keys) { for (const y of old.toReversed()) byKey.set(keyOf(y, keys), y); }
  return { at: (x) => keys && byKey.get(keyOf(x, keys)), has: (x) => all.has(identityOf(x)) };
}

/** Keys by which items of a list are the same over an update; undefined: items have no identity. */
function listKeys(field: Field, tags: readonly Tag[]): readonly string[] | undefined {
  const key = tags.find((t) => t.steps[0] === "listMapKey");
  if (key) return [key.value].flat() as string[];
  const type = tags.find((t) => t.steps[0] === "listType" || t.steps[0] === "unique")?.value ?? field.listType;
  return type === "set" ? [] : field.listMapKeys;
}

function uniqueRule(field: Field, tags: readonly Tag[]): Rule | undefined {
  if (!field.repeated || tags.some((t) => t.steps[0] === "customUnique")) return undefined;
  const kind = (tags.find((t) => t.steps[0] === "unique") ?? tags.find((t) => t.steps[0] === "listType"))?.value;
  if (kind !== "set" && kind !== "map") return undefined;
  const keys = kind === "map" ? listKeys(field, tags) ?? [] : [];
  return (v, _o, at) => {
    const list = (v ?? []) as unknown[];
    const again = list.length > FEW ? repeats(list, (x) => keyOf(x, keys)) : repeatsAmongFew(list, keys);
    for (const j of again) {
      at.errors.duplicate(at.path.index(j), keys.length === 1 ? (list[j] as Tree)[keys[0]!] : list[j]);
    }
  };
}

/** Goes into the messages that a field holds. */
function descend(field: Field, keys: readonly string[] | undefined): Rule | null {
  if (typeof field.type !== "object") return null;
  const message = field.type;
  const below = messageRule(message);
  if (!below) return null;
  const go = (v: unknown, o: unknown, path: Path, at: Place) => {
    if (v && typeof v === "object") below(v as Tree, o as Tree | undefined, path, at.errors, at.ctx);
  };
  if (field.repeated) {
    return (v, o, at) => {
      const was = before((o ?? []) as unknown[], keys);
      for (const [i, x] of ((v ?? []) as unknown[]).entries()) {
        if (at.ctx.verb === "update" && was.has(x)) continue;
        go(x, was.at(x), at.path.index(i), at);
      }
    };
  }
  if (field.map) {
    return (v, o, at) => {
      for (const k in (v ?? {}) as Tree) go((v as Tree)[k], entryOf(o as Tree | undefined, k), at.path.key(k), at);
    };
  }
  return (v, o, at) => go(v, o, at.path, at);
}

/** Unions of fields (`unionMember`: exactly one) and of list items (`item(k:v)>zeroOrOneOfMember`: at most one). */
function compileUnions(message: Message): MessageRule[] {
  const unions = new Map<string, Field[]>();
  const items: MessageRule[] = [];
  for (const f of message.json) {
    const picks: [string, string][] = [];
    for (const t of tagsOf(f)) {
      const step = t.steps[0]!;
      if (t.steps.length === 1 && nameOf(step) === "unionMember") {
        const union = typeof t.value === "string" ? t.value : "";
        unions.set(union, [...unions.get(union) ?? [], f]);
      } else if (nameOf(step) === "item") picks.push(argument(step).split(/:\s*/) as [string, string]);
    }
    if (picks.length) items.push(itemUnion(f, picks));
  }
  return [...[...unions.values()].map(fieldUnion), ...items];
}

function fieldUnion(members: readonly Field[]): MessageRule {
  const names = members.map((m) => m.name).join(", ");
  return (value, old, path, errors) => {
    const set = members.filter((m) => hasValue(m, value[m.name]));
    if (old && members.every((m) => hasValue(m, value[m.name]) === hasValue(m, old[m.name]))) return;
    const at = path ?? "";
    if (set.length > 1) {
      errors.invalid(at, `{${set.map((m) => m.name).join(", ")}}`, `must specify exactly one of: ${names}`);
    }
    if (!set.length) errors.invalid(at, "", `must specify one of: ${names}`);
  };
}

function itemUnion(field: Field, picks: readonly [string, string][]): MessageRule {
  const chosen = (parent: Tree | undefined) =>
    picks.filter(([k, v]) => ((parent?.[field.name] ?? []) as Tree[]).some((x) => x[k] === v)).map(([, v]) => v);
  return (value, old, path, errors) => {
    const now = chosen(value);
    if (now.length < 2 || (old && same(now, chosen(old)))) return;
    const at = path ? path.child(field.name) : Path.of(field.name);
    errors.invalid(at, `{${now.join(", ")}}`, "must specify at most one of these items");
  };
}
