/** How tokens of service accounts are made, by a server's options. */
import { uuid } from "../schema/values/random.ts";
import { TokenIssuer } from "./authentication/token_issuer.ts";
import type { ServerInputs } from "./inputs.ts";
import type { TokenOptions } from "./registry/core/token.ts";

/** How long a token lives at most that was put into a pod for an hour. */
const YEAR_SECONDS = 365 * 24 * 3600;

/** See the top of the file. `audiences`: those of the server itself. */
export function tokenOptions(
  { options, files, random, signer }: ServerInputs,
  audiences: readonly string[],
): TokenOptions {
  const issuer = options.serviceAccountIssuer[0];
  return {
    issuer: signer ?? (files.signingKey && issuer ? new TokenIssuer(files.signingKey, issuer) : undefined),
    audiences,
    maxSeconds: Math.floor(options.serviceAccountMaxTokenExpiration / 1000) || (signer?.maxSeconds ?? 0),
    extendedSeconds: Math.min(YEAR_SECONDS, signer?.maxSeconds ?? Infinity),
    extend: options.serviceAccountExtendTokenExpiration,
    newId: () => uuid(random),
  };
}
