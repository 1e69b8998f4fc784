/** Several kinds of token as one: the first that knows the token answers. */
import type { TokenAuthenticator } from "./token.ts";

/** Tries each in order. Errors of those before do not matter once one knows it; when none does they are thrown together. */
export function unionTokens(kinds: readonly TokenAuthenticator[]): TokenAuthenticator {
  return {
    name: "token union",
    async authenticateToken(token, audiences) {
      const errors: unknown[] = [];
      for (const kind of kinds) {
        try {
          const answer = await kind.authenticateToken(token, audiences);
          if (answer) return answer;
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length) {
        throw errors.length === 1 ? errors[0] : new AggregateError(errors, "no authenticator took the token");
      }
      return undefined;
    },
  };
}
