/** Bearer tokens: the contract of what knows them, and how a request carries one. */
import type { Product } from "../../schema/product.ts";
import { tokenAmong } from "../../schema/values/token_protocols.ts";
import type { Connection } from "../request.ts";
import type { Asking, Authenticated, Authenticator, Remarks } from "./types.ts";

/** One way to know a token. */
export interface TokenAuthenticator {
  readonly name: string;
  /**
   * Undefined: the token is not of this kind. `audiences`: the caller accepts a token for any of them; what the answer tells as its
   * audiences is those of them that the token is for.
   * @throws Error when the token is of this kind and no good
   */
  authenticateToken(
    token: string,
    audiences: readonly string[],
  ): Authenticated | undefined | Promise<Authenticated | undefined>;
}

/** A request's token is no good. The text is for the log, not for the client. */
export class TokenError extends Error {
  override readonly name = "TokenError";

  /** @param remarks said of the request all the same */
  constructor(message: string, readonly options: ErrorOptions & { readonly remarks?: Remarks } = {}) {
    super(message, options);
  }
}

const EXTRA_SPACE = "the provided Authorization header contains extra space before the bearer token, and is ignored";

/** The token of an `Authorization: Bearer` header, up to the next space; undefined without one, and where two spaces stand before it. */
function bearerToken(request: Asking): string | undefined {
  const header = request.headers.get("authorization");
  const found = header ? /^bearer ([^ ]*)/i.exec(header.trim()) : undefined;
  if (found?.[1] === "") request.warnings?.add(EXTRA_SPACE);
  return found?.[1] || undefined;
}

/** The token that a browser carries as a WebSocket subprotocol. @throws TokenError when it is written wrongly */
function websocketToken(request: Asking, product: Product): string | undefined {
  const offered = request.headers.get("sec-websocket-protocol");
  if (!offered || request.headers.get("upgrade")?.toLowerCase() !== "websocket") return undefined;
  try {
    return tokenAmong(offered, product);
  } catch (cause) {
    throw new TokenError((cause as Error).message, { cause });
  }
}

/** The method that tries every kind of token. `audiences`: those of this server. */
export function tokenMethod(tokens: TokenAuthenticator, audiences: readonly string[], product: Product): Authenticator {
  const ask = (token: string | undefined) => {
    if (token === undefined) return undefined;
    const answer = tokens.authenticateToken(token, audiences);
    return answer instanceof Promise ? answer.then(orThrow) : orThrow(answer);
  };
  return {
    name: "token",
    authenticate: (request: Asking, _connection: Connection) =>
      ask(bearerToken(request) ?? websocketToken(request, product)),
  };
}

function orThrow(answer: Authenticated | undefined): Authenticated {
  if (!answer) throw new TokenError("the bearer token is not known");
  return answer;
}

/** Audiences that the caller and the token share. A caller without any asks for none. */
export function commonAudiences(wanted: readonly string[], has: readonly string[]): string[] {
  return wanted.filter((a) => has.includes(a));
}

/**
 * For kinds of token that know nothing of audiences: they are good for this server's own. Undefined where the caller asks for none of
 * those.
 */
export function ownAudiences(
  wanted: readonly string[],
  own: readonly string[],
): readonly string[] | undefined | false {
  if (wanted.length === 0) return undefined;
  const common = commonAudiences(wanted, own);
  return common.length ? common : false;
}
