/** Rules of schemas in expressions (`x-kubernetes-validations`): compiled with the schema, checked on writes. */
import {
  BOOL,
  CelError,
  compile,
  Optional,
  optionalOf,
  type Program,
  STRING,
  type Type,
  type Value,
} from "../cel/mod.ts";
import type { Json, JsonMap } from "../model/types.ts";
import type { ErrorList, ErrorType } from "../rules/errors.ts";
import { Path } from "../rules/path.ts";
import { celType, celValue, typedSchema } from "./cel_types.ts";
import { anywhere, isEmbedded, isMap, propertyOf, type Rule, type Schema, valuesOf } from "./schema.ts";
import { itemBefore, sameJson } from "./validate.ts";

const RULES = "x-kubernetes-validations";

/** A rule that is ready. */
interface CompiledRule {
  readonly rule: Rule;
  readonly program: Program;
  readonly message: Program | undefined;
  /** Compares with the old value. */
  readonly transition: boolean;
}

/** What is wrong with a rule of a schema. */
export interface RuleFault {
  /** Index in the node's rules. */
  readonly index: number;
  readonly member: "rule" | "messageExpression" | "optionalOldSelf";
  readonly value: string;
  readonly text: string;
}

interface CompiledNode {
  readonly rules: readonly CompiledRule[];
  readonly faults: readonly RuleFault[];
}

const NODES = new WeakMap<Schema, CompiledNode>();
const NONE: CompiledNode = { rules: [], faults: [] };

/** The rules of one node, compiled once. `root`: the node is a whole object. */
function compiled(s: Schema, root: boolean): CompiledNode {
  if (!s[RULES]?.length) return NONE;
  let node = NODES.get(s);
  if (!node) NODES.set(s, node = compileNode(s, root));
  return node;
}

function compileNode(s: Schema, root: boolean): CompiledNode {
  const self = celType(root || isEmbedded(s) ? typedSchema(s) : s, "selfType");
  const rules: CompiledRule[] = [], faults: RuleFault[] = [];
  s[RULES]!.forEach((rule, index) => {
    const fault = (member: RuleFault["member"], value: string, e: unknown) => {
      if (!(e instanceof CelError)) throw e;
      faults.push({ index, member, value, text: `compilation failed: ${e.message}` });
    };
    if (!self) return fault("rule", rule.rule, new CelError("the schema has no type that rules can look at"));
    try {
      const program = compile(rule.rule, variables(self, rule), BOOL);
      rules.push({ rule, program, message: messageOf(rule, self, fault), transition: program.uses.has("oldSelf") });
    } catch (e) {
      fault("rule", rule.rule, e);
    }
  });
  return { rules, faults };
}

function variables(self: Type, rule: Rule): ReadonlyMap<string, Type> {
  return new Map([["self", self], ["oldSelf", rule.optionalOldSelf ? optionalOf(self) : self]]);
}

function messageOf(
  rule: Rule,
  self: Type,
  fault: (member: "messageExpression", value: string, e: unknown) => void,
): Program | undefined {
  if (!rule.messageExpression) return undefined;
  try {
    return compile(rule.messageExpression, variables(self, rule), STRING);
  } catch (e) {
    fault("messageExpression", rule.messageExpression, e);
    return undefined;
  }
}

/**
 * What is wrong with the rules of one node of a schema. `root`: the node is a whole object. `untold`: what a value was
 * before cannot be told here.
 */
export function ruleFaults(s: Schema, root: boolean, untold = false): readonly RuleFault[] {
  const { rules, faults } = compiled(s, root);
  return [...faults, ...rules.flatMap((r) => transitionFaults(r, s[RULES]!.indexOf(r.rule), untold))];
}

function transitionFaults({ rule, transition }: CompiledRule, index: number, untold: boolean): RuleFault[] {
  const { optionalOldSelf } = rule;
  if (transition) {
    const text = "oldSelf cannot be used where items of lists cannot be told again";
    return untold ? [{ index, member: "rule", value: rule.rule, text }] : [];
  }
  if (optionalOldSelf === undefined || optionalOldSelf === null) return [];
  const text = "may not be set if oldSelf is not used in rule";
  return [{ index, member: "optionalOldSelf", value: String(optionalOldSelf), text }];
}

