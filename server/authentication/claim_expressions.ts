/** Expressions about the claims of an issuer's tokens: who somebody is, and which tokens and users are taken. */
import {
  BOOL,
  CelError,
  compile,
  DYN,
  EntryMap,
  listOf,
  mapOf,
  type Program,
  STRING,
  type Type,
  type Value,
} from "../../schema/cel/mod.ts";
import type { Json } from "../../schema/model/types.ts";
import type { User } from "../request.ts";
import { TokenError } from "./token.ts";

/** What must be true. */
export interface ClaimRule {
  readonly expression: string;
  /** Told where it is not. */
  readonly message: string;
  readonly program: Program;
}

/** The expressions of one issuer; in place of claims where they stand. */
export interface ClaimExpressions {
  readonly username?: Program;
  readonly groups?: Program;
  readonly uid?: Program;
  readonly extra: readonly { readonly key: string; readonly program: Program }[];
  /** About the token. */
  readonly claims: readonly ClaimRule[];
  /** About who it makes. */
  readonly user: readonly ClaimRule[];
}

const CLAIMS: ReadonlyMap<string, Type> = new Map([["claims", mapOf(STRING, DYN)]]);
const USER: ReadonlyMap<string, Type> = new Map([["user", {
  k: "object",
  name: "UserInfo",
  fields: new Map<string, Type>([
    ["username", STRING],
    ["uid", STRING],
    ["groups", listOf(STRING)],
    ["extra", mapOf(STRING, listOf(STRING))],
  ]),
}]]);

/** A value made of claims: of what type shows when there are some. @throws CelError that says what is wrong with the expression */
export const claimExpression = (text: string): Program => compile(text, CLAIMS);
/** A condition on claims. @throws CelError */
export const claimCondition = (text: string): Program => compile(text, CLAIMS, BOOL);
/** A condition on the user. @throws CelError */
export const userCondition = (text: string): Program => compile(text, USER, BOOL);

/** Claims as expressions see them: all numbers are floats. */
export function claimValue(v: Json): Value {
  if (Array.isArray(v)) return v.map(claimValue);
  if (typeof v !== "object" || v === null) return v;
  const out = new EntryMap();
  for (const [key, value] of Object.entries(v)) out.set(key, claimValue(value));
  return out;
}

function run(program: Program, values: Record<string, Value>, what: string): Value {
  try {
    return program.run(values);
  } catch (e) {
    if (!(e instanceof CelError)) throw e;
    throw new TokenError(`the expression of ${what} has no value: ${e.message}`, { cause: e });
  }
}

/** A text. @throws TokenError for anything else */
export function textBy(program: Program, claims: Value, what: string): string {
  const value = run(program, { claims }, what);
  if (typeof value !== "string") throw new TokenError(`the expression of ${what} should give a string`);
  return value;
}

/** Texts that are not empty: of a list, of one text, none of null. @throws TokenError for anything else */
export function textsBy(program: Program, claims: Value, what: string): string[] {
  const value = run(program, { claims }, what);
  if (value === null) return [];
  const list = typeof value === "string" ? [value] : value;
  if (!Array.isArray(list) || list.some((v) => typeof v !== "string")) {
    throw new TokenError(`the expression of ${what} should give a string or a list of strings`);
  }
  return (list as string[]).filter((text) => text !== "");
}

function hold(rules: readonly ClaimRule[], values: Record<string, Value>): void {
  for (const { program, expression, message } of rules) {
    const what = `the rule ${JSON.stringify(expression)}`;
    if (run(program, values, what) !== true) {
      throw new TokenError(`${what} does not hold${message ? `: ${message}` : ""}`);
    }
  }
}

/** @throws TokenError for claims that break a rule */
export const checkClaims = (x: ClaimExpressions, claims: Value): void => hold(x.claims, { claims });

/** @throws TokenError for a user who breaks a rule */
export function checkUser(x: ClaimExpressions, { name, uid = "", groups, extra = {} }: User): void {
  if (x.user.length === 0) return;
  const shown = { username: name, uid, groups: [...groups], extra: extra as Json } as Json;
  hold(x.user, { user: claimValue(shown) });
}
