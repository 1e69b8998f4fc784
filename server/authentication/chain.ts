/** All methods in their order (specification, "Authentication", "API server"). */
import { StatusError } from "../../schema/status.ts";
import type { Connection, User } from "../request.ts";
import { type AnonymousConfig, anonymousUser } from "./anonymous.ts";
import { TokenError } from "./token.ts";
import type { Asking, Authenticated, Authenticator, Remarks } from "./types.ts";

/** Group of everybody who is somebody. */
export const AUTHENTICATED = "system:authenticated";
const UNAUTHENTICATED = "system:unauthenticated";

/** What the chain is made of. */
export interface ChainOptions {
  /** Request header, certificate, token: those that are configured, in that order. */
  readonly methods: readonly Authenticator[];
  readonly anonymous: AnonymousConfig;
  /** Told why a request became 401; never shown to the client. */
  readonly onFailure?: (errors: readonly unknown[]) => void;
}

/** Tells who asks. @throws StatusError 401 */
export type Authenticate = (request: Asking, connection: Connection, path: string) => User | Promise<User>;

/** The user with the group that every authenticated one has. The same object where it has it already. */
export function withAuthenticated(user: User): User {
  if (user.groups.includes(AUTHENTICATED) || user.groups.includes(UNAUTHENTICATED)) return user;
  if (user.name === "system:anonymous") return user;
  return { ...user, groups: [...user.groups, AUTHENTICATED] };
}

/** 401, without a word about why. */
export class Unauthenticated extends StatusError {
  /** @param tried there was something to know the caller by, and it was no good */
  constructor(readonly tried: boolean) {
    super(401, "Unauthorized", "Unauthorized");
  }
}

/**
 * The chain. The first method that knows the caller wins, whatever failed before it. A request in which something was wrong is never
 * anonymous. Synchronous where the methods are. The answer for an unchanged user of a method is the same object.
 * It throws {@linkcode Unauthenticated} for who is nobody.
 */
export function authenticationChain(options: ChainOptions): Authenticate {
  const { methods, anonymous } = options;
  const known = new WeakMap<User, User>();
  const grouped = (request: Asking, { user, remarks }: Authenticated): User => {
    if (remarks) remark(request, remarks);
    let out = known.get(user);
    if (!out) known.set(user, out = withAuthenticated(user));
    return out;
  };
  const nobody = (request: Asking, path: string, errors: readonly unknown[]): User => {
    for (const error of errors) remarkFailed(request, error);
    const user = errors.length === 0 ? anonymousUser(anonymous, path) : undefined;
    if (user) return user;
    options.onFailure?.(errors);
    throw new Unauthenticated(errors.length > 0);
  };
  const from = (
    i: number,
    request: Asking,
    connection: Connection,
    path: string,
    errors: unknown[],
  ): User | Promise<User> => {
    for (; i < methods.length; i++) {
      try {
        const answer = methods[i]!.authenticate(request, connection);
        if (answer instanceof Promise) return later(answer, i, request, connection, path, errors);
        if (answer) return grouped(request, answer);
      } catch (error) {
        errors.push(error);
      }
    }
    return nobody(request, path, errors);
  };
  const later = async (
    answer: Promise<Authenticated | undefined>,
    i: number,
    request: Asking,
    connection: Connection,
    path: string,
    errors: unknown[],
  ): Promise<User> => {
    try {
      const got = await answer;
      if (got) return grouped(request, got);
    } catch (error) {
      errors.push(error);
    }
    return from(i + 1, request, connection, path, errors);
  };
  return (request, connection, path) => from(0, request, connection, path, []);
}

function remark({ auditAnnotations, warnings }: Asking, remarks: Remarks): void {
  for (const [key, value] of remarks.notes) auditAnnotations?.set(key, value);
  for (const text of remarks.warnings ?? []) warnings?.add(text);
}

function remarkFailed(request: Asking, error: unknown): void {
  if (error instanceof AggregateError) { for (const one of error.errors) remarkFailed(request, one); }
  if (error instanceof TokenError && error.options.remarks) remark(request, error.options.remarks);
}
