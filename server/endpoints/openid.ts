/** Discovery of the issuer of service account tokens (specification, "Other paths"). */
import type { PathHandler } from "../app_types.ts";
import { verifyKeys } from "../authentication/keys.ts";
import { plainRoute, routeAndBelow } from "./plain.ts";

/** What the documents say. */
export interface OpenIdOptions {
  readonly issuer: string;
  /** `--service-account-jwks-uri`, else below the issuer. */
  readonly jwksUri: string;
  /** PEM of the public keys. */
  readonly keys: readonly string[];
}

/** Handlers of both documents. */
export function openIdPaths(options: OpenIdOptions): Map<string, PathHandler> {
  const keys = verifyKeys(options.keys);
  const jwks = keys.map(({ key, kid, algorithms }) => ({
    use: "sig",
    ...key.export({ format: "jwk" }),
    kid,
    alg: algorithms[0],
  }));
  const config = {
    issuer: options.issuer,
    jwks_uri: options.jwksUri,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [...new Set(keys.map((k) => k.algorithms[0]))],
  };
  const answer = (tree: unknown, type: string): PathHandler =>
    plainRoute(type, () =>
      new Response(JSON.stringify(tree), {
        headers: { "content-type": type, "cache-control": "public, max-age=3600" },
      }));
  return new Map([
    ...routeAndBelow("/.well-known/openid-configuration", answer(config, "application/json")),
    ...routeAndBelow("/openid/v1/jwks", answer({ keys: jwks }, "application/jwk-set+json")),
  ]);
}
