/** Expressions in CEL, the common expression language: compiled once, evaluated often. Pure. */
import { CelError, CelErrors, type Node, ResultError } from "./ast.ts";
import { type Env, type Faults, type Findings, typeOfNode } from "./check.ts";
import { coreOf } from "./core.ts";
import { estimate, type SizeAt } from "./cost.ts";
import { AUTHORIZER } from "./authorizer.ts";
import { evaluate, type Spent } from "./evaluate.ts";
import { LIBRARY } from "./library.ts";
import { parse, TOO_DEEP } from "./parser.ts";
import { PATCH, patchType } from "./patch.ts";
import { SEMVER } from "./semver.ts";
import { STANDARD } from "./standard.ts";
import { functionsOf } from "./table.ts";
import { sameType, type Type, typeText } from "./types.ts";
import type { Value } from "./values.ts";

export { CelError, ConstantError, ResultError } from "./ast.ts";
export { type AccessAnswer, type AccessQuestion, type Ask, authorizerValue, resourceCheckValue } from "./authorizer.ts";
export { BIND } from "./check.ts";
export { compileFault, located } from "./located.ts";
export * from "./types.ts";
export { OBJECT_PART, PATCH_STEPS } from "./patch.ts";
export {
  type CelMap,
  EntryMap,
  isCelMap,
  LooseList,
  Made,
  Opaque,
  Optional,
  Span,
  Time,
  TypeValue,
  Uint,
  type Value,
} from "./values.ts";
export { readSpan, readTime } from "./standard.ts";
export type { SizeAt } from "./cost.ts";
export type { Spent } from "./evaluate.ts";
export { BOUNDLESS, plus, times } from "./cost_size.ts";

const FUNCTIONS = functionsOf(...STANDARD, ...LIBRARY, SEMVER, AUTHORIZER);
const PATCH_FUNCTIONS = functionsOf(...STANDARD, ...LIBRARY, SEMVER, AUTHORIZER, PATCH);

/** An expression that is ready to be evaluated. */
export interface Program {
  readonly type: Type;
  /** Names of the variables that the expression mentions. */
  readonly uses: ReadonlySet<string>;
  /** Adds to `spent` what the evaluation cost. @throws CelError when there is no value, or it costs too much */
  run(variables: Readonly<Record<string, Value>>, spent?: Spent): Value;
  /** Most that one evaluation can cost, from the sizes of what its variables hold. */
  costAtMost(sizeAt: SizeAt): number;
}

/**
 * Parses and checks an expression. `variables`: types of what it may mention; `wanted`: types of which it must have one; none:
 * any.
 * @throws CelError whose message is fit for a client
 */
export function compile(text: string, variables: ReadonlyMap<string, Type>, ...wanted: Type[]): Program {
  return inDepth(() => ready(parse(text), { variables, functions: FUNCTIONS }, wanted));
}

/**
 * The same for expressions that make changes: `Object{…}` makes part of an object, `JSONPatch{…}` a step of a patch.
 * @throws CelError as {@linkcode compile}
 */
export function compilePatch(text: string, variables: ReadonlyMap<string, Type>, ...wanted: Type[]): Program {
  const env = { variables, functions: PATCH_FUNCTIONS, objects: patchType };
  return inDepth(() => ready(parse(text), env, wanted));
}

/** The walks over expressions recurse, and a long row of `&&` is as deep as it is long. @throws CelError */
function inDepth<T>(work: () => T): T {
  try {
    return work();
  } catch (e) {
    if (!(e instanceof RangeError)) throw e;
    throw new CelError(e.message.includes("call stack") ? TOO_DEEP : e.message);
  }
}

/** What a type is called where it is a result's. */
const resultText = (t: Type): string => typeText(t).replace(/\bnull\b/g, "null_type");

function ready(node: Node, env: Omit<Env, "faults">, wanted: readonly Type[]): Program {
  const faults: Faults = { types: [], literals: [], late: [] };
  const findings: Findings = { types: new Map(), overloads: new Map() };
  const type = typeOfNode(node, { ...env, faults, findings });
  for (const found of [faults.types, faults.literals]) if (found.length > 0) throw new CelErrors(found);
  // What may be of any type is not of the type that is wanted, nor is a list of such values.
  if (wanted.length > 0 && !wanted.some((w) => sameType(w, type))) {
    const [one, ...others] = wanted.map(resultText);
    const said = others.length ? `one of [${[one, ...others].join(" ")}]` : one;
    throw new ResultError(`must evaluate to ${said} but got ${resultText(type)}`);
  }
  const [late] = faults.late;
  if (late) throw late;
  const whole = { node, functions: env.functions, overloads: findings.overloads };
  return {
    type,
    uses: namesIn(node),
    run: (values, spent) => inDepth(() => evaluate(whole, values, spent)),
    costAtMost: (sizeAt) => inDepth(() => estimate(coreOf(node, findings), sizeAt)),
  };
}

/** Names that stand anywhere in a tree. */
function namesIn(node: Node): ReadonlySet<string> {
  const out = new Set<string>();
  const visit = (v: unknown): void => {
    if (typeof v !== "object" || v === null) return;
    if ((v as Node).t === "name") out.add((v as { name: string }).name);
    else for (const part of Object.values(v)) visit(part);
  };
  visit(node);
  return out;
}
