/** Syntax trees of expressions in CEL, the common expression language. `at` is where a node stands in its text, in UTF-16 units. */

/** A literal's value, as the evaluator has it. */
export type Literal = null | boolean | bigint | number | string | Uint8Array | { readonly uint: bigint };

/** One node. */
export type Node =
  | { readonly t: "literal"; readonly at: number; readonly value: Literal }
  | { readonly t: "name"; readonly at: number; readonly name: string }
  | {
    readonly t: "select";
    readonly at: number;
    readonly on: Node;
    readonly name: string;
    /** `has(…)`: whether the field is there. */
    readonly test?: boolean;
    /** `a.?b`. */
    readonly optional?: boolean;
  }
  | { readonly t: "index"; readonly at: number; readonly on: Node; readonly key: Node; readonly optional?: boolean }
  | {
    readonly t: "call";
    readonly at: number;
    readonly name: string;
    readonly on?: Node;
    readonly args: readonly Node[];
  }
  | { readonly t: "list"; readonly at: number; readonly items: readonly Item[] }
  | { readonly t: "map"; readonly at: number; readonly entries: readonly Entry[] }
  | { readonly t: "make"; readonly at: number; readonly type: string; readonly fields: readonly FieldValue[] }
  | { readonly t: "and" | "or"; readonly at: number; readonly left: Node; readonly right: Node }
  | { readonly t: "bind"; readonly at: number; readonly name: string; readonly value: Node; readonly body: Node }
  | { readonly t: "if"; readonly at: number; readonly test: Node; readonly then: Node; readonly else: Node }
  | Loop;

/** An item of a list; an optional one that is empty is left out. */
export interface Item {
  readonly value: Node;
  readonly optional: boolean;
}

/** An entry of a map. */
export interface Entry {
  readonly key: Node;
  readonly value: Node;
  readonly optional: boolean;
}

/** A field of an object that an expression makes (`Type{field: value}`). */
export interface FieldValue {
  /** Where the colon stands. */
  readonly at: number;
  readonly name: string;
  readonly value: Node;
  readonly optional: boolean;
}

/** `a.b.c` of nothing but names. */
export function dotted(node: Node): string | undefined {
  if (node.t === "name") return node.name;
  if (node.t !== "select" || node.test || node.optional) return undefined;
  const before = dotted(node.on);
  return before && `${before}.${node.name}`;
}

/** Loops over a list's items or a map's keys. */
export type LoopKind =
  | "all"
  | "exists"
  | "existsOne"
  | "map"
  | "filter"
  | "transformList"
  | "transformMap"
  | "transformMapEntry"
  | "sortBy"
  | "optMap"
  | "optFlatMap";

/** A comprehension. `names`: one or two variables. `test` is a condition of `map` and the transforms. */
export interface Loop {
  readonly t: "loop";
  readonly at: number;
  readonly kind: LoopKind;
  readonly on: Node;
  readonly names: readonly string[];
  readonly test?: Node;
  readonly body: Node;
}

/** What is wrong with an expression, before or while it is evaluated. */
export class CelError extends Error {
  override readonly name = "CelError";
  constructor(message: string, readonly at?: number) {
    super(message);
  }
}

/** What is wrong in several places. As one error it is the first. */
export class CelErrors extends CelError {
  readonly all: readonly CelError[];
  /** @param found one at least, in any order */
  constructor(found: readonly CelError[]) {
    const all = found.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0)), [first] = all;
    super(first!.message, first!.at);
    this.all = all;
  }
}

/** The expression is well formed, but a value in it that is always the same cannot be had. */
export class ConstantError extends CelError {}

/** The expression is well formed, but gives another type than it should. */
export class ResultError extends CelError {}

/** Words that are kept for later: no names of variables, though fields may have them. */
export const RESERVED: ReadonlySet<string> = new Set(
  ("as break const continue else for function if import let loop package namespace return var void while").split(" "),
);