/** Whether a schema has any rule. */
export const hasRules = (s: Schema): boolean => anywhere(s, (x) => (x[RULES]?.length ?? 0) > 0);

/** Errors of this kind leave nothing for rules to be checked on. */
const BLOCKING: ReadonlySet<string> = new Set<ErrorType>([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** What a value was before: absent, when it cannot be told. */
type Old = { readonly value: Json } | undefined;

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
  visit(object, old && { value: old }, schema, undefined, errors);
}

function visit(v: Json, old: Old, s: Schema | undefined, path: Path | undefined, errors: ErrorList): void {
  if (!s || v === null || v === undefined) return;
  for (const rule of compiled(s, path === undefined).rules) check(rule, v, old, s, path, errors);
  if (Array.isArray(v)) {
    v.forEach((item, i) => visit(item, itemOld(old, s, item), s.items, path!.index(i), errors));
  } else if (isMap(v)) {
    for (const name of Object.keys(v)) {
      const own = propertyOf(s, name);
      const at = !path ? Path.of(name) : own ? path.child(name) : path.key(name);
      visit(v[name]!, memberOld(old, s, name), own ?? valuesOf(s), at, errors);
    }
  }
}

function itemOld(old: Old, s: Schema, item: Json): Old {
  const found = old && itemBefore(old.value, s, item);
  return found === undefined || typeof found === "symbol" ? undefined : { value: found };
}

function memberOld(old: Old, s: Schema, name: string): Old {
  if (!old || !isMap(old.value) || s["x-kubernetes-map-type"] === "atomic") return undefined;
  return Object.hasOwn(old.value, name) ? { value: old.value[name]! } : undefined;
}

function check(r: CompiledRule, v: Json, old: Old, s: Schema, path: Path | undefined, errors: ErrorList): void {
  const { rule, program, transition } = r;
  if (transition && !old && !rule.optionalOldSelf) return;
  // What was there before may stay, whatever has been asked of it since.
  if (!transition && old && sameJson(old.value, v)) return;
  const schema = path === undefined ? typedSchema(s) : s;
  const was = old && celValue(old.value, schema);
  const values: Record<string, Value> = { self: celValue(v, schema) };
  if (rule.optionalOldSelf) values["oldSelf"] = new Optional(was);
  else if (was !== undefined) values["oldSelf"] = was;
  try {
    if (program.run(values) === true) return;
  } catch (e) {
    if (!(e instanceof CelError)) throw e;
    errors.invalid(path ?? "<nil>", shown(v), `${ruleText(rule)} evaluation error: ${e.message}`);
    return;
  }
  report(rule, messageText(r, values), v, s, path, errors);
}

const ruleText = (rule: Rule): string => `rule: ${rule.rule.trim()}`;
const shown = (v: Json): Json => Array.isArray(v) ? "array" : isMap(v) ? "object" : v;

function messageText({ rule, message }: CompiledRule, values: Record<string, Value>): string {
  try {
    const text = message?.run(values);
    if (typeof text === "string" && text.trim() !== "" && !/[\r\n]/.test(text)) return text.trim();
  } catch (e) {
    if (!(e instanceof CelError)) throw e;
  }
  return rule.message?.trim() || `failed ${ruleText(rule)}`;
}

function report(rule: Rule, text: string, v: Json, s: Schema, path: Path | undefined, errors: ErrorList): void {
  const at = rule.fieldPath ? below(path, rule.fieldPath, s) : path ?? "<nil>";
  switch (rule.reason) {
    case "FieldValueForbidden":
      return errors.forbidden(at, text);
    case "FieldValueRequired":
      return errors.required(at, text);
    case "FieldValueDuplicate":
      return errors.duplicate(at, shown(v));
    default:
      return errors.invalid(at, shown(v), text);
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
    const step: string = name ?? quoted!.replace(/\\(.)/g, "$1");
    const own: Schema | undefined = schema && propertyOf(schema, step);
    at = !at ? Path.of(step) : own || !schema ? at.child(step) : at.key(step);
    schema = own ?? (schema && valuesOf(schema));
  }
  return at ?? "<nil>";
}
