/** Rules of schemas in expressions (`x-kubernetes-validations`): compiled with the schema, judged when it is defined. */
import {
  BOOL,
  CelError,
  compile,
  compileFault,
  optionalOf,
  type Program,
  ResultError,
  STRING,
  type Type,
} from "../cel/mod.ts";
import type { Path } from "../rules/path.ts";
import { extentOf, sizesBelow, timesInRequest } from "./cel_sizes.ts";
import { celType, typedSchema } from "./cel_types.ts";
import { anywhere, isEmbedded, type Rule, type Schema } from "./schema.ts";

const RULES = "x-kubernetes-validations";

/** A rule that is ready. */
export interface CompiledRule {
  readonly rule: Rule;
  /** In the node's rules. */
  readonly index: number;
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
  readonly value: string | boolean;
  /** Made when it is asked for: of one short expression it may be long. */
  readonly text: string;
}

/** What an expression of a schema costs at most. */
export interface RuleCost {
  readonly index: number;
  readonly member: "rule" | "messageExpression";
  /** Of one evaluation. */
  readonly cost: number;
  /** How often it can be evaluated for one object, if nothing bounds what holds the node. */
  readonly times: number;
}

interface CompiledNode {
  readonly rules: readonly CompiledRule[];
  readonly faults: readonly RuleFault[];
}

const NODES = new WeakMap<Schema, CompiledNode>();
const NONE: CompiledNode = { rules: [], faults: [] };

/** The rules of one node that compile. `root`: the node is a whole object. */
export const rulesOf = (s: Schema, root: boolean): readonly CompiledRule[] => compiled(s, root).rules;

/** The rules of one node that do not compile. */
export const brokenRules = (s: Schema, root: boolean): readonly RuleFault[] => {
  const { faults } = compiled(s, root);
  return faults.length ? faults.filter((f) => f.member === "rule") : faults;
};

/** What expressions should give. */
const RESULTS = {
  rule: "cel expression must evaluate to a bool",
  messageExpression: "messageExpression must evaluate to a string",
};

/** The rules of one node, compiled once. */
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
    if (!rule.rule?.trim()) return;
    const fault = (member: keyof typeof RESULTS, value: string, e: unknown) => {
      if (!(e instanceof CelError)) throw e;
      faults.push({
        index,
        member,
        value,
        get text() {
          return e instanceof ResultError ? RESULTS[member] : compileFault(value, e);
        },
      });
    };
    if (!self) return;
    try {
      const program = compile(rule.rule, variables(self, rule), BOOL);
      const transition = program.uses.has("oldSelf");
      rules.push({ rule, index, program, message: messageOf(rule, self, fault), transition });
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
 * What is wrong with the rules of one node of a schema. `root`: the node is a whole object. `untold`: the place within which
 * it cannot be told what a value was before.
 */
export function ruleFaults(s: Schema, root: boolean, untold?: Path): readonly RuleFault[] {
  const { rules, faults } = compiled(s, root), sound = new Set(rules.map((r) => r.rule));
  return [
    ...faults,
    ...rules.flatMap((r) => transitionFaults(r, untold)),
    // What does not compile uses nothing.
    ...(isBlind(s, root) ? [] : s[RULES] ?? []).flatMap((rule, index) =>
      sound.has(rule) ? [] : idleOldSelf(rule, index)
    ),
  ];
}

/** Whether a node has rules but no type that they could look at. */
export const isBlind = (s: Schema, root: boolean): boolean => (s[RULES]?.length ?? 0) > 0 && !extentOf(s, root);

/** What the rules of one node cost at most. `root`: the node is a whole object. */
export function ruleCosts(s: Schema, root: boolean): readonly RuleCost[] {
  const extent = s[RULES]?.length ? extentOf(s, root) : undefined;
  if (!extent) return [];
  const sizes = sizesBelow(extent), times = timesInRequest(extent);
  return compiled(s, root).rules.flatMap(({ index, program, message }): RuleCost[] => {
    const own = { index, cost: program.costAtMost(sizes), times };
    return [
      { ...own, member: "rule" },
      ...message ? [{ index, member: "messageExpression" as const, cost: message.costAtMost(sizes), times: 1 }] : [],
    ];
  });
}

function transitionFaults({ rule, index, transition }: CompiledRule, untold: Path | undefined): RuleFault[] {
  if (transition) {
    const text = `oldSelf has no place within ${untold}, whose items are not told again`;
    return untold ? [{ index, member: "rule", value: rule.rule, text }] : [];
  }
  return idleOldSelf(rule, index);
}

function idleOldSelf({ optionalOldSelf }: Rule, index: number): RuleFault[] {
  if (optionalOldSelf === undefined || optionalOldSelf === null) return [];
  const text = "may not be set if oldSelf is not used in rule";
  return [{ index, member: "optionalOldSelf", value: optionalOldSelf, text }];
}

/** Whether a schema has a rule. */
export const hasRules = (s: Schema): boolean => anywhere(s, (x) => (x[RULES]?.length ?? 0) > 0);
